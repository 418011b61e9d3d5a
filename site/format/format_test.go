package format_test

import (
	"slices"
	"sync"
	"testing"

	"example.org/arena/i18n"
	"example.org/arena/results/audit"
	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
	"example.org/arena/results/verdict"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// catalogs are read once: reading them takes longer than the tests.
var catalogs = sync.OnceValues(func() (*i18n.Catalogs, error) { return i18n.Load(i18n.FS) })

// printer returns the printer of a language; the test fails for every key that is
// missing or misused.
func printer(t *testing.T, l i18n.Lang) *i18n.Printer {
	t.Helper()
	all, err := catalogs()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, f := range all.Faults() {
			t.Error(f)
		}
	})
	return all.Printer(l)
}

// decode is a known decode throughput.
func decode(change func(*verdict.Value)) verdict.Value {
	v := verdict.Value{Metric: metric.Decode, Unit: metric.TokensPerS, Known: true, Number: 1234.56, Spread: &verdict.Spread{Number: 2.04, Of: verdict.Repetitions}}
	if change != nil {
		change(&v)
	}
	return v
}

func TestCell(t *testing.T) {
	t.Parallel()
	excluded := verdict.Reason{Code: string(audit.PrefixCacheHit)}
	cases := []struct {
		name  string
		value verdict.Value
		want  render.Cell
	}{
		{"known", decode(nil), render.Cell{Text: "1,234.6", Spread: "± 2.0", Class: "n"}},
		{"bound", decode(func(v *verdict.Value) { v.Bound, v.Spread = verdict.AtLeast, nil }), render.Cell{Text: "≥\u00a01,234.6", Class: "n"}},
		{"approximate", decode(func(v *verdict.Value) { v.Approximate, v.Spread = true, nil }), render.Cell{Text: "~1,234.6", Class: "n"}},
		{"excluded", decode(func(v *verdict.Value) { v.Excluded, v.Spread = []verdict.Reason{excluded}, nil }), render.Cell{Text: "1,234.6", Mark: "not ranked", Class: "n"}},
		{"unknown", verdict.Value{Missing: verdict.NoContract}, render.Cell{Text: "–", Class: "n none"}},
	}
	p := printer(t, i18n.EN)
	for _, c := range cases {
		got := format.Cell(p, c.value)
		if got.Text != c.want.Text || got.Class != c.want.Class || got.Mark != c.want.Mark || plain(got.Spread) != c.want.Spread {
			t.Errorf("%s: got %+q, want %+q", c.name, got, c.want)
		}
	}
}

// plain makes ordinary spaces of those that do not break.
func plain(s string) string {
	out := []rune(s)
	for i, r := range out {
		if r == '\u00a0' || r == '\u202f' {
			out[i] = ' '
		}
	}
	return string(out)
}

func TestQuantity(t *testing.T) {
	t.Parallel()
	ttft := verdict.Value{Metric: metric.TTFT, Unit: metric.Millisecond, Known: true, Number: 1234}
	for l, want := range map[i18n.Lang][2]string{
		i18n.EN: {"1,234.6 tok/s", "1.23 s"},
		i18n.NL: {"1.234,6 tok/s", "1,23 s"},
		i18n.FR: {"1 234,6 tok/s", "1,23 s"},
	} {
		p := printer(t, l)
		if got := plain(format.Quantity(p, decode(nil))); got != want[0] {
			t.Errorf("%s: got %q, want %q", l, got, want[0])
		}
		if got := plain(format.Quantity(p, ttft)); got != want[1] {
			t.Errorf("%s: got %q, want %q", l, got, want[1])
		}
	}
}

func TestExact(t *testing.T) {
	t.Parallel()
	p := printer(t, i18n.NL)
	for ms, want := range map[float64]string{800: "800 ms", 2500: "2,5 s", 5000: "5 s"} {
		if got := plain(format.ExactMilliseconds(p, ms)); got != want {
			t.Errorf("%g ms: got %q, want %q", ms, got, want)
		}
	}
	for x, want := range map[float64]string{1: "1", 0.25: "0,25", 10000: "10.000"} {
		if got := format.ExactNumber(p, x); got != want {
			t.Errorf("%g: got %q, want %q", x, got, want)
		}
	}
}

// A value that is plain needs no explanation; every other one has one.
func TestWhy(t *testing.T) {
	t.Parallel()
	p := printer(t, i18n.EN)
	if got := format.Why(p, decode(nil)); got != "" {
		t.Errorf("a known value is explained by %q", got)
	}
	if format.Why(p, verdict.Value{Missing: verdict.NoRung}) == "" {
		t.Error("nothing says why a value is unknown")
	}
	excluded := decode(func(v *verdict.Value) { v.Excluded = []verdict.Reason{{Code: verdict.ReasonNoContract}} })
	if format.Why(p, excluded) == "" {
		t.Error("nothing says why a value is excluded")
	}
}

func TestDate(t *testing.T) {
	t.Parallel()
	p := printer(t, i18n.EN)
	for date, want := range map[string]string{"2026-08": "August 2026", "2026-08-10": "10 August 2026", "2026-08-10T23:00:00Z": "10 August 2026"} {
		if got := plain(format.Date(p, date)); got != want {
			t.Errorf("%s: got %q, want %q", date, got, want)
		}
	}
}

func TestPoint(t *testing.T) {
	t.Parallel()
	p := printer(t, i18n.EN)
	for _, c := range []struct {
		at   audit.Point
		want string
	}{
		{audit.Point{}, "whole test"},
		{audit.Point{PromptTokens: 1024, Concurrency: 5}, "1,024 tokens, c = 5"},
		{audit.Point{PromptTokens: 4000, RequestRate: 0.5}, "0.5 req/s"},
	} {
		if got := plain(format.Point(p, c.at)); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.at, got, c.want)
		}
	}
}

func TestTestNames(t *testing.T) {
	t.Parallel()
	p := printer(t, i18n.EN)
	if got := format.TestName(p, "somebodys-own"); got != "somebodys-own" {
		t.Errorf("a test that no contract knows is called %q", got)
	}
	if got := format.TestName(p, "chat"); got == "chat" || got == "" {
		t.Errorf("chat is called %q", got)
	}
	for n, want := range map[int]string{0: "", 7: "07", 11: "11"} {
		if got := format.TestNumber(n); got != want {
			t.Errorf("number %d: got %q, want %q", n, got, want)
		}
	}
}

// The same remark about several places is written once.
func TestFindings(t *testing.T) {
	t.Parallel()
	f := audit.Finding{Code: audit.PrefixCacheHit, Severity: audit.Warning, Test: "chat", Args: []audit.Arg{
		{Name: "share", Number: 0.25, Unit: metric.Ratio}, {Name: "hits", Number: 5000}, {Name: "queries", Number: 20480},
	}}
	other := f
	other.Cell = 2
	if got := format.Findings(printer(t, i18n.EN), []audit.Finding{f, other}); len(got) != 1 || got[0].Class != "warning" || got[0].Name == "" {
		t.Errorf("got %+v", got)
	}
}

// Notes are written once each; what is told elsewhere is left out, and what has no
// words is shown as it is.
func TestNotes(t *testing.T) {
	t.Parallel()
	got := format.Notes(printer(t, i18n.EN), []bundle.Note{
		{Code: audit.NoteProjected},
		{Code: bundle.NoteTokenizerFallback},
		{Code: "nobody_knows", Args: []bundle.Setting{{Name: "a", Value: "b"}}},
		{Code: "nobody_knows", Args: []bundle.Setting{{Name: "a", Value: "b"}}},
	})
	if want := []string{"nobody_knows a=b"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTerms(t *testing.T) {
	t.Parallel()
	terms := format.NewTerms(printer(t, i18n.EN))
	terms.Text("model.setup.server", "")
	terms.Text("model.setup.server", "vllm")
	terms.Code("model.setup.image", "sha256:1")
	terms.Add("model.setup.driver", render.Value{}, render.Value{Text: "580"})
	if len(terms.List) != 3 || terms.List[0].Values[0].Text != "vllm" || !terms.List[1].Values[0].Code || len(terms.List[2].Values) != 1 {
		t.Errorf("got %+v", terms.List)
	}
}

// Only what a browser opens safely becomes a link.
func TestAddresses(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"https://a.test": "https://a.test", "http://a.test": "http://a.test", "javascript:alert(1)": "", "a.test": "", "": ""} {
		if got := format.WebAddress(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"org/name": "https://huggingface.co/org/name", "name": "", "org/": "", "/name": ""} {
		if got := format.HuggingFace(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// The spread over repetitions is drawn, another one is not.
func TestChartPoint(t *testing.T) {
	t.Parallel()
	p := printer(t, i18n.EN)
	got := format.ChartPoint(p, 3, "c = 5", decode(nil))
	if got.X != 3 || *got.Y != 1234.56 || *got.Lo != 1234.56-2.04 || *got.Hi != 1234.56+2.04 || got.Label == "" {
		t.Errorf("got %+v", got)
	}
	got = format.ChartPoint(p, 3, "c = 5", decode(func(v *verdict.Value) { v.Spread.Of = "requests" }))
	if got.Lo != nil || got.Hi != nil {
		t.Errorf("a spread over requests is drawn: %+v", got)
	}
	if got := format.ChartPoint(p, 3, "c = 5", verdict.Value{}); got.Y != nil || got.Label != "" {
		t.Errorf("an unknown value is drawn: %+v", got)
	}
}
