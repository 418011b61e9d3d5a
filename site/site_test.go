package site

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"example.org/arena/content"
	"example.org/arena/i18n"
	"example.org/arena/results/bundle"
	"example.org/arena/site/chart"
	"example.org/arena/site/page"
	"example.org/arena/templates"
)

// example is a bundle with closed-loop and open-loop tests.
const example = "../results/bundle/testdata/example.json"

// A source is a bundle and its file.
type source struct {
	Path   string // below results/bundles
	Data   []byte
	Bundle *bundle.Bundle
}

// item reads the example, changes it and encodes it again.
func item(t *testing.T, change func(*bundle.Bundle)) source {
	t.Helper()
	data, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	b, err := bundle.Decode(example, data)
	if err != nil {
		t.Fatal(err)
	}
	change(b)
	if data, err = bundle.Encode(b); err != nil {
		t.Fatal(err)
	}
	path, err := bundle.Path(b, data)
	if err != nil {
		t.Fatal(err)
	}
	return source{Path: path, Data: data, Bundle: b}
}

// drawn keeps charts between the tests of this package: drawing is the slow part.
var drawn = sync.OnceValue(chart.NewMemory)

// input is a site's input with the repository's own content, save the reports:
// their bundles are not among the items.
func input(t *testing.T, sources ...source) Input {
	t.Helper()
	c, err := content.Load(content.FS)
	if err != nil {
		t.Fatal(err)
	}
	c.Reports = nil
	words, err := i18n.Load(i18n.FS)
	if err != nil {
		t.Fatal(err)
	}
	dist, err := fs.Sub(templates.FS, "dist")
	if err != nil {
		t.Fatal(err)
	}
	library, err := chart.OpenBundle(dist)
	if err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	charts, err := chart.New(chart.Config{Bundle: library, Jobs: 2, Cache: drawn()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { charts.Close() })
	in := Input{
		Content: c, Catalogs: words, Templates: templates.FS, Charts: charts, ECharts: []byte("//"),
		BaseURL: "https://arena.test", Date: time.Date(2026, 8, 16, 0, 0, 0, 0, time.UTC), Jobs: 2,
		Schemas: map[string][]byte{"bundle.schema.json": bundle.Schema()}, ContractFiles: map[string][]byte{},
	}
	for _, x := range sources {
		in.Items = append(in.Items, Item{
			Bundle: page.BundleOf(bundle.ID(x.Data), x.Path, x.Bundle, page.RulesOf(c)),
			Read:   func() ([]byte, error) { return x.Data, nil },
		})
	}
	for _, k := range c.Contracts {
		in.ContractFiles[k.Version] = []byte("version = \"" + k.Version + "\"\n")
	}
	return in
}

// A tree is a site in memory.
type tree struct {
	mu    sync.Mutex
	old   map[string][]byte // the files of an older site, which are kept
	files map[string][]byte
	put   int // files that were not kept
}

func (o *tree) Put(path string, data []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, ok := o.files[path]; ok {
		return fmt.Errorf("%s is put twice", path)
	}
	o.files[path] = data
	o.put++
	return nil
}

func (o *tree) Keep(path string, sum [sha256.Size]byte, size int64) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	data, ok := o.old[path]
	if !ok || sha256.Sum256(data) != sum || int64(len(data)) != size {
		return false
	}
	o.files[path] = data
	return true
}

func (o *tree) Paths() []string { return sortedKeys(o.files) }

func (o *tree) File(path string) ([]byte, bool) {
	data, ok := o.files[path]
	return data, ok
}

// tryBuild makes a site, with the files of an older one at hand.
func tryBuild(t *testing.T, in Input, old map[string][]byte) (*tree, error) {
	t.Helper()
	out := &tree{old: old, files: map[string][]byte{}}
	in.Output = out
	return out, Build(t.Context(), in)
}

func build(t *testing.T, in Input) *tree {
	t.Helper()
	out, err := tryBuild(t, in, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func file(t *testing.T, tree *tree, path string) string {
	t.Helper()
	data, ok := tree.File(path)
	if !ok {
		t.Fatalf("no file %s", path)
	}
	return string(data)
}

// modelPath is the page of the example's configuration.
func modelPath(t *testing.T, it source, lang string) string {
	t.Helper()
	slug, err := bundle.ModelSlug(it.Bundle.Model.ID)
	if err != nil {
		t.Fatal(err)
	}
	return lang + "/models/" + slug + "/" + it.Bundle.Profile + "/index.html"
}

func TestBuildIsDeterministic(t *testing.T) {
	t.Parallel()
	it := item(t, func(*bundle.Bundle) {})
	one := input(t, it)
	one.Jobs = 1
	four := input(t, it)
	four.Jobs = 4
	a, b := build(t, one), build(t, four)
	if got, want := strings.Join(a.Paths(), "\n"), strings.Join(b.Paths(), "\n"); got != want {
		t.Fatalf("got files\n%s\nwant\n%s", got, want)
	}
	for _, p := range a.Paths() {
		x, _ := a.File(p)
		y, _ := b.File(p)
		if !bytes.Equal(x, y) {
			t.Errorf("%s differs between one job and four", p)
		}
	}
}

func TestEveryPageInThreeLanguages(t *testing.T) {
	t.Parallel()
	it := item(t, func(*bundle.Bundle) {})
	tree := build(t, input(t, it))
	key := regexp.MustCompile(`⟦|%!|&amp;lt;|\{\{`)
	pages := 0
	for _, p := range tree.Paths() {
		if !strings.HasSuffix(p, ".html") {
			continue
		}
		pages++
		page := file(t, tree, p)
		if found := key.FindString(page); found != "" {
			t.Errorf("%s: holds %q", p, found)
		}
		lang, rest, ok := strings.Cut(p, "/")
		if !ok || rest == "404.html" {
			continue
		}
		for _, want := range []string{`<html lang="` + lang + `"`, `rel="canonical"`, `hreflang="nl"`, `hreflang="en"`, `hreflang="fr"`, `hreflang="x-default"`} {
			if !strings.Contains(page, want) {
				t.Errorf("%s: lacks %s", p, want)
			}
		}
	}
	if pages < 3*15 {
		t.Errorf("got %d pages, want more", pages)
	}
}

func TestWordsOfOthersStayText(t *testing.T) {
	t.Parallel()
	const evil = `<script>alert("x")</script>`
	it := item(t, func(b *bundle.Bundle) {
		b.Credit = evil
		b.Server.Settings = []bundle.Setting{{Name: "evil", Value: evil}}
		b.Sanity = &bundle.Sanity{Answer: evil}
		if b.Source != nil {
			b.Source.Title = evil
			b.Source.URL = "javascript:alert(1)"
		}
		for i := range b.Tests {
			if b.Tests[i].Command != nil {
				b.Tests[i].Command.Argv = append(b.Tests[i].Command.Argv, evil)
			}
		}
	})
	tree := build(t, input(t, it))
	for _, p := range tree.Paths() {
		if !strings.HasSuffix(p, ".html") {
			continue
		}
		page := file(t, tree, p)
		if strings.Contains(page, evil) {
			t.Errorf("%s: holds a script of a bundle", p)
		}
		if strings.Contains(page, `href="javascript:`) {
			t.Errorf("%s: links to a script", p)
		}
	}
	if page := file(t, tree, modelPath(t, it, "en")); !strings.Contains(page, "&lt;script&gt;alert") {
		t.Error("the words of the bundle are not on its page at all")
	}
}

func TestCommandsAreNotLocalised(t *testing.T) {
	t.Parallel()
	tree := build(t, input(t, item(t, func(*bundle.Bundle) {})))
	command := regexp.MustCompile(`--(?:request-rate|burstiness|random-range-ratio) [^ \\]+`)
	for _, lang := range []string{"nl", "en", "fr"} {
		found := command.FindAllString(file(t, tree, lang+"/method/v2/index.html"), -1)
		if len(found) < 20 {
			t.Fatalf("%s: got %d parameters, want at least 20", lang, len(found))
		}
		for _, f := range found {
			if strings.Contains(f, ",") {
				t.Errorf("%s: %q has a decimal comma", lang, f)
			}
		}
	}
}

func TestBundlesAreServedAsTheyAre(t *testing.T) {
	t.Parallel()
	it := item(t, func(*bundle.Bundle) {})
	tree := build(t, input(t, it))
	if got := file(t, tree, "data/bundles/"+it.Path); got != string(it.Data) {
		t.Error("the served bundle is not the published one")
	}
}

func TestRetractedStaysVisible(t *testing.T) {
	t.Parallel()
	it := item(t, func(*bundle.Bundle) {})
	in := input(t, it)
	in.Content.Retractions = []content.Retraction{{Bundle: bundle.ID(it.Data), Reason: content.RetractionReasons[0], Date: "2026-09-01"}}
	tree := build(t, in)
	page := file(t, tree, modelPath(t, it, "en"))
	if want := "This measurement was retracted on"; !strings.Contains(page, want) {
		t.Errorf("the page of a retracted measurement lacks %q", want)
	}
}

func TestFaultsFailTheBuild(t *testing.T) {
	t.Parallel()
	in := input(t, item(t, func(*bundle.Bundle) {}))
	broken := &brokenLink{FS: in.Templates}
	in.Templates = broken
	if _, err := tryBuild(t, in, nil); err == nil || !strings.Contains(err.Error(), "/nowhere/") {
		t.Errorf("got error %v, want one that names the dead link", err)
	}
}

// brokenLink serves a page template with a link that leads nowhere.
type brokenLink struct{ fs.FS }

func (b *brokenLink) Open(name string) (fs.File, error) { return b.FS.Open(name) }

func (b *brokenLink) ReadFile(name string) ([]byte, error) {
	data, err := fs.ReadFile(b.FS, name)
	if name == "html/notfound.tmpl" {
		data = bytes.Replace(data, []byte("<p>"), []byte(`<p><a href="/nowhere/">x</a> `), 1)
	}
	return data, err
}

func (b *brokenLink) Glob(pattern string) ([]string, error) { return fs.Glob(b.FS, pattern) }

func TestEverySourceHasItsPage(t *testing.T) {
	t.Parallel()
	first := item(t, func(*bundle.Bundle) {})
	second := item(t, func(b *bundle.Bundle) {
		b.Source.URL = "https://example.org/another"
		b.Credit = "Somebody Else"
		b.StartedAt = "2026-09-01T00:00:00Z"
		for i := range b.Tests {
			b.Tests[i].StartedAt = ""
			for j := range b.Tests[i].Cells {
				b.Tests[i].Cells[j].StartedAt, b.Tests[i].Cells[j].EndedAt = "", ""
			}
		}
	})
	tree := build(t, input(t, first, second))
	pages := map[string]string{}
	for _, p := range tree.Paths() {
		if strings.HasPrefix(p, "en/models/") && strings.HasSuffix(p, "index.html") && p != "en/models/index.html" {
			page := file(t, tree, p)
			for _, it := range []source{first, second} {
				if id := bundle.ID(it.Data); strings.Contains(page, id) {
					pages[id] = p
				}
			}
		}
	}
	a, b := pages[bundle.ID(first.Data)], pages[bundle.ID(second.Data)]
	if a == "" || b == "" || a == b {
		t.Errorf("got pages %q and %q, want one per source", a, b)
	}
}

func TestRetractionIsExplained(t *testing.T) {
	t.Parallel()
	it := item(t, func(*bundle.Bundle) {})
	in := input(t, it)
	in.Content.Retractions = []content.Retraction{{
		Bundle: bundle.ID(it.Data), Reason: "measurement_error", Date: "2026-09-01",
		Text: map[string]string{"nl": "De ventilator stond stil.", "en": "The fan stood still.", "fr": "Le ventilateur était arrêté."},
	}}
	tree := build(t, in)
	for lang, want := range map[string]string{"nl": "De ventilator stond stil.", "en": "The fan stood still.", "fr": "Le ventilateur était arrêté."} {
		if page := file(t, tree, modelPath(t, it, lang)); !strings.Contains(page, want) {
			t.Errorf("%s: the page does not say %q", lang, want)
		}
		if strings.Contains(file(t, tree, lang+"/feed.xml"), bundle.ID(it.Data)) {
			t.Errorf("%s: the feed announces a retracted measurement", lang)
		}
	}
}
