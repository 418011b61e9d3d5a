package verify

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAppendOnly(t *testing.T) {
	t.Parallel()
	must := func(c *checkout, err error) {
		c.t.Helper()
		if err != nil {
			c.t.Fatal(err)
		}
	}
	edit := func(c *checkout, name string) { c.write(name, "{}\n") }
	cases := []struct {
		name   string
		change func(c *checkout, name string)
		want   []string // codes of the append-only faults
	}{
		{"nothing", func(*checkout, string) {}, nil},
		{"added", func(c *checkout, _ string) {
			b := c.example()
			b.Credit = "Another"
			c.put(published, b)
			c.commit("add")
		}, nil},
		{"modified", func(c *checkout, name string) { edit(c, name); c.commit("edit") }, []string{CodeModified}},
		{"modified, not committed", edit, []string{CodeModified}},
		{"modified, hidden from git status", func(c *checkout, name string) {
			c.git("update-index", "--assume-unchanged", name)
			edit(c, name)
		}, []string{CodeModified}},
		{"modified in HEAD, restored on disk", func(c *checkout, name string) {
			data, err := os.ReadFile(c.path(name))
			must(c, err)
			edit(c, name)
			c.commit("edit")
			c.write(name, string(data))
		}, []string{CodeModified}},
		{"line ends hidden by attributes", func(c *checkout, name string) {
			data, err := os.ReadFile(c.path(name))
			must(c, err)
			c.write(".gitattributes", "*.json text eol=crlf\n")
			c.write(name, string(data)+"\r\n")
			c.commit("attributes")
		}, []string{CodeModified}},
		{"deleted", func(c *checkout, name string) { must(c, os.Remove(c.path(name))); c.commit("delete") }, []string{CodeDeleted}},
		{"deleted, not committed", func(c *checkout, name string) { must(c, os.Remove(c.path(name))) }, []string{CodeDeleted}},
		{"all deleted", func(c *checkout, _ string) {
			must(c, os.RemoveAll(c.path(published+"/dgx-spark")))
			c.write(published+"/x", "")
			c.commit("delete")
		}, []string{CodeDeleted, CodeDeleted}},
		{"renamed", func(c *checkout, name string) {
			c.git("mv", name, name+".old")
			c.commit("rename")
		}, []string{CodeRenamed}},
		{"executable", func(c *checkout, name string) { must(c, os.Chmod(c.path(name), 0o755)); c.commit("mode") }, []string{CodeMode}},
		{"replaced by a link", func(c *checkout, name string) {
			must(c, os.Rename(c.path(name), c.path("moved.json")))
			must(c, os.Symlink(c.path("moved.json"), c.path(name)))
			c.commit("link")
		}, []string{CodeMode}},
		{"folder replaced by a link", func(c *checkout, _ string) {
			must(c, os.Rename(c.path(published), c.path("moved")))
			must(c, os.Symlink(c.path("moved"), c.path(published)))
			c.commit("link")
		}, []string{CodeDeleted, CodeDeleted}},
		{"new executable file", func(c *checkout, _ string) {
			c.write(published+"/run.sh", "")
			must(c, os.Chmod(c.path(published+"/run.sh"), 0o755))
			c.commit("script")
		}, []string{CodeIrregular}},
		{"raw file modified", func(c *checkout, name string) {
			raw, err := filepath.Glob(filepath.Join(filepath.Dir(c.path(name)), "raw", "*.gz"))
			must(c, err)
			if len(raw) != 1 {
				c.t.Fatal("the example has no raw file")
			}
			must(c, os.WriteFile(raw[0], []byte(gzipped(c.t, "log\n")+"x"), 0o644))
			c.commit("raw")
		}, []string{CodeModified}},
	}
	for _, k := range cases {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			c := newCheckout(t)
			name := c.put(published, c.example())
			c.commit("results")
			c.git("checkout", "-q", "-b", "branch")
			k.change(c, name)
			var got []string
			for _, f := range c.verify("main").Faults {
				switch f.Code {
				case CodeModified, CodeDeleted, CodeRenamed, CodeMode:
					got = append(got, f.Code)
				case CodeIrregular:
					if k.name == "new executable file" {
						got = append(got, f.Code)
					}
				}
			}
			if len(got) != len(k.want) {
				t.Fatalf("faults = %v, want %v", got, k.want)
			}
			for i := range got {
				if got[i] != k.want[i] {
					t.Errorf("faults = %v, want %v", got, k.want)
				}
			}
		})
	}
}

// What the base gained after this branch left it is no deletion.
func TestAppendOnlyComparesWithMergeBase(t *testing.T) {
	t.Parallel()
	c := newCheckout(t)
	c.put(published, c.example())
	c.commit("results")
	c.git("branch", "branch")
	b := c.example()
	b.Credit = "Another"
	c.put(published, b)
	c.commit("more results")
	c.git("checkout", "-q", "branch")
	r := c.verify("main")
	expect(t, "faults", r.Faults)
}
