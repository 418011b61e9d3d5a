package importer

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"example.org/arena/cmd/arena/compress"
	"example.org/arena/cmd/arena/store"
	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest"
)

// A Plan is what an import writes, checked before the first byte.
type Plan struct {
	out   string
	files []plannedFile
}

// A plannedFile is a bundle with the raw files beside it.
type plannedFile struct {
	bundle *bundle.Bundle
	path   string
	data   []byte
	there  bool              // the same bytes lie there already
	raw    map[string][]byte // by path, compressed
}

// PlanWrites encodes and names all bundles, and looks whether they are there:
// the same bytes or, unless the user wants them again, the same content written
// by another version of the program.
func PlanWrites(out string, bundles []*bundle.Bundle, inputs []ingest.Input, again bool) (*Plan, error) {
	byHash := map[string][]byte{}
	for _, in := range inputs {
		sum := sha256.Sum256(in.Data)
		byHash[hex.EncodeToString(sum[:])] = in.Data
	}
	plan := &Plan{out: out}
	for _, b := range bundles {
		f, err := planFile(out, b, byHash)
		if err != nil {
			return nil, fmt.Errorf("import: %w", err)
		}
		if !f.there && !again {
			if earlier, ok := earlierFile(f); ok {
				f = earlier
			}
		}
		plan.files = append(plan.files, f)
	}
	return plan, nil
}

func planFile(out string, b *bundle.Bundle, byHash map[string][]byte) (plannedFile, error) {
	data, err := bundle.Encode(b)
	if err != nil {
		return plannedFile{}, err
	}
	place, err := bundle.Path(b, data)
	if err != nil {
		return plannedFile{}, err
	}
	f := plannedFile{bundle: b, path: filepath.Join(out, filepath.FromSlash(place)), data: data, raw: map[string][]byte{}}
	if f.there, err = store.Holds(f.path, data); err != nil {
		return plannedFile{}, err
	}
	for _, file := range b.Source.Files {
		if !file.Kept {
			continue
		}
		packed, err := compress.Gzip(byHash[file.SHA256])
		if err != nil {
			return plannedFile{}, err
		}
		f.raw[filepath.Join(filepath.Dir(f.path), "raw", file.SHA256+".gz")] = packed
	}
	return f, nil
}

// earlierFile finds the bundle beside a planned one that says the same in all but
// the program that wrote it. Files there that are no bundles are none of ours.
func earlierFile(f plannedFile) (plannedFile, bool) {
	want, err := withoutEngine(f.bundle)
	if err != nil {
		return plannedFile{}, false
	}
	paths, err := filepath.Glob(filepath.Join(store.EscapeGlob(filepath.Dir(f.path)), "*.json"))
	if err != nil {
		return plannedFile{}, false
	}
	for _, path := range paths {
		data, err := store.Read(path)
		if err != nil {
			continue
		}
		b, err := bundle.Decode(path, data)
		if err != nil {
			continue
		}
		if have, err := withoutEngine(b); err == nil && bytes.Equal(have, want) {
			return plannedFile{bundle: b, path: path, data: data, there: true}, true
		}
	}
	return plannedFile{}, false
}

// withoutEngine encodes a bundle as if no particular program had written it.
func withoutEngine(b *bundle.Bundle) ([]byte, error) {
	c := *b
	c.Engine = bundle.EnginePin{Version: "v", Runner: b.Engine.Runner, Go: "go"}
	return bundle.Encode(&c)
}

// Write writes what is not there yet. After an error nothing of it stays.
func (p *Plan) Write(ctx context.Context) (err error) {
	store.Sweep(p.out)
	var written []string
	defer func() {
		if err != nil {
			for _, path := range written {
				_ = os.Remove(path) // the error that counts is the one before
			}
			err = fmt.Errorf("import: %w", err)
		}
	}()
	put := func(path string, data []byte) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		created, err := store.Create(path, data)
		if created {
			written = append(written, path)
		}
		return err
	}
	for _, f := range p.files {
		for path, data := range f.raw {
			if err := put(path, data); err != nil {
				return err
			}
		}
		// Last, so that no bundle names a raw file that is not there.
		if err := put(f.path, f.data); err != nil {
			return err
		}
	}
	return nil
}
