package llamabenchy

import (
	"encoding/json"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/ingesttest"
)

var (
	corpusRow    = regexp.MustCompile(`(?m)^\| .*\| +(?:ctx_)?(?:pp|tg)\d*[^|]*\|.*±.*$`)
	corpusNumber = regexp.MustCompile(`\d+\.\d\d`)
	corpusLabel  = regexp.MustCompile(`\| +((?:ctx_)?(?:pp|tg)\d*[^|]*?) *\|`)
)

// A tally counts a table without understanding it.
type tally struct {
	rows, figures int
	sum           float64
}

func tallyText(text string) tally {
	var t tally
	for _, row := range corpusRow.FindAllString(text, -1) {
		t.rows++
		t.figures += strings.Count(row, "±")
		_, cells, _ := strings.Cut(row[2:], "|") // numbers in the model's name do not count
		for _, n := range corpusNumber.FindAllString(cells, -1) {
			v, _ := strconv.ParseFloat(n, 64)
			t.sum += v
		}
	}
	return t
}

func tallyReports(reports []Report) tally {
	var t tally
	for _, r := range reports {
		for _, c := range r.Cells {
			roles := map[string]bool{}
			for _, fig := range c.Reported {
				role, _, _ := strings.Cut(fig.Name, " ")
				roles[role] = true
				t.figures++
				t.sum += *fig.Mean + *fig.Std
			}
			t.rows += len(roles)
		}
	}
	return t
}

func (t tally) equal(o tally) bool {
	return t.rows == o.rows && t.figures == o.figures && math.Abs(t.sum-o.sum) < 1e-6*(1+t.sum)
}

// TestCorpusTables reads every table and log of the Spark measurements and of
// the tool's own samples, and compares rows, figures and the sum of all numbers
// with a count that knows nothing of tables.
func TestCorpusTables(t *testing.T) {
	t.Parallel()
	read := 0
	for _, folder := range []string{"dgx-spark-benchmarks", "llama-benchy"} {
		err := filepath.WalkDir(ingesttest.CorpusFolder(t, folder), func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.Contains(".md .log .stdout", filepath.Ext(file)) {
				return err
			}
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			want := tallyText(string(data))
			parsed, err := Parse(ingest.Input{Name: file, Data: data})
			if err != nil {
				if want.rows > 0 || strings.Contains(string(data), "Running test:") {
					t.Errorf("%v", err)
				}
				return nil
			}
			read++
			if strings.Contains(string(data), "in CSV format") || strings.Contains(string(data), "in JSON format") {
				return nil // TestCorpusJSON and TestCorpusCSV
			}
			if got := tallyReports(parsed.Reports); !got.equal(want) {
				t.Errorf("%s: read %+v, counted %+v", file, got, want)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if read < 300 {
		t.Errorf("read only %d files", read)
	}
}

// TestCorpusLabels checks that every row of the Spark measurements ends up in the
// cell that its label and place say.
func TestCorpusLabels(t *testing.T) {
	t.Parallel()
	pages := ingesttest.GlobFiles(t, filepath.Join(ingesttest.CorpusFolder(t, "dgx-spark-benchmarks"), "results/*/*/*/0[1-6]*.md"))
	for _, page := range pages {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, row := range corpusRow.FindAllString(string(data), -1) {
			want = append(want, corpusLabel.FindStringSubmatch(row)[1])
		}
		parsed, err := Parse(ingest.Input{Name: page, Data: data})
		if err != nil || len(parsed.Reports) != 1 {
			t.Errorf("%s: %v", page, err)
			continue
		}
		var got []string
		for _, c := range parsed.Reports[0].Cells {
			suffix := " (c" + strconv.Itoa(c.Concurrency) + ")"
			if c.DepthTokens > 0 {
				suffix = " @ d" + strconv.Itoa(c.DepthTokens) + suffix
			}
			got = append(got, "pp"+strconv.Itoa(c.PromptTokens)+suffix, "tg"+strconv.Itoa(c.OutputTokens)+suffix)
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s: read rows %q, the table has %q", page, got, want)
		}
		if len(parsed.Reports[0].Argv) == 0 {
			t.Errorf("%s: the command was not found", page)
		}
	}
}

// TestCorpusMerge joins the page and the log of every closed-loop test.
func TestCorpusMerge(t *testing.T) {
	t.Parallel()
	logs := ingesttest.GlobFiles(t, filepath.Join(ingesttest.CorpusFolder(t, "dgx-spark-benchmarks"), "results/*/*/*/0[1-6]*.log"))
	for _, log := range logs {
		var both []Report
		for _, file := range []string{log, strings.TrimSuffix(log, ".log") + ".md"} {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			parsed, err := Parse(ingest.Input{Name: file, Data: data})
			if err != nil || len(parsed.Reports) != 1 {
				t.Fatalf("%s: %d reports, %v", file, len(parsed.Reports), err)
			}
			both = append(both, parsed.Reports[0])
		}
		r, err := Merge(both...)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		if r.LatencyMS == nil || r.TokenizerFallback != "gpt2" || r.CorpusTokens != 159385 || r.Runs == 0 || len(r.Argv) == 0 || r.Tool.Version != "0.4.0" {
			t.Errorf("%s: something is missing: %s", log, reportText(r))
		}
		for _, c := range r.Cells {
			checkSparkCell(t, log, c)
		}
	}
}

// checkSparkCell checks what the log says about a cell: all Spark runs made three
// batches and had no failed request.
func checkSparkCell(t *testing.T, file string, c bundle.Cell) {
	t.Helper()
	if c.Runs != 3 || c.Requests == nil || *c.Requests.Failed != 0 || *c.Requests.Completed != 3*c.Concurrency {
		t.Errorf("%s: %s: %s", file, keyOf(c), ingesttest.CellDump(c))
	}
	for _, fig := range c.Reported {
		perRequest := strings.Contains(fig.Name, "(req)") || strings.Contains(fig.Name, "ms")
		if want := map[bool]int{true: 3 * c.Concurrency, false: 3}[perRequest]; fig.N != want && fig.N != 0 {
			t.Errorf("%s: %s: %s has %d samples, want %d", file, keyOf(c), fig.Name, fig.N, want)
		}
	}
}

// TestCorpusJSON compares every JSON report with what a general decoder finds.
func TestCorpusJSON(t *testing.T) {
	t.Parallel()
	files := ingesttest.GlobFiles(t, filepath.Join(ingesttest.CorpusFolder(t, "llama-benchy"), "*/*.json"))
	read := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var doc struct {
			Benchmarks []map[string]any `json:"benchmarks"`
		}
		if err := json.Unmarshal(data, &doc); err != nil {
			t.Fatal(err)
		}
		if doc.Benchmarks == nil {
			continue // a schema
		}
		read++
		want, got := 0.0, 0.0
		for _, b := range doc.Benchmarks {
			for _, v := range b {
				if m, ok := v.(map[string]any); ok {
					want += m["mean"].(float64) + m["std"].(float64)
					for _, x := range m["values"].([]any) {
						want += x.(float64)
					}
				}
			}
		}
		parsed, err := Parse(ingest.Input{Name: file, Data: data})
		if err != nil || len(parsed.Reports) != 1 || len(parsed.Reports[0].Cells) != len(doc.Benchmarks) {
			t.Errorf("%s: %v", file, err)
			continue
		}
		for _, c := range parsed.Reports[0].Cells {
			for _, fig := range c.Reported {
				got += *fig.Mean + *fig.Std
				for _, v := range fig.Values {
					got += v
				}
			}
		}
		if math.Abs(got-want) > 1e-9*want {
			t.Errorf("%s: the sum of all numbers is %v, want %v", file, got, want)
		}
	}
	if read < 5 {
		t.Errorf("read only %d reports", read)
	}
}

// TestCorpusAccounts joins the files that tell of one run: JSON, the log around
// it, and the progress stream.
func TestCorpusAccounts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		files []string
		say   []string
	}{
		{[]string{"fail-partial.json", "fail-partial-json.stdout"}, []string{"requests planned 12 completed 8 failed 4", "latency ms: 6.269461999977466"}},
		{[]string{"empty.json", "empty.stdout", "empty.progress.jsonl"}, []string{"tokens in 768 out 288", "start: ", "status: ok"}},
		{[]string{"json-prefix.stdout", "json-prefix.progress.jsonl", "json-prefix.json"}, []string{"tokens in 10244 out 128", "context of pp512 tg32 @ d2048 (c2)", "prefix caching: true"}},
		{[]string{"csv-c.csv", "csv-c.stdout"}, []string{"pp512 tg32 @ d0 (c3), 2 runs, requests planned 6 completed 6", "latency ms: 13.12"}},
		{[]string{"md-c1-depths.stdout", "md-c1-depths.md"}, []string{"pp512 tg32 @ d4096 (c1), 3 runs"}},
		{[]string{"slowhello.json", "slowhello-json.stdout"}, []string{"rows_missing", "est_prefill_ms"}},
		{[]string{"smalldepth-prefix.json", "smalldepth-prefix.stdout"}, []string{"context of pp2048 tg16 @ d256 (c1), 2 runs"}},
	} {
		folder := ingesttest.CorpusFolder(t, "llama-benchy/generated")
		var reports []Report
		for _, name := range c.files {
			data, err := os.ReadFile(filepath.Join(folder, name))
			if err != nil {
				t.Fatal(err)
			}
			parsed, err := Parse(ingest.Input{Name: name, Data: data})
			if err != nil {
				t.Fatal(err)
			}
			reports = append(reports, parsed.Reports...)
		}
		r, err := Merge(reports...)
		if err != nil {
			t.Errorf("%v: %v", c.files, err)
			continue
		}
		text := reportText(r)
		for _, say := range c.say {
			if !strings.Contains(text, say) {
				t.Errorf("%v: no %q in:\n%s", c.files, say, text)
			}
		}
	}
}
