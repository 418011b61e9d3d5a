package content

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"example.org/arena/i18n"
)

const reportFile = `title = ` + note + `
lead = ` + note + `

[[deployment]]
id = "one"
platform = "dgx-spark"
model = "org/Model"
profile = "bf16"
name = ` + note + `

[[deployment]]
id = "two"
platform = "dgx-spark"
model = "org/Model-FP8"
profile = "fp8"
name = ` + note + `

[[pair]]
id = "precision"
base = "one"
variant = "two"
name = ` + note + `

[limits]
think_time_s = 45
ttft_limit_ms = 1000
speed_limit_tok_per_s = 15

[[block]]
name = "tests"

[[block]]
name = "chat"
kind = "decode"
test = "chat"
caption = ` + note + `
`

const reportText = "## One {#one}\n\nAbout {{speed one 1}}.\n\n[[tests]]\n\nMore.\n\n[[chat]]\n"

// reportTree is the published tree with a report of the test's own.
func reportTree(change map[string]string) map[string]string {
	files := map[string]string{"reports/own.toml": reportFile}
	for _, lang := range i18n.Langs {
		files["reports/own."+string(lang)+".md"] = reportText
	}
	maps.Copy(files, change)
	return files
}

func TestReport(t *testing.T) {
	t.Parallel()
	c, err := Load(tree(t, reportTree(nil)))
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(c.Reports, func(r Report) bool { return r.Slug == "own" })
	if i < 0 {
		t.Fatal("no report own")
	}
	r := c.Reports[i]
	if len(r.Deployments) != 2 || r.Deployments[1].ID != "two" || r.Deployments[1].Profile != "fp8" || r.Deployments[1].Line != 12 {
		t.Errorf("deployments %+v", r.Deployments)
	}
	if want := (ReportPair{ID: "precision", Base: "one", Variant: "two"}); r.Pairs[0].Base != want.Base || r.Pairs[0].Variant != want.Variant {
		t.Errorf("pairs %+v", r.Pairs)
	}
	if r.Limits == nil || *r.Limits != (ReportLimits{45, 1000, 15}) {
		t.Errorf("limits %+v", r.Limits)
	}
	if b := r.Blocks; b[0].Kind != "tests" || b[0].Caption != nil || b[1].Kind != "decode" || b[1].Test != "chat" || b[1].Line != 33 || b[1].Caption["fr"] == "" {
		t.Errorf("blocks %+v", b)
	}
	want := []ReportPart{
		{1, "## One {#one}\n\nAbout {{speed one 1}}.\n", ""}, {5, "", "tests"}, {6, "\nMore.\n", ""}, {9, "", "chat"}, {10, "", ""},
	}
	if got := r.Texts["en"]; got.File != "reports/own.en.md" || !slices.Equal(got.Parts, want) {
		t.Errorf("text %+v\nwant %+v", got, want)
	}
}

// TestReportFaults wants each fault with its line.
func TestReportFaults(t *testing.T) {
	t.Parallel()
	replace := func(old, new string) string { return strings.Replace(reportFile, old, new, 1) }
	for _, c := range []struct {
		name   string
		change map[string]string
		want   string
	}{
		{
			"a text without a report",
			map[string]string{"reports/own.toml": ""},
			"reports/own.en.md:1: is the text of no report: there is no reports/own.toml",
		},
		{
			"a report without a text",
			map[string]string{"reports/own.nl.md": "", "reports/own.en.md": "", "reports/own.fr.md": ""},
			"reports/own.toml:1: there is no text reports/own.nl.md",
		},
		{
			"a language missing",
			map[string]string{"reports/own.fr.md": ""},
			"reports/own.fr.md: is missing; the text exists in another language",
		},
		{
			"an unknown block",
			map[string]string{"reports/own.en.md": reportText + "\n[[taste]]\n"},
			"reports/own.en.md:11: block [[taste]] is not in reports/own.toml",
		},
		{
			"a block twice",
			map[string]string{"reports/own.en.md": reportText + "\n[[chat]]\n"},
			"reports/own.en.md:11: block [[chat]] stands here a second time",
		},
		{
			"another order",
			map[string]string{"reports/own.en.md": "Text.\n\n[[chat]]\n\n[[tests]]\n"},
			"reports/own.en.md:3: block [[chat]] comes before [[tests]], unlike in reports/own.toml",
		},
		{
			"a block forgotten",
			map[string]string{"reports/own.en.md": "Text.\n\n[[tests]]\n"},
			"reports/own.en.md:3: block [[chat]] of reports/own.toml is nowhere in the text",
		},
		{
			"an unknown key",
			map[string]string{"reports/own.toml": replace("kind =", "kin =")},
			"reports/own.toml:34: block[1].kin: unknown key",
		},
		{
			"a pair of what is not there",
			map[string]string{"reports/own.toml": replace(`variant = "two"`, `variant = "too"`)},
			"reports/own.toml:21: pair[0].variant: there is no deployment \"too\"",
		},
		{
			"an id twice",
			map[string]string{"reports/own.toml": replace(`id = "two"`, `id = "one"`)},
			"reports/own.toml:12: deployment[1].id: \"one\" is there already",
		},
		{
			"no limit",
			map[string]string{"reports/own.toml": replace("think_time_s = 45\n", "")},
			"reports/own.toml:24: limits.think_time_s: missing key",
		},
	} {
		_, err := Load(tree(t, reportTree(c.change)))
		if err == nil || !slices.Contains(strings.Split(err.Error(), "\n"), c.want) {
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
		}
	}
}
