package content

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"example.org/arena/results/tomlfile"
)

func TestCheckPublished(t *testing.T) {
	t.Parallel()
	old, fresh, lost := strings.Repeat("1a", 32), strings.Repeat("2b", 32), strings.Repeat("3c", 32)
	published := Published{
		old:   time.Date(2026, 8, 14, 10, 15, 0, 0, time.UTC),
		fresh: time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC),
	}
	now := time.Date(2026, 11, 29, 9, 59, 0, 0, time.UTC)
	retraction := func(date, by string) string {
		text := "reason = \"withdrawn\"\ndate = \"" + date + "\"\n"
		if by != "" {
			text += "superseded_by = \"" + by + "\"\n"
		}
		return text + "[text]\nnl = \"x\"\nen = \"x\"\nfr = \"x\"\n"
	}
	suggestion := func(bundle, date string) string {
		text := "model = \"Example/Model\"\n"
		for _, s := range []string{"proposed", "accepted", "queued"} {
			text += "[[history]]\nstate = \"" + s + "\"\ndate = \"2026-08-01\"\n"
		}
		return text + "[[history]]\nstate = \"measured\"\ndate = \"" + date + "\"\nbundle = \"" + bundle + "\"\n"
	}
	cases := map[string]struct{ file, text, want string }{
		"sound retraction":     {"retractions/" + old + ".toml", retraction("2026-08-14", fresh), ""},
		"today":                {"retractions/" + old + ".toml", retraction("2026-11-29", ""), ""},
		"unknown bundle":       {"retractions/" + lost + ".toml", retraction("2026-11-01", ""), "retractions/" + lost + ".toml: retracts a bundle that is not in results/bundles"},
		"unknown successor":    {"retractions/" + old + ".toml", retraction("2026-11-01", lost), ".toml:3: superseded_by: no bundle in results/bundles"},
		"before the bundle":    {"retractions/" + old + ".toml", retraction("2026-08-13", ""), ".toml:2: date: 2026-08-13 is before the bundle itself, which began on 2026-08-14"},
		"after today":          {"retractions/" + old + ".toml", retraction("2026-11-30", ""), ".toml:2: date: 2026-11-30 has not come yet"},
		"sound suggestion":     {"suggestions/example--model.toml", suggestion(old, "2026-08-15"), ""},
		"measured as nothing":  {"suggestions/example--model.toml", suggestion(lost, "2026-08-15"), ".toml:14: history[3].bundle: no bundle in results/bundles"},
		"measured beforehand":  {"suggestions/example--model.toml", suggestion(old, "2026-08-02"), ".toml:13: history[3].date: 2026-08-02 is before the bundle itself"},
		"measured in a future": {"suggestions/example--model.toml", suggestion(old, "2027-01-01"), ".toml:13: history[3].date: 2027-01-01 has not come yet"},
		"unreadable":           {"retractions/" + lost + ".toml", "nonsense = 1\n", ""}, // for Load to report
	}
	for name, c := range cases {
		err := CheckPublished(fstest.MapFS{c.file: {Data: []byte(c.text)}}, published, now)
		var faults tomlfile.Faults
		switch {
		case c.want == "" && err == nil:
		case c.want == "" || !errors.As(err, &faults) || len(faults) != 1 || !strings.Contains(err.Error(), c.want):
			t.Errorf("%s: error = %v, want %q", name, err, c.want)
		}
	}
}
