package llamabenchy

import (
	"fmt"
	"slices"
	"strconv"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest/scan"
)

// A cellKey is what tells the cells of a run apart. A size that is not known is 0.
type cellKey struct {
	prompt, output, depth, concurrency int
	context                            bool
}

// fits reports whether two keys can mean the same cell.
func (k cellKey) fits(o cellKey) bool {
	same := func(a, b int) bool { return a == 0 || b == 0 || a == b }
	return same(k.prompt, o.prompt) && same(k.output, o.output) &&
		k.depth == o.depth && k.concurrency == o.concurrency && k.context == o.context
}

// keyOf returns the key of a cell of a report.
func keyOf(c bundle.Cell) cellKey {
	return cellKey{c.PromptTokens, c.OutputTokens, c.DepthTokens, c.Concurrency, c.Phase == contextPhase}
}

// contextPhase marks the context load of a run with prefix caching.
const contextPhase = "context"

// A rowPair is the rows of one cell. Either may be missing: the tool prints no
// pp row when the latency that it subtracts exceeds every response time.
type rowPair struct {
	key    cellKey
	pp, tg *labelledRow
}

// pairRows joins the rows of each cell by position: a tg row belongs to the pp
// row right before it. Labels alone do not tell, since "tg256 (c1)" stands once
// per prompt size.
func pairRows(rows []labelledRow) []rowPair {
	var pairs []rowPair
	for i := range rows {
		r := &rows[i]
		key := cellKey{depth: r.label.depth, concurrency: max(1, r.label.concurrency), context: r.label.context}
		if !r.label.generation {
			key.prompt = r.label.tokens
			pairs = append(pairs, rowPair{key: key, pp: r})
			continue
		}
		key.output = r.label.tokens
		if n := len(pairs); n > 0 && pairs[n-1].tg == nil && pairs[n-1].key.fits(key) {
			pairs[n-1].tg, pairs[n-1].key.output = r, r.label.tokens
			continue
		}
		pairs = append(pairs, rowPair{key: key, tg: r})
	}
	return pairs
}

// align places keys, in order, among wanted ones. A key that could stand in
// several places gets -1, and so does every key when they do not fit at all.
func align(keys, wanted []cellKey) []int {
	first, last := make([]int, len(keys)), make([]int, len(keys))
	j := 0
	for i, k := range keys {
		for j < len(wanted) && !k.fits(wanted[j]) {
			j++
		}
		first[i] = j
		j++
	}
	j = len(wanted) - 1
	for i, k := range slices.Backward(keys) {
		for j >= 0 && !k.fits(wanted[j]) {
			j--
		}
		last[i] = j
		j--
	}
	at := make([]int, len(keys))
	for i := range keys {
		at[i] = -1
		if first[i] == last[i] {
			at[i] = first[i]
		}
	}
	return at
}

// cell builds the cell of a pair.
func (p rowPair) cell() bundle.Cell {
	c := newCell(p.key)
	for _, r := range []*labelledRow{p.pp, p.tg} {
		if r != nil {
			c.Reported = append(c.Reported, r.figures...)
			c.Notes = append(c.Notes, r.notes...)
		}
	}
	return c
}

// newCell returns a cell without figures.
func newCell(key cellKey) bundle.Cell {
	c := bundle.Cell{
		PromptTokens: key.prompt,
		OutputTokens: key.output,
		DepthTokens:  key.depth,
		Concurrency:  key.concurrency,
	}
	if key.context {
		c.Phase = contextPhase
	}
	return c
}

// A plannedCell is a cell that the log says was run, and how that went.
type plannedCell struct {
	key    cellKey
	runs   int // planned batches
	done   int // the last measured batch that was started
	failed int // requests of measured batches that failed
	err    string
}

// cell builds a cell without figures: how many batches and requests were made,
// and how many failed, since the tool prints a line for each failure.
func (p plannedCell) cell() bundle.Cell {
	c := newCell(p.key)
	c.Runs = p.done
	if p.done == 0 {
		c.Error = p.err
	}
	if p.done < p.runs {
		c.Notes = append(c.Notes, bundle.NewNote(bundle.NoteRunsIncomplete, "done", strconv.Itoa(p.done), "planned", strconv.Itoa(p.runs)))
	}
	planned := p.done * c.Concurrency
	completed, failed := planned-p.failed, p.failed
	if planned <= 0 || planned > scan.MaxCount || completed < 0 {
		return c // the log says nothing, or contradicts itself
	}
	c.Requests = &bundle.Requests{Planned: &planned, Completed: &completed, Failed: &failed}
	if completed == 0 {
		c.Error = p.err
	}
	return c
}

// String writes a key as the tool labels its rows.
func (k cellKey) String() string {
	size := func(n int) string {
		if n == 0 {
			return "?"
		}
		return strconv.Itoa(n)
	}
	s := fmt.Sprintf("pp%s tg%s @ d%d (c%d)", size(k.prompt), size(k.output), k.depth, k.concurrency)
	if k.context {
		s = "context of " + s
	}
	return s
}

// describeKeys lists the first cells of a report.
func describeKeys(keys []cellKey) string {
	const most = 6
	s := ""
	for i, k := range keys {
		if i == most {
			return s + fmt.Sprintf(" and %d more", len(keys)-most)
		}
		if i > 0 {
			s += ", "
		}
		s += k.String()
	}
	return s
}
