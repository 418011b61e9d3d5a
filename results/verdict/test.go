package verdict

import (
	"example.org/arena/results/audit"
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/metric"
)

// A Test is what became of a test.
type Test struct {
	Status
	Spec    *contract.Test  // nil for a test that the contract does not have
	Test    *bundle.Test    // nil when the bundle has no such test
	Missing []contract.Cell // cells of the contract that were not measured
	Cells   []int           // per contract cell its index in Test.Cells, or -1

	findings []audit.Finding // about the test or the whole bundle
}

// A Status is what became of a test, without its figures.
type Status struct {
	Slug         string
	Number       int // in the contract, from 1; 0 for a test it does not have
	Completeness contract.Completeness
	Stopped      *bundle.Stop // why it stopped early, when the bundle says so
	Planned      int          // cells of the contract
	Measured     int          // cells of the contract that were measured; of a test it does not have, all
	Success      Success
	Counts       bool     // whether its values may rank
	Reasons      []Reason // why it does not count
}

// Success is how the requests of a test ended.
type Success struct {
	Known     bool
	Completed int
	Requests  int     // completed and failed, or planned where the source says so
	Share     float64 // Completed / Requests, in [0,1]
	Threshold float64 // the contract's, in [0,1]; 0 when there is none
}

// slack keeps a share that equals its threshold from falling below it by the
// last bit of a division.
const slack = 1e-9

// tests returns what became of every test of the contract, in its order, and then
// of the tests that only the bundle has.
func (r *Run) tests() []Test {
	var out []Test
	known := map[string]bool{}
	if r.Contract != nil {
		for i := range r.Contract.Tests {
			spec := &r.Contract.Tests[i]
			known[spec.Slug] = true
			out = append(out, testOf(r.Bundle.Test(spec.Slug), spec, r.Contract.SuccessThreshold))
		}
	}
	for i := range r.Bundle.Tests {
		t := &r.Bundle.Tests[i]
		if !known[t.Slug] {
			known[t.Slug] = true
			out = append(out, outside(t))
		}
	}
	for i := range out {
		for _, f := range r.Findings {
			if f.Test == "" || f.Test == out[i].Slug {
				out[i].findings = append(out[i].findings, f)
			}
		}
	}
	return out
}

// testOf compares a test of the bundle, which may be nil, with the contract's.
func testOf(t *bundle.Test, spec *contract.Test, threshold float64) Test {
	cells := spec.Cells()
	s := Test{Status: Status{Slug: spec.Slug, Number: spec.Number, Planned: len(cells)}, Spec: spec, Test: t}
	for range cells {
		s.Cells = append(s.Cells, -1)
	}
	var measured []contract.Cell
	var at []int
	if t != nil {
		s.Stopped = t.Stopped
		measured, at = measuredCells(t, cells)
	}
	cov := spec.Match(measured)
	for i, place := range cov.Index {
		if place >= 0 {
			s.Cells[place] = at[i]
		}
	}
	s.Completeness, s.Missing, s.Measured = cov.Completeness(), cov.Missing, len(cov.Present)
	s.Success = successOf(t, s.Cells, cells)
	s.Success.Threshold = threshold
	s.Reasons = s.notCounting()
	s.Counts = len(s.Reasons) == 0
	return s
}

// measuredCells returns the cells of the test that have figures or failed
// requests, as the contract words them, and their places in the test.
func measuredCells(t *bundle.Test, want []contract.Cell) (cells []contract.Cell, at []int) {
	for i := range t.Cells {
		c := &t.Cells[i]
		if c.Phase != "" || !measured(c) {
			continue
		}
		cells = append(cells, asContract(c, want))
		at = append(at, i)
	}
	return cells, at
}

// measured reports whether requests of the cell were sent and their end recorded.
func measured(c *bundle.Cell) bool {
	return len(c.Reported) > 0 || c.Requests != nil && c.Requests.Completed != nil
}

// asContract returns the cell's parameters. A source that names no rate can only
// have measured a test with a single one; one that names no concurrency sent one
// request at a time.
func asContract(c *bundle.Cell, want []contract.Cell) contract.Cell {
	out := contract.Cell{
		PromptTokens: c.PromptTokens,
		OutputTokens: c.OutputTokens,
		DepthTokens:  c.DepthTokens,
		Concurrency:  c.Concurrency,
	}
	isOpen := len(want) > 0 && want[0].Concurrency == 0
	switch {
	case c.RequestRate != nil:
		out.RequestRate = float64(*c.RequestRate)
	case isOpen && len(want) == 1:
		out.RequestRate = want[0].RequestRate
	case !isOpen && out.Concurrency == 0:
		out.Concurrency = 1
	}
	if isOpen {
		out.Concurrency, out.DepthTokens = 0, 0
	}
	return out
}

// successOf adds up how the requests of the contract's cells ended.
func successOf(t *bundle.Test, cells []int, want []contract.Cell) Success {
	var s Success
	for i, cell := range cells {
		if cell < 0 {
			continue
		}
		done, total, ok := t.Cells[cell].Requests.Ended(want[i].Prompts)
		if !ok {
			return Success{}
		}
		s.Known = true
		s.Completed += done
		s.Requests += total
	}
	if s.Known {
		s.Share = float64(s.Completed) / float64(s.Requests)
	}
	return s
}

// notCounting returns why the values of the test do not rank.
func (s Test) notCounting() []Reason {
	switch {
	case s.Completeness == contract.NoData:
		return []Reason{{Code: ReasonNoData}}
	case !s.Spec.SuccessCounts():
		return nil
	case !s.Success.Known:
		return []Reason{{Code: ReasonSuccessUnknown}}
	case s.Success.Share < s.Success.Threshold-slack:
		return []Reason{{Code: ReasonBelowThreshold, Args: s.Success.args()}}
	}
	return nil
}

func (s Success) args() []audit.Arg {
	return []audit.Arg{
		{Name: "completed", Number: float64(s.Completed), Unit: metric.Requests},
		{Name: "requests", Number: float64(s.Requests), Unit: metric.Requests},
		{Name: "share", Number: s.Share, Unit: metric.Ratio},
		{Name: "threshold", Number: s.Threshold, Unit: metric.Ratio},
	}
}

// outside returns the status of a test that the contract does not have: nothing
// says when it would be complete, and it does not rank.
func outside(t *bundle.Test) Test {
	s := Test{Status: Status{Slug: t.Slug, Stopped: t.Stopped, Reasons: []Reason{{Code: ReasonNoContract}}}, Test: t}
	for i := range t.Cells {
		if measured(&t.Cells[i]) {
			s.Measured++
		}
	}
	if s.Measured == 0 {
		s.Completeness = contract.NoData
	}
	return s
}
