package report

import (
	"fmt"

	"example.org/arena/results/audit"
	"example.org/arena/results/bundle"
	"example.org/arena/results/verdict"
	"example.org/arena/site/format"
)

// test returns what a deployment measured of a test.
func (d *deployment) test(slug string) (*verdict.Test, error) {
	for i := range d.run.Verdict.Tests {
		if s := &d.run.Verdict.Tests[i]; s.Slug == slug && s.Test != nil && len(s.Test.Cells) > 0 {
			return s, nil
		}
	}
	return nil, fmt.Errorf("%s has no measurement of test %q", d.id, slug)
}

// cell returns the one cell of a test at a point.
func (d *deployment) cell(slug string, at audit.Point) (*verdict.Test, int, error) {
	s, err := d.test(slug)
	if err != nil {
		return nil, 0, err
	}
	found := -1
	for i := range s.Test.Cells {
		switch {
		case !fits(audit.PointOf(&s.Test.Cells[i]), at):
		case found >= 0:
			return nil, 0, fmt.Errorf("several cells of %s lie at that point in test %s", d.id, slug)
		default:
			found = i
		}
	}
	if found < 0 {
		return nil, 0, fmt.Errorf("%s measured nothing at that point in test %s", d.id, slug)
	}
	return s, found, nil
}

// fits reports whether a cell has every parameter that a point states.
func fits(cell, at audit.Point) bool {
	return (at.Concurrency == 0 || at.Concurrency == cell.Concurrency) &&
		(at.PromptTokens == 0 || at.PromptTokens == cell.PromptTokens) &&
		(at.RequestRate == 0 || at.RequestRate == cell.RequestRate)
}

// at returns a value of a cell. An unknown or excluded one is an error.
func (d *deployment) at(a arguments) (verdict.Value, error) {
	s, i, err := d.cell(a.test, a.point)
	if err != nil {
		return verdict.Value{}, err
	}
	v := s.Value(i, a.metric, a.statistic)
	switch {
	case !v.Known:
		return v, fmt.Errorf("%s of %s is unknown: %s", a.metric, d.id, v.Missing)
	case len(v.Excluded) > 0:
		return v, fmt.Errorf("%s of %s is excluded: %s", a.metric, d.id, v.Excluded[0].Code)
	}
	return v, nil
}

// value is one number of a cell, with its unit.
func (w *writer) value(a arguments) (string, error) {
	v, err := a.deployment.at(a)
	if err != nil {
		return "", err
	}
	return format.Quantity(w.p, v), nil
}

// ratio is the variant's number as a multiple of the base's.
func (w *writer) ratio(a arguments) (string, error) {
	x, err := ratioAt(a)
	return w.p.Multiple(x, ratioDigits), err
}

// change is how much the variant's number differs from the base's, in percent.
func (w *writer) change(a arguments) (string, error) {
	x, err := ratioAt(a)
	return w.p.SignedPercent(x-1, 0), err
}

// ratioDigits are the decimals of a ratio.
const ratioDigits = 2

func ratioAt(a arguments) (float64, error) {
	base, err := a.pair.base.at(a)
	if err != nil {
		return 0, err
	}
	variant, err := a.pair.variant.at(a)
	if err != nil {
		return 0, err
	}
	if base.Number == 0 {
		return 0, fmt.Errorf("%s of %s is zero", a.metric, a.pair.base.id)
	}
	return variant.Number / base.Number, nil
}

// requests is how many requests a cell sent.
func (w *writer) requests(a arguments) (string, error) {
	n, err := a.deployment.sent(a)
	return w.p.Integer(int64(n)), err
}

// window is how long the requests of an open-loop cell took to arrive.
func (w *writer) window(a arguments) (string, error) {
	s, i, err := a.deployment.cell(a.test, a.point)
	if err != nil {
		return "", err
	}
	seconds, ok := arrivals(&s.Test.Cells[i])
	if !ok {
		return "", fmt.Errorf("test %s of %s is no open loop with a known number of requests", a.test, a.deployment.id)
	}
	return w.p.Seconds(seconds), nil
}

// tokensIn and tokensOut are the mean numbers of tokens of a completed request.
func (w *writer) tokensIn(a arguments) (string, error) {
	return w.perRequest(a, func(t *bundle.Tokens) *int64 { return t.Input })
}

func (w *writer) tokensOut(a arguments) (string, error) {
	return w.perRequest(a, func(t *bundle.Tokens) *int64 { return t.Output })
}

func (w *writer) perRequest(a arguments, of func(*bundle.Tokens) *int64) (string, error) {
	s, i, err := a.deployment.cell(a.test, a.point)
	if err != nil {
		return "", err
	}
	c := &s.Test.Cells[i]
	completed, _, ok := c.Requests.Ended(0)
	if !ok || completed == 0 || c.Tokens == nil || of(c.Tokens) == nil {
		return "", fmt.Errorf("%s does not say how many tokens the requests of test %s have", a.deployment.id, a.test)
	}
	return w.p.Number(float64(*of(c.Tokens))/float64(completed), 0), nil
}

func (d *deployment) sent(a arguments) (int, error) {
	s, i, err := d.cell(a.test, a.point)
	if err != nil {
		return 0, err
	}
	_, total, ok := s.Test.Cells[i].Requests.Ended(0)
	if !ok {
		return 0, fmt.Errorf("%s does not say how many requests test %s sent", d.id, a.test)
	}
	return total, nil
}

// arrivals returns the seconds in which the requests of an open-loop cell arrive,
// on average: their number divided by their rate.
func arrivals(c *bundle.Cell) (seconds float64, ok bool) {
	_, total, known := c.Requests.Ended(0)
	if !known || c.RequestRate == nil || *c.RequestRate <= 0 {
		return 0, false
	}
	return float64(total) / float64(*c.RequestRate), true
}

// weights is the size of a deployment's weights.
func (w *writer) weights(a arguments) (string, error) {
	m := a.deployment.run.Memory
	if !m.Known {
		return "", fmt.Errorf("the weights of %s are unknown", a.deployment.id)
	}
	return w.p.Bytes(m.WeightBytes), nil
}

// weightsRatio is the size of the base's weights as a multiple of the variant's.
func (w *writer) weightsRatio(a arguments) (string, error) {
	base, variant := a.pair.base.run.Memory, a.pair.variant.run.Memory
	if !base.Known || !variant.Known || variant.WeightBytes <= 0 {
		return "", fmt.Errorf("the weights of pair %s are unknown", a.pair.id)
	}
	return w.p.Multiple(base.WeightBytes/variant.WeightBytes, 1), nil
}

// memory is what a model can use of the machine's memory.
func (w *writer) memory(a arguments) (string, error) {
	m := a.deployment.run.Memory
	if m.Usable == nil {
		return "", fmt.Errorf("the memory behind %s is unknown", a.deployment.id)
	}
	return w.p.Bytes(m.Usable.Value), nil
}
