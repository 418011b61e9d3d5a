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
		if t.ClosedLoop != nil {
			closed++
			runs, rounds, warmup = t.ClosedLoop.Runs, t.ClosedLoop.Rounds, t.ClosedLoop.WarmupTokens
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
	if l := t.ClosedLoop; l != nil {
		v.Depth, v.Concurrency, v.Runs = w.integers(l.DepthTokens), w.integers(l.Concurrency), w.p.Integer(int64(l.Runs))
		v.Turns, v.Question, v.Texts = w.p.Integer(int64(l.Turns)), w.p.Integer(int64(l.QuestionTokens)), w.texts(l.Texts)
		v.LastPrompt = w.p.Integer(int64(lastPrompt(l)))
		return v
	}
	l := t.OpenLoop
	v.Texts, v.Stop = w.texts(l.Texts), format.ExactMilliseconds(w.p, float64(l.StopP95TTFT))
	v.Input, v.Output = w.p.Integer(int64(l.InputTokens)), w.p.Integer(int64(l.OutputTokens))
	v.Burstiness = format.ExactNumber(w.p, l.Burstiness)
	v.MaxConcurrency = w.p.Integer(int64(l.MaxConcurrency))
	v.Rate = w.p.Rate(l.Rungs[0].RequestRate)
	v.Requests = w.p.Integer(int64(l.Rungs[0].Prompts))
	v.Rates = w.rateNumbers(l)
	return v
}
