package content

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"example.org/arena/results/tomlfile"
)

// A State says how far a suggestion has come.
type State string

// The states, in the order in which a suggestion passes through them. Measured
// and Declined are final.
const (
	Proposed State = "proposed"
	Accepted State = "accepted"
	Queued   State = "queued"
	Measured State = "measured"
	Declined State = "declined"
)

// States lists the states.
var States = []State{Proposed, Accepted, Queued, Measured, Declined}

// Next returns the states that may follow s.
func (s State) Next() []State {
	switch s {
	case Proposed:
		return []State{Accepted, Declined}
	case Accepted:
		return []State{Queued, Declined}
	case Queued:
		return []State{Measured, Declined}
	case Measured, Declined:
	}
	return nil
}

// DeclineReasons lists the reasons why a suggestion may be declined. Their words
// come from the language catalogs under "suggestion.reason.<code>".
var DeclineReasons = []string{
	"does_not_fit",    // needs more memory than the platform has
	"not_supported",   // no server runs it there
	"not_available",   // the weights cannot be had
	"licence",         // its licence forbids publishing measurements
	"duplicate",       // suggested or measured already
	"out_of_scope",    // not a language model that this benchmark can measure
	"no_longer_asked", // its proposer took it back
}

// A Suggestion is somebody's wish to see a model measured: a file
// suggestions/<slug>.toml.
//
//	model = "ORG/MODEL"
//	quantisation = "nvfp4"               # left out: as published
//	vllm_args = "--max-num-seqs 64"      # left out: the defaults
//	why = "plain text, in any language"
//
//	[[history]]
//	state = "proposed"
//	date = "2026-11-29"
//
// Each change of state adds a table to the history: accepted, queued, measured
// (with the bundle's SHA-256) or declined (with a reason code).
type Suggestion struct {
	Slug         string // the name of the file: see SuggestionSlug
	Model        string // Hugging Face id
	Quantisation string // empty: as published
	VLLMArgs     string // arguments for the server, empty for the defaults
	Why          string // in the proposer's language, plain text, may be empty
	History      []Step // oldest first; the last one is the present state
}

// State returns the present state.
func (s Suggestion) State() State {
	if len(s.History) == 0 {
		return Proposed
	}
	return s.History[len(s.History)-1].State
}

// A Step is a change of state.
type Step struct {
	State  State
	Date   string // YYYY-MM-DD
	Bundle string // measured: SHA-256 of the bundle
	Reason string // declined: one of DeclineReasons
}

var (
	quantisation = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,31}$`)
	// Readers paste arguments into a shell, so nothing that ends a command, opens
	// another or hides is let through.
	vllmArgs = regexp.MustCompile(`^[A-Za-z0-9 _.,:=/+@{}\[\]"'-]+$`)
)

// SuggestionSlug returns the slug of a suggestion: one file per model and
// quantisation, so that nobody suggests the same twice.
func SuggestionSlug(model, quantisation string) string {
	s := strings.ToLower(strings.Replace(model, "/", "--", 1))
	if quantisation != "" {
		s += "--" + quantisation
	}
	return s
}

// ParseSuggestion reads a file of suggestions/. Its Slug is computed; Load
// compares it with the name of the file.
func ParseSuggestion(file string, data []byte) (Suggestion, error) {
	return parse(file, data, readSuggestion)
}

func readSuggestion(t *tomlfile.Table) Suggestion {
	t.Need("model", "history")
	s := Suggestion{
		Model:        t.Str("model"),
		Quantisation: t.Str("quantisation"),
		VLLMArgs:     t.Str("vllm_args"),
		Why:          t.Str("why"),
	}
	s.Slug = SuggestionSlug(s.Model, s.Quantisation)
	checkModelID(t, "model", s.Model)
	if t.Sound("quantisation") && !quantisation.MatchString(s.Quantisation) {
		t.Fault("quantisation", "%q is not a quantisation: want something like nvfp4", s.Quantisation)
	}
	checkArgs(t, s.VLLMArgs)
	checkProse(t, "why", s.Why, maxWhy)
	s.History = readHistory(t)
	t.Done()
	return s
}

func checkArgs(t *tomlfile.Table, s string) {
	switch {
	case !t.Sound("vllm_args"):
	case len(s) > maxArgs:
		t.Fault("vllm_args", "%d characters; at most %d are allowed", len(s), maxArgs)
	case !vllmArgs.MatchString(s) || strings.Contains(s, "://"):
		t.Fault("vllm_args", "want plain arguments: letters, digits, quotes, brackets and _.,:=/+@-, no addresses")
	}
}

// readHistory reads the steps and checks that each may follow the one before.
func readHistory(t *tomlfile.Table) []Step {
	var steps []Step
	for _, sub := range t.Subs("history") {
		sub.Need("state", "date")
		step := Step{
			State:  State(sub.Str("state")),
			Date:   sub.Str("date"),
			Bundle: sub.Str("bundle"),
			Reason: sub.Str("reason"),
		}
		checkOneOf(sub, "state", step.State, States...)
		checkDate(sub, "date", step.Date, "2006-01-02")
		checkOutcome(sub, step)
		checkOrder(sub, steps, step)
		sub.Done()
		steps = append(steps, step)
	}
	if t.Sound("history") && len(steps) == 0 {
		t.Fault("history", "empty; it starts with the state %q", Proposed)
	}
	return steps
}

// checkOutcome wants a bundle for what was measured, a reason for what was
// declined, and neither for anything else.
func checkOutcome(t *tomlfile.Table, s Step) {
	switch s.State {
	case Measured:
		t.Need("bundle")
	case Declined:
		t.Need("reason")
	case Proposed, Accepted, Queued:
	}
	if s.State != Measured && t.Has("bundle") {
		t.Fault("bundle", "only a measured suggestion has a bundle")
	}
	if s.State != Declined && t.Has("reason") {
		t.Fault("reason", "only a declined suggestion has a reason")
	}
	checkSHA256(t, "bundle", s.Bundle)
	checkOneOf(t, "reason", s.Reason, DeclineReasons...)
}

func checkOrder(t *tomlfile.Table, before []Step, s Step) {
	if len(before) == 0 {
		if s.State != Proposed {
			t.Fault("state", "a history starts with %q, not %q", Proposed, s.State)
		}
		return
	}
	last := before[len(before)-1]
	if slices.Contains(States, s.State) && !slices.Contains(last.State.Next(), s.State) {
		t.Fault("state", "%q cannot follow %q", s.State, last.State)
	}
	if s.Date < last.Date {
		t.Fault("date", "%s is before the step above, %s", s.Date, last.Date)
	}
}

// Encode returns the file of a suggestion. ParseSuggestion reads it back, or
// says what is wrong with it.
func (s Suggestion) Encode() []byte {
	var b strings.Builder
	line := func(key, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s = %s\n", key, quote(value))
		}
	}
	line("model", s.Model)
	line("quantisation", s.Quantisation)
	line("vllm_args", s.VLLMArgs)
	line("why", s.Why)
	for _, step := range s.History {
		b.WriteString("\n[[history]]\n")
		line("state", string(step.State))
		line("date", step.Date)
		line("bundle", step.Bundle)
		line("reason", step.Reason)
	}
	return []byte(b.String())
}

// quote writes a TOML string.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// suggestions reads the suggestions, each named by its slug.
func (l *loader) suggestions() []Suggestion {
	var all []Suggestion
	for _, name := range l.list(suggestionsDir, ".toml") {
		t := l.table(path.Join(suggestionsDir, name+".toml"))
		if t == nil {
			continue
		}
		s := readSuggestion(t)
		if s.Slug != name {
			t.Fault("model", "the file of this suggestion is named %s.toml", s.Slug)
		}
		all = append(all, s)
	}
	return all
}
