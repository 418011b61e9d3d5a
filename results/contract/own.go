package contract

import (
	"path"
	"slices"

	"example.org/arena/results/tomlfile"
)

// Slots hold what the closed loops of Arena's own load generator share. Before a
// cell each slot sends a request that is not measured. Then it sends its next
// request as soon as the last one ended, and Rounds of them in a repetition.
type Slots struct {
	Grid
	BaseURL      string // of the endpoint, without a path
	Repetitions  int    // of the whole cell
	Rounds       int
	WarmupTokens int      // of the answer that is not measured; 0 sends no such request
	Texts        []string // names of the texts that prompts are taken from, in turn
}

// Refill is a closed loop whose slots never wait for each other.
type Refill struct{ Slots }

// Conversations are a closed loop in which each of a slot's rounds is a
// conversation: every turn sends all that was said so far.
type Conversations struct {
	Slots
	Turns          int
	QuestionTokens int // tokens by which the prompt grows per turn beyond the answer before it
}

// LastPrompt is the length of a conversation's last prompt, in tokens: everything
// said before it and one more question.
func (k Conversations) LastPrompt() int {
	if len(k.PromptTokens) == 0 || len(k.OutputTokens) == 0 {
		return 0
	}
	return slices.Max(k.PromptTokens) + max(k.Turns-1, 0)*(slices.Max(k.OutputTokens)+k.QuestionTokens)
}

// An OpenLoop is one that Arena's own load generator sends: one or more rates.
type OpenLoop struct {
	Arrivals
	BaseURL      string   // of the endpoint, without a path
	WarmupTokens int      // answers of the requests that are sent before a cell and not measured; 0 sends none
	Texts        []string // names of the texts that prompts of FromTexts are taken from, in turn
	StopP95TTFT  int      // ms: no rung is measured after one whose p95 TTFT is above it; 0 when all are
}

// parseSlots reads a closed loop: one of conversations where it has turns.
func parseSlots(t, tool *tomlfile.Table) Kind {
	t.Need("prompt_tokens", "output_tokens", "concurrency")
	tool.Need("base_url", "repetitions", "rounds", "texts")
	s := Slots{
		Grid: Grid{
			PromptTokens: t.Integers("prompt_tokens"),
			OutputTokens: t.Integers("output_tokens"),
			DepthTokens:  []int{0},
			Concurrency:  t.Integers("concurrency"),
		},
		BaseURL:      tool.Str("base_url"),
		Repetitions:  int(tool.Integer("repetitions")),
		Rounds:       int(tool.Integer("rounds")),
		WarmupTokens: int(tool.Integer("warmup_tokens")),
		Texts:        ownTexts(t, tool),
	}
	if !t.Has("turns") {
		return Refill{s}
	}
	t.Need("question_tokens")
	return Conversations{Slots: s, Turns: int(t.Integer("turns")), QuestionTokens: int(t.Integer("question_tokens"))}
}

func parseOpenLoop(t, tool *tomlfile.Table) Kind {
	tool.Need("base_url", "texts")
	k := OpenLoop{
		Arrivals:     parseArrivals(t, tool, FromTexts),
		BaseURL:      tool.Str("base_url"),
		WarmupTokens: int(tool.Integer("warmup_tokens")),
		StopP95TTFT:  int(t.Integer("stop_p95_ttft_ms")),
	}
	if k.Dataset == FromTexts {
		k.Texts = ownTexts(t, tool)
	}
	return k
}

// ownTexts returns the texts of a test: its own, or those of all tests.
func ownTexts(t, tool *tomlfile.Table) []string {
	shared := tool.Strs("texts")
	if t.Has("texts") {
		return t.Strs("texts")
	}
	return shared
}

// An Own is a [Kind] of Arena's own load generator: no tool has a command for it, nor
// an output or figures of its own. A switch that is about tools has one case for all.
type Own interface {
	Kind
	texts() []string // names of the texts that prompts are taken from, in turn
}

func (s Slots) texts() []string    { return s.Texts }
func (k OpenLoop) texts() []string { return k.Texts }

func (s Slots) name() (Loop, Tool)    { return Closed, Native }
func (k OpenLoop) name() (Loop, Tool) { return Open, Native }

func (k Refill) check(v *validator, path string) { v.slots(path, k.Slots) }

func (k Conversations) check(v *validator, path string) {
	v.slots(path, k.Slots)
	v.atLeast(tomlfile.Join(path, "turns"), k.Turns, 1)
	if k.Turns > 1 {
		v.atLeast(tomlfile.Join(path, "question_tokens"), k.QuestionTokens, 1)
		if len(k.PromptTokens) != 1 || len(k.OutputTokens) != 1 {
			v.Add(tomlfile.Join(path, "turns"), "want one prompt length and one output length for conversations")
		}
	}
}

func (v *validator) slots(path string, s Slots) {
	v.grid(path, s.Grid)
	tool := string(Native)
	v.baseURL(tool, s.BaseURL)
	v.atLeast(tomlfile.Join(tool, "repetitions"), s.Repetitions, 1)
	v.atLeast(tomlfile.Join(tool, "rounds"), s.Rounds, 1)
	v.atLeast(tomlfile.Join(tool, "warmup_tokens"), s.WarmupTokens, 0)
	v.texts(path, s.Texts)
}

func (k OpenLoop) check(v *validator, path string) {
	v.baseURL(string(Native), k.BaseURL)
	v.atLeast(tomlfile.Join(string(Native), "warmup_tokens"), k.WarmupTokens, 0)
	v.atLeast(tomlfile.Join(path, "stop_p95_ttft_ms"), k.StopP95TTFT, 0)
	v.arrivals(path, k.Arrivals, FromTexts)
	if k.Dataset == FromTexts {
		v.texts(path, k.Texts)
	}
}

// texts checks the names of texts; whether there are such texts is known where
// prompts are made.
func (v *validator) texts(path string, names []string) {
	if len(names) == 0 {
		v.Add(tomlfile.Join(path, "texts"), "want at least one text")
	}
	for i, name := range names {
		v.match(tomlfile.Join(path, "texts"), name, slugPattern, "lower-case words joined by hyphens")
		if slices.Contains(names[:i], name) {
			v.Add(tomlfile.Join(path, "texts"), "%q stands there twice", name)
		}
	}
}

func (s Slots) commands(c *Contract, t Test, names Names) []Command {
	return ownCommand(c, t, s.BaseURL, names)
}

func (k OpenLoop) commands(c *Contract, t Test, names Names) []Command {
	return ownCommand(c, t, k.BaseURL, names)
}

// ownCommand is the command of a test that Arena measures itself: the contract
// holds its parameters, so the command only names it.
func ownCommand(c *Contract, t Test, baseURL string, names Names) []Command {
	a := argv{"arena", "bench"}
	a.flag("contract", c.Version)
	a.flag("only", t.Slug)
	a.flag("base-url", baseURL)
	if t.FromFile() {
		a.flag("sharegpt", ShareGPTPlaceholder)
	}
	a.flag("model", names.Model)
	a.flag("served-model-name", names.ServedName)
	return []Command{{Argv: a}}
}

func (s Slots) program(words []string) (string, int)    { return ownProgram(words) }
func (k OpenLoop) program(words []string) (string, int) { return ownProgram(words) }

func ownProgram(words []string) (version string, n int) {
	if len(words) >= 2 && path.Base(words[0]) == "arena" && words[1] == "bench" {
		return "", 2
	}
	return "", 0
}
