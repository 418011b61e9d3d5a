package contract

import (
	"cmp"
	"math"
	"path"
	"strconv"
	"strings"

	"example.org/arena/results/tomlfile"
)

// Batches are the closed loop of llama-benchy: the requests of a batch go out
// together, and the next batch when all of them have ended.
type Batches struct {
	Grid
	Runs        int    // measured batches per cell
	ToolVersion string // pinned version of the tool, empty when the contract pins none
	BaseURL     string // of the endpoint, with its version path
	LatencyMode string // how the tool estimates the latency that it subtracts
	Format      string // output format of the tool
}

func parseBatches(t, tool *tomlfile.Table) Kind {
	t.Need("prompt_tokens", "output_tokens", "depth_tokens", "concurrency")
	tool.Need("base_url", "runs", "latency_mode", "format")
	return Batches{
		Grid: Grid{
			PromptTokens: t.Integers("prompt_tokens"),
			OutputTokens: t.Integers("output_tokens"),
			DepthTokens:  t.Integers("depth_tokens"),
			Concurrency:  t.Integers("concurrency"),
		},
		Runs:        int(tool.Integer("runs")),
		ToolVersion: tool.Str("version"),
		BaseURL:     tool.Str("base_url"),
		LatencyMode: tool.Str("latency_mode"),
		Format:      tool.Str("format"),
	}
}

func (k Batches) name() (Loop, Tool) { return Closed, LlamaBenchy }

func (k Batches) check(v *validator, path string) {
	v.grid(path, k.Grid)
	v.ascending(tomlfile.Join(path, "depth_tokens"), k.DepthTokens, 0, math.MaxInt)
	tool := string(LlamaBenchy)
	if k.ToolVersion != "" {
		v.word(tomlfile.Join(tool, "version"), k.ToolVersion)
	}
	v.baseURL(tool, k.BaseURL)
	v.atLeast(tomlfile.Join(tool, "runs"), k.Runs, 1)
	v.word(tomlfile.Join(tool, "latency_mode"), k.LatencyMode)
	v.word(tomlfile.Join(tool, "format"), k.Format)
}

func (k Batches) commands(_ *Contract, _ Test, names Names) []Command {
	program := "llama-benchy"
	if k.ToolVersion != "" {
		program += "==" + k.ToolVersion
	}
	a := argv{"uvx", program}
	a.flag("base-url", k.BaseURL)
	a.flag("model", names.ServedName)
	a.flag("pp", ints(k.PromptTokens)...)
	a.flag("tg", ints(k.OutputTokens)...)
	a.flag("depth", ints(k.DepthTokens)...)
	a.flag("concurrency", ints(k.Concurrency)...)
	a.flag("runs", strconv.Itoa(k.Runs))
	a.flag("latency-mode", k.LatencyMode)
	a.flag("format", k.Format)
	return []Command{{Argv: a}}
}

// program finds the tool's name once, or twice as in "uvx --from TOOL==VERSION TOOL".
func (k Batches) program(words []string) (version string, n int) {
	for _, word := range words {
		name, pin, _ := strings.Cut(strings.Replace(path.Base(word), "==", "@", 1), "@")
		if name != string(LlamaBenchy) {
			break
		}
		version = cmp.Or(version, pin)
		n++
	}
	return version, n
}
