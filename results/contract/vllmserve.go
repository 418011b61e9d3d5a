package contract

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"example.org/arena/results/tomlfile"
)

// VLLMServe is the open loop of `vllm bench serve`, with a command for each rung.
type VLLMServe struct {
	Arrivals
	Container         string // Docker container that the tool runs in
	Backend           string // the tool's name for the kind of endpoint
	BaseURL           string // of the endpoint, without a path
	Endpoint          string // path of the endpoint
	DatasetPath       string // of the dataset file, empty for Random
	PercentileMetrics []string
	Percentiles       []int
	ResultDir         string // folder the tool saves its result in, empty when it saves none
	ResultFile        string // name the tool saves its result under, empty when it saves none; {rate} stands for the rate
}

func parseVLLMServe(t, tool *tomlfile.Table) Kind {
	tool.Need("container", "backend", "base_url", "endpoint", "percentile_metrics", "percentiles")
	k := VLLMServe{
		Arrivals:          parseArrivals(t, tool, Random),
		Container:         tool.Str("container"),
		Backend:           tool.Str("backend"),
		BaseURL:           tool.Str("base_url"),
		Endpoint:          tool.Str("endpoint"),
		PercentileMetrics: tool.Strs("percentile_metrics"),
		Percentiles:       tool.Integers("percentiles"),
		ResultDir:         tool.Str("result_dir"),
		ResultFile:        t.Str("result_file"),
	}
	if k.Dataset == ShareGPT {
		t.Need("dataset_path")
		k.DatasetPath = t.Str("dataset_path")
	}
	return k
}

func (k VLLMServe) name() (Loop, Tool) { return Open, VLLMBench }

func (k VLLMServe) check(v *validator, path string) {
	tool := string(VLLMBench)
	v.word(tomlfile.Join(tool, "container"), k.Container)
	v.word(tomlfile.Join(tool, "backend"), k.Backend)
	v.baseURL(tool, k.BaseURL)
	v.path(tomlfile.Join(tool, "endpoint"), k.Endpoint)
	for _, name := range k.PercentileMetrics {
		if !slices.Contains([]string{"ttft", "tpot", "itl", "e2el"}, name) {
			v.Add(tomlfile.Join(tool, "percentile_metrics"), "want ttft, tpot, itl or e2el, not %q", name)
		}
	}
	if len(k.PercentileMetrics) == 0 {
		v.Add(tomlfile.Join(tool, "percentile_metrics"), "want at least one metric")
	}
	v.ascending(tomlfile.Join(tool, "percentiles"), k.Percentiles, 1, 99)
	if k.RateDigits < 0 || k.RateDigits > 6 {
		v.Add(tomlfile.Join(tool, "rate_digits"), "want 0 to 6, not %d", k.RateDigits)
	}
	v.arrivals(path, k.Arrivals, Random)
	if k.Dataset == ShareGPT {
		v.path(tomlfile.Join(path, "dataset_path"), k.DatasetPath)
	}
	k.checkResultFile(v, path)
}

// checkResultFile checks that a result has a folder and a name or neither, and that
// several rungs do not overwrite each other's.
func (k VLLMServe) checkResultFile(v *validator, path string) {
	tool := string(VLLMBench)
	key := tomlfile.Join(path, "result_file")
	switch {
	case k.ResultDir == "" && k.ResultFile == "":
		return
	case k.ResultDir == "":
		v.Add(key, "want a result_dir in [%s] to save it in", tool)
	case k.ResultFile == "":
		v.Add(key, "want a name, since [%s] has a result_dir", tool)
	default:
		v.path(tomlfile.Join(tool, "result_dir"), k.ResultDir)
		v.word(key, k.ResultFile)
	}
	if several := len(k.Rungs) > 1; several != strings.Contains(k.ResultFile, ratePlaceholder) {
		v.Add(key, "want %s in the name exactly when there are several rates, not %q", ratePlaceholder, k.ResultFile)
	}
}

func (k VLLMServe) commands(c *Contract, _ Test, names Names) []Command {
	var commands []Command
	for _, r := range k.Rungs {
		command := Command{Argv: k.argv(r, c.Seed, names)}
		if len(k.Rungs) > 1 {
			command.Comment = k.rate(r) + " req/s"
		}
		commands = append(commands, command)
	}
	return commands
}

// ratePlaceholder stands in a result file's name for the rate of the rung.
const ratePlaceholder = "{rate}"

func (k VLLMServe) argv(r Rung, seed int64, names Names) []string {
	a := argv{"docker", "exec", k.Container, "vllm", "bench", "serve"}
	a.flag("backend", k.Backend)
	a.flag("base-url", k.BaseURL)
	a.flag("endpoint", k.Endpoint)
	a.flag("model", names.Model)
	a.flag("tokenizer", names.Model)
	a.flag("served-model-name", names.ServedName)
	a.flag("dataset-name", k.Dataset)
	if k.Dataset == Random {
		a.flag("random-input-len", strconv.Itoa(k.InputTokens))
		a.flag("random-output-len", strconv.Itoa(k.OutputTokens))
		a.flag("random-range-ratio", decimal(k.RangeRatio, 1))
	} else {
		a.flag("dataset-path", k.DatasetPath)
	}
	a.flag("num-prompts", strconv.Itoa(r.Prompts))
	a.flag("request-rate", k.rate(r))
	a.flag("burstiness", decimal(k.Burstiness, 1))
	if k.MaxConcurrency > 0 {
		a.flag("max-concurrency", strconv.Itoa(k.MaxConcurrency))
	}
	a.flag("percentile-metrics", strings.Join(k.PercentileMetrics, ","))
	a.flag("metric-percentiles", strings.Join(ints(k.Percentiles), ","))
	a.flag("seed", strconv.FormatInt(seed, 10))
	if k.ResultFile != "" {
		a = append(a, "--save-result")
		a.flag("result-dir", k.ResultDir)
		a.flag("result-filename", strings.ReplaceAll(k.ResultFile, ratePlaceholder, k.rate(r)))
	}
	return a
}

func (k VLLMServe) program(words []string) (version string, n int) {
	if len(words) >= 3 && path.Base(words[0]) == "vllm" && words[1] == "bench" && words[2] == "serve" {
		return "", 3
	}
	return "", 0
}
