package content

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"example.org/arena/i18n"
	"example.org/arena/results/facts"
	"example.org/arena/results/tomlfile"
)

func mustLoad(t *testing.T) *Content {
	t.Helper()
	c, err := Load(FS)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestLoadPublished reads what is published.
func TestLoadPublished(t *testing.T) {
	t.Parallel()
	c := mustLoad(t)
	var versions []string
	for _, k := range c.Contracts {
		versions = append(versions, k.Version)
	}
	if got := strings.Join(versions, " "); !strings.HasPrefix(got, "v1 v2") {
		t.Errorf("contracts %s; want v1 v2 first", got)
	}
	if c.ErrataOf("v1") == nil || c.ErrataOf("v2") == nil {
		t.Error("v1 or v2 has no errata")
	}
	if !slices.IsSortedFunc(c.Catalog.Models, func(a, b facts.Model) int { return strings.Compare(a.ID, b.ID) }) {
		t.Error("models are not sorted")
	}
	for _, id := range []string{"dgx-spark", "dgx-b300"} {
		if _, ok := c.Catalog.Platform(id); !ok {
			t.Errorf("no platform %s", id)
		}
	}
	for _, k := range c.Contracts {
		for _, test := range k.Tests {
			if _, ok := c.Text(Benchmarks, test.Slug, "en"); !ok {
				t.Errorf("test %s of %s has no text", test.Slug, k.Version)
			}
		}
	}
	var presets []string
	for _, p := range c.Presets {
		presets = append(presets, p.ID)
	}
	if got, want := strings.Join(presets, " "), "chat rag long-output agents long-context team"; got != want {
		t.Errorf("presets %s; want %s", got, want)
	}
}

// TestEmbedsEverything compares the embedded tree with the one on disk, where a
// pattern that misses a file shows.
func TestEmbedsEverything(t *testing.T) {
	t.Parallel()
	n := 0
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name == "testdata" {
			return fs.SkipDir
		}
		if d.IsDir() || path.Ext(name) == ".go" {
			return nil
		}
		n++
		if _, err := fs.Stat(FS, name); err != nil {
			t.Errorf("%s is not embedded", name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < 50 {
		t.Errorf("found only %d files", n)
	}
}

// TestLoadSameFromDisk reads the source tree, code included, as a user's
// --content folder is read.
func TestLoadSameFromDisk(t *testing.T) {
	t.Parallel()
	if _, err := Load(os.DirFS(".")); err != nil {
		t.Fatal(err)
	}
}

// tree returns a copy of the published tree with some files replaced. An empty
// file is taken away.
func tree(t *testing.T, change map[string]string) fs.FS {
	t.Helper()
	m := fstest.MapFS{}
	err := fs.WalkDir(FS, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(FS, name)
		m[name] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range change {
		if data == "" {
			delete(m, name)
			continue
		}
		m[name] = &fstest.MapFile{Data: []byte(data)}
	}
	return m
}

// TestLoadReportsAll breaks many files at once: each fault appears with its file
// and line, in order.
func TestLoadReportsAll(t *testing.T) {
	t.Parallel()
	sha := strings.Repeat("a", 64)
	_, err := Load(tree(t, map[string]string{
		"contracts/v1.toml":    "version = \"v1\"\nseeds = 42\n",
		"errata/v7.toml":       "contract = \"v7\"\n",
		"models/broken.toml":   "name = \"x\"\nvendor =\n",
		"models/Twice.toml":    "name = \"x\"\nvendor = \"X\"\n\n[[checkpoint]]\nid = \"Qwen/Qwen3.6-27B\"\nbase = true\n",
		"models/who.toml":      "name = \"x\"\nvendor = \"X\"\n[[checkpoint]]\nid = \"a/b\"\nbase = true\n[[quality]]\ndimension = \"science\"\nbenchmark = \"G\"\nvalue = \"1.0\"\nmode = \"thinking\"\nby = \"Nobody\"\nsource = \"https://example.org\"\n",
		"platforms/dgx.txt":    "?",
		"pages/only.nl.md":     "Tekst\n",
		"pages/Name.de.md":     "Text\n",
		"pages/empty.en.md":    " \n",
		"pages/empty.fr.md":    "\ufeffx\n",
		"pages/empty.nl.md":    "a\r\n",
		"presets.toml":         "[[preset]]\nid = \"a\"\nsort = \"chat/peak\"\ncolumns = [\n  \"chat/ttft_ms/p77\", \"none/ttft_ms\", \"chat/peak\",\n]\n",
		"site.toml":            "",
		"suggestions/b.toml":   "model = \"a/b\"\n[[history]]\nstate = \"proposed\"\ndate = \"2026-11-29\"\n",
		"retractions/xyz.toml": "reason = \"licence\"\ndate = \"2026-11-29\"\ntext = { nl = \"a\", en = \"b\", fr = \"c\" }\n",
		"retractions/" + sha + ".toml": "reason = \"licence\"\ndate = \"2026-11-29\"\nsuperseded_by = \"" + sha + "\"\n" +
			"text = { nl = \"a\", en = \"b\", fr = \"c\" }\n",
		"notes.txt": "?",
	}))
	wantFaults(t, err, []string{
		`contracts/v1.toml:1: date: missing key`,
		`contracts/v1.toml:2: seeds: unknown key`,
		`errata/v7.toml: there is no valid contract "v7"`,
		`models/Twice.toml: is not named by a slug`,
		`models/broken.toml:2: `,
		`models/qwen3.6-27b.toml:5: checkpoint[0].id: "Qwen/Qwen3.6-27B" is a checkpoint of Twice already`,
		`models/who.toml:11: quality[0].by: "Nobody" is neither the vendor nor in publishers.toml`,
		`notes.txt: does not belong here`,
		`pages/Name.de.md: is not named`,
		`pages/empty.en.md: is empty`,
		`pages/empty.fr.md:1: starts with a byte order mark`,
		`pages/empty.nl.md:1: has carriage returns`,
		`pages/only.en.md: is missing`,
		`pages/only.fr.md: is missing`,
		`platforms/dgx.txt: does not belong here`,
		`retractions/` + sha + `.toml:3: superseded_by: a bundle cannot take its own place`,
		`retractions/xyz.toml: is not named after a bundle`,
		`site.toml: read: file does not exist`,
		`suggestions/b.toml:1: model: the file of this suggestion is named a--b.toml`,
	})
}

// TestLoadChecksPresets needs a valid default contract to compare with.
func TestLoadChecksPresets(t *testing.T) {
	t.Parallel()
	_, err := Load(tree(t, map[string]string{
		"presets.toml": "[[preset]]\nid = \"a\"\nsort = \"one_user\"\ncolumns = [\n" +
			"  \"one_user\", \"chat/ttft_ms/p77\", \"none/ttft_ms\", \"chat/peak\",\n]\n",
	}))
	wantFaults(t, err, []string{
		`presets.toml:4: preset[0].columns: test "chat" does not ask for "p77"`,
		`presets.toml:4: preset[0].columns: contract v2 has no test "none"`,
		`presets.toml:4: preset[0].columns: test "chat" does not ask for "peak"`,
	})
}

// TestLoadKeepsToTheCause does not blame models for a broken list of publishers.
func TestLoadKeepsToTheCause(t *testing.T) {
	t.Parallel()
	_, err := Load(tree(t, map[string]string{"publishers.toml": "[[publisher]]\nname = \"Meta\"\nnam = 1\n"}))
	if got, want := err.Error(), "publishers.toml:3: publisher[0].nam: unknown key"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// wantFaults wants each fault to be there, by file and line. A wanted fault may
// be the beginning of the whole text.
func wantFaults(t *testing.T, err error, want []string) {
	t.Helper()
	var faults tomlfile.Faults
	if !errors.As(err, &faults) {
		t.Fatalf("got %v; want faults", err)
	}
	if !slices.IsSortedFunc(faults, func(a, b tomlfile.Fault) int {
		if a.File != b.File {
			return strings.Compare(a.File, b.File)
		}
		return a.Line - b.Line
	}) {
		t.Errorf("faults are not sorted:\n%v", err)
	}
	for _, w := range want {
		if !slices.ContainsFunc(faults, func(f tomlfile.Fault) bool { return strings.HasPrefix(f.Error(), w) }) {
			t.Errorf("no fault %q in:\n%v", w, err)
		}
	}
}

// names match the names of models and tests with a hyphen between numbers.
var names = regexp.MustCompile(`[\pL0-9.]*[0-9]-[0-9][\pL0-9-]*`)

// TestRemarks wants every remark to end as a sentence and to keep the
// typography of its language.
func TestRemarks(t *testing.T) {
	t.Parallel()
	n := 0
	for where, w := range remarks(mustLoad(t).Catalog) {
		for lang, text := range w {
			n++
			if !strings.HasSuffix(text, ".") {
				t.Errorf("%s %s: %q does not end in a full stop", where, lang, text)
			}
			for _, mistake := range i18n.CheckText(i18n.Lang(lang), names.ReplaceAllString(text, "x")) {
				t.Errorf("%s %s: %q: %s", where, lang, text, mistake)
			}
		}
	}
	if n < 100 {
		t.Errorf("found only %d remarks", n)
	}
}

func remarks(c facts.Catalog) map[string]facts.Words {
	all := map[string]facts.Words{}
	add := func(where string, w facts.Words) {
		if w != nil {
			all[where] = w
		}
	}
	number := func(where string, n *facts.Number) {
		if n != nil {
			add(where, n.Note)
		}
	}
	for _, p := range c.Publishers {
		add(p.Name, p.Note)
	}
	for _, m := range c.Models {
		number(m.ID+" total", m.TotalParams)
		number(m.ID+" active", m.ActiveParams)
		number(m.ID+" layers", m.Layers)
		number(m.ID+" kv layers", m.KVLayers)
		number(m.ID+" context", m.Context)
		for _, text := range []*facts.Text{m.Architecture, m.Licence, m.Released} {
			if text != nil {
				add(m.ID+" "+text.Value, text.Note)
			}
		}
		for _, g := range m.LayerKinds {
			add(m.ID+" "+string(g.Kind), g.Note)
		}
		for _, cp := range m.Checkpoints {
			add(cp.ID, cp.Note)
		}
		for _, q := range m.Quality {
			add(m.ID+" "+q.Benchmark+" doubt", q.Doubt)
			add(m.ID+" "+q.Benchmark, q.Note)
		}
	}
	for _, p := range c.Platforms {
		for i, n := range []*facts.Number{p.Memory, p.Bandwidth, p.MeasuredBandwidth, p.ComputeBF16, p.ComputeFP8, p.ComputeFP4, p.Power} {
			number(p.ID+string(rune('0'+i)), n)
		}
		for _, f := range p.Facts {
			add(p.ID+" "+f.Key, f.Note)
		}
	}
	return all
}
