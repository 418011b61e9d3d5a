package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// ldflags returns the flags that stamp the program with what it is built from:
// version, revision, whether the tree differs from it, and the revision that
// last touched each contract. A contract that differs from its last revision is
// left out, so that nothing can be pinned to it. In a clone without full history
// the revisions cannot be known, and ldflags refuses.
func ldflags() (string, error) {
	shallow, err := git("rev-parse", "--is-shallow-repository")
	if err != nil {
		return "", err
	}
	if shallow != "false" {
		return "", errors.New("this clone has no full history, so the revisions of the contracts are unknown: git fetch --unshallow")
	}
	revision, err := git("rev-parse", "HEAD")
	if err != nil {
		return "", err
	}
	changed, err := changes(".", ":(exclude)results/bundles")
	if err != nil {
		return "", err
	}
	contracts, err := contractRevisions()
	if err != nil {
		return "", err
	}
	flags := []string{
		"-X main.revision=" + revision,
		fmt.Sprintf("-X main.dirty=%t", changed),
		"-X main.contractRevisions=" + contracts,
	}
	if tag, err := git("describe", "--tags", "--exact-match", "--match=v*"); err == nil {
		flags = append(flags, "-X main.version="+tag)
	}
	return strings.Join(flags, " "), nil
}

// contractRevisions returns "v1=<40 hex>,v2=<40 hex>".
func contractRevisions() (string, error) {
	files, err := filepath.Glob("content/contracts/*.toml")
	if err != nil {
		return "", err
	}
	var pairs []string
	for _, file := range files {
		changed, err := changes(file)
		if err != nil {
			return "", err
		}
		revision, err := git("log", "-1", "--format=%H", "--", file)
		if err != nil {
			return "", err
		}
		if changed || revision == "" {
			fmt.Fprintf(os.Stderr, "gen: %s differs from its last revision: a build with it pins nothing to it\n", file)
			continue
		}
		pairs = append(pairs, strings.TrimSuffix(filepath.Base(file), ".toml")+"="+revision)
	}
	return strings.Join(pairs, ","), nil
}

// changes reports whether tracked files below the given paths differ from HEAD.
func changes(paths ...string) (bool, error) {
	out, err := git(append([]string{"status", "--porcelain", "--untracked-files=no", "--"}, paths...)...)
	return out != "", err
}

// git runs git and returns its output without the last newline.
func git(args ...string) (string, error) {
	cmd := exec.Command("git", append([]string{"--no-optional-locks"}, args...)...)
	cmd.Env = append(os.Environ(), "LC_ALL=C", "GIT_TERMINAL_PROMPT=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, bytes.TrimSpace(stderr.Bytes()))
	}
	return strings.TrimRight(string(out), "\n"), nil
}
