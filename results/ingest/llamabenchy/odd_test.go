package llamabenchy

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/ingesttest"
)

// oddTables says what becomes of the odd inputs that are tables, logs, CSV or
// JSON in the manner of llama-benchy: what the report holds, or what the message
// says.
var oddTables = map[string]struct {
	refused bool
	say     []string
}{
	"01-std-larger-than-mean.md":             {false, []string{"pp2048 tg32 @ d8192 (c1)", "ttfr_ms = pp ttfr (ms) ms mean 6103.49 std 6135.69"}},
	"02-mean-and-std-in-separate-columns.md": {false, []string{"pp? tg128 @ d65535 (c5)", "decode_tok_per_s = tg t_s tok/s mean 4.53 std 0.295", "peak_tok_per_s = tg peak_ts tok/s mean 34.03 std 4.28"}},
	"03-duplicate-test-labels.md":            {false, []string{"pp4096 tg256 @ d0 (c1)", "pp8192 tg256 @ d0 (c1)", "pp16384 tg256 @ d0 (c1)", "pp25000 tg256 @ d0 (c1)", "mean 43.88 std 0.06"}},
	"04-log-noise-around-table.txt":          {false, []string{"fallback: gpt2", "tokenizer_fallback", "latency ms: 131.45", "{what date} {first 2026-08-14 09:31:02} {second 2026-08-14 11:45:39}", "n 3"}},
	"06-header-only-table.md":                {true, []string{":1: the table has a header and no rows", "CUDA error"}},
	"07-impossible-prefill.md":               {false, []string{"context of pp? tg128 @ d16384 (c1)", "ctx_pp t/s tok/s mean 770513 std 120034", "tg t/s tok/s mean 1789.07 std 2313.05"}},
	"08-chunk-overcount.json":                {false, []string{"llama-benchy 0.3.5", "pp128 tg128 @ d0 (c1)", "tg_throughput tok/s mean 47.14584479457639"}},
	"09-digits-spilled-across-cells.md":      {true, []string{":3: not imported: Qwen3 14B | NVFP4 | TRT-LLM | 5,928.95 | 522.71", "65,831.7 has fewer decimals than the rest of its column: a digit may have slipped", "once they are checked"}},
	"10-units-tilde-nbsp-entities.md":        {true, []string{":3: not imported: typical judge call (real 20Q, noisy 2-token gen) | 58 | 2 | 0.42 s | ~0.53 s | 140 | ~23", "imported as concurrency-csv"}},
	"11-unmeasured-cells.md":                 {true, []string{"the columns tg32, tg128, tg256, pp2048 are tests: write a row for each", "leave out what was not measured"}},
	"21-many-tables-in-one-paste.log":        {false, []string{"report at line 5: llama-bench e95d0bc8f (7280), model \"qwen3moe 30B.A3B Q4_K - Medium\"", "report at line 16", "(sample)", "mean 10.43"}},
	"29-cold-run-contaminates-mean.json":     {false, []string{"mean 1795 std 747 (population) n 3 values [739 2312 2334]"}},
	"31-decode-above-roofline.md":            {true, []string{":5: not imported: openai--gpt-oss-120b | ❌ `(APIServer pid=1) AttributeError"}},
	"34-depth-collapse-c10.csv":              {false, []string{"pp? tg128 @ d100000 (c10)", "mean 5.552607887762851 std 0.00023426024195164613", "tg t_s_req tok/s mean 6.520915106888958 std 9.130962058640634"}},
	"36-wrong-unit-column.md":                {true, []string{":3: not imported: **0K** (empty context) | 3,713.75 | 90.06 | 0.55ms | 3.55ms"}},
	"37-latency-subtraction-blowup.md":       {false, []string{"pp t/s (total) tok/s mean 275039.94 std 158383.33", "pp1024 tg1024 @ d0 (c10)", "est_prefill_ms = pp est_ppt (ms) ms mean 7.55 std 7.23"}},
}

// TestOddTables reads the odd inputs. Those of other shapes belong to the other
// formats, and are refused here.
func TestOddTables(t *testing.T) {
	t.Parallel()
	seen := 0
	for _, file := range ingesttest.GlobFiles(t, filepath.Join(ingesttest.CorpusFolder(t, "odd-inputs"), "[0-9]*")) {
		name := filepath.Base(file)
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := Parse(ingest.Input{Name: name, Data: data})
		want, ours := oddTables[name]
		if !ours {
			if err == nil {
				t.Errorf("%s is read, but belongs to another format:\n%s", name, understood(parsed, nil))
			}
			continue
		}
		seen++
		got := understood(parsed, err)
		if want.refused != (err != nil) {
			t.Errorf("%s: %s", name, got)
		}
		for _, say := range want.say {
			if !strings.Contains(got, say) {
				t.Errorf("%s: no %q in:\n%s", name, say, got)
			}
		}
	}
	if seen != len(oddTables) {
		t.Errorf("found %d of %d files", seen, len(oddTables))
	}
}
