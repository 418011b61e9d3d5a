package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest"
)

// A writePlan is what an import writes, checked before the first byte.
type writePlan struct {
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

// planWrites encodes and names all bundles, and looks whether they are there:
// the same bytes or, unless the user wants them again, the same content written
// by another version of the program.
func planWrites(out string, bundles []*bundle.Bundle, inputs []ingest.Input, again bool) (*writePlan, error) {
	byHash := map[string][]byte{}
	for _, in := range inputs {
		sum := sha256.Sum256(in.Data)
		byHash[hex.EncodeToString(sum[:])] = in.Data
	}
	plan := &writePlan{out: out}
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
	if f.there, err = isThere(f.path, data); err != nil {
		return plannedFile{}, err
	}
	for _, file := range b.Source.Files {
		if !file.Kept {
			continue
		}
		packed, err := compress(byHash[file.SHA256])
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
	paths, err := filepath.Glob(filepath.Join(escapeGlob(filepath.Dir(f.path)), "*.json"))
	if err != nil {
		return plannedFile{}, false
	}
	for _, path := range paths {
		data, err := readRegular(path)
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

// escapeGlob makes a path match only itself in a pattern.
func escapeGlob(path string) string {
	if filepath.Separator == '\\' {
		return path // where backslashes separate, nothing can be escaped
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// compress packs data with gzip: the same data always gives the same bytes.
func compress(data []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// isThere reports whether a file with these bytes lies at path. Another file in
// its place is an error: nothing is ever overwritten.
func isThere(path string, data []byte) (bool, error) {
	have, err := readRegular(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case !bytes.Equal(have, data):
		return false, fmt.Errorf("%s is there already, with other bytes than its name says", path)
	}
	return true, nil
}

// write writes what is not there yet. After an error nothing of it stays.
func (p *writePlan) write(ctx context.Context) (err error) {
	sweep(p.out)
	var written []string
	defer func() {
		if err != nil {
			for _, path := range written {
				os.Remove(path)
			}
			err = fmt.Errorf("import: %w", err)
		}
	}()
	put := func(path string, data []byte) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		created, err := createFile(path, data)
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

// tempPrefix begins the name of a file that is being written. The id of the
// process that writes it follows.
const tempPrefix = ".arena-"

// sweep removes the unfinished files that an import left below out when it was
// killed: those whose process is gone, and those too old to be still written to.
func sweep(out string) {
	out = escapeGlob(out)
	for _, place := range []string{"*/*/*", "*/*/*/raw"} {
		paths, err := filepath.Glob(filepath.Join(out, filepath.FromSlash(place), tempPrefix+"*"))
		if err != nil {
			return // out is no pattern; nothing is lost but the cleaning
		}
		for _, path := range paths {
			if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() && (!inUse(path) || time.Since(info.ModTime()) > time.Hour) {
				os.Remove(path)
			}
		}
	}
}

// inUse reports whether the process that an unfinished file names still runs.
func inUse(path string) bool {
	id, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(path), tempPrefix), "-")
	pid, err := strconv.Atoi(id)
	if err != nil || pid <= 0 {
		return false
	}
	process, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer process.Release() //nolint:errcheck // there is nothing to do about it
	err = process.Signal(syscall.Signal(0))
	return !errors.Is(err, os.ErrProcessDone) && !errors.Is(err, syscall.ESRCH)
}

// createFile writes a file that is whole or not there: beside its place, synced,
// then linked into place, which fails where something lies already. It reports
// whether it created the file; the same bytes in its place are no error.
func createFile(path string, data []byte) (created bool, err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return false, err
	}
	temp, err := os.CreateTemp(dir, tempPrefix+strconv.Itoa(os.Getpid())+"-*")
	if err != nil {
		return false, err
	}
	defer os.Remove(temp.Name())
	if err := fill(temp, data); err != nil {
		return false, err
	}
	err = os.Link(temp.Name(), path)
	switch {
	case err == nil:
		return true, syncDir(dir)
	case errors.Is(err, fs.ErrExist):
		_, err := isThere(path, data)
		return false, err
	}
	return copyInto(path, data) // a file system without links
}

func fill(f *os.File, data []byte) error {
	_, err := f.Write(data)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// copyInto writes a file that must not be there yet.
func copyInto(path string, data []byte) (bool, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		_, err := isThere(path, data)
		return false, err
	}
	if err != nil {
		return false, err
	}
	if err := fill(f, data); err != nil {
		os.Remove(path)
		return false, err
	}
	return true, syncDir(filepath.Dir(path))
}

// syncDir makes a new name in a folder durable. Some systems cannot sync
// folders: that costs durability, not the file.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	_ = f.Sync()
	return nil
}

// print writes the path of every bundle to stdout, and on stderr which of them
// were there before.
func (p *writePlan) print(stdout, stderr io.Writer) error {
	there := 0
	for _, f := range p.files {
		if f.there {
			there++
		}
		if _, err := fmt.Fprintln(stdout, f.path); err != nil {
			return err
		}
	}
	if there > 0 {
		fmt.Fprintf(stderr, "arena: already there: %s of %d\n", counted(there, "bundle"), len(p.files))
	}
	return nil
}

// importReport is what arena import --json prints.
type importReport struct {
	DryRun  bool             `json:"dry_run"`
	Bundles []importedBundle `json:"bundles"`
}

// importedBundle is one bundle of an import.
type importedBundle struct {
	Path     string `json:"path"`
	ID       string `json:"id"` // SHA-256 of its bytes
	Bytes    int    `json:"bytes"`
	There    bool   `json:"already_there"`
	Platform string `json:"platform"`
	Model    string `json:"model"`
	Profile  string `json:"profile"`
	Started  string `json:"started_at"`
	Tests    int    `json:"tests"`
	Dirty    bool   `json:"dirty"`
}

func (p *writePlan) report(dryRun bool) importReport {
	r := importReport{DryRun: dryRun, Bundles: []importedBundle{}}
	for _, f := range p.files {
		b := f.bundle
		r.Bundles = append(r.Bundles, importedBundle{
			Path: filepath.ToSlash(f.path), ID: bundle.ID(f.data), Bytes: len(f.data), There: f.there,
			Platform: b.Platform, Model: b.Model.ID, Profile: b.Profile, Started: b.StartedAt,
			Tests: len(b.Tests), Dirty: b.Engine.Dirty,
		})
	}
	return r
}
