package gather

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.org/arena/results/bundle"
	"example.org/arena/site"
)

// example returns the bytes and the place of a valid bundle with this credit.
func example(t *testing.T, credit string) (data []byte, place string) {
	t.Helper()
	data, err := os.ReadFile("../../../results/bundle/testdata/example.json")
	must(t, err)
	b, err := bundle.Decode("example.json", data)
	must(t, err)
	b.Credit = credit
	data, err = bundle.Encode(b)
	must(t, err)
	place, err = bundle.Path(b, data)
	must(t, err)
	return data, place
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// put writes a file and the folders that it needs.
func put(t *testing.T, data []byte, name ...string) string {
	t.Helper()
	file := filepath.Join(name...)
	must(t, os.MkdirAll(filepath.Dir(file), 0o755))
	must(t, os.WriteFile(file, data, 0o644))
	return file
}

// A memory keeps values for one goroutine.
type memory map[string][]byte

func (m memory) Get(key string) ([]byte, bool) { v, ok := m[key]; return v, ok }
func (m memory) Put(key string, value []byte)  { m[key] = value }
func (m memory) Use(string)                    {}

func TestFolders(t *testing.T) {
	t.Parallel()
	one, two := t.TempDir(), t.TempDir()
	var want []string
	for _, credit := range []string{"Ada", "Grace", "Barbara"} {
		data, place := example(t, credit)
		put(t, data, one, place)
		want = append(want, bundle.ID(data))
	}
	data, place := example(t, "Ada") // in both
	put(t, data, two, place)
	data, place = example(t, "Edith")
	put(t, data, two, place)
	want = append(want, bundle.ID(data))
	put(t, []byte("compressed"), filepath.Dir(filepath.Join(one, place)), "raw", strings.Repeat("0", 64)+".gz")

	var first []site.Item
	kept := memory{}
	for _, r := range []*Reader{{}, {Jobs: 1}, {Jobs: 7}, {Jobs: 1, Cache: kept, Version: "a"}, {Jobs: 1, Cache: kept, Version: "a"}} {
		for _, dirs := range [][]string{{one, two}, {two, one}} {
			items, err := r.Folders(t.Context(), dirs)
			must(t, err)
			if first == nil {
				first = items
			}
			if len(items) != len(want) {
				t.Fatalf("%d items, want %d", len(items), len(want))
			}
			for i, item := range items {
				if !reflect.DeepEqual(item.Bundle, first[i].Bundle) {
					t.Errorf("item %d is %+v, want %+v", i, item.Bundle, first[i].Bundle)
				}
				data, err := item.Read()
				must(t, err)
				if id := bundle.ID(data); id != item.Summary.ID || !slices.Contains(want, id) {
					t.Errorf("item %d is %s, its file %s", i, item.Summary.ID, id)
				}
			}
		}
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	dir, empty := t.TempDir(), t.TempDir()
	data, place := example(t, "Ada")
	moved := put(t, data, dir, "elsewhere", place)
	spoilt := put(t, bytes.Replace(data, []byte(`"profile"`), []byte(`"profil"`), 1), dir, "a", filepath.Base(place))
	senseless := put(t, bytes.Replace(data, []byte(`"kind": "import"`), []byte(`"kind": "guess"`), 1), dir, "b", filepath.Base(place))
	put(t, data, dir, place)
	link := filepath.Join(dir, "link.json")
	must(t, os.Symlink(place, link))
	_, err := (&Reader{Jobs: 2, Cache: memory{}}).Folders(t.Context(), []string{dir, empty, dir + "/nowhere", filepath.Join(dir, place)})
	if err == nil {
		t.Fatal("no fault was found")
	}
	got := err.Error()
	for _, want := range []string{
		empty + " holds no bundle\n",
		dir + "/nowhere: no such file or directory\n",
		moved + ": lies at elsewhere/" + place,
		spoilt + ":6: /profil:",
		senseless + ":3: /kind:",
		link + ": is not a regular file",
	} {
		if !strings.Contains(got+"\n", want) {
			t.Errorf("error lacks %q:\n%s", want, got)
		}
	}
}

func TestInterrupted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data, place := example(t, "Ada")
	put(t, data, dir, place)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (&Reader{}).Folders(ctx, []string{dir}); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}
