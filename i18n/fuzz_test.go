package i18n

import (
	"maps"
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"example.org/arena/results/tomlfile"
)

// FuzzParseText checks that a message is understood as it is written: its
// segments give the text back, and none has a brace left.
func FuzzParseText(f *testing.F) {
	for _, seed := range []string{"", "plain", "{count} runs", "{a:percent.1}{b}", "{", "}", "{{a}}", "{a:@metric.*.name}", "{a:number.9}", "é {x_1} ⟦", "{a:}", "[a {b}]", "[[", "[]"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		segs, err := parseText(text)
		if err != nil {
			return
		}
		if got := written(segs); got != text {
			t.Errorf("%q reads as %q", text, got)
		}
	})
}

// written returns the text of a message as it stands in a catalog.
func written(segs []segment) string {
	var b strings.Builder
	for _, s := range segs {
		switch {
		case s.optional != nil:
			b.WriteString("[" + written(s.optional) + "]")
		case s.name != "":
			b.WriteString(s.placeholder())
		default:
			b.WriteString(s.text)
		}
	}
	return b.String()
}

// FuzzExpand formats any message with any value: no panic, and what comes out is
// the value in place or a recorded fault.
func FuzzExpand(f *testing.F) {
	f.Add("a {x} b", "value", 1.5)
	f.Add("{x:percent.1}", "0.34", 0.0)
	f.Add("{x:ms} {x:bytes} {x:rate} {x:params}", "1e300", -1e-300)
	f.Add("{x:date}", "2026-08-14", math.Inf(1))
	f.Add("[{x} of] {a}", "y", 2.0)
	f.Add("{x:@unit.*}", "tok/s", math.NaN())
	f.Add("{x:signed.2} {x:multiple.0} {x:integer}", "-0", math.MaxFloat64)
	files := sample(f).messages
	f.Fuzz(func(t *testing.T, text, value string, number float64) {
		segs, err := parseText(text)
		if err != nil {
			return
		}
		c := &Catalogs{messages: map[Lang]map[string]entry{FR: {}}, faults: map[tomlfile.Fault]bool{}}
		maps.Copy(c.messages[FR], files[FR])
		c.messages[FR]["fuzz.text"] = entry{forms: map[form][]segment{other: segs}}
		names := placeholders(segs)
		for _, v := range []any{value, number, int(int32(number)), Amount{number, value}} {
			var args []any
			for _, name := range []string{"x", "a", "b"} {
				if uses(segs, name) {
					args = append(args, name, v)
				}
			}
			got := c.Printer(FR).T("fuzz.text", args...)
			if len(c.Faults()) == 0 && len(names) == 0 && got != text {
				t.Errorf("%q without placeholders became %q", text, got)
			}
			if utf8.ValidString(text) && utf8.ValidString(value) && !utf8.ValidString(got) {
				t.Errorf("%q became %q", text, got)
			}
		}
	})
}

// FuzzNumber checks that what is written reads back as the number, rounded.
func FuzzNumber(f *testing.F) {
	for _, seed := range []float64{0, 1, 0.5, -0.04, 1.005, 999.95, 123456.789, -2.5, 1e14, 1e-14} {
		f.Add(seed, 1)
	}
	c := formats(f, nil)
	f.Fuzz(func(t *testing.T, x float64, digits int) {
		if digits < 0 || digits > 3 || math.IsNaN(x) || math.Abs(x) >= 1e12 {
			return
		}
		half := 0.5 * math.Pow10(-digits)
		for _, l := range languages {
			lang := l.code
			text := c.Printer(lang).Number(x, digits)
			got, err := strconv.ParseFloat(strings.NewReplacer(l.marks.group, "", l.marks.decimal, ".", minus, "-").Replace(text), 64)
			if err != nil {
				t.Fatalf("%s: %g became %q", lang, x, text)
			}
			if math.Abs(got-x) > half*(1+1e-9)+math.Abs(x)*1e-15 {
				t.Errorf("%s: %g with %d digits became %q", lang, x, digits, text)
			}
			if math.Signbit(got) && got == 0 {
				t.Errorf("%s: %g became %q", lang, x, text)
			}
		}
	})
}
