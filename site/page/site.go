// Package page is what pages are made from: one read-only Site of content, boards
// and configurations, with the addresses of pages and data files. A package below
// it makes each kind of page.
//
// It writes no words and makes no page. A page is a function of a Site and what it
// is called with, and sees a bundle only through Site.Run: what it needs to know of
// all other bundles stands in their summaries and in the rows of the boards.
//
// Units are those of the metric package.
package page

import (
	"fmt"
	"html/template"
	"slices"
	"time"

	"example.org/arena/content"
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/verdict"
	"example.org/arena/site/board"
	"example.org/arena/site/markdown"
)

// Input is what a Site is made from.
type Input struct {
	Content *content.Content
	Bundles []Bundle
	Open    func(id string) (*bundle.Bundle, error) // reads one of the bundles
	Schemas []string                                // file names of the JSON Schemas, sorted
	Date    time.Time                               // what the site calls its date
}

// A Bundle is what a Site holds of a bundle: nothing of its figures but the values
// that boards show.
type Bundle struct {
	Summary Summary
	Entry   board.Entry
}

// BundleOf judges a bundle and returns what a Site holds of it. The path is that of
// its file below results/bundles, slash-separated; empty for a bundle from
// elsewhere.
func BundleOf(id, path string, b *bundle.Bundle, rules verdict.Rules) Bundle {
	run := rules.Judge(b)
	return Bundle{summaryOf(id, path, b), board.EntryOf(id, &run)}
}

// RulesOf are the rules that the content lays down for judging bundles.
func RulesOf(c *content.Content) verdict.Rules {
	return verdict.Rules{Contracts: c.Contracts, Facts: c.Catalog}
}

// A Site is what pages are made from. Nobody changes it once New has made it.
type Site struct {
	Content        *content.Content
	Boards         board.Set
	Main           *board.Board     // the board that the leaderboard shows; nil when there is none
	Configurations []*Configuration // by platform, model and profile; of several sources the main board's first
	Summaries      []*Summary       // of every bundle, in the order of the input
	Schemas        []string         // file names of the JSON Schemas, sorted
	Date           time.Time

	rules     verdict.Rules
	open      func(id string) (*bundle.Bundle, error)
	summaries map[string]*Summary       // by id
	byBundle  map[string]*Configuration // the page that a bundle stands on, by id
	byKey     map[board.ConfigKey][]*Configuration
	families  map[string][]*Configuration // the pages of a model, by family
	markdown  *markdown.Renderer
}

// New makes a Site. Its error names a bundle whose model has no address.
func New(in Input) (*Site, error) {
	s := &Site{
		Content: in.Content, Schemas: in.Schemas, Date: in.Date,
		rules: RulesOf(in.Content), open: in.Open, summaries: map[string]*Summary{},
		markdown: markdown.New(),
	}
	var retractions []board.Retraction
	for _, r := range in.Content.Retractions {
		retractions = append(retractions, board.Retraction{ID: r.Bundle, Date: r.Date, Reason: r.Reason})
	}
	boards := board.NewBuilder(s.rules, retractions)
	for i := range in.Bundles {
		b := &in.Bundles[i]
		s.summaries[b.Summary.ID] = &b.Summary
		s.Summaries = append(s.Summaries, &b.Summary)
		boards.Add(b.Entry)
	}
	s.Boards = boards.Finish()
	s.Main = mainBoard(s.Boards.Boards, in.Content.Site.Defaults)
	if err := s.findConfigurations(); err != nil {
		return nil, err
	}
	return s, nil
}

// mainBoard is the board that the leaderboard shows: the default contract and
// platform, own runs before imports, the fullest first. Nil when there is none.
func mainBoard(boards []board.Board, d content.Defaults) *board.Board {
	var best *board.Board
	for i := range boards {
		b := &boards[i]
		if !b.Ranked || b.Key.Contract != d.Contract || b.Key.Platform != d.Platform {
			continue
		}
		if best == nil || goesBefore(b, best) {
			best = b
		}
	}
	return best
}

// goesBefore reports whether board a is shown rather than board b.
func goesBefore(a, b *board.Board) bool {
	if a.Kind != b.Kind {
		return a.Kind == bundle.Run
	}
	return len(a.Rows) > len(b.Rows)
}

// Configuration returns the page of a configuration, the main board's where
// several sources measured it, and whether there is one.
func (s *Site) Configuration(key board.ConfigKey) (*Configuration, bool) {
	if list := s.byKey[key]; len(list) > 0 {
		return list[0], true
	}
	return nil, false
}

// ByBundle returns the page that the bundle with the given id stands on, and
// whether there is one.
func (s *Site) ByBundle(id string) (*Configuration, bool) {
	c, ok := s.byBundle[id]
	return c, ok
}

// Summary returns what is told of the bundle with the given id on pages that are
// not about it; the zero Summary for a bundle that the site does not have.
func (s *Site) Summary(id string) Summary {
	if x := s.summaries[id]; x != nil {
		return *x
	}
	return Summary{}
}

// mostRelated is how many configurations of a model a page sets beside its own.
const mostRelated = 24

// Family returns the pages of a configuration's model: its own and those of the
// same key first, then by platform, model and profile those that stand nearest to
// it; and whether there are more.
func (s *Site) Family(c *Configuration) (near []*Configuration, more bool) {
	own, all := s.byKey[c.Key], s.families[c.family]
	from := slices.Index(all, own[0])
	before, after := all[:from], all[from+len(own):]
	more = len(before)+len(after) > mostRelated
	if more {
		n := min(len(before), max(mostRelated/2, mostRelated-len(after)))
		before, after = before[len(before)-n:], after[:mostRelated-n]
	}
	return slices.Concat(own, before, after), more
}

// Contracts lists the contracts, the newest first.
func (s *Site) Contracts() []*contract.Contract {
	list := s.Content.Contracts
	out := make([]*contract.Contract, len(list))
	for i, c := range list {
		out[len(list)-1-i] = c
	}
	return out
}

// PlatformName is a platform's name, or its id when nothing is known about it.
func (s *Site) PlatformName(id string) string {
	if p, ok := s.Content.Catalog.Platform(id); ok {
		return p.Name
	}
	return id
}

// Prose reads a text of the repository in a language, fills in the values that it
// names and makes HTML of it.
func (s *Site) Prose(section content.Section, name, lang string, values any) (template.HTML, error) {
	file := fmt.Sprintf("content/%s/%s.%s.md", section, name, lang)
	source, ok := s.Content.Text(section, name, lang)
	if !ok {
		return "", fmt.Errorf("no text %s", file)
	}
	filled, err := markdown.Fill(file, source, values)
	if err != nil {
		return "", err
	}
	html, _, err := s.markdown.Render(filled)
	return html, err
}
