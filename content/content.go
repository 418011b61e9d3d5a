// Package content holds what people write about the benchmark, and reads it:
// contracts and their errata, models, platforms, publishers, presets, settings
// of the site, texts, reports, suggestions and retractions. It is not where
// measurements live: those are bundles, under results.
//
// Everything is TOML, save the texts, which are Markdown, one file for each language
// of the site. Load reads the whole tree and reports every fault of every file at once, each
// as "file:line: key: message". A key that no format knows is a fault, so that a
// misspelt fact is never silently missing. What a file leaves out is unknown,
// never zero.
//
// Units are those of the packages that own the types: facts, contract, metric.
package content

import (
	"example.org/arena/results/contract"
	"example.org/arena/results/facts"
)

// Content is everything that people wrote, checked.
type Content struct {
	Contracts   []*contract.Contract // ascending by version
	Errata      []*contract.Errata   // ascending by version; not every contract has some
	Catalog     facts.Catalog
	Presets     []Preset // in the order of the file
	Site        Site
	Reports     []Report     // sorted by slug
	Suggestions []Suggestion // sorted by slug
	Retractions []Retraction // sorted by bundle

	texts library
}

// Contract returns the contract of the given version and whether there is one.
func (c *Content) Contract(version string) (*contract.Contract, bool) {
	for _, k := range c.Contracts {
		if k.Version == version {
			return k, true
		}
	}
	return nil, false
}

// ErrataOf returns what was found wrong with the contract of the given version,
// nil when nothing was.
func (c *Content) ErrataOf(version string) *contract.Errata {
	for _, e := range c.Errata {
		if e.Version == version {
			return e
		}
	}
	return nil
}

// Retraction returns why the bundle with the given SHA-256 was retracted, and
// whether it was.
func (c *Content) Retraction(bundle string) (Retraction, bool) {
	for _, r := range c.Retractions {
		if r.Bundle == bundle {
			return r, true
		}
	}
	return Retraction{}, false
}
