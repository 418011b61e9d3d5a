package contract_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"example.org/arena/results/contract"
	"example.org/arena/results/tomlfile"
)

// small is a contract of three tests to break in many ways.
const small = `version = "v7" # line 1
date = "2026-02-28"
date_stated = true
seed = 42
success_threshold = 0.99
ttft_limits_ms = [2000, 5000]

[llama-benchy]
version = "0.4.0"
base_url = "http://localhost:8000/v1"
runs = 3
latency_mode = "generation"
format = "md"

[vllm-bench-serve]
container = "c"
backend = "openai-chat"
base_url = "http://localhost:8000"
endpoint = "/v1/chat/completions"
percentile_metrics = ["ttft"]
percentiles = [50, 99]
result_dir = "/tmp"

[[test]]
slug = "chat"
number = 1
loop = "closed"
tool = "llama-benchy"
primary = ["ttft_ms"]
prompt_tokens = [1024]
output_tokens = [1024]
depth_tokens = [0]
concurrency = [
  1,
  5, # two values
]

[[test]]
slug = "sweep"
number = 2
loop = "open"
tool = "vllm-bench-serve"
primary = ["capacity_req_per_s"]
ttft_percentiles = [95]
dataset = "random"
mean_input_tokens = 4000
mean_output_tokens = 500
range_ratio = 0.9
burstiness = 0.7
request_rate = [0.1, 1]
prompts = [100, 250]
result_file = "sweep-{rate}.json"

[[test]]
slug = "sharegpt"
number = 3
loop = "open"
tool = "vllm-bench-serve"
primary = ["ttft_ms"]
dataset = "sharegpt"
dataset_path = "/tmp/s.json"
burstiness = 1
request_rate = [0.3]
prompts = [10]
max_concurrency = 25
result_file = "sharegpt.json"
`

func TestSmallContractIsValid(t *testing.T) {
	t.Parallel()
	c, err := contract.Parse("c.toml", []byte(small))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
}

// TestFaults breaks the small contract. Each case replaces text, "old → new"
// pairs, and wants exactly these faults from Parse or, failing that, Validate.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		replace []string
		want    []string
	}{
		{"syntax", []string{"seed = 42", "seed = "}, []string{"c.toml:4: seed: expected value but found '\\n' instead"}},
		{"key twice", []string{"seed = 42", "seed = 42\nseed = 43"}, []string{"c.toml:5: seed: Key 'seed' has already been defined."}},
		{"string without an end, CR LF", []string{"seed = 42", "x = \"y\r\nseed = 42"}, []string{"c.toml:4: x: strings cannot contain newlines"}},
		{"table without an end", []string{"[llama-benchy]", "[llama-benchy"}, []string{"c.toml:8: expected '.' or ']' to end table name, but got '\\n' instead"}},
		{"unknown key at the top", []string{"seed = 42", "seed = 42\nsede = 1"}, []string{"c.toml:5: sede: unknown key"}},
		{"unknown table", []string{"[llama-benchy]", "[wrk]\nthreads = 1\n[llama-benchy]"}, []string{"c.toml:8: wrk: unknown key"}},
		{"unknown keys in tests and tools", []string{"runs = 3", "runs = 3\nrnus = 3", "prompts = [10]", "prompts = [10]\n\"promts\" = [10]"}, []string{
			"c.toml:12: llama-benchy.rnus: unknown key",
			"c.toml:66: test[2].promts: unknown key",
		}},
		{"key of the other loop", []string{"slug = \"chat\"", "slug = \"chat\"\nburstiness = 0.7"}, []string{"c.toml:26: test[0].burstiness: unknown key"}},
		{"key of the other dataset", []string{"dataset = \"sharegpt\"", "dataset = \"sharegpt\"\nmean_input_tokens = 4000"}, []string{"c.toml:61: test[2].mean_input_tokens: unknown key"}},
		{"missing keys", []string{"seed = 42\n", "", "concurrency = [\n  1,\n  5, # two values\n]\n", "", "runs = 3\n", ""}, []string{
			"c.toml:1: seed: missing key",
			"c.toml:7: llama-benchy.runs: missing key",
			"c.toml:22: test[0].concurrency: missing key",
		}},
		{"no tests", []string{small[strings.Index(small, "[llama"):], ""}, []string{"c.toml:1: test: missing key"}},
		{"types", []string{"seed = 42", "seed = \"42\"", "date_stated = true", "date_stated = 1", "concurrency = [\n", "concurrency = [ 'x',\n", "burstiness = 0.7", "burstiness = \"0,7\"", "prompts = [10]", "prompts = 10", "number = 3", "number = 3.5"}, []string{
			"c.toml:3: date_stated: want true or false, not an integer",
			"c.toml:4: seed: want an integer, not a string",
			"c.toml:33: test[0].concurrency: want a list of integers, not with a string in it",
			"c.toml:49: test[1].burstiness: want a number, not a string",
			"c.toml:56: test[2].number: want an integer, not a number with decimals",
			"c.toml:64: test[2].prompts: want a list of integers, not an integer",
			"c.toml:64: test[2].prompts: want as many values as request_rate has: 1, not 0",
		}},
		{"table expected", []string{small, "llama-benchy = 1\ntest = [1]\n" + small[:strings.Index(small, "[llama")]}, []string{
			"c.toml:1: llama-benchy: want a table, not an integer",
			"c.toml:1: llama-benchy: no test uses this tool",
			"c.toml:2: test: want a list of tables, not with an integer in it",
		}},
		{"tests as a table", []string{small, "version='v1'\ndate=''\ndate_stated=true\nseed=1\n[test]\nslug = 'x'"}, []string{"c.toml:5: test: want a list of tables, not a table"}},
		{"no such tool", []string{"loop = \"closed\"", "loop = \"half-open\""}, []string{
			"c.toml:8: llama-benchy: no test uses this tool",
			`c.toml:28: test[0].tool: no tool "llama-benchy" for loop "half-open": want "llama-benchy" for "closed", "vllm-bench-serve" for "open", or "arena"`,
		}},
		{"no table for the tool", []string{"[llama-benchy]\nversion = \"0.4.0\"\nbase_url = \"http://localhost:8000/v1\"\nruns = 3\nlatency_mode = \"generation\"\nformat = \"md\"\n", ""}, []string{"c.toml:22: test[0].tool: no table [llama-benchy] in this file"}},
		{"dates and numbers", []string{"2026-02-28", "2026-02-30", "seed = 42", "seed = -1", "threshold = 0.99", "threshold = 99", "version = \"v7\"", "version = \"7\""}, []string{
			`c.toml:1: version: want v and a number, not "7"`,
			`c.toml:2: date: want a date YYYY-MM-DD, not "2026-02-30"`,
			"c.toml:4: seed: want 0 or more, not -1",
			"c.toml:5: success_threshold: want a share in (0,1], not 99",
		}},
		{"not a number", []string{"threshold = 0.99", "threshold = nan", "burstiness = 0.7", "burstiness = nan", "[0.1, 1]", "[nan, inf]", "range_ratio = 0.9", "range_ratio = nan"}, []string{
			"c.toml:5: success_threshold: want a share in (0,1], not NaN",
			"c.toml:48: test[1].range_ratio: want a ratio in [0,1), not NaN",
			"c.toml:49: test[1].burstiness: want more than 0, not NaN",
			"c.toml:50: test[1].request_rate: want rates above 0, ascending, not NaN after 0",
			"c.toml:50: test[1].request_rate: want rates above 0, ascending, not +Inf after NaN",
		}},
		{"limits missing", []string{"ttft_limits_ms = [2000, 5000]\n", ""}, []string{"c.toml:1: ttft_limits_ms: want at least one value"}},
		{"limits descending", []string{"[2000, 5000]", "[5000, 2000, 0]"}, []string{
			"c.toml:6: ttft_limits_ms: want ascending values, not 2000 after 5000",
			"c.toml:6: ttft_limits_ms: 0 is out of range",
			"c.toml:6: ttft_limits_ms: want ascending values, not 0 after 2000",
		}},
		{"slugs and numbers", []string{"slug = \"sweep\"", "slug = \"chat\"", "number = 2", "number = 4", "slug = \"sharegpt\"", "slug = \"Share GPT\""}, []string{
			`c.toml:39: test[1].slug: "chat" is taken by an earlier test`,
			"c.toml:40: test[1].number: want 2, the test's place in the file, not 4",
			`c.toml:55: test[2].slug: want lower-case words joined by hyphens, not "Share GPT"`,
		}},
		{"metrics", []string{`["ttft_ms"]`, `["ttft", "ttft_ms", "ttft_ms"]`, `["capacity_req_per_s"]`, `[]`, "ttft_percentiles = [95]", "ttft_percentiles = [100]"}, []string{
			`c.toml:29: test[0].primary: no metric "ttft"`,
			`c.toml:29: test[0].primary: "ttft_ms" stands there twice`,
			"c.toml:43: test[1].primary: want at least one metric",
			"c.toml:44: test[1].ttft_percentiles: 100 is out of range",
		}},
		{"closed loop", []string{"[1024]\noutput", "[0]\noutput", "depth_tokens = [0]", "depth_tokens = [-1]", "  5, #", "  1, #", "runs = 3", "runs = 0", "format = \"md\"", "format = \"md --x\"", "8000/v1\"", "8000/v1/\"", "\"0.4.0\"", "\"0.4 \""}, []string{
			`c.toml:9: llama-benchy.version: want a word without blanks, not "0.4 "`,
			`c.toml:10: llama-benchy.base_url: want an address without a slash at its end, not "http://localhost:8000/v1/"`,
			"c.toml:11: llama-benchy.runs: want 1 or more, not 0",
			`c.toml:13: llama-benchy.format: want a word without blanks, not "md --x"`,
			"c.toml:30: test[0].prompt_tokens: 0 is out of range",
			"c.toml:32: test[0].depth_tokens: -1 is out of range",
			"c.toml:33: test[0].concurrency: want ascending values, not 1 after 1",
		}},
		{"open loop", []string{"percentile_metrics = [\"ttft\"]", "percentile_metrics = [\"tft\"]", "percentiles = [50, 99]", "percentiles = []", "endpoint = \"/v1", "endpoint = \"v1", "= 4000", "= 0", "[100, 250]", "[100, 0]", "max_concurrency = 25", "max_concurrency = -1", "path = \"/tmp/s.json\"", "path = \"/tmp/a b\"", "burstiness = 1\n", "burstiness = 0\n"}, []string{
			`c.toml:19: vllm-bench-serve.endpoint: want an absolute path, not "v1/chat/completions"`,
			`c.toml:20: vllm-bench-serve.percentile_metrics: want ttft, tpot, itl or e2el, not "tft"`,
			"c.toml:21: vllm-bench-serve.percentiles: want at least one value",
			"c.toml:46: test[1].mean_input_tokens: want 1 or more, not 0",
			"c.toml:51: test[1].prompts: want 1 or more, not 0",
			`c.toml:61: test[2].dataset_path: want a word without blanks, not "/tmp/a b"`,
			"c.toml:62: test[2].burstiness: want more than 0, not 0",
			"c.toml:65: test[2].max_concurrency: want 0 or more, not -1",
		}},
		{"dataset", []string{"dataset = \"sharegpt\"\ndataset_path = \"/tmp/s.json\"", "dataset = \"books\""}, []string{`c.toml:60: test[2].dataset: want "random" or "sharegpt", not "books"`}},
		{"rungs overwrite each other", []string{"sweep-{rate}.json", "sweep.json"}, []string{`c.toml:52: test[1].result_file: want {rate} in the name exactly when there are several rates, not "sweep.json"`}},
		{"result without a name", []string{"result_file = \"sharegpt.json\"\n", ""}, []string{"c.toml:54: test[2].result_file: want a name, since [vllm-bench-serve] has a result_dir"}},
		{"result without a folder", []string{"result_dir = \"/tmp\"\n", ""}, []string{
			"c.toml:51: test[1].result_file: want a result_dir in [vllm-bench-serve] to save it in",
			"c.toml:65: test[2].result_file: want a result_dir in [vllm-bench-serve] to save it in",
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			text := small
			for i := 0; i < len(tc.replace); i += 2 {
				if !strings.Contains(text, tc.replace[i]) {
					t.Fatalf("nothing to replace: %q", tc.replace[i])
				}
				text = strings.Replace(text, tc.replace[i], tc.replace[i+1], 1)
			}
			c, err := contract.Parse("c.toml", []byte(text))
			if err == nil {
				err = c.Validate()
			}
			if want := strings.Join(tc.want, "\n"); err == nil || err.Error() != want {
				t.Errorf("got\n%v\nwant\n%s", err, want)
			}
		})
	}
}

func TestFaultsOfTestWithoutKind(t *testing.T) {
	t.Parallel()
	c := contract.Contract{Version: "v1", Date: "2026-01-01", Tests: []contract.Test{{
		Slug: "x", Number: 1, Primary: load(t, "v1").Tests[0].Primary,
	}}}
	err := c.Validate()
	want := "test[0].tool: is of no kind: nothing says what it does"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestErrataFaults(t *testing.T) {
	t.Parallel()
	c := load(t, "v2")
	for text, want := range map[string]string{
		"contract = 'v1'\n":               `e.toml:1: contract: want "v2", not "v1"`,
		"[[erratum]]\ncode = 'a'\n":       "e.toml:1: contract: missing key\ne.toml:1: erratum[0].date: missing key\ne.toml:1: erratum[0].tests: missing key",
		"contract = 'v2'\nerrata = []":    "e.toml:2: errata: unknown key",
		"contract = 'v2'\n[[erratum]]\n":  "e.toml:2: erratum[0].code: missing key\ne.toml:2: erratum[0].date: missing key\ne.toml:2: erratum[0].tests: missing key",
		"contract = 'v2'\n[[erratum]]\nx": "e.toml:3: erratum: unexpected EOF; expected key separator '='",
		"contract = 'v2'\n[[erratum]]\ncode = 'A b'\ntests = ['nope']\ndate = '2026'\n": `e.toml:3: erratum[0].code: want lower-case words joined by underscores, not "A b"` +
			"\n" + `e.toml:4: erratum[0].tests: contract v2 has no test "nope"` + "\n" + `e.toml:5: erratum[0].date: want a date YYYY-MM-DD, not "2026"`,
		"contract = 'v2'\n[[erratum]]\ncode = 'a'\ntests = []\ndate = '2026-01-01'\n":                                         "e.toml:4: erratum[0].tests: want at least one test",
		"contract = 'v2'\n[[erratum]]\ncode = 'a'\ntests = ['chat']\ndate = '2026-01-01'\n[erratum.params]\na = 1\nb = [1]\n": "e.toml:8: erratum[0].params.b: want a string or a number, not a list",
		"contract = 'v2'\n[[erratum]]\ncode = 'a'\ntests = ['chat']\ndate = '2026-01-01'\nparams = 3\n":                       "e.toml:6: erratum[0].params: want a table, not an integer",
	} {
		e, err := contract.ParseErrata("e.toml", []byte(text))
		if err == nil {
			err = e.Validate(c)
		}
		if err == nil || err.Error() != want {
			t.Errorf("%q: got\n%v\nwant\n%s", text, err, want)
		}
	}
}

func TestErrataParams(t *testing.T) {
	t.Parallel()
	e, err := contract.ParseErrata("e.toml", []byte("contract = 'v2'\n[[erratum]]\ncode = 'a'\ntests = ['chat', 'rag-8k']\ndate = '2026-01-01'\nparams = { turns = 5, share = 0.5, printed = '0,30' }\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []contract.Param{{Name: "printed", Value: "0,30"}, {Name: "share", Value: "0.5", Number: true}, {Name: "turns", Value: "5", Number: true}}
	if got := e.List[0].Params; len(got) != 3 || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if n, m := len(e.For("rag-8k")), len(e.For("sharegpt")); n != 1 || m != 0 {
		t.Errorf("got %d and %d errata, want 1 and 0", n, m)
	}
}

// FuzzParse checks that whatever Parse is given, it ends, and that each fault
// names a line of the file.
func FuzzParse(f *testing.F) {
	f.Add([]byte(small))
	f.Add(readFile(f, contents, "contracts", "v1.toml"))
	f.Add(readFile(f, contents, "errata", "v1.toml"))
	f.Add([]byte("[[test]]\n[test.a.\"b.c\"]\nx = '''\n[y]\n'''\n[[test]]\n[[test.q]]\nz = [{a=1}, # ]\n{b=\"]\"}]\n"))
	f.Add([]byte("\xef\xbb\xbfversion = \"v1\"\r\ndate = 2026-01-01\r\n"))
	f.Add([]byte("a = \"\"\"\"x\"\"\"\"\nb = 1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		check := func(err error) {
			var faults tomlfile.Faults
			if err == nil {
				return
			}
			if !errors.As(err, &faults) || len(faults) == 0 {
				t.Fatalf("got %T, want faults", err)
			}
			for _, fault := range faults {
				if fault.Line < 1 || fault.Line > bytes.Count(data, []byte("\n"))+1 || fault.Message == "" {
					t.Errorf("fault %+v is not in the file", fault)
				}
			}
		}
		c, err := contract.Parse("c.toml", data)
		check(err)
		if err == nil {
			check(c.Validate())
		}
		_, err = contract.ParseErrata("e.toml", data)
		check(err)
	})
}
