package i18n

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// In the tables below a plain space stands for U+00A0, and an underscore for
// U+202F, so that a reader of this file sees them.
var visible = strings.NewReplacer(" ", noBreak, "_", narrow)

// numberCases give one call in three languages. What browsers write in every
// language is TestBrowserParity's.
var numberCases = []struct {
	name       string
	call       func(p *Printer) string
	nl, en, fr string
}{
	{"number", func(p *Printer) string { return p.Number(1234.5, 1) }, "1.234,5", "1,234.5", "1_234,5"},
	{"fixed decimals", func(p *Printer) string { return p.Number(3, 2) }, "3,00", "3.00", "3,00"},
	{"millions", func(p *Printer) string { return p.Number(1234567.891, 2) }, "1.234.567,89", "1,234,567.89", "1_234_567,89"},
	{"negative", func(p *Printer) string { return p.Number(-12.34, 1) }, "−12,3", "−12.3", "−12,3"},
	{"no negative zero", func(p *Printer) string { return p.Number(-0.04, 1) }, "0,0", "0.0", "0,0"},
	{"zero", func(p *Printer) string { return p.Number(math.Copysign(0, -1), 0) }, "0", "0", "0"},
	{"half away from zero", func(p *Printer) string { return p.Number(2.5, 0) }, "3", "3", "3"},
	{"half away below zero", func(p *Printer) string { return p.Number(-2.5, 0) }, "−3", "−3", "−3"},
	{"the shortest notation is rounded", func(p *Printer) string { return p.Number(1.005, 2) }, "1,01", "1.01", "1,01"},
	{"rounded once", func(p *Printer) string { return p.Number(0.4449, 2) }, "0,44", "0.44", "0,44"},
	{"carry", func(p *Printer) string { return p.Number(999.96, 1) }, "1.000,0", "1,000.0", "1_000,0"},
	{"tiny", func(p *Printer) string { return p.Number(1e-9, 2) }, "0,00", "0.00", "0,00"},
	{"rounds up from nothing", func(p *Printer) string { return p.Number(0.06, 1) }, "0,1", "0.1", "0,1"},
	{"rounds up to the first digit", func(p *Printer) string { return p.Number(0.5, 0) }, "1", "1", "1"},
	{"integer", func(p *Printer) string { return p.Integer(97092) }, "97.092", "97,092", "97_092"},
	{"large integer", func(p *Printer) string { return p.Integer(math.MaxInt64) }, "9.223.372.036.854.775.807", "9,223,372,036,854,775,807", "9_223_372_036_854_775_807"},
	{"four digits", func(p *Printer) string { return p.Integer(1024) }, "1.024", "1,024", "1_024"},
	{"signed", func(p *Printer) string { return p.Signed(3.14, 1) }, "+3,1", "+3.1", "+3,1"},
	{"signed below zero", func(p *Printer) string { return p.Signed(-3.14, 1) }, "−3,1", "−3.1", "−3,1"},
	{"signed zero", func(p *Printer) string { return p.Signed(0.01, 1) }, "0,0", "0.0", "0,0"},
	{"percent", func(p *Printer) string { return p.Percent(0.123, 1) }, "12,3%", "12.3%", "12,3 %"},
	{"percent of a ratio that binary cannot hold", func(p *Printer) string { return p.Percent(0.145, 0) }, "15%", "15%", "15 %"},
	{"small percent", func(p *Printer) string { return p.Percent(0.0004, 1) }, "0,0%", "0.0%", "0,0 %"},
	{"whole", func(p *Printer) string { return p.Percent(1, 0) }, "100%", "100%", "100 %"},
	{"signed percent", func(p *Printer) string { return p.SignedPercent(-0.051, 1) }, "−5,1%", "−5.1%", "−5,1 %"},
	{"multiple", func(p *Printer) string { return p.Multiple(1.86, 2) }, "1,86×", "1.86×", "1,86×"},
	{"quantity", func(p *Printer) string { return p.Quantity(1234.5, 1, "tok/s") }, "1.234,5 tok/s", "1,234.5 tok/s", "1_234,5 tok/s"},
	{"ratio", func(p *Printer) string { return p.Quantity(0.7123, 3, "ratio") }, "71,2%", "71.2%", "71,2 %"},
	{"dimensionless", func(p *Printer) string { return p.Quantity(0.7, 1, "1") }, "0,7", "0.7", "0,7"},
	{"megabytes", func(p *Printer) string { return p.Quantity(512, 0, "MB") }, "512 MB", "512 MB", "512 Mo"},
	{"short time", func(p *Printer) string { return p.Milliseconds(4.26) }, "4,3 ms", "4.3 ms", "4,3 ms"},
	{"ten milliseconds", func(p *Printer) string { return p.Milliseconds(9.96) }, "10 ms", "10 ms", "10 ms"},
	{"milliseconds", func(p *Printer) string { return p.Milliseconds(731.7) }, "732 ms", "732 ms", "732 ms"},
	{"the unit follows the rounded value", func(p *Printer) string { return p.Milliseconds(999.6) }, "1,00 s", "1.00 s", "1,00 s"},
	{"seconds", func(p *Printer) string { return p.Milliseconds(4752.6) }, "4,75 s", "4.75 s", "4,75 s"},
	{"tens of seconds", func(p *Printer) string { return p.Milliseconds(18350) }, "18,4 s", "18.4 s", "18,4 s"},
	{"minutes", func(p *Printer) string { return p.Milliseconds(185_200) }, "3 min 5 s", "3 min 5 s", "3 min 5 s"},
	{"whole minutes", func(p *Printer) string { return p.Seconds(120) }, "2 min", "2 min", "2 min"},
	{"hours", func(p *Printer) string { return p.Seconds(3600 * 2.5) }, "2 u 30 min", "2 h 30 min", "2 h 30 min"},
	{"bytes", func(p *Printer) string { return p.Bytes(128e9) }, "128 GB", "128 GB", "128 Go"},
	{"odd bytes", func(p *Printer) string { return p.Bytes(61_144_000_000) }, "61,1 GB", "61.1 GB", "61,1 Go"},
	{"few bytes", func(p *Printer) string { return p.Bytes(512) }, "512 B", "512 B", "512 o"},
	{"the byte unit follows the rounded value", func(p *Printer) string { return p.Bytes(999_990_000) }, "1 GB", "1 GB", "1 Go"},
	{"bandwidth", func(p *Printer) string { return p.BytesPerS(273e9) }, "273 GB/s", "273 GB/s", "273 Go/s"},
	{"compute", func(p *Printer) string { return p.Operations(62.5e12) }, "62,5 TFLOP/s", "62.5 TFLOP/s", "62,5 TFLOP/s"},
	{"parameters", func(p *Printer) string { return p.Params(30.7e9) }, "30,7 mld", "30.7B", "30,7 Md"},
	{"whole parameters", func(p *Printer) string { return p.Params(31e9) }, "31 mld", "31B", "31 Md"},
	{"million parameters", func(p *Printer) string { return p.Params(350e6) }, "350 mln", "350M", "350 M"},
	{"trillion parameters", func(p *Printer) string { return p.Params(1.04e12) }, "1 bln", "1T", "1 T"},
	{"rate", func(p *Printer) string { return p.Rate(0.3) }, "0,3 verzoeken/s", "0.3 req/s", "0,3 requêtes/s"},
	{"whole rate", func(p *Printer) string { return p.Rate(1) }, "1 verzoeken/s", "1 req/s", "1 requêtes/s"},
	{"fine rate", func(p *Printer) string { return p.Rate(0.25) }, "0,25 verzoeken/s", "0.25 req/s", "0,25 requêtes/s"},
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	c := formats(t, nil)
	for _, tt := range numberCases {
		for lang, want := range map[Lang]string{NL: tt.nl, EN: tt.en, FR: tt.fr} {
			if got, want := tt.call(c.Printer(lang)), visible.Replace(want); got != want {
				t.Errorf("%s, %s: got %q, want %q", tt.name, lang, got, want)
			}
		}
	}
	noFaults(t, c)
}

func TestInfiniteRate(t *testing.T) {
	t.Parallel()
	c := formats(t, nil)
	for lang, want := range map[Lang]string{NL: "alle verzoeken tegelijk", EN: "all requests at once", FR: "toutes les requêtes à la fois"} {
		if got := c.Printer(lang).Rate(math.Inf(1)); got != want {
			t.Errorf("%s: got %q, want %q", lang, got, want)
		}
	}
}

func TestNotFinite(t *testing.T) {
	t.Parallel()
	calls := map[string]func(*Printer, float64) string{
		"Number":       func(p *Printer, x float64) string { return p.Number(x, 1) },
		"Percent":      func(p *Printer, x float64) string { return p.Percent(x, 1) },
		"Quantity":     func(p *Printer, x float64) string { return p.Quantity(x, 1, "ms") },
		"Milliseconds": (*Printer).Milliseconds,
		"Seconds":      (*Printer).Seconds,
		"Bytes":        (*Printer).Bytes,
		"Params":       (*Printer).Params,
	}
	for name, call := range calls {
		for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			c := formats(t, nil)
			got := call(c.Printer(EN), x)
			if len(c.Faults()) != 1 || !strings.Contains(got, "⟦") {
				t.Errorf("%s(%g): got %q and faults %v, want one fault", name, x, got, c.Faults())
			}
		}
	}
}

func TestDates(t *testing.T) {
	t.Parallel()
	c := formats(t, nil)
	tests := []struct {
		name       string
		call       func(p *Printer) string
		nl, en, fr string
	}{
		{"day", func(p *Printer) string { return p.Date(time.Date(2026, 8, 14, 9, 5, 0, 0, time.UTC)) }, "14 augustus 2026", "14 August 2026", "14 août 2026"},
		{"first", func(p *Printer) string { return p.Date(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)) }, "1 maart 2026", "1 March 2026", "1er mars 2026"},
		{"UTC", func(p *Printer) string {
			return p.Date(time.Date(2026, 12, 31, 23, 30, 0, 0, time.FixedZone("", -3600)))
		}, "1 januari 2027", "1 January 2027", "1er janvier 2027"},
		{"month", func(p *Printer) string { return p.MonthYear(time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)) }, "februari 2026", "February 2026", "février 2026"},
		{"minute", func(p *Printer) string { return p.DateTime(time.Date(2026, 8, 14, 9, 5, 0, 0, time.UTC)) }, "14 augustus 2026, 09:05 UTC", "14 August 2026, 09:05 UTC", "14 août 2026, 09:05 UTC"},
	}
	for _, tt := range tests {
		for lang, want := range map[Lang]string{NL: tt.nl, EN: tt.en, FR: tt.fr} {
			got := strings.ReplaceAll(tt.call(c.Printer(lang)), noBreak, " ")
			if got != want {
				t.Errorf("%s, %s: got %q, want %q", tt.name, lang, got, want)
			}
		}
	}
	for m := time.January; m <= time.December; m++ {
		for _, lang := range Langs {
			c.Printer(lang).MonthYear(time.Date(2026, m, 1, 0, 0, 0, 0, time.UTC))
		}
	}
	noFaults(t, c)
}

func TestList(t *testing.T) {
	t.Parallel()
	c := formats(t, nil)
	tests := []struct {
		items      []string
		nl, en, fr string
	}{
		{nil, "", "", ""},
		{[]string{"a"}, "a", "a", "a"},
		{[]string{"a", "b"}, "a en b", "a and b", "a et b"},
		{[]string{"a", "b", "c", "d"}, "a, b, c en d", "a, b, c and d", "a, b, c et d"},
	}
	for _, tt := range tests {
		for lang, want := range map[Lang]string{NL: tt.nl, EN: tt.en, FR: tt.fr} {
			if got := c.Printer(lang).List(tt.items...); got != want {
				t.Errorf("%s %v: got %q, want %q", lang, tt.items, got, want)
			}
		}
	}
	noFaults(t, c)
}

// TestBrowserParity compares every language with Intl.NumberFormat, which writes
// the numbers that change in a reader's browser, and with Intl.PluralRules. It runs
// where Node.js is installed.
func TestBrowserParity(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("SKIPPED: no node, so numbers are not compared with Intl.NumberFormat")
	}
	values := []float64{0, 1, 1.005, 0.145, 2.5, 0.5, 12.34, 999.96, 1024, 1234.5, -1234.567, 97092, 1e6, 1234567.891, 0.0001, 61.144}
	counts := []int{0, 1, 2, 3, 4, 5, 10, 11, 12, 21, 22, 100, 101, 111, 1000, 1_000_000, 1_000_001, 3_000_000, 10_000_001}
	locales := make([]string, len(languages))
	for i, l := range languages {
		locales[i] = l.tag.String()
	}
	script := `const f = (l, o) => ` + asJSON(values) + `.map(x => new Intl.NumberFormat(l, o).format(x));
const numbers = {}, plurals = {}, forms = {};
for (const l of ` + asJSON(locales) + `) {
  const rules = new Intl.PluralRules(l);
  plurals[l] = ` + asJSON(counts) + `.map(n => rules.select(n));
  forms[l] = rules.resolvedOptions().pluralCategories.toSorted();
  for (const d of [0, 1, 2]) {
    const o = {minimumFractionDigits: d, maximumFractionDigits: d};
    numbers[l + d] = f(l, o); numbers[l + d + "%"] = f(l, {...o, style: "percent"});
  }
}
console.log(JSON.stringify({numbers, plurals, forms}))`
	cmd := exec.CommandContext(t.Context(), node, "-e", script)
	cmd.Env = append(os.Environ(), "NODE_OPTIONS=")
	data, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v", err)
	}
	var browser struct {
		Numbers        map[string][]string
		Plurals, Forms map[string][]form
	}
	if err := json.Unmarshal(data, &browser); err != nil {
		t.Fatal(err)
	}
	c := formats(t, nil)
	for _, l := range languages {
		for i, n := range counts {
			if got, want := l.plural(n), browser.Plurals[l.tag.String()][i]; got != want {
				t.Errorf("%s: the plural form of %d: got %q, browsers take %q", l.code, n, got, want)
			}
		}
		if got, want := slices.Sorted(slices.Values(l.forms)), browser.Forms[l.tag.String()]; !slices.Equal(got, want) {
			t.Errorf("%s: plural forms %q, browsers have %q", l.code, got, want)
		}
		p := c.Printer(l.code)
		for digits := range 3 {
			for i, x := range values {
				name := l.tag.String() + strconv.Itoa(digits)
				want := strings.ReplaceAll(browser.Numbers[name][i], "-", minus)
				if got := p.Number(x, digits); got != want {
					t.Errorf("%s, %g with %d digits: got %q, browsers write %q", l.code, x, digits, got, want)
				}
				want = strings.ReplaceAll(browser.Numbers[name+"%"][i], "-", minus)
				if got := p.Percent(x, digits); got != want {
					t.Errorf("%s, %g as a percentage with %d digits: got %q, browsers write %q", l.code, x, digits, got, want)
				}
			}
		}
	}
}

func asJSON(v any) string {
	data, _ := json.Marshal(v)
	return string(data)
}

// noFaults fails when printers met faults.
func noFaults(t testing.TB, c *Catalogs) {
	t.Helper()
	for _, f := range c.Faults() {
		t.Error(f)
	}
}
