package publish

import (
	"context"
	"crypto/sha256"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A mapTree is a tree in memory.
type mapTree map[string]string

func (t mapTree) Paths() []string { return slices.Sorted(maps.Keys(t)) }

// replace puts the tree in the place of dir.
func replace(ctx context.Context, dir string, tree mapTree) error {
	_, err := Replace(ctx, dir, tree.fill)
	return err
}

func (t mapTree) fill(s *Site) error {
	for _, name := range t.Paths() {
		if err := s.Put(name, []byte(t[name])); err != nil {
			return err
		}
	}
	return nil
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
			must(t, replace(t.Context(), out, newSite))
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
		tree    mapTree
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
			err := replace(t.Context(), out, c.tree)
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
		if err := replace(t.Context(), out, newSite); err == nil || !strings.Contains(err.Error(), "is the current folder or holds it") {
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
	must(t, replace(t.Context(), filepath.Join(parent, "public"), newSite))
	holds(t, filepath.Join(parent, "real/site"), newSite)
	alone(t, parent, "public", "real")
	alone(t, filepath.Join(parent, "real"), "site")
}

func TestReplaceInterrupted(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	out := filepath.Join(parent, "public")
	place(t, out, oldSite)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := Replace(ctx, out, func(s *Site) error {
		cancel()
		return newSite.fill(s)
	})
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
		must(t, replace(t.Context(), out, []mapTree{newSite, oldSite}[i%2]))
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
		h, again := written(t, tree).Hash(), written(t, maps.Clone(tree)).Hash()
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
	m := written(t, mapTree{"a": "x"})
	if got := string(m.lines()); got != want {
		t.Errorf("lines are %q, want %q", got, want)
	}
	if m[0].Size != 1 {
		t.Errorf("size is %d, want 1", m[0].Size)
	}
}

// written returns the manifest of a tree.
func written(t *testing.T, tree mapTree) Manifest {
	t.Helper()
	m, err := Replace(t.Context(), filepath.Join(t.TempDir(), "site"), tree.fill)
	must(t, err)
	return m
}

// What the older site has is linked, unless it is not what its marker says.
func TestReplaceLinks(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "site")
	tree := mapTree{"same": "text", "edited": "text", "larger": "text", "other": "text", "backdated": "text", "hidden": "text", "new/kept": "text"}
	place(t, dir, tree)
	before := map[string]os.FileInfo{}
	for name := range tree {
		if name == "edited" || name == "larger" {
			put(t, filepath.Join(dir, name), map[string]string{"edited": "tixt", "larger": "text, and more"}[name])
			later := time.Now().Add(time.Hour)
			must(t, os.Chtimes(filepath.Join(dir, name), later, later))
		}
		if name == "backdated" {
			put(t, filepath.Join(dir, name), "tixt")
			must(t, os.Chtimes(filepath.Join(dir, name), time.Unix(0, 0), time.Unix(0, 0)))
		}
		if name == "hidden" {
			must(t, os.Chmod(filepath.Join(dir, name), 0o600))
		}
		info, err := os.Stat(filepath.Join(dir, name))
		must(t, err)
		before[name] = info
	}
	tree["other"] = "changed"
	_, err := Replace(t.Context(), dir, func(s *Site) error {
		sum := sha256.Sum256([]byte("text"))
		if !s.Keep("new/kept", sum, 4) || s.Keep("new/kept", sum, 4) || s.Keep("edited", sum, 4) || s.Keep("backdated", sum, 4) || s.Keep("hidden", sum, 4) || s.Keep("absent", sum, 4) || s.Keep("same", sum, 5) {
			t.Error("Keep takes what is there as it was, and nothing else")
		}
		for _, name := range []string{"same", "edited", "larger", "other", "backdated", "hidden"} {
			must(t, s.Put(name, []byte(tree[name])))
		}
		return nil
	})
	must(t, err)
	holds(t, dir, tree)
	for name, old := range before {
		info, err := os.Stat(filepath.Join(dir, name))
		must(t, err)
		if got, want := os.SameFile(old, info), name == "same" || name == "new/kept"; got != want {
			t.Errorf("%s is the same file: %v, want %v", name, got, want)
		}
		if info.Mode() != before["same"].Mode() {
			t.Errorf("%s has mode %v", name, info.Mode())
		}
	}
}

func FuzzManifest(f *testing.F) {
	m := Manifest{{Path: "en/index.html"}, {Path: "index.html"}}
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
	must(t, replace(t.Context(), dir, tree))
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
