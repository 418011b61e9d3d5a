package report

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"example.org/arena/content"
	"example.org/arena/i18n"
	"example.org/arena/results/bundle"
	"example.org/arena/results/facts"
	"example.org/arena/results/metric"
	"example.org/arena/results/tomlfile"
	"example.org/arena/results/verdict"
	"example.org/arena/site/render"
)

func mean(key metric.Key, unit metric.Unit, mean, p90 float64) bundle.Figure {
	return bundle.Figure{Metric: key, Unit: unit, Mean: &mean, Percentiles: []bundle.Percentile{{P: 90, Value: p90}}}
}

// loaded is a bundle with a load curve: at each concurrency the speed that a
// request has alone, times the given share.
func loaded(profile string, share ...float64) *bundle.Bundle {
	b := &bundle.Bundle{
		Kind: bundle.Import, Platform: "spark", Profile: profile, Model: bundle.Model{ID: "org/Model", Quantisation: profile},
		Server: bundle.Server{Name: "vllm", Argv: []string{"--speed", profile, "--same", "1"}}, Credit: "Somebody", Licence: bundle.NoLicence,
		Tests: []bundle.Test{{Slug: "load"}},
	}
	for i, s := range share {
		speed := 100 * s
		b.Tests[0].Cells = append(b.Tests[0].Cells, bundle.Cell{
			Concurrency: 1 << i, OutputTokens: 101,
			Reported: []bundle.Figure{
				mean(metric.TTFT, metric.Millisecond, 500, 900),
				mean(metric.ITL, metric.Millisecond, 1000/speed, 1100/speed),
				mean(metric.OutputRequest, metric.TokensPerS, speed, speed+1),
				mean(metric.E2E, metric.Millisecond, 500+100_000/speed, 600+110_000/speed),
			},
		})
	}
	return b
}

// twoLoads is a report on two load curves that cross.
func twoLoads(text string) content.Report {
	same := func(s string) facts.Words { return facts.Words{"nl": s, "en": s, "fr": s} }
	return content.Report{
		Slug: "own", File: "reports/own.toml", Title: same("Title"), Lead: same("Lead"),
		Deployments: []content.ReportDeployment{
			{ID: "a", Platform: "spark", Model: "org/Model", Profile: "slow", Name: same("Slow"), Line: 5},
			{ID: "b", Platform: "spark", Model: "org/Model", Profile: "fast", Name: same("Fast"), Line: 12},
		},
		Pairs:  []content.ReportPair{{ID: "p", Name: same("Pair"), Base: "a", Variant: "b"}},
		Limits: &content.ReportLimits{ThinkTimeS: 10, TTFTLimitMS: 1000, SpeedLimitTokPerS: 15},
		Texts:  map[string]content.ReportText{"en": {File: "reports/own.en.md", Parts: []content.ReportPart{{Line: 1, Prose: text}}}},
	}
}

// runs finds the measurements of a report among bundles, as the site does.
func runs(r content.Report, rules verdict.Rules, bundles ...*bundle.Bundle) []Run {
	out := make([]Run, len(r.Deployments))
	for i, d := range r.Deployments {
		for _, b := range bundles {
			if d.Platform == b.Platform && d.Model == b.Model.ID && d.Profile == b.Profile {
				out[i] = Run{ID: strings.Repeat("0", 64), Verdict: new(rules.Judge(b)), Page: "/en/models/x/", File: "/data/x.json"}
			}
		}
	}
	return out
}

// catalogs are the words of every test.
var catalogs = sync.OnceValues(func() (*i18n.Catalogs, error) { return i18n.Load(i18n.FS) })

// english makes a report in English; a catalog fault is a failure.
func english(t *testing.T, r content.Report, runs []Run) (*render.Page, error) {
	t.Helper()
	words, err := catalogs()
	if err != nil {
		t.Fatal(err)
	}
	page, err := Page(words.Printer(i18n.EN), Source{Report: r, Runs: runs, Index: "/en/reports/"})
	for _, f := range words.Faults() {
		t.Error(f)
	}
	return page, err
}

func prose(p *render.Page) string {
	var b strings.Builder
	for _, part := range p.Body.(render.Report).Blocks {
		b.WriteString(string(part.Prose))
	}
	return b.String()
}

func TestFigures(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{{tokens}}":                          "101",
		"{{think}}":                           "10 s",
		"{{ttft-limit}}":                      "1 s",
		"{{speed-limit}}":                     "15 tok/s",
		"{{ttft a 1}}":                        "500 ms",
		"{{ttft-p90 a 1}}":                    "900 ms",
		"{{itl a 2}}":                         "20 ms",
		"{{latency b 1}}":                     "1.00 s",
		"{{speed b 1}}":                       "200 tok/s",
		"{{speed-up p 1}}":                    "2.00×",
		"{{break-even p}}":                    "1.9",
		"{{break-even-below p}}":              "1",
		"{{break-even-above p}}":              "2",
		"{{slow-speed a 1}}":                  "59.4 tok/s",
		"{{latency-sum a 1}}":                 "1.50 s",
		"{{aggregate a 2}}":                   "81 tok/s",
		"{{aggregate-printed a 2}}":           "100 tok/s",
		"{{peak-c a}}":                        "1",
		"{{users a p90}}":                     "10",
		"{{c-max a mean}}":                    "2",
		"{{users-ratio b a mean}}":            "0.9×",
		"{{ value a load c=2 ttft_ms mean }}": "500 ms",
		"{{ratio p load c=1 e2e_ms mean}}":    "0.67×",
		"{{change p load c=1 output_req_tok_per_s mean}}": "+100%",
	} {
		r := twoLoads(text)
		page, err := english(t, r, runs(r, verdict.Rules{}, loaded("slow", 1, 0.5), loaded("fast", 2, 0.45)))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got := strings.TrimSpace(strings.NewReplacer("<p>", "", "</p>", "", "\u00a0", " ", "\u202f", " ").Replace(prose(page)))
		if got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"One.\n\n{{taste a 1}}", `reports/own.en.md:3: there is no figure "taste"; there are aggregate, `},
		{"{{speed a}}", "reports/own.en.md:1: figure speed has 1 arguments; want {{speed DEPLOYMENT CONCURRENCY}}"},
		{"{{speed c 1}}", `reports/own.en.md:1: figure speed: there is no deployment "c"`},
		{"{{speed a one}}", `reports/own.en.md:1: figure speed: "one" is not a concurrency`},
		{"{{speed a 3}}", "reports/own.en.md:1: figure speed: a was not measured at concurrency 3"},
		{"{{speed-up q 1}}", `reports/own.en.md:1: figure speed-up: there is no pair "q"`},
		{"{{users a p91}}", `reports/own.en.md:1: figure users: there is no basis "p91"; there are [p90 mean slow]`},
		{"{{value a load c=1 taste mean}}", `reports/own.en.md:1: figure value: there is no metric "taste"`},
		{"{{value a load c=1 ttft_ms most}}", `reports/own.en.md:1: figure value: there is no statistic "most"; there are mean, p50, p90, p95, p99, value`},
		{"{{value a load x=1 ttft_ms mean}}", `reports/own.en.md:1: figure value: "x=1" is not a point: x is none of c, p and r`},
		{"{{value a load c=9 ttft_ms mean}}", "reports/own.en.md:1: figure value: a measured nothing at that point in test load"},
		{"{{value a load - ttft_ms mean}}", "reports/own.en.md:1: figure value: several cells of a lie at that point in test load"},
		{"{{value a other c=1 ttft_ms mean}}", `reports/own.en.md:1: figure value: a has no measurement of test "other"`},
		{"{{value a load c=1 tpot_ms mean}}", "reports/own.en.md:1: figure value: tpot_ms of a is unknown: not_reported"},
		{"{{weights a}}", "reports/own.en.md:1: figure weights: the weights of a are unknown"},
		{"{{}}", "reports/own.en.md:1: double braces without the name of a figure"},
		{"{{speed a", "reports/own.en.md:1: double braces that are not closed on the same line"},
	} {
		r := twoLoads(c.text)
		_, err := english(t, r, runs(r, verdict.Rules{}, loaded("slow", 1, 0.5), loaded("fast", 2, 0.45)))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", c.text, err, c.want)
		}
	}
}

// Every fault of a report is told at once: bundles that are not there, unknown
// blocks, and each line of the text.
func TestFaultsOfFile(t *testing.T) {
	t.Parallel()
	r := twoLoads("{{nothing}}")
	r.Blocks = []content.ReportBlock{{Name: "x", Kind: "taste", Line: 30}, {Name: "users", Kind: "users", Line: 33}}
	_, err := english(t, r, runs(r, verdict.Rules{}, loaded("slow", 1, 0.5)))
	var faults tomlfile.Faults
	if !errors.As(err, &faults) || len(faults) != 3 {
		t.Fatalf("faults %v", err)
	}
	for i, want := range []string{
		`reports/own.en.md:1: there is no figure "nothing"`,
		"reports/own.toml:12: deployment: there is no bundle of spark, org/Model, fast",
		`reports/own.toml:30: block: there is no block "taste"; there are `,
	} {
		if !strings.HasPrefix(faults[i].Error(), want) {
			t.Errorf("fault %s\nwant %s", faults[i], want)
		}
	}
	if faults[1].Key != Deployment {
		t.Errorf("key %q", faults[1].Key)
	}
}

// Blocks that cannot be made say so at their line of the file.
func TestFaultsOfBlocks(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]string{
		"users":  "reports/own.toml:7: block: the report states no [limits]",
		"tests":  "reports/own.toml:7: block: a follows no contract that is known here",
		"decode": "reports/own.toml:7: block: a block decode needs a test",
		"sweep":  "reports/own.toml:7: block: a block sweep needs a test",
	} {
		r := twoLoads("Text.")
		r.Limits = nil
		r.Blocks = []content.ReportBlock{{Name: "it", Kind: kind, Line: 7}}
		r.Texts["en"] = content.ReportText{File: "reports/own.en.md", Parts: []content.ReportPart{{Line: 1, Block: "it"}}}
		if _, err := english(t, r, runs(r, verdict.Rules{}, loaded("slow", 1, 0.5), loaded("fast", 2, 0.45))); err == nil || err.Error() != want {
			t.Errorf("%s: %v\nwant %s", kind, err, want)
		}
	}
}
