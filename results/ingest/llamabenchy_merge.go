package ingest

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"example.org/arena/results/bundle"
)

// MergeReports joins several reports of the same run: a table and the log
// around it, a JSON document, a progress stream. What only one says is taken
// from it. Named things that two say (tool and version, model, latency, cells,
// counts, figures) must agree, figures within the rounding of the coarser one;
// where they do not, the error shows both. Other text becomes a note.
func MergeReports(reports ...Report) (Report, error) {
	if len(reports) == 0 {
		return Report{}, nil
	}
	out := reports[0]
	var all Faults
	for _, r := range reports[1:] {
		joined, faults := mergeTwo(out, r)
		all = append(all, faults...)
		out = joined
	}
	if len(all) > 0 {
		return Report{}, all
	}
	out.settle()
	return out, nil
}

// A merger joins two reports and collects where they differ.
type merger struct {
	a, b   Report
	out    Report
	faults Faults
}

// mergeTwo joins two reports without settling the result.
func mergeTwo(a, b Report) (Report, Faults) {
	m := merger{a: a, b: b, out: a}
	m.out.Tool.Name = m.text("tool", a.Tool.Name, b.Tool.Name)
	m.out.Tool.Version = m.text("version", a.Tool.Version, b.Tool.Version)
	m.out.Model = m.text("model", a.Model, b.Model)
	m.out.LatencyMode = m.text("latency mode", a.LatencyMode, b.LatencyMode)
	m.out.TokenizerFallback = m.text("tokenizer", a.TokenizerFallback, b.TokenizerFallback)
	m.number("latency", a.LatencyMS, b.LatencyMS, min(a.latencyDigits, b.latencyDigits))
	if a.LatencyMS == nil || b.LatencyMS != nil && b.latencyDigits > a.latencyDigits {
		m.out.LatencyMS, m.out.latencyDigits = b.LatencyMS, b.latencyDigits
	}
	m.out.CorpusTokens = max(a.CorpusTokens, b.CorpusTokens)
	m.out.PrefixCaching = a.PrefixCaching || b.PrefixCaching
	m.out.Status = m.text("status", a.Status, b.Status)
	m.out.StartUnix = max(a.StartUnix, b.StartUnix)
	m.out.digits = max(a.digits, b.digits)
	if a.fromLog {
		m.out.digits = b.digits
	} else if b.fromLog {
		m.out.digits = a.digits
	}
	m.out.fromLog = a.fromLog && b.fromLog
	if m.out.savedTo == "" {
		m.out.savedTo = b.savedTo
	}
	m.notes()
	m.cells()
	return m.out, m.faults
}

// notes joins the notes, and the texts whose difference is only worth a note.
func (m *merger) notes() {
	m.out.Notes = slices.Clone(m.a.Notes)
	for _, n := range m.b.Notes {
		m.addNote(n)
	}
	m.out.Date = m.soft("date", m.a.Date, m.b.Date)
	m.out.EndDate = m.soft("end date", m.a.EndDate, m.b.EndDate)
	switch {
	case len(m.a.Argv) == 0:
		m.out.Argv = m.b.Argv
	case len(m.b.Argv) > 0 && !slices.Equal(m.a.Argv, m.b.Argv):
		m.addNote(note(bundle.NoteTextDiffers, "what", "command", "first", fmt.Sprint(m.a.Argv), "second", fmt.Sprint(m.b.Argv)))
	}
}

func (m *merger) addNote(n bundle.Note) {
	same := func(o bundle.Note) bool { return o.Code == n.Code && slices.Equal(o.Args, n.Args) }
	if !slices.ContainsFunc(m.out.Notes, same) {
		m.out.Notes = append(m.out.Notes, n)
	}
}

// soft joins two texts of which a difference is only worth a note.
func (m *merger) soft(what, a, b string) string {
	switch {
	case a == "":
		return b
	case b != "" && a != b:
		m.addNote(note(bundle.NoteTextDiffers, "what", what, "first", a, "second", b))
	}
	return a
}

// text joins two texts that must agree.
func (m *merger) text(what, a, b string) string {
	switch {
	case a == "":
		return b
	case b != "" && a != b:
		m.differ(what, strconv.Quote(a), strconv.Quote(b))
	}
	return a
}

// number checks that two numbers, where both are stated, agree to the given
// decimals.
func (m *merger) number(what string, a, b *float64, digits int) {
	if a != nil && b != nil && !agreeTo(*a, *b, digits) {
		m.differ(what, shortest(*a), shortest(*b))
	}
}

// count joins two counts that must agree.
func (m *merger) count(what string, a, b *int) *int {
	switch {
	case a == nil:
		return b
	case b != nil && *a != *b:
		m.differ(what, strconv.Itoa(*a), strconv.Itoa(*b))
	}
	return a
}

// differ records that the two reports contradict each other.
func (m *merger) differ(what, a, b string) {
	m.faults = append(m.faults, &SyntaxError{
		File: m.a.File, Line: m.a.Line, Key: what,
		Msg:  fmt.Sprintf("%s here, but %s in %s:%d", a, b, m.b.File, m.b.Line),
		Hint: "import only the one that is right, or give the two runs tests of their own",
	})
}

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
		m.faults = append(m.faults, &SyntaxError{
			File: m.a.File, Line: m.a.Line, Key: "test",
			Msg:  fmt.Sprintf("the table shows %s, but the command asks for %s", describeKeys(ka), describeKeys(kb)),
			Hint: "give the table together with the command that measured it, or without one",
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

// agreeTo reports whether two numbers can be the same one, of which one was
// rounded to the given decimals.
func agreeTo(a, b float64, digits int) bool {
	scale := math.Max(math.Abs(a), math.Abs(b))
	tolerance := float64(scale * 1e-9)
	if digits < 16 {
		tolerance += float64(0.5000001 * math.Pow10(-digits))
	}
	return math.Abs(a-b) <= tolerance
}

// shortest writes a number as briefly as it can be read back.
func shortest(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func itoa(n int) string { return strconv.Itoa(n) }

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
