package contract

import (
	"strconv"
	"strings"
)

// The placeholders that stand in commands for names that are not given.
const (
	ModelPlaceholder      = "ORG/MODEL"
	ServedNamePlaceholder = "SERVED_MODEL_NAME"
	ShareGPTPlaceholder   = "ShareGPT_V3.json" // a file of conversations, which contracts of Native do not place
)

// Names are the names in a command that belong to the measured model instead of
// the contract. An empty name becomes its placeholder.
type Names struct {
	Model      string // Hugging Face id, ORG/MODEL
	ServedName string // as the server names the model
}

// A Command is one command line.
type Command struct {
	Comment string   // tells it from its neighbours, "0.1 req/s"; empty for a test's only command
	Argv    []string // the program and its arguments, unquoted
}

// Commands returns the commands of a test in the order of its rungs: several for
// an open-loop test with several rungs, otherwise one. They are ready to run:
// numbers have decimal points, and no name can leave its argument.
func (c *Contract) Commands(t Test, names Names) []Command {
	if names.Model == "" {
		names.Model = ModelPlaceholder
	}
	if names.ServedName == "" {
		names.ServedName = ServedNamePlaceholder
	}
	switch {
	case t.Tool == Native:
		return []Command{{Argv: c.nativeArgv(t, names)}}
	case t.ClosedLoop != nil:
		return []Command{{Argv: closedArgv(t.ClosedLoop, names)}}
	case t.OpenLoop != nil:
		return c.openCommands(t.OpenLoop, names)
	}
	return nil
}

func (c *Contract) openCommands(l *OpenLoop, names Names) []Command {
	var commands []Command
	for _, r := range l.Rungs {
		command := Command{Argv: openArgv(l, r, c.Seed, names)}
		if len(l.Rungs) > 1 {
			command.Comment = l.rate(r) + " req/s"
		}
		commands = append(commands, command)
	}
	return commands
}

// nativeArgv returns the command of a test that Arena measures itself: the
// contract holds its parameters, so the command only names it.
func (c *Contract) nativeArgv(t Test, names Names) []string {
	a := argv{"arena", "bench"}
	a.flag("contract", c.Version)
	a.flag("only", t.Slug)
	if t.ClosedLoop != nil {
		a.flag("base-url", t.ClosedLoop.BaseURL)
	} else if t.OpenLoop != nil {
		a.flag("base-url", t.OpenLoop.BaseURL)
		if t.OpenLoop.Dataset == ShareGPT {
			a.flag("sharegpt", ShareGPTPlaceholder)
		}
	}
	a.flag("model", names.Model)
	a.flag("served-model-name", names.ServedName)
	return a
}

func closedArgv(l *ClosedLoop, names Names) []string {
	program := "llama-benchy"
	if l.ToolVersion != "" {
		program += "==" + l.ToolVersion
	}
	a := argv{"uvx", program}
	a.flag("base-url", l.BaseURL)
	a.flag("model", names.ServedName)
	a.flag("pp", ints(l.PromptTokens)...)
	a.flag("tg", ints(l.OutputTokens)...)
	a.flag("depth", ints(l.DepthTokens)...)
	a.flag("concurrency", ints(l.Concurrency)...)
	a.flag("runs", strconv.Itoa(l.Runs))
	a.flag("latency-mode", l.LatencyMode)
	a.flag("format", l.Format)
	return a
}

func openArgv(l *OpenLoop, r Rung, seed int64, names Names) []string {
	a := argv{"docker", "exec", l.Container, "vllm", "bench", "serve"}
	a.flag("backend", l.Backend)
	a.flag("base-url", l.BaseURL)
	a.flag("endpoint", l.Endpoint)
	a.flag("model", names.Model)
	a.flag("tokenizer", names.Model)
	a.flag("served-model-name", names.ServedName)
	a.flag("dataset-name", l.Dataset)
	if l.Dataset == Random {
		a.flag("random-input-len", strconv.Itoa(l.InputTokens))
		a.flag("random-output-len", strconv.Itoa(l.OutputTokens))
		a.flag("random-range-ratio", decimal(l.RangeRatio, 1))
	} else {
		a.flag("dataset-path", l.DatasetPath)
	}
	a.flag("num-prompts", strconv.Itoa(r.Prompts))
	a.flag("request-rate", l.rate(r))
	a.flag("burstiness", decimal(l.Burstiness, 1))
	if l.MaxConcurrency > 0 {
		a.flag("max-concurrency", strconv.Itoa(l.MaxConcurrency))
	}
	a.flag("percentile-metrics", strings.Join(l.PercentileMetrics, ","))
	a.flag("metric-percentiles", strings.Join(ints(l.Percentiles), ","))
	a.flag("seed", strconv.FormatInt(seed, 10))
	if l.ResultFile != "" {
		a = append(a, "--save-result")
		a.flag("result-dir", l.ResultDir)
		a.flag("result-filename", strings.ReplaceAll(l.ResultFile, ratePlaceholder, l.rate(r)))
	}
	return a
}

// ratePlaceholder stands in a result file's name for the rate of the rung.
const ratePlaceholder = "{rate}"

// rate returns the rung's rate as commands and file names write it.
func (l *OpenLoop) rate(r Rung) string {
	return decimal(r.RequestRate, max(l.RateDigits, 1))
}

// Argv is a command line under construction.
type argv []string

// flag appends a flag and its values. A value that looks like a flag is tied to
// its own with "=", so that no name can become an option of the tool.
func (a *argv) flag(name string, values ...string) {
	if len(values) == 1 && strings.HasPrefix(values[0], "-") {
		*a = append(*a, "--"+name+"="+values[0])
		return
	}
	*a = append(append(*a, "--"+name), values...)
}

// decimal writes f with a decimal point, exactly, and with at least the given
// number of decimals.
func decimal(f float64, digits int) string {
	s := strconv.FormatFloat(f, 'f', -1, 64)
	_, decimals, _ := strings.Cut(s, ".")
	if len(decimals) >= digits {
		return s
	}
	return strconv.FormatFloat(f, 'f', digits, 64)
}

func ints(list []int) []string {
	out := make([]string, len(list))
	for i, n := range list {
		out[i] = strconv.Itoa(n)
	}
	return out
}
