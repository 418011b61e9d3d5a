// Package leaderboard makes the leaderboard and the views of it that presets name:
// the rows of the main board in the order of one column, who leads, and which
// measurements stand elsewhere and why.
//
// A page depends on the rows of all boards, on the summaries of their bundles and on
// the presets; it reads no bundle.
package leaderboard

import (
	"fmt"

	"example.org/arena/i18n"
	"example.org/arena/site/board"
	"example.org/arena/site/page"
	"example.org/arena/site/render"
)

// Page makes the leaderboard, or the view of it that a preset names.
func Page(s *page.Site, preset string, p *i18n.Printer) (*render.Page, error) {
	prefix := "board"
	if preset != "" {
		prefix = "preset." + preset
	}
	defaults := s.Content.Site.Defaults
	platform := s.PlatformName(defaults.Platform)
	body := render.Board{
		Heading:  p.T(prefix+".heading", "platform", platform),
		Presets:  presetLinks(s, preset, p),
		Excluded: elsewhere(s, p),
		Links: []render.Link{
			{Label: p.T("board.link.method"), URL: page.VersionRoute(defaults.Contract).URL(p.Lang())},
			{Label: p.T("board.link.data"), URL: page.RouteData.URL(p.Lang())},
		},
	}
	switch {
	case preset != "":
		body.Lead = p.T("preset." + preset + ".lead")
	case s.Main != nil && len(s.Main.Rows) > 0:
		body.Lead = p.N("board.lead", len(s.Main.Rows))
	}
	if s.Main == nil {
		body.Caption = p.T("board.empty")
	} else {
		columns, sort, err := view(s, preset)
		if err != nil {
			return nil, err
		}
		newWriter(s, p, columns, sort).fill(&body, preset)
	}
	return &render.Page{
		Template:    "board",
		Title:       p.T(prefix + ".title"),
		Description: p.T(prefix+".description", "platform", platform),
		Body:        body,
	}, nil
}

// mainColumns are the measured columns of the leaderboard, in order. The first
// two stay visible on a phone.
func mainColumns(limit int) []string {
	return []string{board.ColumnOneUser, board.ColumnManyUsers, board.ColumnTTFT, board.CapacityColumn(limit)}
}

// view returns the columns of a page and the one that ranks its rows.
func view(s *page.Site, preset string) (columns []board.Column, sort board.Column, err error) {
	ids, first := mainColumns(page.MiddleLimit(s.Main.Contract.TTFTLimits)), board.ColumnOneUser
	for _, p := range s.Content.Presets {
		if preset != "" && p.ID == preset {
			ids, first = p.Columns, p.Sort
		}
	}
	for _, id := range ids {
		col, ok := s.Main.Column(id)
		if !ok {
			return nil, sort, fmt.Errorf("preset %q: contract %s has no column %q", preset, s.Main.Key.Contract, id)
		}
		columns = append(columns, col)
		if id == first {
			sort = col
		}
	}
	return columns, sort, nil
}

// presetLinks are the views of the leaderboard.
func presetLinks(s *page.Site, current string, p *i18n.Printer) []render.NavLink {
	link := func(label, id string, r page.Route) render.NavLink {
		n := render.NavLink{Link: render.Link{Label: label, URL: r.URL(p.Lang())}}
		if id == current {
			n.Current = "page"
		}
		return n
	}
	out := []render.NavLink{link(p.T("board.presets.all"), "", page.RouteLeaderboard)}
	for _, x := range s.Content.Presets {
		out = append(out, link(p.T("preset."+x.ID+".name"), x.ID, page.PresetRoute(x.ID)))
	}
	return out
}
