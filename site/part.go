package site

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// A part is a piece of the site that is made in one go: the pages of a route in
// every language, or data files. It depends on its inputs and on what Input.Version
// names, and on nothing else, so that what was made of it once serves again.
type part struct {
	name   string   // among all parts
	file   string   // of the bundle that it shows, for messages; empty for none
	inputs []string // nil for a part that is made every time
	plain  bool     // it is made again as fast as it is read: its files are not kept
	make   func(ctx context.Context, to *files) error
}

// files are the files that a part is made of.
type files struct {
	site    *builder
	record  record
	content [][]byte // of the files in the record
}

// A record says what a part was made into.
type record struct {
	Files []fileRecord
	Pages map[string]*document // what the pages among the files hold, by path
}

type fileRecord struct {
	Path string
	Sum  [sha256.Size]byte
	Size int64
}

// addPart makes a part, or takes it from the cache.
func (b *builder) addPart(ctx context.Context, p part) error {
	key := ""
	if p.inputs != nil && b.in.Cache != nil {
		key = b.key(p)
		if ok, err := b.restore(key, p.plain); ok || err != nil {
			return err
		}
	}
	to := &files{site: b, record: record{Pages: map[string]*document{}}}
	if err := p.make(ctx, to); err != nil {
		if p.file != "" {
			err = fmt.Errorf("%s: %w", p.file, err)
		}
		return err
	}
	// What lacks a word fails the build, and must not be found again by a later one.
	if key == "" || len(b.in.Catalogs.Faults()) > 0 {
		return nil
	}
	if !p.plain {
		if err := Keep(b.in.Cache, "files "+key, to.content); err != nil {
			return err
		}
	}
	return Keep(b.in.Cache, "part "+key, to.record)
}

// key names everything that a part depends on.
func (b *builder) key(p part) string {
	h := sha256.New()
	for _, s := range append([]string{b.in.Version, b.in.BaseURL, fmt.Sprint(b.in.Compress != nil), p.name}, p.inputs...) {
		fmt.Fprintf(h, "%d %s\n", len(s), s)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// restore puts the files of a part in their places as an earlier build made them,
// and reports whether all are there. What it has put when it fails stays: the part
// is made again into the same files.
func (b *builder) restore(key string, plain bool) (bool, error) {
	var r record
	if !Recall(b.in.Cache, "part "+key, &r) {
		return false, nil
	}
	b.in.Cache.Use("files " + key)
	var content [][]byte
	for i, f := range r.Files {
		// Noted before it is there, so that no other part makes it at the same time.
		if !b.checker.add(f) || b.in.Output.Keep(f.Path, f.Sum, f.Size) {
			continue
		}
		if content == nil && (plain || !Recall(b.in.Cache, "files "+key, &content)) || i >= len(content) {
			b.checker.remove(f)
			return false, nil
		}
		if err := b.in.Output.Put(f.Path, content[i]); err != nil {
			return false, err
		}
	}
	for path, d := range r.Pages {
		b.checker.addPage(path, d)
	}
	return true, nil
}

// put writes a file, once: parts may share charts.
func (b *builder) put(f fileRecord, data []byte) error {
	if !b.checker.add(f) {
		return nil
	}
	return b.in.Output.Put(f.Path, data)
}

// add adds a file, and beside a text file that shrinks the same one compressed.
func (to *files) add(path string, data []byte) error {
	if err := to.addOne(path, data); err != nil {
		return err
	}
	compress := to.site.in.Compress
	if compress == nil || !compressible(path) {
		return nil
	}
	br, gz, err := compress(data, qualityOf(path))
	if err != nil {
		return err
	}
	for _, c := range []struct {
		ending string
		data   []byte
	}{{".br", br}, {".gz", gz}} {
		if len(c.data) >= len(data) {
			continue
		}
		if err := to.addOne(path+c.ending, c.data); err != nil {
			return err
		}
	}
	return nil
}

func (to *files) addOne(path string, data []byte) error {
	f := fileRecord{path, sha256.Sum256(data), int64(len(data))}
	to.record.Files, to.content = append(to.record.Files, f), append(to.content, data)
	if strings.HasSuffix(path, ".html") {
		d := readDocument(data)
		to.record.Pages[path] = d
		to.site.checker.addPage(path, d)
	}
	return to.site.put(f, data)
}
