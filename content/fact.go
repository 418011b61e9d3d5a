package content

import (
	"example.org/arena/results/facts"
	"example.org/arena/results/tomlfile"
)

// number reads a fact that is a number, nil when it is unknown:
//
//	[layers]
//	value = 64
//	source = "https://…"
//	status = "inferred"  # left out: stated
//	note = { nl = "…", en = "…", fr = "…" }
func number(t *tomlfile.Table, key string) *facts.Number {
	sub := optional(t, key)
	if sub == nil {
		return nil
	}
	sub.Need("value")
	n := &facts.Number{Value: sub.Number("value")}
	checkPositive(sub, "value", n.Value)
	n.Source, n.Status, n.Note = provenance(sub)
	sub.Done()
	return n
}

// whole is number for what can only be a whole number.
func whole(t *tomlfile.Table, key string) *facts.Number {
	n := number(t, key)
	if n != nil && n.Value != float64(int64(n.Value)) {
		t.Fault(key+".value", "want a whole number")
	}
	return n
}

// textFact reads a fact that is a code, a name or a date, nil when it is
// unknown.
func textFact(t *tomlfile.Table, key string, check func(*tomlfile.Table, string, string)) *facts.Text {
	sub := optional(t, key)
	if sub == nil {
		return nil
	}
	sub.Need("value")
	f := &facts.Text{Value: sub.Str("value")}
	check(sub, "value", f.Value)
	f.Source, f.Status, f.Note = provenance(sub)
	sub.Done()
	return f
}

// provenance reads where a fact comes from and how it is known.
func provenance(t *tomlfile.Table) (source string, status facts.Status, note facts.Words) {
	source = t.Str("source")
	checkSource(t, "source", source)
	status = facts.Stated
	if t.Has("status") {
		status = facts.Status(t.Str("status"))
		checkOneOf(t, "status", status, facts.Stated, facts.Measured, facts.Inferred)
	}
	note = words(t, "note")
	if status == facts.Inferred && note == nil {
		t.Fault("note", "missing key: an inferred fact says what it is inferred from")
	}
	return source, status, note
}
