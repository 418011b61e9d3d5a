package content

import (
	"path"

	"example.org/arena/results/facts"
	"example.org/arena/results/tomlfile"
)

// A Retraction takes back a published bundle: a file retractions/<SHA-256>.toml.
// The bundle itself stays, marked.
//
//	reason = "measurement_error"
//	date = "2026-11-29"
//	superseded_by = "…"   # SHA-256 of the bundle that takes its place, if any
//
//	[text]                # what happened, for readers
//	nl = "…"
//	en = "…"
//	fr = "…"
type Retraction struct {
	Bundle       string // SHA-256 of the bundle, 64 hex digits: the name of the file
	Reason       string // one of RetractionReasons
	Date         string // YYYY-MM-DD
	SupersededBy string // SHA-256 of the bundle that takes its place, empty for none
	Text         facts.Words
}

// RetractionReasons lists the reasons why a bundle may be taken back. Their
// words come from the language catalogs under "retraction.reason.<code>".
var RetractionReasons = []string{
	"measurement_error", // the numbers are wrong
	"wrong_metadata",    // the numbers belong to something else than the bundle says
	"duplicate",         // the same measurement was published twice
	"licence",           // the data may not be published
	"withdrawn",         // whoever measured took the result back
}

// ParseRetraction reads a file of retractions/. Its Bundle is the name of the
// file, so it stays empty here.
func ParseRetraction(file string, data []byte) (Retraction, error) {
	return parse(file, data, readRetraction)
}

func readRetraction(t *tomlfile.Table) Retraction {
	t.Need("reason", "date", "text")
	r := Retraction{
		Reason:       t.Str("reason"),
		Date:         t.Str("date"),
		SupersededBy: t.Str("superseded_by"),
		Text:         words(t, "text"),
	}
	checkOneOf(t, "reason", r.Reason, RetractionReasons...)
	checkDate(t, "date", r.Date, "2006-01-02")
	checkSHA256(t, "superseded_by", r.SupersededBy)
	t.Done()
	return r
}

// retractions reads the retractions, each named after its bundle.
func (l *loader) retractions() []Retraction {
	var all []Retraction
	for _, name := range l.list(retractionsDir, ".toml") {
		file := path.Join(retractionsDir, name+".toml")
		t := l.table(file)
		if t == nil {
			continue
		}
		r := readRetraction(t)
		r.Bundle = name
		if !sha256Of.MatchString(name) {
			l.fault(file, "is not named after a bundle: want 64 lower-case hex digits and .toml")
		}
		if r.SupersededBy == name {
			t.Fault("superseded_by", "a bundle cannot take its own place")
		}
		all = append(all, r)
	}
	return all
}
