package publish

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A mapTree is a tree in memory.
type mapTree map[string]string

func (t mapTree) Paths() []string { return slices.Sorted(maps.Keys(t)) }

func (t mapTree) File(name string) ([]byte, bool) {
	data, ok := t[name]
	return []byte(data), ok
}

var oldSite = mapTree{"index.html": "old", "en/index.html": "old", "en/gone/index.html": "gone"}

var newSite = mapTree{"index.html": "new", "en/index.html": "new", "assets/a.css": "css", "_headers": "/*\n"}

// holds fails unless dir holds the files of the tree, a marker, and nothing else.
func holds(t *testing.T, dir string, tree mapTree) {
	t.Helper()
	got := mapTree{}
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		got[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if got[Marker] == "" {
		t.Errorf("%s holds no marker", dir)
	}
	delete(got, Marker)
	if !maps.Equal(got, tree) {
		t.Errorf("%s holds %v, want %v", dir, got.Paths(), tree.Paths())
	}
}

// alone fails unless names are all that a folder holds: no litter.
func alone(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if !slices.Equal(got, names) {
		t.Errorf("%s holds %q, want %q", dir, got, names)
	}
}

func TestReplace(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(t *testing.T, parent string){
		"nothing":       func(*testing.T, string) {},
		"no parent":     func(t *testing.T, parent string) { must(t, os.Remove(parent)) },
		"empty folder":  func(t *testing.T, parent string) { must(t, os.Mkdir(filepath.Join(parent, "public"), 0o755)) },
		"older site":    func(t *testing.T, parent string) { place(t, filepath.Join(parent, "public"), oldSite) },
		"the same site": func(t *testing.T, parent string) { place(t, filepath.Join(parent, "public"), newSite) },
		"changed site": func(t *testing.T, parent string) {
			place(t, filepath.Join(parent, "public"), oldSite)
			put(t, filepath.Join(parent, "public/index.html"), "changed by hand")
			must(t, os.Remove(filepath.Join(parent, "public/en/index.html")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			parent := filepath.Join(t.TempDir(), "parent")
			must(t, os.Mkdir(parent, 0o755))
			prepare(t, parent)
			out := filepath.Join(parent, "public")
			must(t, Check(out))
			must(t, Replace(t.Context(), out, newSite))
			holds(t, out, newSite)
			alone(t, parent, "public")
			must(t, IsSite(out))
			for path, want := range map[string]os.FileMode{".": 0o755, "en": 0o755, "index.html": 0o644, Marker: 0o644} {
				info, err := os.Stat(filepath.Join(out, path))
				must(t, err)
				if info.Mode().Perm()&^0o022 != want&^0o022 || info.Mode().Perm()&0o444 != want&0o444 {
					t.Errorf("mode of %s is %v, want %v", path, info.Mode().Perm(), want)
				}
			}
		})
	}
}

func TestReplaceRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prepare func(t *testing.T, out string)
		tree    Tree
		want    string
	}{
		"a file": {
			func(t *testing.T, out string) { put(t, out, "precious") }, newSite, "is not a folder",
		},
		"another folder": {
			func(t *testing.T, out string) { put(t, out+"/thesis.doc", "precious") }, newSite, "is not a site that arena build made: it holds no .arena-site",
		},
		"a spoilt marker": {
			func(t *testing.T, out string) { put(t, out+"/"+Marker, "arena-site 1\nabc  index.html\n") }, newSite, "line 2 is not a SHA-256 and a path",
		},
		"another marker": {
			func(t *testing.T, out string) { put(t, out+"/"+Marker, "arena-site 2\n") }, newSite, `does not begin with "arena-site 1"`,
		},
		"a site with more in it": {
			func(t *testing.T, out string) {
				place(t, out, oldSite)
				for _, name := range []string{"CNAME", ".git/HEAD", "en/a", "en/b"} {
					put(t, out+"/"+name, "precious")
				}
			}, newSite, "holds a Git repository: a site is never put in its place",
		},
		"a tree without files":              {nothing, mapTree{}, "there are no files"},
		"a path that leads out":             {nothing, mapTree{"../x": ""}, "cannot be the name of a file"},
		"a file in the place of the marker": {nothing, mapTree{Marker: ""}, "cannot be the name of a file"},
		"a line break in a path":            {nothing, mapTree{"a\nb": ""}, "cannot be the name of a file"},
		"a file that is a folder":           {nothing, mapTree{"a": "", "a/b": ""}, "write site: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			parent := t.TempDir()
			out := filepath.Join(parent, "public")
			place(t, out, oldSite)
			if c.prepare != nil {
				must(t, os.RemoveAll(out))
				c.prepare(t, out)
			}
			before := snapshot(t, out)
			err := Replace(t.Context(), out, c.tree)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want %q", err, c.want)
			}
			if after := snapshot(t, out); !maps.Equal(before, after) {
				t.Errorf("the folder changed from %v to %v", before, after)
			}
			alone(t, parent, "public")
		})
	}
}

// nothing leaves the old site as it is.
var nothing func(*testing.T, string)

func TestReplaceRefusesTheCurrentFolder(t *testing.T) {
	dir := t.TempDir()
	place(t, filepath.Join(dir, "site"), oldSite)
	t.Chdir(filepath.Join(dir, "site/en"))
	for _, out := range []string{".", "..", "../../site"} {
		if err := Replace(t.Context(), out, newSite); err == nil || !strings.Contains(err.Error(), "is the current folder or holds it") {
			t.Errorf("error for %s is %v", out, err)
		}
	}
	holds(t, filepath.Join(dir, "site"), oldSite)
}

func TestReplaceFollowsLink(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	place(t, filepath.Join(parent, "real/site"), oldSite)
	must(t, os.Symlink("real/site", filepath.Join(parent, "public")))
	must(t, Replace(t.Context(), filepath.Join(parent, "public"), newSite))
	holds(t, filepath.Join(parent, "real/site"), newSite)
	alone(t, parent, "public", "real")
	alone(t, filepath.Join(parent, "real"), "site")
}

// A treeThat calls f before it gives a file.
type treeThat struct {
	mapTree
	f func()
}

func (t treeThat) File(name string) ([]byte, bool) {
	t.f()
	return t.mapTree.File(name)
}

func TestReplaceInterrupted(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	out := filepath.Join(parent, "public")
	place(t, out, oldSite)
	ctx, cancel := context.WithCancel(t.Context())
	err := Replace(ctx, out, treeThat{newSite, cancel})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
	holds(t, out, oldSite)
	alone(t, parent, "public")
}

// A reader finds a whole site at any moment.
func TestReplaceIsAtomic(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	if !canExchange(t, parent) {
		t.Skip("this file system cannot exchange two folders in one step")
	}
	out := filepath.Join(parent, "public")
	place(t, out, oldSite)
	stop := make(chan struct{})
	seen := make(chan error)
	go func() {
		for {
			select {
			case <-stop:
				seen <- nil
				return
			default:
			}
			data, err := os.ReadFile(filepath.Join(out, "index.html"))
			if err == nil && string(data) != "old" && string(data) != "new" {
				err = errors.New("half a file: " + string(data))
			}
			if err != nil {
				seen <- err
				return
			}
		}
	}()
	for i := range 20 {
		must(t, Replace(t.Context(), out, []Tree{newSite, oldSite}[i%2]))
	}
	close(stop)
	if err := <-seen; err != nil {
		t.Error(err)
	}
}

func canExchange(t *testing.T, dir string) bool {
	t.Helper()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	must(t, os.Mkdir(a, 0o755))
	must(t, os.Mkdir(b, 0o755))
	err := exchange(a, b)
	must(t, os.Remove(a))
	must(t, os.Remove(b))
	return err == nil
}

func TestSwapInTurn(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	fresh, dir := filepath.Join(parent, "fresh"), filepath.Join(parent, "dir")
	place(t, fresh, newSite)
	place(t, dir, oldSite)
	must(t, inTurn(fresh, dir))
	holds(t, dir, newSite)
	holds(t, fresh, oldSite)
	alone(t, parent, "dir", "fresh")

	if err := inTurn(filepath.Join(parent, "missing"), dir); err == nil {
		t.Error("a folder that is not there was swapped")
	}
	holds(t, dir, newSite)
	alone(t, parent, "dir", "fresh")
}

func TestHash(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, tree := range []mapTree{oldSite, newSite, {"a": "x"}, {"a": "y"}, {"b": "x"}} {
		h, err := Hash(tree)
		must(t, err)
		again, _ := Hash(maps.Clone(tree))
		if h != again || len(h) != 64 {
			t.Errorf("hash is %s, then %s", h, again)
		}
		seen[h] = true
	}
	if len(seen) != 5 {
		t.Errorf("5 trees have %d hashes", len(seen))
	}
	// What `printf 'x' | sha256sum` and sha256sum of the line say.
	const want = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881  a\n"
	m, err := manifestOf(mapTree{"a": "x"})
	must(t, err)
	if got := string(m.lines()); got != want {
		t.Errorf("lines are %q, want %q", got, want)
	}
}

func FuzzManifest(f *testing.F) {
	m, err := manifestOf(newSite)
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{"", markerHead, string(m.encode()), markerHead + "00  a", "arena-site 1\r\n", markerHead + strings.Repeat("0", 64) + "  ../x\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := parseManifest(data)
		if err != nil {
			return
		}
		again, err := parseManifest(m.encode())
		if err != nil || !slices.Equal(m, again) {
			t.Errorf("%q reads as %v, then as %v: %v", data, m, again, err)
		}
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// place puts a site at dir.
func place(t *testing.T, dir string, tree mapTree) {
	t.Helper()
	must(t, Replace(t.Context(), dir, tree))
}

// put writes one file and the folders that it needs.
func put(t *testing.T, name, data string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(name), 0o755))
	must(t, os.WriteFile(name, []byte(data), 0o644))
}

// snapshot reads everything at a path.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	must(t, filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		files[name] = string(data)
		return err
	}))
	return files
}
