package contract

import "slices"

// Completeness says how much of a test was measured.
type Completeness string

// The degrees of completeness.
const (
	Complete     Completeness = "complete"      // every cell of the contract
	StoppedEarly Completeness = "stopped_early" // some cells
	NoData       Completeness = "no_data"       // none
)

// A Coverage compares the cells that were measured with those of a test.
type Coverage struct {
	Present []Cell // of the contract, in its order
	Missing []Cell // of the contract, in its order
	Extra   []Cell // measured cells that are no cell of the contract, or one again
	Index   []int  // for each measured cell its place in Test.Cells, or -1
}

// Completeness sums the coverage up.
func (c Coverage) Completeness() Completeness {
	switch {
	case len(c.Present) == 0:
		return NoData
	case len(c.Missing) == 0:
		return Complete
	}
	return StoppedEarly
}

// Match finds the test's cells among the measured ones. Measured holds only cells
// with figures: one whose requests were never sent is not measured. A measured
// cell may leave token counts and prompts zero when its source does not state
// them; it then counts only if a single cell of the test is left that it fits.
// Depth and concurrency of a closed loop and the rate of an open loop have to be
// equal.
func (t Test) Match(measured []Cell) Coverage {
	cells := t.Cells()
	taken := make([]bool, len(cells))
	index := make([]int, len(measured))
	for i, m := range measured {
		index[i] = slices.Index(cells, m)
		if at := index[i]; at >= 0 && taken[at] {
			index[i] = -1
		} else if at >= 0 {
			taken[at] = true
		}
	}
	for i, m := range measured {
		if index[i] < 0 {
			index[i] = only(cells, taken, m)
		}
		if index[i] >= 0 {
			taken[index[i]] = true
		}
	}
	return coverage(cells, taken, measured, index)
}

// only returns the place of the only free cell that m fits, or -1.
func only(cells []Cell, taken []bool, m Cell) int {
	found := -1
	for i, c := range cells {
		if taken[i] || !m.fits(c) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}

// fits reports whether m says nothing that the contract's cell c contradicts.
func (m Cell) fits(c Cell) bool {
	agree := func(measured, want int) bool { return measured == 0 || want == 0 || measured == want }
	return m.DepthTokens == c.DepthTokens && m.Concurrency == c.Concurrency && m.RequestRate == c.RequestRate &&
		agree(m.PromptTokens, c.PromptTokens) && agree(m.OutputTokens, c.OutputTokens) && agree(m.Prompts, c.Prompts)
}

func coverage(cells []Cell, taken []bool, measured []Cell, index []int) Coverage {
	cov := Coverage{Index: index}
	for i, c := range cells {
		if taken[i] {
			cov.Present = append(cov.Present, c)
		} else {
			cov.Missing = append(cov.Missing, c)
		}
	}
	for i, m := range measured {
		if index[i] < 0 {
			cov.Extra = append(cov.Extra, m)
		}
	}
	return cov
}
