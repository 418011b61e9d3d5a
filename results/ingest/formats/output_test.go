package formats

import (
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/ingesttest"
	"example.org/arena/results/privacy"
)

func TestReadOutput(t *testing.T) {
	t.Parallel()
	benchy := contract.Test{Slug: "chat", Kind: contract.Batches{Grid: contract.Grid{
		PromptTokens: []int{256, 512}, OutputTokens: []int{64}, DepthTokens: []int{0}, Concurrency: []int{1, 4},
	}}}
	open := contract.Test{Slug: "rate-sweep", Kind: contract.VLLMServe{Arrivals: contract.Arrivals{
		InputTokens: 4000, OutputTokens: 500, Burstiness: 0.7, Rungs: []contract.Rung{{RequestRate: 0.1, Prompts: 10}, {RequestRate: 0.2, Prompts: 20}},
	}}}
	log, err := os.ReadFile("../llamabenchy/testdata/log.txt")
	if err != nil {
		t.Fatal(err)
	}
	other := benchy
	other.Kind = contract.Batches{Grid: contract.Grid{PromptTokens: []int{256}, OutputTokens: []int{64}, DepthTokens: []int{0}, Concurrency: []int{1, 4}}}
	more := benchy
	more.Kind = contract.Batches{Grid: contract.Grid{PromptTokens: []int{256, 512}, OutputTokens: []int{64}, DepthTokens: []int{0}, Concurrency: []int{1, 4, 8}}}
	const result = `{"backend": "openai-chat", "model_id": "a/b", "num_prompts": 20, "request_rate": 0.2, "burstiness": 0.7, "max_concurrency": null, "completed": 20, "failed": 0, "mean_ttft_ms": 12.345}`
	block := "============ Serving Benchmark Result ============\nSuccessful requests: 20\nFailed requests: 0\nMean TTFT (ms): 12.35\n" + strings.Repeat("=", 50) + "\n"
	for _, c := range []struct {
		name           string
		test           contract.Test
		n              int
		printed, saved string
		cells, missing int
		fault          string
	}{
		{"table", benchy, 0, string(log), "", 4, 0, ""},
		{"cells that are missing", more, 0, string(log), "", 4, 2, ""},
		{"cells of another test", other, 0, string(log), "", 0, 0, "out.txt:41: holds figures of 512 prompt tokens"},
		{"two tables", benchy, 0, string(log) + string(log), "", 0, 0, "holds 2 tables"},
		{"nothing", benchy, 0, "", "", 0, 0, "out.txt"},
		{"saved result", open, 1, "", result, 1, 0, ""},
		{"saved and printed", open, 1, block, result, 1, 0, ""},
		{"saved and printed differ", open, 1, strings.Replace(block, "12.35", "12.45", 1), result, 0, 0, "out.txt:1: mean_ttft: is 12.45, but out.json says 12.345"},
		{"printed", open, 1, block, "", 1, 0, ""},
		{"another rung", open, 0, "", result, 0, 0, "out.json:1: request_rate: is 0.2, but the command asked for 0.1"},
		{"another burstiness", open, 1, "", strings.Replace(result, "0.7", "1.0", 1), 0, 0, "out.json:1: is not of this command: burstiness"},
		{"fewer requests", open, 1, "", strings.ReplaceAll(result, "20", "19"), 0, 0, "19 requests were planned, not 20"},
		{"cut", open, 1, "", result[:40], 0, 0, "out.json:1: the JSON ends in the middle"},
		{"no output", open, 1, "", "", 0, 0, "out.txt: the command saved no result and printed nothing"},
		{"no such rung", open, 2, "", result, 0, 0, "command 2 of test rate-sweep"},
	} {
		got, err := ReadOutput(c.test, c.n, ingest.Output{Printed: ingest.Input{Name: "out.txt", Data: []byte(c.printed)}, Saved: ingest.Input{Name: "out.json", Data: []byte(c.saved)}})
		if c.fault != "" {
			if err == nil || !strings.Contains(err.Error(), c.fault) {
				t.Errorf("%s: %v, want %s", c.name, err, c.fault)
			}
			continue
		}
		measured := 0
		for _, cell := range got.Cells {
			if len(cell.Reported) > 0 {
				measured++
			}
		}
		if err != nil || measured != c.cells || len(got.Missing) != c.missing {
			t.Errorf("%s: %d cells with figures, %v missing, %v; want %d and %d", c.name, measured, got.Missing, err, c.cells, c.missing)
		}
	}
}

var corpusResult = regexp.MustCompile(`^(\d\d)-([a-z-]+[a-z])(?:-(\d\.\d))?\.(log|json)$`)

// Every real log and result of the eleven tests is read as the output of its
// command, and reads the same after it was scrubbed.
func TestCorpusOutputs(t *testing.T) {
	t.Parallel()
	root := ingesttest.CorpusFolder(t, "dgx-spark-benchmarks/results")
	c := ingesttest.ContractV2(t)
	read, missing := 0, 0
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		m := corpusResult.FindStringSubmatch(filepath.Base(p))
		if err != nil || d.IsDir() || m == nil {
			return err
		}
		test, ok := c.Test(m[2])
		if !ok || (m[4] == "log") != test.Closed() || m[3] == "" && len(test.Cells()) > 1 && test.Open() {
			return nil // telemetry, and the summary of a sweep
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		n := 0
		for i, command := range c.Commands(test, contract.Names{}) {
			if m[3] != "" && strings.HasPrefix(command.Comment, m[3]+" ") {
				n = i
			}
		}
		name := strings.TrimPrefix(p, root)
		got, ok := readBoth(t, test, n, name, string(data), m[4])
		if ok {
			read++
			missing += len(got.Missing)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if read < 300 {
		t.Errorf("read %d outputs, want at least 300", read)
	}
	t.Logf("read %d outputs, %d cells without figures", read, missing)
}

func readBoth(t *testing.T, test contract.Test, n int, name, text, kind string) (ingest.Reading, bool) {
	t.Helper()
	reading := func(text string) (ingest.Reading, error) {
		in := ingest.Input{Name: name, Data: []byte(text)}
		if kind == "json" {
			return ReadOutput(test, n, ingest.Output{Printed: ingest.Input{Name: "printed"}, Saved: in})
		}
		return ReadOutput(test, n, ingest.Output{Printed: in})
	}
	got, err := reading(text)
	if err != nil {
		if !strings.Contains(err.Error(), "no figures") && !strings.Contains(err.Error(), "no result") {
			t.Errorf("%s: %v", name, err)
		}
		return got, false
	}
	again, err := reading(privacy.CleanOutput(text))
	if err != nil || !reflect.DeepEqual(figuresOf(got.Cells), figuresOf(again.Cells)) {
		t.Errorf("%s: reads differently after it was scrubbed: %v", name, err)
	}
	return got, true
}

func figuresOf(cells []bundle.Cell) [][]bundle.Figure {
	var list [][]bundle.Figure
	for _, c := range cells {
		list = append(list, c.Reported)
	}
	return list
}

// Whatever stands before it, a private host does not stay.
func FuzzScrubOutput(f *testing.F) {
	for _, seed := range []string{
		"at http://spark.lan:8000/v1", "http://a@b:1/home/x", "https://[fe80::1]/x 10.0.0.1 127.0.0.1\n\x00", "Bearer abc", "http://http://x", "bench-0123456789",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		const host = "secret-host.example"
		for _, after := range []string{"\nhttp://" + host + "/x", " https://me:pw@" + host, "'http://" + host + ":8000'"} {
			if got := privacy.CleanOutput(text + after); strings.Count(got, host) > strings.Count(text, host) {
				t.Errorf("%q keeps the host: %q", text+after, got)
			}
		}
	})
}
