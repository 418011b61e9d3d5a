package verify

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"

	"example.org/arena/results/bundle"
)

// file checks one bundle and returns the paths of the raw files that it keeps.
func (v *verifier) file(ctx context.Context, name string, at place) (kept []string, err error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	v.checked++
	if info.Size() > bundle.MaxBytes {
		v.fault(bundle.Fault{File: name, Code: bundle.CodeTooLarge, Message: fmt.Sprintf("%d bytes, more than %d", info.Size(), bundle.MaxBytes)})
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
	v.warnings = append(v.warnings, bundle.Locate(name, data, doubts)...)
	return kept, nil
}

// bundleName is the form of the name of a bundle.
var bundleName = regexp.MustCompile(`^[0-9]{8}T[0-9]{6}Z-([0-9a-f]{12})\.json$`)

// content checks the bytes of a bundle against its name and place. The bundle is
// nil when it could not be decoded.
func content(name string, at place, data []byte) (*bundle.Bundle, []bundle.Fault) {
	b, found := bundle.Check(name, data)
	faults := []bundle.Fault(found)
	whole := bundle.Fault{File: name}
	form := bundleName.FindStringSubmatch(path.Base(at.below))
	switch id := bundle.ID(data)[:12]; {
	case form == nil:
		whole.Code, whole.Message = bundle.CodePath, "the name is not <UTC time>-<12 digits of the SHA-256>.json"
		faults = append(faults, whole)
	case form[1] != id:
		whole.Code, whole.Message = CodeHash, fmt.Sprintf("the name says %s, but the SHA-256 of the bytes begins with %s", form[1], id)
		faults = append(faults, whole)
	case b != nil:
		if err := bundle.CheckPath(at.below, b, data); err != nil {
			whole.Code, whole.Message = bundle.CodePath, err.Error()
			faults = append(faults, whole)
		}
	}
	return b, faults
}
