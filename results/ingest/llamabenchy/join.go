package llamabenchy

import (
	"fmt"
	"slices"
	"strconv"

	"example.org/arena/results/bundle"
	"example.org/arena/results/tomlfile"
)

// cells joins the cells by what they measured.
func (m *merger) cells() {
	if len(m.b.cells) == 0 {
		return
	}
	if len(m.a.cells) == 0 {
		m.out.cells, m.out.planned = m.b.cells, m.b.planned
		return
	}
	ka, kb := keysOf(m.a.cells), keysOf(m.b.cells)
	m.out.planned = m.a.planned && m.b.planned
	if at, ok := fit(ka, kb); ok {
		m.into(at, m.b.planned)
		return
	}
	if at, ok := fit(kb, ka); ok && !m.b.planned {
		m.out.cells = slices.Clone(m.a.cells)
		for i, j := range at {
			if j >= 0 {
				m.out.cells[j] = m.join(m.a.cells[j], m.b.cells[i])
			}
		}
		return
	}
	if m.b.planned {
		m.faults = append(m.faults, tomlfile.Fault{
			File: m.a.File, Line: m.a.Line, Key: "test",
			Message: fmt.Sprintf("the table shows %s, but the command asks for %s", describeKeys(ka), describeKeys(kb)),
			Hint:    "give the table together with the command that measured it, or without one",
		})
		return
	}
	m.differ("cells", describeKeys(ka), describeKeys(kb))
}

// into joins the cells of a into those of b, which has at least as many. Cells
// that only b has stay, unless b lists nothing but what was asked for.
func (m *merger) into(at []int, planned bool) {
	m.out.cells = nil
	next := 0
	certain := !slices.Contains(at, -1)
	for i, j := range at {
		for ; certain && !planned && next < j; next++ {
			m.out.cells = append(m.out.cells, m.b.cells[next])
		}
		if j < 0 {
			m.out.cells = append(m.out.cells, m.a.cells[i])
			continue
		}
		m.out.cells = append(m.out.cells, m.join(m.a.cells[i], m.b.cells[j]))
		next = j + 1
	}
	if certain && !planned {
		m.out.cells = append(m.out.cells, m.b.cells[next:]...)
	}
}

// fit places keys among wanted ones and reports whether they fit at all.
func fit(keys, wanted []cellKey) ([]int, bool) {
	j := 0
	for _, k := range keys {
		for j < len(wanted) && !k.fits(wanted[j]) {
			j++
		}
		if j++; j > len(wanted) {
			return nil, false
		}
	}
	return align(keys, wanted), true
}

func keysOf(cells []bundle.Cell) []cellKey {
	keys := make([]cellKey, len(cells))
	for i, c := range cells {
		keys[i] = keyOf(c)
	}
	return keys
}

// join joins two accounts of one cell.
func (m *merger) join(a, b bundle.Cell) bundle.Cell {
	key := keyOf(a)
	name := key.String()
	out := a
	out.PromptTokens = max(a.PromptTokens, b.PromptTokens)
	out.OutputTokens = max(a.OutputTokens, b.OutputTokens)
	out.Runs = m.joinRuns(name, a.Runs, b.Runs)
	if out.Error == "" {
		out.Error = b.Error
	}
	out.Requests = m.joinRequests(name, a.Requests, b.Requests)
	if out.Tokens == nil {
		out.Tokens = b.Tokens
	}
	out.Notes = slices.Clone(a.Notes)
	for _, n := range b.Notes {
		if !slices.ContainsFunc(out.Notes, func(o bundle.Note) bool { return o.Code == n.Code }) {
			out.Notes = append(out.Notes, n)
		}
	}
	out.Reported = slices.Clone(a.Reported)
	for _, fig := range b.Reported {
		i := slices.IndexFunc(out.Reported, func(o bundle.Figure) bool { return o.Metric == fig.Metric })
		if i < 0 {
			out.Reported = append(out.Reported, fig)
			continue
		}
		out.Reported[i] = m.joinFigure(name, out.Reported[i], fig)
	}
	return out
}

// joinRuns joins two counts of batches. JSON shows only batches that gave a
// result; the log shows all.
func (m *merger) joinRuns(name string, a, b int) int {
	switch {
	case a == 0 || m.b.fromLog && b > a:
		return b
	case b == 0 || a == b || m.a.fromLog && a > b:
		return a
	}
	m.differ(name+" runs", strconv.Itoa(a), strconv.Itoa(b))
	return a
}

func (m *merger) joinRequests(name string, a, b *bundle.Requests) *bundle.Requests {
	if a == nil || b == nil {
		if a == nil {
			return b
		}
		return a
	}
	return &bundle.Requests{
		Planned:   m.count(name+" planned requests", a.Planned, b.Planned),
		Completed: m.count(name+" completed requests", a.Completed, b.Completed),
		Failed:    m.count(name+" failed requests", a.Failed, b.Failed),
	}
}

// joinFigure joins two accounts of one figure: the finer one stays.
func (m *merger) joinFigure(name string, a, b bundle.Figure) bundle.Figure {
	what := name + " " + a.Name
	digits := min(m.a.digits, m.b.digits)
	m.number(what, meanOf(a), meanOf(b), digits)
	m.number(what+" deviation", a.Std, b.Std, digits)
	if len(a.Values) == 0 && len(b.Values) > 0 && b.Mean != nil || len(a.Values) == len(b.Values) && m.b.digits > m.a.digits {
		return b
	}
	if len(a.Values) == 0 && len(b.Values) > 0 {
		a.Values = b.Values
	}
	return a
}

// meanOf returns a figure's mean, or that of its samples.
func meanOf(fig bundle.Figure) *float64 {
	if fig.Mean != nil || len(fig.Values) == 0 {
		return fig.Mean
	}
	sum := 0.0
	for _, v := range fig.Values {
		sum += v
	}
	mean := sum / float64(len(fig.Values))
	return &mean
}
