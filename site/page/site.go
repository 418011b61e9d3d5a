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
	Schemas []string  // file names of the JSON Schemas, sorted
	Date    time.Time // what the site calls its date
}

// A Bundle is a bundle with its identity and its place.
type Bundle struct {
	ID     string // SHA-256 of the file's bytes, lower-case hex
	Path   string // below results/bundles, slash-separated; empty for a bundle from elsewhere
	Bundle *bundle.Bundle
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
	bundles   map[string]*bundle.Bundle // by id
	summaries map[string]*Summary       // by id
	byBundle  map[string]*Configuration // the page that a bundle stands on, by id
	byKey     map[board.ConfigKey][]*Configuration
	families  map[string][]*Configuration // the pages of a model, by family
	markdown  *markdown.Renderer
}

// New makes a Site. Its error names a bundle whose model has no address.
func New(in Input) (*Site, error) {
	s := &Site{
		Content: in.Content, Boards: board.Build(boardInput(in)), rules: verdict.Rules{Contracts: in.Content.Contracts, Facts: in.Content.Catalog}, Schemas: in.Schemas, Date: in.Date,
		bundles: map[string]*bundle.Bundle{}, summaries: map[string]*Summary{},
		markdown: markdown.New(),
	}
	for _, b := range in.Bundles {
		s.bundles[b.ID] = b.Bundle
		s.summaries[b.ID] = summaryOf(b)
		s.Summaries = append(s.Summaries, s.summaries[b.ID])
	}
	s.Main = mainBoard(s.Boards.Boards, in.Content.Site.Defaults)
	if err := s.findConfigurations(); err != nil {
		return nil, err
	}
	return s, nil
}

// boardInput gathers what the boards are made from.
func boardInput(in Input) board.Input {
	out := board.Input{Contracts: in.Content.Contracts, Facts: in.Content.Catalog}
	for _, b := range in.Bundles {
		out.Items = append(out.Items, board.Item{ID: b.ID, Bundle: b.Bundle})
	}
	for _, r := range in.Content.Retractions {
		out.Retractions = append(out.Retractions, board.Retraction{ID: r.Bundle, Date: r.Date, Reason: r.Reason})
	}
	return out
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

// Family returns the pages of a configuration's model: its own and those of the
// same key first, then by platform, model and profile.
func (s *Site) Family(c *Configuration) []*Configuration {
	out := append([]*Configuration(nil), s.byKey[c.Key]...)
	for _, other := range s.families[c.family] {
		if other.Key != c.Key {
			out = append(out, other)
		}
	}
	return out
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
