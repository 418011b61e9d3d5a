package site

import (
	"cmp"
	"context"
	"encoding/xml"
	"slices"
	"time"

	"example.org/arena/i18n"
	"example.org/arena/results/verdict"
	"example.org/arena/site/page"
	"example.org/arena/site/page/model"
)

// feedEntries is how many of the newest results a feed holds.
const feedEntries = 50

type atomFeed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	Lang    string      `xml:"xml:lang,attr"`
	Title   string      `xml:"title"`
	ID      string      `xml:"id"`
	Updated string      `xml:"updated"`
	Links   []atomLink  `xml:"link"`
	Author  atomAuthor  `xml:"author"`
	Entries []atomEntry `xml:"entry"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr,omitempty"`
	Type string `xml:"type,attr,omitempty"`
	Href string `xml:"href,attr"`
}

type atomAuthor struct {
	Name string `xml:"name"`
}

type atomEntry struct {
	Title   string   `xml:"title"`
	ID      string   `xml:"id"`
	Updated string   `xml:"updated"`
	Link    atomLink `xml:"link"`
	Summary string   `xml:"summary"`
}

// makeFeeds makes an Atom feed of the newest results per language. An entry's id
// is the bundle's hash, so it stays the same wherever the site moves.
func (b *builder) makeFeeds(_ context.Context, to *files) error {
	configs := slices.DeleteFunc(slices.Clone(b.site.Configurations), func(c *page.Configuration) bool { return c.Shown().Withdrawn })
	slices.SortStableFunc(configs, func(x, y *page.Configuration) int {
		return cmp.Or(cmp.Compare(y.Shown().StartedAt, x.Shown().StartedAt), cmp.Compare(x.Shown().ID, y.Shown().ID))
	})
	configs = configs[:min(len(configs), feedEntries)]
	runs := make([]*verdict.Run, len(configs))
	for i, c := range configs {
		var err error
		if runs[i], err = b.site.Run(c); err != nil {
			return err
		}
	}
	for _, l := range i18n.Langs {
		p := b.printers[l]
		self := b.absolute("/" + page.FeedFile(l))
		feed := atomFeed{
			Lang: string(l), Title: p.T("common.feed.title"), ID: self, Updated: b.in.Date.UTC().Format(time.RFC3339),
			Links:  []atomLink{{Rel: "self", Type: "application/atom+xml", Href: self}, {Rel: "alternate", Type: "text/html", Href: b.absolute(page.RouteLeaderboard.URL(l))}},
			Author: atomAuthor{p.T("common.site.name")},
		}
		for i, c := range configs {
			feed.Entries = append(feed.Entries, atomEntry{
				Title:   p.T("common.feed.entry", "model", c.Name(), "configuration", c.Key.Profile, "platform", b.site.PlatformName(c.Key.Platform)),
				ID:      "urn:sha256:" + c.Shown().ID,
				Updated: c.Shown().StartedAt,
				Link:    atomLink{Href: b.absolute(c.Route().URL(l))},
				Summary: model.Verdict(c, runs[i], p),
			})
		}
		data, err := xml.MarshalIndent(feed, "", " ")
		if err != nil {
			return err
		}
		if err := to.add(page.FeedFile(l), []byte(xml.Header+string(data)+"\n")); err != nil {
			return err
		}
	}
	return nil
}
