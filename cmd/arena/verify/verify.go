// Package verify checks bundles where they lie: their bytes, names and places,
// the revisions that they pin, the raw files beside them, and that nothing that
// was published has changed since. It is the part of verification that needs
// files and Git; what one bundle must be is for package bundle to say.
//
// It writes nothing, and runs git as a child process without a shell.
package verify

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"example.org/arena/results/bundle"
	"example.org/arena/results/tomlfile"
)

// The codes of faults that this package adds to those of package bundle.
const (
	CodeHash             = "hash"              // the name holds another hash than the bytes have
	CodeUnexpected       = "unexpected_file"   // neither a bundle nor a raw file that one names
	CodeIrregular        = "irregular"         // a symbolic link, device or submodule
	CodeNone             = "no_bundles"        // a folder without a single bundle
	CodeSimulated        = "simulated"         // a simulated bundle among the published results
	CodeDirty            = "dirty"             // written by a program that differed from its revision
	CodeContract         = "contract"          // a contract that this program does not know, or other bytes of it
	CodeContractRevision = "contract_revision" // the contract at the pinned revision is another, or missing
	CodeEngineRevision   = "engine_revision"   // the pinned revision of the program is not in the history
	CodePlatform         = "platform"          // the platform has no file
	CodeSupersedes       = "supersedes"        // the superseded bundle does not exist
	CodeRaw              = "raw"               // a kept raw file is missing or has other bytes
	CodeUnchecked        = "unchecked"         // warning: Git cannot tell here
	CodeNote             = "note_unknown"      // warning: a note with a code that has no words
	CodeLeftover         = "leftover"          // warning: a file of an import that was ended before it was done
	CodeModified         = "modified"          // append-only: other bytes than before
	CodeDeleted          = "deleted"           // append-only: gone
	CodeRenamed          = "renamed"           // append-only: the same bytes under another name
	CodeMode             = "mode_changed"      // append-only: another file mode
)

// Options says what to check.
type Options struct {
	Paths     []string          // bundles, and folders of bundles
	Base      string            // Git revision that published bundles must be unchanged since; empty to skip
	Contracts map[string]string // version → SHA-256 of every known contract
	Platforms []string          // ids of every known platform; empty to skip
	Env       []string          // environment for git

	// KnownNote, unless nil, reports whether there are words for a code of a note.
	KnownNote func(code string) bool

	// Seen, unless nil, is called with the SHA-256 of each bundle that is read; the
	// bundle is nil when it cannot be decoded.
	Seen func(id string, b *bundle.Bundle)
}

// Run checks everything that o names. The error is about checking itself: a path
// that cannot be read, or a base that Git does not know.
func Run(ctx context.Context, o Options) (bundle.Report, error) {
	v := &verifier{options: o, ids: map[string]bool{}, unread: map[string]bool{}, repos: map[string]*repo{}}
	for _, p := range o.Paths {
		if err := v.path(ctx, p); err != nil {
			return bundle.Report{}, err
		}
	}
	v.supersedes()
	if o.Base != "" {
		if err := v.appendOnly(ctx); err != nil {
			return bundle.Report{}, err
		}
	}
	return v.report(), ctx.Err()
}

// A verifier gathers the findings of one run.
type verifier struct {
	options  Options
	checked  int
	faults   []tomlfile.Fault
	warnings []tomlfile.Fault
	ids      map[string]bool  // of the bundles that were checked
	later    []correction     // bundles that supersede another
	unread   map[string]bool  // folders with a bundle that could not be decoded
	complete bool             // a whole tree of published results was checked
	repos    map[string]*repo // by folder; nil where there is none
}

// A correction is a bundle that names the one it supersedes.
type correction struct {
	file string
	data []byte
	id   string
}

// path checks one argument.
func (v *verifier) path(ctx context.Context, p string) error {
	info, err := os.Lstat(p)
	if err != nil {
		return err
	}
	switch {
	case info.IsDir():
		return v.tree(ctx, p)
	case !info.Mode().IsRegular():
		v.fault(tomlfile.Fault{File: p, Code: CodeIrregular, Message: irregular(info.Mode())})
		return nil
	}
	place, err := placeOf(p)
	if err != nil {
		return err
	}
	_, err = v.file(ctx, p, place)
	return err
}

// report returns what was found, in the order of files and lines.
func (v *verifier) report() bundle.Report {
	sort := func(list []tomlfile.Fault) []tomlfile.Fault {
		slices.SortStableFunc(list, func(a, b tomlfile.Fault) int {
			return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Code, b.Code))
		})
		return slices.Compact(list)
	}
	return bundle.Report{
		OK:       len(v.faults) == 0,
		Checked:  v.checked,
		Warnings: sort(summed(v.warnings)),
		Faults:   sort(v.faults),
	}
}

// summed puts one warning in the place of those that say of several bundles that
// the same could not be checked: the reason lies in the clone, not in them.
func summed(warnings []tomlfile.Fault) []tomlfile.Fault {
	files := map[string]map[string]bool{} // message → files
	for _, f := range warnings {
		if f.Code == CodeUnchecked {
			if files[f.Message] == nil {
				files[f.Message] = map[string]bool{}
			}
			files[f.Message][f.File] = true
		}
	}
	var out []tomlfile.Fault
	for _, f := range warnings {
		n := len(files[f.Message])
		switch {
		case f.Code != CodeUnchecked || n == 1:
			out = append(out, f)
		case n > 1:
			out = append(out, tomlfile.Fault{Code: CodeUnchecked, Message: fmt.Sprintf("%d bundles: %s", n, f.Message)})
			files[f.Message] = nil
		}
	}
	return out
}

func (v *verifier) fault(f tomlfile.Fault) { v.faults = append(v.faults, f) }

// supersedes reports corrections of bundles that do not exist. It can tell only
// when all published results were checked.
func (v *verifier) supersedes() {
	for _, c := range v.later {
		if v.ids[c.id] {
			continue
		}
		f := tomlfile.Fault{Key: "/supersedes", Code: CodeSupersedes, Message: fmt.Sprintf("no bundle has the SHA-256 %s", c.id)}
		if !v.complete {
			f.Code, f.Message = CodeUnchecked, "the superseded bundle was not among those checked"
			v.warnings = append(v.warnings, bundle.Locate(c.file, c.data, tomlfile.Faults{f})...)
			continue
		}
		v.faults = append(v.faults, bundle.Locate(c.file, c.data, tomlfile.Faults{f})...)
	}
}

// irregular says what a file is that is neither a file nor a folder.
func irregular(mode os.FileMode) string {
	if mode&os.ModeSymlink != 0 {
		return "is a symbolic link"
	}
	return "is not a regular file"
}

// A place says where a bundle lies.
type place struct {
	below     string // path below the folder of all bundles, with forward slashes
	published bool   // that folder is results/bundles
}

// placeOf finds the place of a file. Where no folder results/bundles holds it,
// the four last parts of its path are taken for its place.
func placeOf(file string) (place, error) {
	abs, err := filepath.Abs(file)
	if err != nil {
		return place{}, err
	}
	if root, ok := publishedRoot(abs); ok {
		below, err := filepath.Rel(root, abs)
		return place{filepath.ToSlash(below), true}, err
	}
	parts := splitPath(abs)
	return place{below: joinPath(parts[max(0, len(parts)-4):])}, nil
}
