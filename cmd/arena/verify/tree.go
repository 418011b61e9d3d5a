package verify

import (
	"context"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"

	"example.org/arena/results/tomlfile"
)

// published is the folder of all published bundles, from the root of the
// repository.
const published = "results/bundles"

// publishedRoot returns the folder results/bundles that holds the absolute path,
// or is it.
func publishedRoot(abs string) (string, bool) {
	for dir := abs; ; dir = filepath.Dir(dir) {
		if filepath.Base(dir) == "bundles" && filepath.Base(filepath.Dir(dir)) == "results" {
			return dir, true
		}
		if dir == filepath.Dir(dir) {
			return "", false
		}
	}
}

func splitPath(p string) []string    { return strings.Split(filepath.ToSlash(p), "/") }
func joinPath(parts []string) string { return strings.Join(parts, "/") }

// tree checks a folder: every file in it must be a bundle, or a raw file that a
// bundle beside it names.
func (v *verifier) tree(ctx context.Context, dir string) error {
	var bundles, others []string
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
		case !d.Type().IsRegular():
			v.fault(tomlfile.Fault{File: p, Code: CodeIrregular, Message: irregular(d.Type())})
		case strings.HasSuffix(p, ".json"):
			bundles = append(bundles, p)
		default:
			others = append(others, p)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(bundles) == 0 {
		v.fault(tomlfile.Fault{File: dir, Code: CodeNone, Message: "holds no bundle"})
	}
	raw := map[string]bool{}
	for _, p := range bundles {
		if err := ctx.Err(); err != nil {
			return err
		}
		at, err := placeOf(p)
		if err != nil {
			return err
		}
		kept, err := v.file(ctx, p, at)
		if err != nil {
			return err
		}
		for _, k := range kept {
			raw[k] = true
		}
	}
	for _, p := range others {
		if leftover.MatchString(filepath.Base(p)) {
			v.warnings = append(v.warnings, tomlfile.Fault{
				File: p, Code: CodeLeftover,
				Message: "was left by an import that was ended before it was done; remove it when none is running",
			})
			continue
		}
		// What a bundle keeps that could not be read is not known.
		hidden := isRaw(p) && v.unread[filepath.Dir(filepath.Dir(p))]
		if !raw[p] && !hidden {
			v.fault(tomlfile.Fault{File: p, Code: CodeUnexpected, Message: unexpected(p)})
		}
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if root, ok := publishedRoot(abs); ok && root == abs {
		v.complete = true
	}
	return nil
}

// leftover is the form of the name under which an import writes a file before it
// has its place.
var leftover = regexp.MustCompile(`^\.arena-[0-9]+$`)

// rawName is the form of the name of a raw file, below the folder raw.
var rawName = regexp.MustCompile(`^[0-9a-f]{64}\.gz$`)

// isRaw reports whether p has the place and name of a raw file.
func isRaw(p string) bool {
	return filepath.Base(filepath.Dir(p)) == "raw" && rawName.MatchString(filepath.Base(p))
}

func unexpected(p string) string {
	if isRaw(p) {
		return "no bundle beside it keeps this raw file"
	}
	return "is neither a bundle nor a raw file that one keeps"
}
