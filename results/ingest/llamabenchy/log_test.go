package llamabenchy

import (
	"fmt"
	"strings"
	"testing"

	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/ingesttest"
)

func TestPlanFromCommand(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"":             "",
		"llama-benchy": "pp2048 tg32 @ d0 (c1)",
		"x --pp 1 2 --tg 3 --concurrency 4 5 --runs 9":        "pp1 tg3 @ d0 (c4), pp1 tg3 @ d0 (c5), pp2 tg3 @ d0 (c4), pp2 tg3 @ d0 (c5)",
		"x --pp=1 --tg 3 6 --depth 0 7":                       "pp1 tg3 @ d0 (c1), pp1 tg6 @ d0 (c1), pp1 tg3 @ d7 (c1), pp1 tg6 @ d7 (c1)",
		"x --pp 1 --tg 3 --depth 0 7 --enable-prefix-caching": "pp1 tg3 @ d0 (c1), context of pp1 tg3 @ d7 (c1), pp1 tg3 @ d7 (c1)",
		"x --conc 4":               "",
		"x --pp many":              "",
		"x --pp 1 --concurrency 0": "",
		"x --pp " + strings.Repeat("1 ", 200) + "--tg " + strings.Repeat("1 ", 200): "",
	} {
		var keys []string
		for _, p := range planFromCommand(strings.Fields(command)) {
			keys = append(keys, p.key.String())
		}
		if got := strings.Join(keys, ", "); got != want {
			t.Errorf("%.60s: got %s, want %s", command, got, want)
		}
	}
}

func TestAlign(t *testing.T) {
	t.Parallel()
	a, b, c := cellKey{1, 64, 0, 1, false}, cellKey{2, 64, 0, 1, false}, cellKey{3, 64, 0, 1, false}
	open := cellKey{0, 64, 0, 1, false} // its prompt size is not known
	for _, test := range []struct {
		keys, wanted []cellKey
		want         string
		fits         bool
	}{
		{[]cellKey{a, b, c}, []cellKey{a, b, c}, "[0 1 2]", true},
		{[]cellKey{a, open, c}, []cellKey{a, b, c}, "[0 1 2]", true},
		{[]cellKey{open, open, open}, []cellKey{a, b, c}, "[0 1 2]", true},
		{[]cellKey{a, open}, []cellKey{a, b, c}, "[0 -1]", true},
		{[]cellKey{open, b}, []cellKey{a, b, c}, "[0 1]", true},
		{[]cellKey{open}, []cellKey{a, b}, "[-1]", true},
		{[]cellKey{b, a}, []cellKey{a, b}, "[-1 -1]", false},
		{[]cellKey{a, b, c}, []cellKey{a, c}, "[-1 -1 -1]", false},
		{nil, []cellKey{a}, "[]", true},
	} {
		at, ok := fit(test.keys, test.wanted)
		if !ok {
			at = align(test.keys, test.wanted)
		}
		if got := fmt.Sprint(at); got != test.want || ok != test.fits {
			t.Errorf("%v among %v: %s, %v, want %s, %v", test.keys, test.wanted, got, ok, test.want, test.fits)
		}
	}
}

// TestMergeRounding joins a figure with its rounded print, and refuses one that
// cannot be the same number.
func TestMergeRounding(t *testing.T) {
	t.Parallel()
	table := func(ttfr string) Report {
		text := benchyHead + "| tiny | pp512 | 2100.00 ± 1.00 | | " + ttfr + " | 240.00 ± 2.00 | 251.00 ± 2.00 |\n"
		parsed, err := Parse(ingest.Input{Name: "table.md", Data: []byte(text)})
		if err != nil {
			t.Fatal(err)
		}
		return parsed.Reports[0]
	}
	csv, err := Parse(ingest.Input{Name: "full.csv", Data: []byte("model,test_name,ttfr_mean,ttfr_std\ntiny,pp512,250.12449999,2.3350001\n")})
	if err != nil {
		t.Fatal(err)
	}
	fine := csv.Reports[0]
	for ttfr, say := range map[string]string{
		"250.12 ± 2.34": "",
		"250.13 ± 2.34": "table.md:1: pp512 tg? @ d0 (c1) pp ttfr (ms): 250.13 here, but 250.12449999 in full.csv:1",
		"250.12 ± 2.33": "table.md:1: pp512 tg? @ d0 (c1) pp ttfr (ms) deviation: 2.33 here, but 2.3350001 in full.csv:1",
	} {
		r, err := Merge(table(ttfr), fine)
		switch {
		case say == "" && err != nil, say != "" && (err == nil || !strings.Contains(err.Error(), say)):
			t.Errorf("%s: got %v, want %q", ttfr, err, say)
		case say == "" && (*r.Cells[0].Reported[1].Mean != 250.12449999 || *r.Cells[0].Reported[0].Mean != 2100):
			t.Errorf("the finer figure is lost: %s", ingesttest.CellDump(r.Cells[0]))
		}
	}
}
