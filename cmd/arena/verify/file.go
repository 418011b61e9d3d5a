package verify

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"

	"example.org/arena/results/bundle"
	"example.org/arena/results/tomlfile"
)

// file checks one bundle and returns the paths of the raw files that it keeps.
func (v *verifier) file(ctx context.Context, name string, at place) (kept []string, err error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	v.checked++
	if info.Size() > bundle.MaxBytes {
		v.fault(tomlfile.Fault{File: name, Code: bundle.CodeTooLarge, Message: fmt.Sprintf("%d bytes, more than %d", info.Size(), bundle.MaxBytes)})
		v.unread[filepath.Dir(name)] = true
		return nil, nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	b, faults := content(name, at, data)
	v.faults = append(v.faults, faults...)
	v.ids[bundle.ID(data)] = true
	if v.options.Seen != nil {
		v.options.Seen(bundle.ID(data), b)
	}
	if b == nil {
		v.unread[filepath.Dir(name)] = true
		return nil, nil
	}
	if b.Supersedes != "" {
		v.later = append(v.later, correction{name, data, b.Supersedes})
	}
	found, doubts, err := v.pins(ctx, filepath.Dir(name), at, b)
	if err != nil {
		return nil, err
	}
	kept, lost := v.raw(filepath.Dir(name), b)
	v.faults = append(v.faults, bundle.Locate(name, data, append(found, lost...))...)
	doubts = append(doubts, v.notes(b)...)
	v.warnings = append(v.warnings, bundle.Locate(name, data, doubts)...)
	return kept, nil
}

// notes returns a warning for each note whose code has no words.
func (v *verifier) notes(b *bundle.Bundle) (doubts tomlfile.Faults) {
	check := func(at string, notes []bundle.Note) {
		for i, n := range notes {
			if v.options.KnownNote != nil && !v.options.KnownNote(n.Code) {
				doubts = append(doubts, tomlfile.Fault{
					Key: fmt.Sprintf("%s/notes/%d/code", at, i), Code: CodeNote,
					Message: fmt.Sprintf("the note %q has no words: readers see its code", n.Code),
				})
			}
		}
	}
	check("", b.Notes)
	for i, t := range b.Tests {
		at := fmt.Sprintf("/tests/%d", i)
		check(at, t.Notes)
		for j, cell := range t.Cells {
			check(fmt.Sprintf("%s/cells/%d", at, j), cell.Notes)
		}
	}
	return doubts
}

// bundleName is the form of the name of a bundle.
var bundleName = regexp.MustCompile(`^[0-9]{8}T[0-9]{6}Z-([0-9a-f]{12})\.json$`)

// content checks the bytes of a bundle against its name and place. The bundle is
// nil when it could not be decoded.
func content(name string, at place, data []byte) (*bundle.Bundle, []tomlfile.Fault) {
	b, found := bundle.Check(name, data)
	faults := []tomlfile.Fault(found)
	whole := tomlfile.Fault{File: name}
	form := bundleName.FindStringSubmatch(path.Base(at.below))
	switch id := bundle.ID(data)[:12]; {
	case form == nil:
		whole.Code, whole.Message = bundle.CodePath, "the name is not <UTC time>-<12 digits of the SHA-256>.json"
		faults = append(faults, whole)
	case form[1] != id:
		whole.Code, whole.Message = CodeHash, fmt.Sprintf("the name says %s, but the SHA-256 of the bytes begins with %s; published bundles are never edited", form[1], id)
		faults = append(faults, whole)
	case b != nil:
		if err := bundle.CheckPath(at.below, b, data); err != nil {
			whole.Code, whole.Message = bundle.CodePath, err.Error()
			faults = append(faults, whole)
		}
	}
	return b, faults
}
