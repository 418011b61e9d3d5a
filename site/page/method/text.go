package method

import (
	"html/template"
	"slices"
	"strconv"

	"example.org/arena/content"
	"example.org/arena/results/contract"
	"example.org/arena/site/format"
)

// prose reads a text in the language of the page, with the values that it names.
func (w writer) prose(s content.Section, name string, values any) (template.HTML, error) {
	return w.site.Prose(s, name, string(w.p.Lang()), values)
}

// versioned returns the name of the text that speaks of the contract. What holds
// of all versions has a plain name; where a version differs it has a text of its
// own, <name>-<version>, which then holds of later ones too.
func (w writer) versioned(s content.Section, name string) string {
	all := w.site.Content.Contracts
	for _, c := range slices.Backward(all[:slices.Index(all, w.contract)+1]) {
		own := name + "-" + c.Version
		if _, ok := w.site.Content.Text(s, own, string(w.p.Lang())); ok {
			return own
		}
	}
	return name
}

// changesText says why this version differs from the one before it, empty for one
// that does not explain itself.
func (w writer) changesText() (template.HTML, error) {
	name := "method-changes-" + w.contract.Version
	if _, ok := w.site.Content.Text(content.Pages, name, string(w.p.Lang())); !ok {
		return "", nil
	}
	return w.prose(content.Pages, name, w.values())
}

// methodValues are the numbers that the texts of a method page may name.
type methodValues struct {
	Version, Tests, Closed, Open, Runs, Rounds, Warmup, Seed, Threshold string
}

// values writes the numbers for the texts of the page.
func (w writer) values() methodValues {
	closed, runs, rounds, warmup := 0, 0, 0, 0
	for _, t := range w.contract.Tests {
		if t.Closed() {
			closed++
			s, _ := t.Slots()
			runs, rounds, warmup = t.Runs(), s.Rounds, s.WarmupTokens
		}
	}
	return methodValues{
		Version:   w.contract.Version,
		Tests:     w.p.Integer(int64(len(w.contract.Tests))),
		Closed:    w.p.Integer(int64(closed)),
		Open:      w.p.Integer(int64(len(w.contract.Tests) - closed)),
		Runs:      w.p.Integer(int64(runs)),
		Rounds:    w.p.Integer(int64(rounds)),
		Warmup:    w.p.Integer(int64(warmup)),
		Seed:      strconv.FormatInt(w.contract.Seed, 10),
		Threshold: w.p.Percent(w.contract.SuccessThreshold, 0),
	}
}

// benchmarkValues are the numbers that a test's text may name.
type benchmarkValues struct {
	Prompt, Output, Depth, Concurrency, Runs                 string
	Turns, Question, LastPrompt, Texts                       string
	Input, Rate, Rates, Burstiness, Requests, MaxConcurrency string
	Stop                                                     string
}

// benchmarkValues writes the numbers for the text about a test.
func (w writer) benchmarkValues(t contract.Test) benchmarkValues {
	var v benchmarkValues
	v.Prompt, v.Output = w.lengths(t)
	v.Texts = w.texts(t.Texts())
	if g, closed := t.Grid(); closed {
		talk, _ := t.Kind.(contract.Conversations)
		v.Depth, v.Concurrency, v.Runs = w.integers(g.DepthTokens), w.integers(g.Concurrency), w.p.Integer(int64(t.Runs()))
		v.Turns, v.Question = w.p.Integer(int64(t.Turns())), w.p.Integer(int64(talk.QuestionTokens))
		v.LastPrompt = w.p.Integer(int64(talk.LastPrompt()))
		return v
	}
	a, _ := t.Arrivals()
	v.Stop = format.ExactMilliseconds(w.p, float64(t.StopP95TTFT()))
	v.Input, v.Output = w.p.Integer(int64(a.InputTokens)), w.p.Integer(int64(a.OutputTokens))
	v.Burstiness = format.ExactNumber(w.p, a.Burstiness)
	v.MaxConcurrency = w.p.Integer(int64(a.MaxConcurrency))
	v.Rate = w.p.Rate(a.Rungs[0].RequestRate)
	v.Requests = w.p.Integer(int64(a.Rungs[0].Prompts))
	v.Rates = w.rateNumbers(a)
	return v
}
