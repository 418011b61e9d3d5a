package content

import (
	"io/fs"
	"path"
	"time"

	"example.org/arena/results/tomlfile"
)

// Published says which bundles are published: the time at which each started, by
// its SHA-256. The time is zero where it is not known.
type Published map[string]time.Time

// CheckPublished reports retractions, and suggestions that have been measured,
// that name no published bundle or whose dates cannot be: before the bundle's own
// day, or after the day of now, counted where on Earth the day begins first. The
// error is tomlfile.Faults. Files that cannot be read are for Load to report.
func CheckPublished(fsys fs.FS, published Published, now time.Time) error {
	c := &publishedChecker{fsys: fsys, published: published, today: now.UTC().Add(14 * time.Hour).Format(time.DateOnly)}
	c.each(retractionsDir, c.retraction)
	c.each(suggestionsDir, c.suggestion)
	if len(c.faults) == 0 {
		return nil
	}
	return c.faults
}

// publishedChecker gathers the faults of files that name bundles.
type publishedChecker struct {
	fsys      fs.FS
	published Published
	today     string // YYYY-MM-DD
	faults    tomlfile.Faults
}

// each calls check for every file of a folder that is TOML.
func (c *publishedChecker) each(dir string, check func(file string, data []byte, t *tomlfile.Table)) {
	files, err := fs.Glob(c.fsys, path.Join(dir, "*.toml"))
	if err != nil {
		return
	}
	for _, file := range files {
		data, err := fs.ReadFile(c.fsys, file)
		if err != nil {
			continue
		}
		t, err := tomlfile.Decode(file, data)
		if err != nil {
			continue
		}
		check(file, data, t)
	}
}

func (c *publishedChecker) retraction(file string, data []byte, t *tomlfile.Table) {
	r, err := ParseRetraction(file, data)
	if err != nil {
		return
	}
	id := path.Base(file[:len(file)-len(".toml")])
	if !c.known(id) {
		c.faults = append(c.faults, tomlfile.Fault{File: file, Message: "retracts a bundle that is not in results/bundles"})
	}
	if r.SupersededBy != "" && !c.known(r.SupersededBy) {
		t.Fault("superseded_by", "no bundle in results/bundles has this SHA-256")
	}
	c.day(t, r.Date, id)
	c.note(t)
}

func (c *publishedChecker) suggestion(file string, data []byte, t *tomlfile.Table) {
	s, err := ParseSuggestion(file, data)
	if err != nil {
		return
	}
	for i, sub := range t.Subs("history") {
		step := s.History[i]
		if step.State == Measured && !c.known(step.Bundle) {
			sub.Fault("bundle", "no bundle in results/bundles has this SHA-256")
		}
		c.day(sub, step.Date, step.Bundle)
	}
	c.note(t)
}

func (c *publishedChecker) known(id string) bool {
	_, ok := c.published[id]
	return ok
}

// day reports a date in the future, or before the day on which a bundle began.
func (c *publishedChecker) day(t *tomlfile.Table, date, id string) {
	start := c.published[id]
	switch begun := start.UTC().Format(time.DateOnly); {
	case date > c.today:
		t.Fault("date", "%s has not come yet", date)
	case !start.IsZero() && date < begun:
		t.Fault("date", "%s is before the bundle itself, which began on %s", date, begun)
	}
}

// note takes over the faults of a file.
func (c *publishedChecker) note(t *tomlfile.Table) {
	if faults, ok := t.Err().(tomlfile.Faults); ok { //nolint:errorlint // a table returns nothing else
		c.faults = append(c.faults, faults...)
	}
}
