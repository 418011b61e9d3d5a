package report

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.org/arena/content"
	"example.org/arena/i18n"
	"example.org/arena/results/bundle"
	"example.org/arena/results/verdict"
	"example.org/arena/site/board"
	"example.org/arena/site/render"
)

// published makes a published report from the published bundles.
func published(t *testing.T, slug string, lang i18n.Lang) render.Report {
	t.Helper()
	c, err := content.Load(content.FS)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(c.Reports, func(r content.Report) bool { return r.Slug == slug })
	if i < 0 {
		t.Fatalf("no report %s", slug)
	}
	r := c.Reports[i]
	var bundles []*bundle.Bundle
	for _, d := range r.Deployments {
		files, err := filepath.Glob(filepath.Join("../../results/bundles", d.Platform, strings.ReplaceAll(d.Model, "/", "--"), d.Profile, "*.json"))
		if err != nil || len(files) != 1 {
			t.Fatalf("%s: %d bundles, %v", d.ID, len(files), err)
		}
		data, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		b, err := bundle.Decode(files[0], data)
		if err != nil {
			t.Fatal(err)
		}
		bundles = append(bundles, b)
	}
	rs := runs(r, verdict.Rules{Contracts: c.Contracts, Facts: c.Catalog}, bundles...)
	for i := range rs {
		platform, _ := c.Catalog.Platform(bundles[i].Platform)
		if m, cp, ok := c.Catalog.Checkpoint(bundles[i].Model.ID); ok {
			rs[i].Model = &m
			rs[i].Memory = board.Memory{Nominal: true, Usable: platform.Memory}
			rs[i].Memory.WeightBytes, rs[i].Memory.Known = m.WeightBytes(cp)
		}
	}
	words, err := catalogs()
	if err != nil {
		t.Fatal(err)
	}
	page, err := Page(words.Printer(lang), Source{Report: r, Runs: rs, Catalog: c.Catalog, Index: "/en/reports/"})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range words.Faults() {
		t.Error(f)
	}
	return page.Body.(render.Report)
}

// row returns the row of a table that begins with the given texts.
func row(t *testing.T, r render.Report, begin ...string) []string {
	t.Helper()
	for _, b := range r.Blocks {
		tables := []*render.Table{b.Table}
		for _, f := range b.Figures {
			tables = append(tables, f.Table)
		}
		for _, table := range tables {
			if table == nil {
				continue
			}
			for _, cells := range table.Rows {
				var texts []string
				for _, c := range cells {
					texts = append(texts, strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(strings.Join(strings.Fields(c.Text+" "+c.Spread+" "+c.Mark), " ")))
				}
				if len(texts) >= len(begin) && slices.Equal(texts[:len(begin)], begin) {
					return texts[len(begin):]
				}
			}
		}
	}
	t.Errorf("no row %q", begin)
	return nil
}

// TestContractBlocks looks at what the blocks make of two measurements by one
// contract. The figures are those of the bundles' files.
func TestContractBlocks(t *testing.T) {
	t.Parallel()
	r := published(t, "gemma-4-26b-bf16-nvfp4", i18n.EN)
	for _, c := range []struct{ begin, want []string }{
		{[]string{"--moe-backend"}, []string{"not set", "marlin"}},
		{[]string{"Precision"}, []string{"BF16", "NVFP4"}},
		{[]string{"gpu_memory_utilization"}, []string{"0.90"}}, // shared
		{[]string{"01 Chat", "Decode, 1,024 tokens, c = 10"}, []string{"84.6 tok/s ± 1.7", "135.1 tok/s ± 7.4", "1.60×"}},
		{[]string{"01 Chat", "TTFT, 1,024 tokens, c = 1"}, []string{"556 ms ± 124 ms", "400 ms ± 114 ms", "0.72× within the spread"}},
		{[]string{"11 Rate sweep"}, []string{"Highest rate with p95 of the first token under 5 s", "0.7 req/s", "0.7 req/s", "–"}},
		{[]string{"10", "Per user"}, []string{"10.9 tok/s", "21.2 tok/s", "1.94×"}},
		{[]string{"25,000", "TTFT"}, []string{"7.41 s ± 43 ms", "6.95 s ± 31 ms", "0.94×"}},
		{[]string{"0.7 req/s", "Per user p50"}, []string{"2.7 tok/s", "5.1 tok/s", "1.91×"}},
		{[]string{"0.7 req/s", "BF16"}, []string{"4 min 10 s", "2 min 48 s", "129 of 175"}},
		{[]string{"NVFP4"}, []string{"14.2 GB", "130.7 GB", "11%"}},
		{[]string{"LiveCodeBench v6", "with reasoning"}, nil},
		{[]string{"Take care · Depth in tokens, not in turns"}, []string{"Multi-turn", "Multi-turn"}},
	} {
		got := row(t, r, c.begin...)
		if c.want == nil { // only the last two: the figure of one checkpoint is not that of another
			got, c.want = got[max(0, len(got)-2):], []string{"77.1%", "unknown"}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %q\nwant %q", c.begin, got, c.want)
		}
	}
	if n := len(r.Marks); n != 0 {
		t.Errorf("%d marks", n)
	}
}

// TestPublished makes every published report in every language: its figures are
// all known, and the languages name the same ones in the same blocks.
func TestPublished(t *testing.T) {
	t.Parallel()
	c, err := content.Load(content.FS)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Reports) < 2 {
		t.Errorf("%d reports", len(c.Reports))
	}
	for _, r := range c.Reports {
		var first []string
		for _, lang := range i18n.Langs {
			body := published(t, r.Slug, lang)
			if body.Heading == "" || body.Lead == "" || len(body.TOC) == 0 || len(body.Facts) == 0 || len(body.Sources.Rows) != len(r.Deployments) {
				t.Errorf("%s, %s: %+v", r.Slug, lang, body)
			}
			var named []string
			for _, part := range r.Texts[string(lang)].Parts {
				named = append(named, placeholder.FindAllString(part.Prose, -1)...)
			}
			slices.Sort(named)
			if first == nil {
				first = named
			}
			if !slices.Equal(named, first) {
				t.Errorf("%s: %s names other figures than %s:\n%v\n%v", r.Slug, lang, i18n.Langs[0], named, first)
			}
		}
	}
}

// unit is a number with a unit that only a measurement has.
var unit = regexp.MustCompile(`\b[0-9][0-9.,\x{202f}]*[\x{a0}\x{202f} ](tok/s|ms|s|GB|Go|W)\b`)

// TestNoNumberIsTyped wants every measured number in a text to be a figure.
func TestNoNumberIsTyped(t *testing.T) {
	t.Parallel()
	c, err := content.Load(content.FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range c.Reports {
		for _, text := range r.Texts {
			for _, part := range text.Parts {
				if typed := unit.FindAllString(part.Prose, -1); len(typed) > 0 {
					t.Errorf("%s, after line %d: %q", text.File, part.Line, typed)
				}
			}
		}
	}
}
