package leaderboard

import (
	"example.org/arena/i18n"
	"example.org/arena/results/bundle"
	"example.org/arena/site/board"
	"example.org/arena/site/format"
	"example.org/arena/site/page"
	"example.org/arena/site/render"
)

// elsewhere lists the measurements that the leaderboard leaves out, with the
// reason.
func elsewhere(s *page.Site, p *i18n.Printer) *render.Table {
	t := &render.Table{
		Caption: p.T("board.elsewhere.caption"),
		Head:    []render.Head{{Label: p.T("board.column.model")}, {Label: p.T("board.elsewhere.reason")}},
	}
	add := func(id, reason string) {
		if c, ok := s.ByBundle(id); ok {
			t.Rows = append(t.Rows, []render.Cell{{Text: c.Title(), URL: c.Route().URL(p.Lang())}, {Text: reason}})
		}
	}
	for i := range s.Boards.Boards {
		b := &s.Boards.Boards[i]
		for j := range b.Rows {
			r := &b.Rows[j]
			switch {
			case b == s.Main && len(r.Unranked) > 0:
				add(r.ID, format.Reason(p, r.Unranked[0]))
			case b != s.Main:
				add(r.ID, whyApart(s, b, p))
			}
		}
	}
	for _, x := range s.Boards.Withdrawn {
		reason := p.T("reason.superseded")
		if x.Retraction != nil {
			reason = p.T("reason.retracted")
		}
		add(x.ID, reason)
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return t
}

// whyApart says why a board is not the one shown.
func whyApart(s *page.Site, b *board.Board, p *i18n.Printer) string {
	d := s.Content.Site.Defaults
	switch {
	case b.Kind == bundle.Simulated:
		return p.T("board.elsewhere.simulated")
	case b.Key.Platform != d.Platform:
		return p.T("board.elsewhere.other_platform", "platform", s.PlatformName(b.Key.Platform))
	case b.Key.Contract == "":
		return p.T("reason.no_contract")
	case b.Contract == nil:
		return p.T("reason.unknown_contract")
	case b.Key.Contract != d.Contract:
		return p.T("board.elsewhere.other_contract", "contract", b.Key.Contract)
	}
	return p.T("board.elsewhere.other_source", "source", b.Source)
}
