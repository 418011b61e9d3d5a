package page

import (
	"cmp"
	"slices"
	"strings"

	"example.org/arena/results/bundle"
	"example.org/arena/site/board"
)

// An address is the part of a configuration that its address is made from.
type address struct{ model, profile string }

// findConfigurations finds what there are pages about. An address names model and
// profile. Where two platforms have the same, the ones that are not the default
// platform add theirs; where several sources measured the same, all but the one on
// the main board add a mark of their board, so that no later contribution takes
// over a page.
func (s *Site) findConfigurations() error {
	s.byBundle, s.byKey, s.families = map[string]*Configuration{}, map[board.ConfigKey][]*Configuration{}, map[string][]*Configuration{}
	count := map[address]int{}
	for _, c := range s.Boards.Configurations {
		count[address{c.Key.Model, c.Key.Profile}]++
	}
	withdrawn := map[string]*board.Withdrawn{}
	for i := range s.Boards.Withdrawn {
		w := &s.Boards.Withdrawn[i]
		withdrawn[w.ID] = w
	}
	for _, c := range s.Boards.Configurations {
		slug, err := bundle.ModelSlug(c.Key.Model)
		if err != nil {
			return err
		}
		slug += "/" + c.Key.Profile
		if count[address{c.Key.Model, c.Key.Profile}] > 1 && c.Key.Platform != s.Content.Site.Defaults.Platform {
			slug += "--" + c.Key.Platform
		}
		for i, conf := range s.sources(c, withdrawn) {
			conf.Slug = slug
			if i > 0 {
				conf.Slug += "--" + mark(conf.Board.Key)
			}
			s.add(conf)
		}
	}
	return nil
}

// add adds a configuration under its key, its model's family and its runs.
func (s *Site) add(c *Configuration) {
	s.Configurations = append(s.Configurations, c)
	s.byKey[c.Key] = append(s.byKey[c.Key], c)
	s.families[c.family] = append(s.families[c.family], c)
	for _, r := range c.Runs {
		s.byBundle[r.ID] = c
	}
}

// sources splits the runs of a configuration by the board they belong to: the main
// board first, then in the order of the boards.
func (s *Site) sources(c board.Configuration, withdrawn map[string]*board.Withdrawn) []*Configuration {
	var out []*Configuration
	for _, ref := range slices.Concat(c.Current, c.History) {
		run := Standing{Summary: s.Summary(ref.ID), Reasons: ref.Reasons}
		var b *board.Board
		row := s.Boards.Row(ref)
		if row != nil {
			b = &s.Boards.Boards[ref.Board]
		} else {
			// The bundle of a configuration that was withdrawn keeps its page.
			b, row, run.Withdrawn = withdrawn[ref.ID].Board, withdrawn[ref.ID].Row, true
		}
		at := slices.IndexFunc(out, func(x *Configuration) bool { return x.Board.Key == b.Key })
		if at < 0 {
			out = append(out, &Configuration{Key: c.Key, Board: b, Row: row, MeasuredTests: measuredTests(row.Tests), family: c.Family})
			at = len(out) - 1
		}
		out[at].Runs = append(out[at].Runs, run)
	}
	slices.SortStableFunc(out, func(x, y *Configuration) int {
		return cmp.Compare(boolToInt(s.onMain(y)), boolToInt(s.onMain(x)))
	})
	return out
}

// onMain reports whether a configuration belongs to the main board.
func (s *Site) onMain(c *Configuration) bool { return s.Main != nil && c.Board.Key == s.Main.Key }

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// mark is a short name for a board in an address.
func mark(k board.Key) string {
	return bundle.ID([]byte(strings.Join([]string{k.Contract, k.Digest, string(k.Kind), k.Source}, "\x00")))[:8]
}
