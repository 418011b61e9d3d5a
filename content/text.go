package content

import (
	"maps"
	"slices"
)

// A Section is a folder of Markdown texts, <name>.<language>.md.
type Section string

// The sections.
const (
	Benchmarks Section = "benchmarks" // one text per test, named by its slug
	Pages      Section = "pages"      // texts of whole pages
	Reports    Section = "reports"    // texts of reports
)

// Sections lists the sections.
var Sections = []Section{Benchmarks, Pages, Reports}

// Text returns the Markdown of a text in a language and whether there is one.
func (c *Content) Text(s Section, name, lang string) ([]byte, bool) {
	b, ok := c.texts[s][name][lang]
	return b, ok
}

// Texts returns the names of a section's texts, sorted. Load has made sure that
// each is there in every language.
func (c *Content) Texts(s Section) []string {
	return slices.Sorted(maps.Keys(c.texts[s]))
}
