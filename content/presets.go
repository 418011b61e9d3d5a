package content

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.org/arena/results/contract"
	"example.org/arena/results/metric"
	"example.org/arena/results/tomlfile"
)

// A Preset is a named view of the leaderboard: the columns that answer one kind
// of question, and the one that orders the rows. Its words come from the
// language catalogs under "preset.<id>".
type Preset struct {
	ID      string
	Columns []string // ids of the board's columns: "one_user", "<test>/<metric>", "<test>/<metric>/p95"
	Sort    string   // one of Columns; the better values come first
}

var columnID = regexp.MustCompile(`^[a-z][a-z0-9_]*$|^[a-z][a-z0-9-]*/[a-z][a-z0-9_]*(/p[0-9]{1,2})?$`)

// readPresets reads the file of presets.
func readPresets(t *tomlfile.Table) []Preset {
	var presets []Preset
	seen := map[string]bool{}
	t.Need("preset")
	for _, sub := range t.Subs("preset") {
		sub.Need("id", "columns", "sort")
		p := Preset{ID: sub.Str("id"), Columns: sub.Strs("columns"), Sort: sub.Str("sort")}
		checkSlug(sub, "id", p.ID)
		if seen[p.ID] {
			sub.Fault("id", "%q stands here twice", p.ID)
		}
		seen[p.ID] = true
		checkColumns(sub, p)
		sub.Done()
		presets = append(presets, p)
	}
	t.Done()
	return presets
}

func checkColumns(t *tomlfile.Table, p Preset) {
	for i, column := range p.Columns {
		if !columnID.MatchString(column) {
			t.Fault("columns", "%q is not the id of a column", column)
		}
		if slices.Contains(p.Columns[:i], column) {
			t.Fault("columns", "%q stands here twice", column)
		}
	}
	if t.Sound("sort") && !slices.Contains(p.Columns, p.Sort) {
		t.Fault("sort", "%q is not one of the columns", p.Sort)
	}
}

// presets reads the presets. Their columns name tests of the contract that the
// site shows first.
func (l *loader) presets(c *Content) []Preset {
	t := l.table(presetsFile)
	if t == nil {
		return nil
	}
	presets := readPresets(t)
	of, ok := c.Contract(c.Site.Defaults.Contract)
	if !ok {
		return presets
	}
	for _, sub := range t.Subs("preset") {
		for _, column := range sub.Strs("columns") {
			checkColumn(sub, of, column)
		}
	}
	return presets
}

// checkColumn wants a column that names a test to name one of the contract, one
// of the quantities that answer its question, and, if any, a percentile that it
// asks for. Other columns are the board's own.
func checkColumn(t *tomlfile.Table, c *contract.Contract, column string) {
	parts := strings.Split(column, "/")
	if len(parts) < 2 {
		return
	}
	test, ok := c.Test(parts[0])
	if !ok {
		t.Fault("columns", "contract %s has no test %q", c.Version, parts[0])
		return
	}
	if !slices.Contains(test.Primary, metric.Key(parts[1])) {
		t.Fault("columns", "test %q does not ask for %q", test.Slug, parts[1])
	}
	if len(parts) < 3 {
		return
	}
	p, err := strconv.Atoi(strings.TrimPrefix(parts[2], "p"))
	if err != nil || !slices.Contains(test.TTFTPercentiles, p) {
		t.Fault("columns", "test %q does not ask for %q", test.Slug, parts[2])
	}
}
