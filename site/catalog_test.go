package site_test

import (
	"slices"
	"strings"
	"testing"

	"example.org/arena/content"
	"example.org/arena/i18n"
	"example.org/arena/results/audit"
	"example.org/arena/results/facts"
	"example.org/arena/results/metric"
	"example.org/arena/results/verdict"
	"example.org/arena/site/board"
)

// A family is a set of texts whose keys are put together from a code. The *
// stands for each of the members: all of them have a text, and nothing else has
// one there, unless its key is written out in the code.
type family struct {
	pattern string
	members []string
}

// families lists every key that is put together somewhere. A new one needs its
// line here.
func families(t *testing.T) []family {
	t.Helper()
	metrics := stringsOf(metric.All, func(m metric.Metric) string { return string(m.Key) })
	codes := findingCodes(t)
	statistics := constantsOf(t, "results/verdict", "Statistic")
	missing := constantsOf(t, "results/verdict", "Missing")
	dimensions := stringsOf(facts.Dimensions, func(d facts.Dimension) string { return string(d) })
	deviations := constantsOf(t, "results/contract", "DeviationKind")
	return slices.Concat([]family{
		{"format.month.*", strings.Fields("1 2 3 4 5 6 7 8 9 10 11 12")},
		{"format.params.*", strings.Fields("unit thousand million billion trillion")},
		{"unit.*", units(t)},
		{"metric.*.name", metrics},
		{"metric.*.short", metrics},
		{"metric.*.text", metrics},
		{"method.metrics.*", []string{"neutral", "higher", "lower"}},
		{"finding.*.name", codes},
		{"finding.*.text", codes},
		{"severity.*", constantsOf(t, "results/audit", "Severity")},
		{"note.*", noteCodes(t)},
		{"stop.*.text", constantsOf(t, "results/bundle", "Stop*")},
		{"statistic.*.name", statistics},
		{"missing.*.short", missing},
		{"missing.*.text", missing},
		{"status.*.name", []string{verdict.ReasonBelowThreshold, verdict.ReasonSuccessUnknown}},
		{"reason.*", append(constantsOf(t, "results/verdict", "Reason*"), constantsOf(t, "site/board", "Reason*")...)},
		{"quality.*.name", dimensions},
		{"quality.mode.*", []string{"thinking", "non_thinking", "unknown"}},
		{"loop.*.name", constantsOf(t, "results/contract", "Loop")},
		{"tool.*.name", constantsOf(t, "results/contract", "Tool")},
		{"term.deviation.*", deviations},
		{"term.size.*", []string{"prompt", "output"}},
		{"term.failed.*", strings.Fields("not_found container exit killed unreadable interrupted")},
	}, contentFamilies(t), pageFamilies(t))
}

// contentFamilies are the families whose members people add as content.
func contentFamilies(t *testing.T) []family {
	t.Helper()
	c, err := content.Load(content.FS)
	if err != nil {
		t.Fatal(err)
	}
	var slugs, datasets, texts, errata, architectures []string
	for _, k := range c.Contracts {
		for _, test := range k.Tests {
			slugs = append(slugs, test.Slug)
			texts = append(texts, test.Texts()...)
			if a, open := test.Arrivals(); open {
				datasets = append(datasets, a.Dataset)
			}
		}
	}
	for _, e := range c.Errata {
		for _, x := range e.List {
			errata = append(errata, x.Code)
		}
	}
	for _, m := range c.Catalog.Models {
		if m.Architecture != nil {
			architectures = append(architectures, m.Architecture.Value)
		}
	}
	states := stringsOf(content.States, func(s content.State) string { return string(s) })
	presets := stringsOf(c.Presets, func(p content.Preset) string { return p.ID })
	all := []family{
		{"test.*.name", slugs},
		{"test.*.about", slugs},
		{"dataset.*.name", datasets},
		{"method.text.*", texts},
		{"erratum.*.text", errata},
		{"model.architecture.*", architectures},
		{"suggestion.*.name", states},
		{"suggestion.reason.*", content.DeclineReasons},
		{"retraction.reason.*", content.RetractionReasons},
	}
	for _, part := range []string{"name", "title", "heading", "lead", "description"} {
		all = append(all, family{"preset.*." + part, presets})
	}
	return all
}

// pageFamilies are the families of single pages.
func pageFamilies(t *testing.T) []family {
	t.Helper()
	columns := []string{board.ColumnOneUser, board.ColumnManyUsers, board.ColumnTTFT}
	lines := []string{"ttft", "itl", "speed", "latency"}
	matrices := []string{"slo", "slo_slow"}
	return []family{
		{"*.title", []string{"board"}},
		{"*.heading", []string{"board"}},
		{"*.description", []string{"board"}},
		{"board.column.*", append(columns, "weights", "quality", "date")},
		{"board.column.*_explain", columns},
		{"data.files.schema.*", []string{"bundle", "verify", "run", "leaderboard"}},
		{"report.*.chart", slices.Concat(lines, matrices)},
		{"report.*.chart_text", slices.Concat(lines, matrices)},
		{"report.*.caption", slices.Concat(lines, matrices, []string{"speedup", "users"})},
		{"report.settings.name.*", strings.Fields("image quantisation version server gpu driver cuda kernel")},
		{"model.counted.*", strings.Fields("continuous_usage token_ids usage chunks mixed")},
		{"report.users.basis.*", constantsOf(t, "site/board", "Basis")},
	}
}

// findingCodes returns the codes of all findings.
func findingCodes(t *testing.T) []string {
	t.Helper()
	codes := constantsOf(t, "results/audit", "Code")
	for _, r := range audit.Rules {
		if !slices.Contains(codes, string(r.Code)) {
			t.Errorf("audit: the code %s of a rule is no constant", r.Code)
		}
	}
	return codes
}

// noteCodes returns the codes of all notes that importers and the engine write.
func noteCodes(t *testing.T) []string {
	t.Helper()
	codes := append(constantsOf(t, "results/bundle", "Note*"), audit.NoteProjected)
	for _, dir := range []string{"engine", "engine/hostinfo", "engine/runner"} {
		codes = append(codes, constantsOf(t, dir, "Note*")...)
	}
	codes = append(codes, argumentsOf(t, "results/ingest", "note", "Code")...)
	slices.Sort(codes)
	return slices.Compact(codes)
}

// units returns every unit in which something is stored or written.
func units(t *testing.T) []string {
	t.Helper()
	all := constantsOf(t, "results/metric", "Unit")
	all = slices.DeleteFunc(all, func(u string) bool { return u == string(metric.Dimensionless) })
	all = append(all, strings.Fields("min h B kB MB GB TB B/s kB/s MB/s GB/s TB/s FLOP/s kFLOP/s MFLOP/s GFLOP/s TFLOP/s PFLOP/s")...)
	slices.Sort(all)
	return slices.Compact(all)
}

func stringsOf[T any](all []T, of func(T) string) []string {
	var out []string
	for _, v := range all {
		out = append(out, of(v))
	}
	return out
}

func loadCatalogs(t *testing.T) *i18n.Catalogs {
	t.Helper()
	c, err := i18n.Load(i18n.FS)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestCatalogFamilies fails for a code without words and for words without a code.
func TestCatalogFamilies(t *testing.T) {
	t.Parallel()
	keys := loadCatalogs(t).Keys()
	s := scanSources(t)
	all := families(t)
	expected := map[string]bool{}
	for _, f := range all {
		for _, m := range f.members {
			expected[strings.Replace(f.pattern, "*", m, 1)] = true
		}
	}
	for _, f := range all {
		prefix, suffix, ok := strings.Cut(f.pattern, "*")
		f.members = slices.Compact(slices.Sorted(slices.Values(f.members))) // each fault once
		if !ok || len(f.members) == 0 {
			t.Fatalf("%s: no family", f.pattern)
		}
		for _, m := range f.members {
			if key := prefix + m + suffix; !slices.Contains(keys, key) {
				t.Errorf("%s: no text", key)
			}
		}
		for _, key := range keys {
			member, ok := strings.CutPrefix(key, prefix)
			if !ok || !strings.HasSuffix(member, suffix) {
				continue
			}
			oneSegment := !strings.Contains(strings.TrimSuffix(member, suffix), ".")
			if oneSegment && !expected[key] && !s.literals[key] {
				t.Errorf("%s: a text without a member of the family %s", key, f.pattern)
			}
		}
		through := func(u keyUse) bool { return matches(u.pattern, f.pattern) }
		if !slices.Contains(s.joined, f.pattern) && !slices.ContainsFunc(s.uses, through) {
			t.Errorf("%s: nothing looks up this family", f.pattern)
		}
	}
}

// TestCatalogUse fails for a key that the code asks for and no catalog has, for a
// key that is put together outside the declared families, and for a key that
// nothing asks for.
func TestCatalogUse(t *testing.T) {
	t.Parallel()
	c := loadCatalogs(t)
	keys := c.Keys()
	s := scanSources(t)
	declared := families(t)
	for _, u := range s.uses {
		if strings.Contains(u.pattern, "*") {
			if !slices.ContainsFunc(declared, func(f family) bool { return matches(u.pattern, f.pattern) }) {
				t.Errorf("%s: the key %s is put together, but is no family of site/catalog_test.go", u.where, u.pattern)
			}
			continue
		}
		message, _ := asMessage(c, u.pattern)
		switch {
		case !slices.Contains(keys, message):
			t.Errorf("%s: no text for %s", u.where, u.pattern)
		case u.call == "N" && !c.Plural(message):
			t.Errorf("%s: %s has no plural forms, use T", u.where, u.pattern)
		case u.call == "T" && c.Plural(u.pattern):
			t.Errorf("%s: %s has plural forms, use N", u.where, u.pattern)
		}
	}
	used := map[string]bool{}
	for text := range s.literals {
		message, _ := asMessage(c, text)
		used[message] = true
	}
	for _, key := range keys {
		inFamily := slices.ContainsFunc(declared, func(f family) bool { return matches(f.pattern, key) })
		if !used[key] && !inFamily {
			t.Errorf("%s: a text that nothing uses", key)
		}
	}
}

// asMessage returns the key of the message that a key is a plural form of, else
// the key itself.
func asMessage(c *i18n.Catalogs, key string) (string, bool) {
	i := strings.LastIndexByte(key, '.')
	if i > 0 && c.Plural(key[:i]) {
		return key[:i], true
	}
	return key, false
}
