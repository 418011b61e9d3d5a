package site

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"

	"example.org/arena/results/bundle"
)

// A memory is a cache that counts.
type memory struct {
	mu     sync.Mutex
	values map[string][]byte
	puts   int
}

func (m *memory) Get(key string) ([]byte, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.values[key]
	return v, ok
}

func (m *memory) Put(key string, value []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.values[key] = value
	m.puts++
}

func (m *memory) Use(string) {}

// same fails unless a site has the files of another one.
func same(t *testing.T, what string, got, want *tree) {
	t.Helper()
	if !maps.EqualFunc(got.files, want.files, bytes.Equal) {
		for _, path := range want.Paths() {
			if !bytes.Equal(got.files[path], want.files[path]) {
				t.Errorf("%s: %s differs", what, path)
			}
		}
		t.Errorf("%s: %d files, want %d", what, len(got.files), len(want.files))
	}
}

// What a build takes from its cache or from the older site is what it would have
// made: with a bundle more, one withdrawn, another date, and a cache that lost or
// damaged something.
func TestCacheChangesNothing(t *testing.T) {
	t.Parallel()
	profile := func(name string) func(*bundle.Bundle) {
		return func(b *bundle.Bundle) { b.Profile = name }
	}
	one, two, three := item(t, profile("a")), item(t, profile("b")), item(t, profile("c"))
	other := item(t, func(b *bundle.Bundle) { b.Model.ID = "Example/Other" })
	cache := &memory{values: map[string][]byte{}}
	cached := func(sources ...source) Input {
		in := input(t, sources...)
		in.Cache, in.Version = cache, "one"
		return in
	}
	first := build(t, cached(one, two, other))
	same(t, "first", first, build(t, input(t, one, two, other)))

	before := cache.puts
	again, err := tryBuild(t, cached(one, two, other), first.files)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "again", again, first)
	if cache.puts != before {
		t.Errorf("%d values were made again", cache.puts-before)
	}

	more, err := tryBuild(t, cached(one, two, three, other), first.files)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "more", more, build(t, input(t, one, two, three, other)))
	if page := modelPath(t, other, "en"); !bytes.Equal(more.files[page], first.files[page]) {
		t.Errorf("%s changed", page)
	}

	for _, damage := range []func(key string) bool{
		func(key string) bool { return strings.HasPrefix(key, "files ") },
		func(key string) bool { return strings.HasPrefix(key, "part ") },
	} {
		for key, v := range cache.values {
			if damage(key) {
				cache.values[key] = v[:len(v)/2]
			}
		}
		same(t, "damaged", build(t, cached(one, two, other)), first)
	}

	in := cached(one, two, other)
	in.BaseURL = "https://other.test"
	want := input(t, one, two, other)
	want.BaseURL = in.BaseURL
	same(t, "elsewhere", build(t, in), build(t, want))
}

// A bundle that is no longer what it was when it was judged ends the build.
func TestBundleThatChanges(t *testing.T) {
	t.Parallel()
	in := input(t, item(t, func(*bundle.Bundle) {}))
	read := in.Items[0].Read
	in.Items[0].Read = func() ([]byte, error) {
		data, err := read()
		return append(data, '\n'), err
	}
	want := fmt.Sprintf("%s changed while the site was made", in.Items[0].Summary.Path)
	if _, err := tryBuild(t, in, nil); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error = %v, want %q", err, want)
	}
}

// What lacks a word is not kept: a later build would not notice.
func TestFaultyPagesAreNotKept(t *testing.T) {
	t.Parallel()
	cache := &memory{values: map[string][]byte{}}
	in := input(t, item(t, func(*bundle.Bundle) {}))
	in.Cache, in.Version = cache, "one"
	in.Catalogs.Printer("en").T("no.such.key")
	if _, err := tryBuild(t, in, nil); err == nil {
		t.Error("a site without a word was built")
	}
	if len(cache.values) > 0 {
		t.Errorf("%d values were kept", len(cache.values))
	}
}

// A full disk fails the build, also when what does not fit comes from the cache.
func TestOutputThatFails(t *testing.T) {
	t.Parallel()
	cache := &memory{values: map[string][]byte{}}
	one := item(t, func(*bundle.Bundle) {})
	in := input(t, one)
	in.Cache, in.Version = cache, "one"
	first := build(t, in)
	for _, path := range []string{"en/models/index.html", "data/leaderboard.csv"} {
		if _, ok := first.files[path]; !ok {
			t.Fatalf("there is no %s", path)
		}
		in := input(t, one)
		in.Cache, in.Version, in.Output = cache, "one", &full{tree{files: map[string][]byte{}}, path}
		if err := Build(t.Context(), in); !errors.Is(err, errFull) {
			t.Errorf("without room for %s: error = %v", path, err)
		}
	}
}

var errFull = errors.New("no space left on device")

// full is an output that has no room for one file.
type full struct {
	tree
	path string
}

func (f *full) Put(path string, data []byte) error {
	if path == f.path {
		return errFull
	}
	return f.tree.Put(path, data)
}

// Parts share charts: a file that one takes from the older site is not written by
// another one at the same time, and one that turns out not to be there is written.
func TestPartsThatShareAFile(t *testing.T) {
	t.Parallel()
	data := []byte("{}")
	f := fileRecord{"data/charts/0.json", sha256.Sum256(data), int64(len(data))}
	for _, kept := range []bool{true, false} {
		cache := &memory{values: map[string][]byte{}}
		if err := Keep(cache, "part key", record{Files: []fileRecord{f}}); err != nil {
			t.Fatal(err)
		}
		o := &meanwhile{tree: tree{files: map[string][]byte{}}}
		b := &builder{in: Input{Cache: cache, Output: o}, checker: newChecker("")}
		o.keep = func() bool {
			if err := b.put(f, data); err != nil || len(o.files) > 0 {
				t.Errorf("%d files are written meanwhile, error %v", len(o.files), err)
			}
			return kept
		}
		if ok, err := b.restore("key", false); ok != kept || err != nil {
			t.Errorf("restored: %v, %v, want %v", ok, err, kept)
		}
		if err := b.put(f, data); err != nil || (len(o.files) == 0) != kept {
			t.Errorf("%d files are written afterwards, error %v", len(o.files), err)
		}
	}
}

// meanwhile is an output that does something while it looks for a file.
type meanwhile struct {
	tree
	keep func() bool
}

func (m *meanwhile) Keep(string, [sha256.Size]byte, int64) bool { return m.keep() }
