package verify

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A repo is a clone of the repository whose revisions bundles pin.
type repo struct {
	top     string // its folder
	partial bool   // its history is cut off, or its objects may be missing
	env     []string
	commits map[string]commitState
	sums    map[string]string // "<revision>:<path>" → SHA-256, empty when there is no such file
	err     error             // why there is no repository; the rest is unset then
}

// A commitState says what a repository knows of a revision.
type commitState int

const (
	unknown     commitState = iota
	unreachable             // exists, but not in the history of HEAD
	reachable
)

// repo returns the repository for bundles in dir: the one that holds them, or
// else that of the working folder.
func (v *verifier) repo(ctx context.Context, dir string) (*repo, error) {
	if r, ok := v.repos[dir]; ok {
		return r, nil
	}
	r := open(ctx, dir, v.options.Env)
	if r.err != nil {
		if here := open(ctx, ".", v.options.Env); here.err == nil {
			r = here
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	// Share what is known between the folders of one repository.
	for _, other := range v.repos {
		if r.err == nil && other.top == r.top {
			r = other
		}
	}
	v.repos[dir] = r
	return r, nil
}

// open looks for the repository that holds dir. One without contracts is another
// project's: revisions of this one mean nothing there.
func open(ctx context.Context, dir string, env []string) *repo {
	r := &repo{top: dir, env: env, commits: map[string]commitState{}, sums: map[string]string{}}
	top, err := r.git(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return &repo{err: err}
	}
	r.top = filepath.FromSlash(strings.TrimSuffix(string(top), "\n"))
	if info, err := os.Stat(filepath.Join(r.top, "content", "contracts")); err != nil || !info.IsDir() {
		return &repo{err: fmt.Errorf("%s is not a repository with contracts", r.top)}
	}
	if _, err := r.git(ctx, "rev-parse", "--quiet", "--verify", "HEAD^{commit}"); err != nil {
		return &repo{err: fmt.Errorf("%s has no commit", r.top)}
	}
	shallow, err := r.git(ctx, "rev-parse", "--is-shallow-repository")
	if err != nil {
		return &repo{err: err}
	}
	promisor, err := r.git(ctx, "config", "--default", "", "--get", "extensions.partialClone")
	if err != nil {
		return &repo{err: err}
	}
	r.partial = string(shallow) != "false\n" || string(promisor) != "\n"
	return r
}

// commit looks a full revision up.
func (r *repo) commit(ctx context.Context, rev string) (commitState, error) {
	if state, ok := r.commits[rev]; ok {
		return state, nil
	}
	state := unknown
	exists, err := r.yes(ctx, "rev-parse", "--quiet", "--verify", "--end-of-options", rev+"^{commit}")
	if err != nil {
		return unknown, err
	}
	if exists {
		state = unreachable
		ancestor, err := r.yes(ctx, "merge-base", "--is-ancestor", rev, "HEAD")
		if err != nil {
			return unknown, err
		}
		if ancestor {
			state = reachable
		}
	}
	r.commits[rev] = state
	return state, nil
}

// blobSum returns the SHA-256 of a file at a revision, and whether it is there.
func (r *repo) blobSum(ctx context.Context, rev, file string) (sum string, ok bool, err error) {
	object := rev + ":" + file
	if sum, ok := r.sums[object]; ok {
		return sum, sum != "", nil
	}
	exists, err := r.yes(ctx, "rev-parse", "--quiet", "--verify", "--end-of-options", object)
	if err != nil {
		return "", false, err
	}
	if exists {
		data, err := r.git(ctx, "cat-file", "blob", object)
		if err != nil {
			return "", false, err
		}
		digest := sha256.Sum256(data)
		sum = hex.EncodeToString(digest[:])
	}
	r.sums[object] = sum
	return sum, sum != "", nil
}

// yes runs git for its answer: exit code 0 is yes, 1 is no. rev-parse --verify
// also says no with 128 when it knows the name but not the object.
func (r *repo) yes(ctx context.Context, args ...string) (bool, error) {
	_, err := r.git(ctx, args...)
	var exit *exec.ExitError
	switch {
	case err == nil:
		return true, nil
	case errors.As(err, &exit) && (exit.ExitCode() == 1 || exit.ExitCode() == 128 && args[0] == "rev-parse"):
		return false, ctx.Err()
	}
	return false, err
}

// git runs git in the repository and returns what it prints. It takes no lock,
// asks nothing, fetches nothing, and follows no replacement objects.
func (r *repo) git(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"--no-optional-locks", "--no-replace-objects", "-C", r.top}, args...)...)
	cmd.Env = append(slices.Clip(r.env), "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err == nil {
		return out, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	said, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
	if said == "" {
		return nil, fmt.Errorf("git %s: %w", args[0], err)
	}
	return nil, fmt.Errorf("git %s: %s (%w)", args[0], said, err)
}
