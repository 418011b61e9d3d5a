package concurrencycsv

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/ingesttest"
	"example.org/arena/results/ingest/scan"
	"example.org/arena/results/metric"
)

func cellsText(cells []bundle.Cell, err error) string {
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	for _, c := range cells {
		b.WriteString(ingesttest.CellDump(c))
	}
	return b.String()
}

const usualCSV = "concurrency,ttft_mean_ms,ttft_p90_ms,itl_mean_ms,itl_p90_ms,tps_mean,tps_p90,latency_mean_s,latency_p90_s,rps\n" +
	"1,66.5,70.5,9.46,9.47,100.84,101.30,1.27,1.005,0.79\n" +
	"64,731.7,,30.82,33.77,27.49,28.59,4.66,4.85,-\n"

const usualCells = `  pp? tg? @ d0 (c1)
    ttft_ms = ttft ms mean 66.5 p90 70.5
    itl_ms = itl ms mean 9.46 p90 9.47
    output_req_tok_per_s = tps tok/s mean 100.84 p90 101.3
    e2e_ms = latency (converted from s) ms mean 1270 p90 1005
    req_per_s = rps req/s value 0.79
  pp? tg? @ d0 (c64)
    ttft_ms = ttft ms mean 731.7
    itl_ms = itl ms mean 30.82 p90 33.77
    output_req_tok_per_s = tps tok/s mean 27.49 p90 28.59
    e2e_ms = latency (converted from s) ms mean 4660 p90 4850
`

func TestConcurrencyCSV(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, want string }{
		"usual":           {usualCSV, usualCells},
		"CRLF and mark":   {"\ufeff" + strings.ReplaceAll(usualCSV, "\n", "\r\n"), usualCells},
		"tabs":            {strings.ReplaceAll(usualCSV, ",", "\t"), usualCells},
		"decimal commas":  {strings.NewReplacer(",", ";", ".", ",").Replace(usualCSV), usualCells},
		"comments":        {"# measured in July\n\n" + usualCSV + "\n", usualCells},
		"capitals":        {strings.Replace(usualCSV, "concurrency,ttft", "Concurrency, TTFT", 1), usualCells},
		"units in cells":  {strings.NewReplacer("66.5", "66.5 ms", "1.27", "1.27 s").Replace(usualCSV), usualCells},
		"quoted thousand": {"concurrency,ttft_mean_ms,rps\n1,\"1,066.5\",0.5\n", "  pp? tg? @ d0 (c1)\n    ttft_ms = ttft ms mean 1066.5\n    req_per_s = rps req/s value 0.5\n"},
		"other order and optional columns": {
			"rps,latency_p99_ms,completed,latency_p50_ms,concurrency,failed,prompt_tokens,output_tokens,requests,tpot_median_ms,itl_min_ms,itl_max_ms,ttft_p99.9_s\n0.5,~12.5,39,10,4,1,128,64,40,5,1,9,2.5\n",
			"  pp128 tg64 @ d0 (c4), requests planned 40 completed 39 failed 1\n    req_per_s = rps req/s value 0.5\n    e2e_ms = latency ms p50 10 p99 12.5 approximate\n    tpot_ms = tpot ms median 5\n    itl_ms = itl ms min 1 max 9\n    ttft_ms = ttft (converted from s) ms p99.9 2500\n",
		},
		"three decimals of commas": {"concurrency,rps\n1,0.123\n2,1.234\n", "  pp? tg? @ d0 (c1)\n    req_per_s = rps req/s value 0.123\n  pp? tg? @ d0 (c2)\n    req_per_s = rps req/s value 1.234\n"},
		"not a number":             {"concurrency,rps,tps_mean\n1,nan,2\n", "  pp? tg? @ d0 (c1), notes [{not_finite [{keys rps}]}]\n    output_req_tok_per_s = tps tok/s mean 2\n"},

		"empty":          {"\n", "in: the file is empty\nhint: the first line names the columns: " + knownColumns},
		"header only":    {"concurrency,rps\n", "in: the table has a header and no rows"},
		"no header":      {"1,2,3\n", "in:1: no header with a column \"concurrency\"\nhint: the first line names the columns: " + knownColumns},
		"unknown column": {"concurrency,speed,ttft_avg_ms,ttft_mean,x_mean_ms,tps_mean_s\n1,2,3,4,5,6\n", "in:1: speed: unknown column\nin:1: ttft_avg_ms: unknown column\nhint: the columns are " + knownColumns + "; leave others out\nin:1: ttft_mean: the column does not say its unit\nhint: end the name in _ms or _s\nin:1: x_mean_ms: unknown quantity \"x\"\nin:1: tps_mean_s: a rate in units of time\nhint: the columns are " + knownColumns},
		"twice":          {"concurrency,rps,rps,latency_mean_s,e2e_mean_s,latency_p90_ms\n1,2,3,4,5,6\n", "in:1: rps: the column stands twice\nin:1: e2e_mean_s: says the same as latency_mean_s\nin:1: latency_p90_ms: says the same as latency_mean_s\nin:1: latency_p90_ms: says the same as e2e_mean_s\nhint: give each quantity once, in one unit"},
		"faults": {
			"concurrency,rps,completed\n0,1,1\n1.5,1,1\n2,fast,1\n2,-1,-3\n3,1\n3,0.5 s,1\n3,1 ± 2,1\n",
			"in:6: the row has 2 cells, the header has 3\nhint: give every row as many cells as the header",
		},
		"values": {
			"concurrency,rps,completed\n0,1,1\n1.5,1,1\n2,fast,1\n2,-1,-3\n3,0.5 s,1\n3,1 ± 2,1\n",
			"in:2: concurrency: \"0\" is not a count\nin:3: concurrency: \"1.5\" is not a count\nhint: write a whole number\nin:4: rps: \"fast\" is not a number\nin:5: rps: \"-1\" is negative\nin:5: completed: \"-3\" is not a count\nhint: write a whole number\nin:5: concurrency: 2 stands in line 4 already\nhint: give one row per concurrency\nin:6: rps: the cell says s, the header req/s\nin:7: rps: \"1 ± 2\" is two numbers\nin:7: concurrency: 3 stands in line 6 already\nhint: give one row per concurrency",
		},
		"ambiguous":  {"concurrency;ttft_mean_ms\n1;1.234\n2;2,345\n", "in:2: ttft_mean_ms: \"1.234\" is either a number with decimals or one with a thousands separator\nin:3: ttft_mean_ms: \"2,345\" is either a number with decimals or one with a thousands separator\nhint: " + scan.MarkHint},
		"both marks": {"concurrency;ttft_mean_ms\n1;1.5\n2;2,5\n", "in: some numbers have a decimal point (\"1.5\") and others a decimal comma (\"2,5\")\nhint: " + scan.MarkHint},
		"Latin-1":    {"concurrency,rps\n1,\xa00.5\n", "in:2: the row holds bytes that are not text\nhint: " + scan.UTF8Hint},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := cellsText(Parse(ingest.Input{Name: "in", Data: []byte(c.in)})); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

func TestImportConcurrencyCSV(t *testing.T) {
	t.Parallel()
	meta := ingesttest.StatedMetadata()
	meta.Test, meta.PromptTokens, meta.OutputTokens, meta.Rounds = "fixed-128", 128, 128, 10
	meta.StartedAt, meta.Tool = "2026-07-01T00:00:00Z", bundle.Tool{Name: "bench"}
	bundles, err := Import([]ingest.Input{{Name: "t.csv", Data: []byte(usualCSV)}}, meta, ingesttest.TestOptions())
	if err != nil {
		t.Fatal(err)
	}
	test := bundles[0].Tests[0]
	want := "  pp128 tg128 @ d0 (c1), 10 runs, requests planned 10 completed ? failed ?\n"
	if got := ingesttest.CellDump(test.Cells[0]); !strings.HasPrefix(got, want) {
		t.Errorf("got:\n%s\nwant it to begin with:\n%s", got, want)
	}
	if test.Slug != "fixed-128" || test.Command != nil || test.Tool.Name != "bench" || *test.Cells[1].Requests.Planned != 640 {
		t.Errorf("test is %+v", test)
	}
	if _, err := bundle.Encode(bundles[0]); err != nil {
		t.Errorf("cannot be written: %v", err)
	}
}

func TestImportConcurrencyCSVMessages(t *testing.T) {
	t.Parallel()
	csv := ingest.Input{Name: "t.csv", Data: []byte(usualCSV)}
	for name, c := range map[string]struct {
		inputs []ingest.Input
		edit   func(*ingest.Metadata, *ingest.Options)
		say    string
	}{
		"no test":       {[]ingest.Input{csv}, func(m *ingest.Metadata, o *ingest.Options) { m.Test = "" }, `test = "chat"`},
		"several files": {[]ingest.Input{csv, csv}, func(m *ingest.Metadata, o *ingest.Options) {}, "meta.toml: 2 tables cannot all be the same test"},
		"contract":      {[]ingest.Input{csv}, func(m *ingest.Metadata, o *ingest.Options) { o.Contract = ingesttest.ClosedContract() }, "meta.toml: contract: a table of this format does not say enough"},
		"fault":         {[]ingest.Input{{Name: "u.csv"}}, func(m *ingest.Metadata, o *ingest.Options) {}, "u.csv: the file is empty"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			meta, opt := ingesttest.StatedMetadata(), ingesttest.TestOptions()
			meta.Test, meta.StartedAt = "fixed", "2026-07-01T00:00:00Z"
			c.edit(&meta, &opt)
			_, err := Import(c.inputs, meta, opt)
			if err == nil || !strings.Contains(err.Error(), c.say) {
				t.Errorf("got %v, want it to say %q", err, c.say)
			}
		})
	}
}

// TestCorpusConcurrency reads the four published tables: every number arrives,
// and the rate is that of one request. Its mean over requests lies above the
// output over the mean latency, the more the latencies differ.
func TestCorpusConcurrency(t *testing.T) {
	t.Parallel()
	files := ingesttest.GlobFiles(t, filepath.Join(ingesttest.CorpusFolder(t, "kimi-k3-dgx-b300"), "*.csv"))
	if len(files) != 4 {
		t.Errorf("%d files", len(files))
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		cells, err := Parse(ingest.Input{Name: file, Data: data})
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(string(data)), "\n")[1:]
		if len(cells) != len(lines) {
			t.Fatalf("%s: %d cells, %d lines", file, len(cells), len(lines))
		}
		for i, c := range cells {
			if got := csvLine(c); got != lines[i] {
				t.Errorf("%s: read %s, want %s", file, got, lines[i])
			}
			tps, latency := c.Reported[2], c.Reported[3]
			if ratio := *tps.Mean * *latency.Mean / 128000; tps.Metric != metric.OutputRequest || latency.Metric != metric.E2E || ratio < 0.98 || ratio > 1.5 {
				t.Errorf("%s: c%d: %v tok/s for %v ms", file, c.Concurrency, *tps.Mean, *latency.Mean)
			}
		}
	}
}

// csvLine writes a cell as its line of the table.
func csvLine(c bundle.Cell) string {
	f := c.Reported
	p90 := func(i int) float64 { return f[i].Percentiles[0].Value }
	fixed := func(v float64, digits int) string { return strconv.FormatFloat(v, 'f', digits, 64) }
	return fmt.Sprintf("%d,%s,%s,%s,%s,%s,%s,%s,%s,%s", c.Concurrency, fixed(*f[0].Mean, 1), fixed(p90(0), 1), fixed(*f[1].Mean, 2), fixed(p90(1), 2),
		fixed(*f[2].Mean, 2), fixed(p90(2), 2), fixed(*f[3].Mean/1000, 2), fixed(p90(3)/1000, 2), fixed(*f[4].Value, 2))
}
