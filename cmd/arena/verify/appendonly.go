package verify

import (
	"bytes"
	"context"
	"crypto/sha1" //nolint:gosec // Git's own name of a file, not a protection
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.org/arena/results/tomlfile"
)

// An entry is a file as Git sees it.
type entry struct {
	mode string // 100644, 100755, 120000 (symbolic link), 160000 (submodule)
	id   string // of its bytes
}

const regular = "100644"

// appendOnly compares the published results with what they were where this
// branch left the base. Both HEAD and the working tree are compared: one may
// hide what the other shows.
func (v *verifier) appendOnly(ctx context.Context) error {
	dir := "."
	if len(v.options.Paths) > 0 {
		dir = v.options.Paths[0]
		if info, err := os.Stat(dir); err == nil && !info.IsDir() {
			dir = filepath.Dir(dir)
		}
	}
	r, err := v.repo(ctx, dir)
	if err != nil {
		return err
	}
	if r.err != nil {
		return fmt.Errorf("compare with %s: %w", v.options.Base, r.err)
	}
	points, err := r.mergeBases(ctx, v.options.Base)
	if err != nil {
		return err
	}
	head, err := r.entries(ctx, "HEAD")
	if err != nil {
		return err
	}
	for _, point := range points {
		before, err := r.entries(ctx, point)
		if err != nil {
			return err
		}
		for _, f := range changes(before, head) {
			f.File = r.shown(f.File)
			v.fault(f)
		}
		disk, err := r.onDisk(before)
		if err != nil {
			return err
		}
		for _, f := range changes(before, disk) {
			f.File = r.shown(f.File)
			v.fault(f)
		}
	}
	return nil
}

// mergeBases returns the revisions where HEAD left base.
func (r *repo) mergeBases(ctx context.Context, base string) ([]string, error) {
	rev, err := r.git(ctx, "rev-parse", "--quiet", "--verify", "--end-of-options", base+"^{commit}")
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("compare with %s: the repository has no such revision", base)
	}
	out, err := r.git(ctx, "merge-base", "--all", strings.TrimSpace(string(rev)), "HEAD")
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if r.partial {
			return nil, fmt.Errorf("compare with %s: this clone has no full history", base)
		}
		return nil, fmt.Errorf("compare with %s: HEAD has no history in common with it", base)
	}
	return strings.Fields(string(out)), nil
}

// entries returns the published results at a revision, by their path from the
// root of the repository.
func (r *repo) entries(ctx context.Context, rev string) (map[string]entry, error) {
	out, err := r.git(ctx, "ls-tree", "-r", "-z", "--full-tree", rev, "--", published)
	if err != nil {
		return nil, err
	}
	list := map[string]entry{}
	for line := range bytes.SplitSeq(out, []byte{0}) {
		if len(line) == 0 {
			continue
		}
		about, name, ok := strings.Cut(string(line), "\t")
		fields := strings.Fields(about)
		if !ok || len(fields) != 3 {
			return nil, fmt.Errorf("read %q of git ls-tree", line)
		}
		list[name] = entry{mode: fields[0], id: fields[2]}
	}
	return list, nil
}

// onDisk returns the published results in the working tree, named as in before.
func (r *repo) onDisk(before map[string]entry) (map[string]entry, error) {
	digits := 40
	for _, e := range before {
		digits = len(e.id)
	}
	list := map[string]entry{}
	root := filepath.Join(r.top, filepath.FromSlash(published))
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(r.top, p)
		if err != nil {
			return err
		}
		e, err := entryOf(p, d, digits)
		if err != nil {
			return err
		}
		list[filepath.ToSlash(name)] = e
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return list, nil // every file of before is gone
	}
	return list, err
}

// entryOf returns a file of the working tree as Git would record it.
func entryOf(p string, d fs.DirEntry, digits int) (entry, error) {
	if d.Type()&fs.ModeSymlink != 0 {
		return entry{mode: "120000"}, nil
	}
	info, err := d.Info()
	if err != nil {
		return entry{}, err
	}
	data, err := os.ReadFile(p)
	if err != nil {
		return entry{}, err
	}
	e := entry{mode: regular, id: blobID(data, digits)}
	if info.Mode()&0o111 != 0 {
		e.mode = "100755"
	}
	return e, nil
}

// blobID returns the name that Git gives to bytes, with 40 or 64 digits.
func blobID(data []byte, digits int) string {
	whole := append(fmt.Appendf(nil, "blob %d\x00", len(data)), data...)
	if digits == 2*sha256.Size {
		sum := sha256.Sum256(whole)
		return hex.EncodeToString(sum[:])
	}
	sum := sha1.Sum(whole) //nolint:gosec // see the import
	return hex.EncodeToString(sum[:])
}

// shown returns a path of the repository as seen from the working folder.
func (r *repo) shown(name string) string {
	abs := filepath.Join(r.top, filepath.FromSlash(name))
	if here, err := filepath.Abs("."); err == nil {
		if here, err = filepath.EvalSymlinks(here); err == nil {
			if rel, err := filepath.Rel(here, abs); err == nil {
				return rel
			}
		}
	}
	return abs
}

// changes reports every file of before that is not the same now, and every new
// one that is not a plain file.
func changes(before, now map[string]entry) []tomlfile.Fault {
	var faults []tomlfile.Fault
	add := func(file, code, format string, args ...any) {
		faults = append(faults, tomlfile.Fault{File: file, Code: code, Message: fmt.Sprintf(format, args...)})
	}
	moved := map[string]string{} // bytes → the first new file that holds them
	for _, name := range sorted(now) {
		e := now[name]
		if _, ok := before[name]; ok {
			continue
		}
		if moved[e.id] == "" {
			moved[e.id] = name
		}
		if e.mode != regular {
			add(name, CodeIrregular, "is new and has the mode %s, want %s", e.mode, regular)
		}
	}
	for _, name := range sorted(before) {
		was := before[name]
		is, ok := now[name]
		switch {
		case !ok && moved[was.id] != "":
			add(name, CodeRenamed, "was published and is now %s", moved[was.id])
		case !ok:
			add(name, CodeDeleted, "was published and is gone")
		case is.mode != was.mode:
			add(name, CodeMode, "was published with the mode %s, which is now %s", was.mode, is.mode)
		case is.id != was.id:
			add(name, CodeModified, "was published with other bytes")
		}
	}
	return faults
}

func sorted(list map[string]entry) []string {
	names := make([]string, 0, len(list))
	for name := range list {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
