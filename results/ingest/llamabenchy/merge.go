package llamabenchy

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest/scan"
	"example.org/arena/results/tomlfile"
)

// Merge joins several reports of the same run: a table and the log
// around it, a JSON document, a progress stream. What only one says is taken
// from it. Named things that two say (tool and version, model, latency, cells,
// counts, figures) must agree, figures within the rounding of the coarser one;
// where they do not, the error shows both. Other text becomes a note.
func Merge(reports ...Report) (Report, error) {
	if len(reports) == 0 {
		return Report{}, nil
	}
	out := reports[0]
	var all tomlfile.Faults
	for _, r := range reports[1:] {
		joined, faults := mergeTwo(out, r)
		all = append(all, faults...)
		out = joined
	}
	if len(all) > 0 {
		return Report{}, all
	}
	out.settle(0, 0)
	return out, nil
}

// A merger joins two reports and collects where they differ.
type merger struct {
	a, b   Report
	out    Report
	faults tomlfile.Faults
}

// mergeTwo joins two reports without settling the result.
func mergeTwo(a, b Report) (Report, tomlfile.Faults) {
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
		m.addNote(bundle.NewNote(bundle.NoteTextDiffers, "what", "command", "first", fmt.Sprint(m.a.Argv), "second", fmt.Sprint(m.b.Argv)))
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
		m.addNote(bundle.NewNote(bundle.NoteTextDiffers, "what", what, "first", a, "second", b))
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
		m.differ(what, scan.Shortest(*a), scan.Shortest(*b))
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
	m.faults = append(m.faults, tomlfile.Fault{
		File: m.a.File, Line: m.a.Line, Key: what,
		Message: fmt.Sprintf("%s here, but %s in %s:%d", a, b, m.b.File, m.b.Line),
		Hint:    "import only the one that is right, or give the two runs tests of their own",
	})
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
