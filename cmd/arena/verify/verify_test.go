package verify

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/arena/results/bundle"
)

func TestValid(t *testing.T) {
	t.Parallel()
	c := newCheckout(t)
	name := c.put(published, c.example())
	c.commit("results")
	for _, paths := range [][]string{nil, {name}, {filepath.Dir(name)}, {published + "/dgx-spark"}, {name, published}} {
		r := c.verify("HEAD", paths...)
		expect(t, "faults", r.Faults)
		expect(t, "warnings", r.Warnings)
		if !r.OK || r.Checked < 1 {
			t.Errorf("%v: ok is %v after %d bundles", paths, r.OK, r.Checked)
		}
	}
	// Outside results the four last folders count, wherever they lie.
	r := c.verify("", c.put("elsewhere/deep", c.example()), "elsewhere")
	expect(t, "faults", r.Faults)
	expect(t, "warnings", r.Warnings)
}

func TestFaults(t *testing.T) {
	t.Parallel()
	type edit = func(*bundle.Bundle)
	log := bundle.ID([]byte("log\n")) + ".gz"
	cases := []struct {
		name  string
		edit  edit                           // of the bundle before it is written
		after func(c *checkout, name string) // change of the files
		want  []string
	}{
		{name: "simulated", edit: func(b *bundle.Bundle) { b.Kind, b.Source, b.Engine.Runner = bundle.Simulated, nil, "native" }, want: []string{"simulated /kind"}},
		{name: "dirty", edit: func(b *bundle.Bundle) { b.Engine.Dirty = true }, want: []string{"dirty /engine/dirty"}},
		{name: "no engine revision", edit: func(b *bundle.Bundle) { b.Engine.Revision = "" }, want: []string{"engine_revision /engine/revision"}},
		{name: "no contract revision", edit: func(b *bundle.Bundle) { b.Contract.Revision = "" }, want: []string{"contract_revision /contract/revision"}},
		{name: "unknown engine revision", edit: func(b *bundle.Bundle) { b.Engine.Revision = strings.Repeat("1", 40) }, want: []string{"engine_revision /engine/revision"}},
		{name: "unknown contract revision", edit: func(b *bundle.Bundle) { b.Contract.Revision = strings.Repeat("1", 40) }, want: []string{"contract_revision /contract/revision"}},
		{name: "unknown platform", edit: func(b *bundle.Bundle) { b.Platform = "dgx-sprak" }, want: []string{"platform /platform"}},
		{name: "unknown contract", edit: func(b *bundle.Bundle) { b.Contract.Version = "v9" }, want: []string{"contract /contract/version"}},
		{name: "hostile contract version", edit: func(b *bundle.Bundle) { b.Contract.Version = "../../x" }, want: []string{"contract /contract/version"}},
		{name: "other contract bytes", edit: func(b *bundle.Bundle) { b.Contract.SHA256 = strings.Repeat("1", 64) }, want: []string{"contract /contract/sha256", "contract_revision /contract/revision"}},
		{name: "supersedes nothing", edit: func(b *bundle.Bundle) { b.Supersedes = strings.Repeat("1", 64) }, want: []string{"supersedes /supersedes"}},
		{name: "invalid content", edit: func(b *bundle.Bundle) { b.Credit = "" }, want: []string{"required /credit"}},
		{
			name: "byte order mark",
			after: func(c *checkout, name string) {
				data, _ := os.ReadFile(c.path(name))
				c.write(name, "\ufeff"+string(data))
			},
			want: []string{"hash", "syntax"},
		},
		{
			name: "other name",
			after: func(c *checkout, name string) {
				if err := os.Rename(c.path(name), filepath.Join(filepath.Dir(c.path(name)), "latest.json")); err != nil {
					c.t.Fatal(err)
				}
			},
			want: []string{"path"},
		},
		{
			name: "other profile",
			after: func(c *checkout, name string) {
				if err := os.Rename(filepath.Dir(c.path(name)), filepath.Join(c.path(published), "dgx-spark", "Example--Model-8B-NVFP4", "other")); err != nil {
					c.t.Fatal(err)
				}
			},
			want: []string{"path"},
		},
		{
			name: "one folder too deep",
			after: func(c *checkout, name string) {
				if err := os.Rename(c.path(published), c.path("tmp")); err != nil {
					c.t.Fatal(err)
				}
				if err := os.MkdirAll(c.path(published+"/more"), 0o755); err != nil {
					c.t.Fatal(err)
				}
				if err := os.Rename(c.path("tmp/dgx-spark"), c.path(published+"/more/dgx-spark")); err != nil {
					c.t.Fatal(err)
				}
			},
			want: []string{"path"},
		},
		{
			name:  "file that belongs to nothing",
			after: func(c *checkout, _ string) { c.write(published+"/README.md", "hello") },
			want:  []string{"unexpected_file"},
		},
		{
			name: "raw file that no bundle keeps",
			after: func(c *checkout, name string) {
				c.write(filepath.Dir(name)+"/raw/"+strings.Repeat("0", 64)+".gz", gzipped(c.t, "x"))
			},
			want: []string{"unexpected_file"},
		},
		{
			name: "raw file is missing",
			after: func(c *checkout, name string) {
				if err := os.Remove(c.path(filepath.Dir(name) + "/raw/" + log)); err != nil {
					c.t.Fatal(err)
				}
			},
			want: []string{"raw /tests/0/files/0"},
		},
		{
			name:  "raw file holds other bytes",
			after: func(c *checkout, name string) { c.write(filepath.Dir(name)+"/raw/"+log, gzipped(c.t, "lag\n")) },
			want:  []string{"raw /tests/0/files/0"},
		},
		{
			name:  "raw file holds more bytes",
			after: func(c *checkout, name string) { c.write(filepath.Dir(name)+"/raw/"+log, gzipped(c.t, "log\nlog\n")) },
			want:  []string{"raw /tests/0/files/0"},
		},
		{
			name: "raw file holds a second one",
			after: func(c *checkout, name string) {
				c.write(filepath.Dir(name)+"/raw/"+log, gzipped(c.t, "log\n")+gzipped(c.t, "x"))
			},
			want: []string{"raw /tests/0/files/0"},
		},
		{
			name:  "raw file is not compressed",
			after: func(c *checkout, name string) { c.write(filepath.Dir(name)+"/raw/"+log, "log\n") },
			want:  []string{"raw /tests/0/files/0"},
		},
		{
			name: "symbolic link to a bundle",
			after: func(c *checkout, name string) {
				if err := os.Rename(c.path(name), c.path("elsewhere.json")); err != nil {
					c.t.Fatal(err)
				}
				if err := os.Symlink(c.path("elsewhere.json"), c.path(name)); err != nil {
					c.t.Fatal(err)
				}
			},
			want: []string{"no_bundles", "irregular", "unexpected_file"},
		},
		{
			name: "no bundle at all",
			after: func(c *checkout, name string) {
				if err := os.RemoveAll(c.path(published + "/dgx-spark")); err != nil {
					c.t.Fatal(err)
				}
			},
			want: []string{"no_bundles"},
		},
	}
	for _, k := range cases {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			c := newCheckout(t)
			b := c.example()
			if k.edit != nil {
				k.edit(b)
			}
			name := c.put(published, b)
			if k.after != nil {
				k.after(c, name)
			}
			r := c.verify("")
			expect(t, "faults", r.Faults, k.want...)
			if r.OK {
				t.Error("the report is ok")
			}
			for _, f := range r.Faults {
				if f.Key != "" && f.Line < 2 {
					t.Errorf("fault without a line: %v", f)
				}
			}
		})
	}
}

// A correction of a published bundle is fine.
func TestSupersedes(t *testing.T) {
	t.Parallel()
	c := newCheckout(t)
	old := c.put(published, c.example())
	data, err := os.ReadFile(c.path(old))
	if err != nil {
		t.Fatal(err)
	}
	b := c.example()
	b.Supersedes, b.Credit = bundle.ID(data), "Ada Example"
	name := c.put(published, b)
	r := c.verify("")
	expect(t, "faults", r.Faults)
	expect(t, "warnings", r.Warnings)
	// Alone, the correction cannot be judged.
	r = c.verify("", name)
	expect(t, "faults", r.Faults)
	expect(t, "warnings", r.Warnings, "unchecked /supersedes")
}

// Outside results, what keeps a bundle from being published is no fault.
func TestUnpublished(t *testing.T) {
	t.Parallel()
	c := newCheckout(t)
	b := c.example()
	b.Kind, b.Source, b.Engine.Runner = bundle.Simulated, nil, "native"
	b.Engine.Dirty, b.Engine.Revision, b.Contract.Revision = true, "", ""
	r := c.verify("", c.put("out", b))
	expect(t, "faults", r.Faults)
	expect(t, "warnings", r.Warnings, "contract_revision /contract/revision", "engine_revision /engine/revision", "dirty /engine/dirty")
}

func TestRevisionOutsideHistory(t *testing.T) {
	t.Parallel()
	c := newCheckout(t)
	c.git("checkout", "-q", "-b", "side")
	side := c.commit("side")
	c.git("checkout", "-q", "main")
	b := c.example()
	b.Engine.Revision = side
	c.put(published, b)
	r := c.verify("")
	expect(t, "faults", r.Faults, "engine_revision /engine/revision")
	if len(r.Faults) == 1 && !strings.Contains(r.Faults[0].Message, "is not in the history of HEAD") {
		t.Errorf("message = %s", r.Faults[0].Message)
	}
}

// The contract at the pinned revision is compared by its bytes there.
func TestContractChangedLater(t *testing.T) {
	t.Parallel()
	c := newCheckout(t)
	c.write("content/contracts/v2.toml", contractText+"# edited\n")
	edited := c.commit("edit the contract")
	b := c.example() // the digest is that of the first text
	b.Contract.Revision = edited
	c.put(published, b)
	r := c.verify("")
	expect(t, "faults", r.Faults, "contract_revision /contract/revision")
}

func TestShallowClone(t *testing.T) {
	t.Parallel()
	c := newCheckout(t)
	b := c.example()
	c.put(published, b)
	c.commit("results")
	dir := filepath.Join(t.TempDir(), "clone")
	c.git("clone", "-q", "--depth=1", "file://"+c.dir, dir)
	shallow := &checkout{t: t, dir: dir, env: c.env}
	r := shallow.verify("")
	expect(t, "faults", r.Faults)
	expect(t, "warnings", r.Warnings, "unchecked /contract/revision", "unchecked /engine/revision")
}

// What cannot be checked in a clone is told once, not for every bundle.
func TestShallowCloneOfManyBundles(t *testing.T) {
	t.Parallel()
	c := newCheckout(t)
	for _, profile := range []string{"a", "b", "c"} {
		b := c.example()
		b.Profile = profile
		c.put(published, b)
	}
	c.commit("results")
	dir := filepath.Join(t.TempDir(), "clone")
	c.git("clone", "-q", "--depth=1", "file://"+c.dir, dir)
	r := (&checkout{t: t, dir: dir, env: c.env}).verify("")
	expect(t, "faults", r.Faults)
	expect(t, "warnings", r.Warnings, "unchecked")
	if len(r.Warnings) == 1 && !strings.HasPrefix(r.Warnings[0].Error(), "3 bundles: ") {
		t.Errorf("warning = %v", r.Warnings[0])
	}
}

func TestUnknownNote(t *testing.T) {
	t.Parallel()
	c := newCheckout(t)
	b := c.example()
	b.Tests[0].Notes = []bundle.Note{{Code: "never_heard_of"}}
	b.Tests[1].Cells[0].Notes = []bundle.Note{{Code: "nor_of_this"}}
	known := func(code string) bool { return code == b.Notes[0].Code || code == "no_figures" }
	r, err := Run(t.Context(), Options{
		Paths: []string{c.path(c.put(published, b))}, Env: c.env, KnownNote: known,
		Contracts: map[string]string{"v2": bundle.ID([]byte(contractText))},
		Platforms: []string{"dgx-spark"},
	})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, "faults", r.Faults)
	expect(t, "warnings", r.Warnings, "note_unknown /tests/0/notes/0/code", "note_unknown /tests/1/cells/0/notes/0/code")
}

// What an import left when it was ended is no content, but is told.
func TestLeftoverOfImport(t *testing.T) {
	t.Parallel()
	c := newCheckout(t)
	name := c.put(published, c.example())
	c.write(filepath.Dir(name)+"/.arena-123456", "half a bun")
	c.write(filepath.Dir(name)+"/raw/.arena-7", "")
	c.write(filepath.Dir(name)+"/.arena-notes", "not ours")
	r := c.verify("")
	expect(t, "faults", r.Faults, "unexpected_file")
	expect(t, "warnings", r.Warnings, "leftover", "leftover")
}

func TestWithoutRepository(t *testing.T) {
	c := newCheckout(t)
	b := c.example()
	dir := t.TempDir()
	other := &checkout{t: t, dir: dir, env: c.env}
	name := other.put(published, b)
	t.Chdir(dir) // the working folder is no repository either
	r := other.verify("", name)
	expect(t, "faults", r.Faults)
	expect(t, "warnings", r.Warnings, "unchecked /contract/revision", "unchecked /engine/revision")
	if _, err := Run(t.Context(), Options{Paths: []string{published}, Base: "main", Env: c.env}); err == nil {
		t.Error("a base was compared with without a repository")
	}
	// A repository of another project knows nothing of ours.
	other.git("init", "-q")
	other.commit("results")
	r = other.verify("", name)
	expect(t, "warnings", r.Warnings, "unchecked /contract/revision", "unchecked /engine/revision")
}

func TestRunErrors(t *testing.T) {
	t.Parallel()
	c := newCheckout(t)
	name := c.put(published, c.example())
	if _, err := Run(t.Context(), Options{Paths: []string{c.path("nowhere")}}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a path that does not exist: %v", err)
	}
	for _, base := range []string{"nowhere", "--output=x", "HEAD~9"} {
		_, err := Run(t.Context(), Options{Paths: []string{c.path(name)}, Base: base, Env: c.env})
		if err == nil || !strings.Contains(err.Error(), "the repository has no such revision") {
			t.Errorf("base %q: %v", base, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, Options{Paths: []string{c.path(name)}, Env: c.env}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
