package contract_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.org/arena/results/contract"
)

const (
	recordedChat    = `PYTHONUNBUFFERED=1 stdbuf -oL -eL uvx llama-benchy==0.4.0 --base-url http://localhost:8000/v1 --model m --runs 3 --latency-mode generation --format md --pp 1024 --tg 1024 --depth 0 --concurrency 1 5 10`
	recordedOffice  = `docker exec -e PYTHONUNBUFFERED=1 vllm-bench vllm bench serve --backend openai-chat --base-url http://localhost:8000 --endpoint /v1/chat/completions --model O/M --tokenizer O/M --served-model-name m --percentile-metrics ttft,tpot,itl,e2el --metric-percentiles 50,90,95,99 --seed 42 --save-result --result-dir /tmp --dataset-name random --random-input-len 4000 --random-output-len 500 --random-range-ratio 0.9 --num-prompts 200 --request-rate 0.3 --burstiness 0.7 --result-filename 07-office-baseline.json`
	recordedSweepAt = `vllm bench serve --backend openai-chat --base-url http://localhost:8000 --endpoint /v1/chat/completions --model O/M --tokenizer O/M --served-model-name m --dataset-name random --random-input-len 4000 --random-output-len 500 --random-range-ratio 0.9 --num-prompts 125 --request-rate 0.5 --burstiness 0.7 --percentile-metrics ttft,tpot,itl,e2el --metric-percentiles 50,90,95,99 --seed 42 --save-result --result-dir /tmp --result-filename 11-rate-sweep-0.5.json`
)

func TestDeviations(t *testing.T) {
	t.Parallel()
	c := load(t, "v2")
	replace := func(line, old, new string) string {
		if !strings.Contains(line, old) {
			t.Fatalf("no %q in %q", old, line)
		}
		return strings.Replace(line, old, new, 1)
	}
	for _, tc := range []struct {
		name, slug, line string
		want             []contract.Deviation
	}{
		{"wrappers and order", "chat", recordedChat, nil},
		{"docker environment", "office-baseline", recordedOffice, nil},
		{"one rung of several", "rate-sweep", recordedSweepAt, nil},
		{"uvx from", "chat", replace(recordedChat, "llama-benchy==0.4.0", "--from llama-benchy==0.4.0 llama-benchy"), nil},
		{"path of the tool", "chat", replace(recordedChat, "uvx llama-benchy==0.4.0", "/opt/bin/llama-benchy@0.4.0"), nil},
		{"tied value", "chat", replace(recordedChat, "--runs 3", "--runs=3"), nil},
		{"numbers written otherwise", "office-baseline", replace(replace(recordedOffice, "--request-rate 0.3", "--request-rate 0.30"), "--seed 42", "--seed 42.0"), nil},
		{"underscores", "office-baseline", replace(recordedOffice, "--num-prompts", "--num_prompts"), nil},
		{"repeated flag, the last one counts", "chat", recordedChat + " --runs 5 --runs 3", nil},
		{"extra flag", "chat", recordedChat + " --exit-on-first-fail", []contract.Deviation{
			{Kind: contract.Extra, Parameter: "--exit-on-first-fail"},
		}},
		{"changed list", "chat", replace(recordedChat, "--concurrency 1 5 10", "--concurrency 1 5"), []contract.Deviation{
			{Kind: contract.Changed, Parameter: "--concurrency", Contract: "1 5 10", Recorded: "1 5"},
		}},
		{"missing flag", "chat", replace(recordedChat, "--runs 3 ", ""), []contract.Deviation{
			{Kind: contract.Missing, Parameter: "--runs", Contract: "3"},
		}},
		{"other version", "chat", replace(recordedChat, "0.4.0", "0.4.1"), []contract.Deviation{
			{Kind: contract.Changed, Parameter: "version", Contract: "0.4.0", Recorded: "0.4.1"},
		}},
		{"no version", "chat", replace(recordedChat, "==0.4.0", ""), []contract.Deviation{
			{Kind: contract.Changed, Parameter: "version", Contract: "0.4.0"},
		}},
		{"decimal comma", "office-baseline", replace(recordedOffice, "--request-rate 0.3", "--request-rate 0,30"), []contract.Deviation{
			{Kind: contract.Changed, Parameter: "--request-rate", Contract: "0.3", Recorded: "0,30"},
		}},
		{"another tokenizer", "office-baseline", replace(recordedOffice, "--tokenizer O/M", "--tokenizer other"), []contract.Deviation{
			{Kind: contract.Changed, Parameter: "--tokenizer", Contract: "O/M", Recorded: "other"},
		}},
		{"sorted and complete", "chat", replace(recordedChat, "--tg 1024", "--tg 512") + " --zz 1 --aa --runs 9", []contract.Deviation{
			{Kind: contract.Changed, Parameter: "--tg", Contract: "1024", Recorded: "512"},
			{Kind: contract.Changed, Parameter: "--runs", Contract: "3", Recorded: "9"},
			{Kind: contract.Extra, Parameter: "--aa"},
			{Kind: contract.Extra, Parameter: "--zz", Recorded: "1"},
		}},
		{"stray argument", "chat", replace(recordedChat, "--base-url", "stray --base-url"), []contract.Deviation{
			{Kind: contract.Extra, Parameter: "argument", Recorded: "stray"},
		}},
		{"another tool", "chat", "ab -n 10 -c 1", []contract.Deviation{
			{Kind: contract.Changed, Parameter: "tool", Contract: "llama-benchy", Recorded: "ab -n 10 -c 1"},
		}},
		{"nothing recorded", "office-baseline", "", []contract.Deviation{
			{Kind: contract.Changed, Parameter: "tool", Contract: "vllm-bench-serve"},
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			argv, err := contract.SplitCommand(tc.line)
			if err != nil {
				t.Fatal(err)
			}
			if got := c.Deviations(test(t, c, tc.slug), argv); !slices.Equal(got, tc.want) {
				t.Errorf("\n got %+v\nwant %+v", got, tc.want)
			}
		})
	}
}

func TestOwnCommandsDoNotDeviate(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"v1", "v2"} {
		c := load(t, version)
		for _, tt := range c.Tests {
			for _, command := range c.Commands(tt, names) {
				if got := c.Deviations(tt, command.Argv); got != nil {
					t.Errorf("%s %s: %+v", version, tt.Slug, got)
				}
			}
		}
	}
}

// corpus returns the files under ARENA_CORPUS that pattern matches.
func corpus(t *testing.T, pattern ...string) []string {
	t.Helper()
	dir := os.Getenv("ARENA_CORPUS")
	if dir == "" {
		t.Skip("NOT CHECKED against real runs: ARENA_CORPUS names no folder of them")
	}
	files, err := filepath.Glob(filepath.Join(append([]string{dir}, pattern...)...))
	if err != nil || len(files) == 0 {
		t.Fatalf("find %v in %s: %d files, %v", pattern, dir, len(files), err)
	}
	return files
}

// TestRealCommands compares what 29 configurations recorded with the contract:
// one flag of one test deviates, in every run.
func TestRealCommands(t *testing.T) {
	t.Parallel()
	c := load(t, "v2")
	block := regexp.MustCompile("(?s)## Command\n+```bash\n(.*?)\n```")
	extra := []contract.Deviation{{Kind: contract.Extra, Parameter: "--exit-on-first-fail"}}
	seen := map[string]int{}
	for _, file := range corpus(t, "dgx-spark-benchmarks", "results", "*", "*", "*", "[0-9][0-9]-*.md") {
		_, slug, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".md"), "-")
		found := block.FindSubmatch(readFile(t, file))
		if found == nil {
			continue
		}
		seen[slug]++
		argv, err := contract.SplitCommand(string(found[1]))
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		var want []contract.Deviation
		if slug == "concurrency-stress" {
			want = extra
		}
		if got := c.Deviations(test(t, c, slug), argv); !slices.Equal(got, want) {
			t.Errorf("%s: got %+v, want %+v", file, got, want)
		}
	}
	for _, tt := range c.Tests {
		if want := map[bool]int{false: 29, true: 0}[tt.Slug == "rate-sweep"]; seen[tt.Slug] != want {
			t.Errorf("%s: %d recorded commands, want %d", tt.Slug, seen[tt.Slug], want)
		}
	}
}

func FuzzDeviations(f *testing.F) {
	f.Add(recordedChat)
	f.Add(recordedOffice)
	f.Add("vllm bench serve - -- --= --x=-1 -1 --model")
	c := load(f, "v2")
	f.Fuzz(func(t *testing.T, line string) {
		for _, tt := range c.Tests {
			c.Deviations(tt, strings.Fields(line)) // must not panic, whatever was recorded
		}
	})
}
