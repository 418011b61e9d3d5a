package site

import (
	"cmp"
	"encoding/xml"
	"slices"
	"time"

	"example.org/arena/i18n"
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

// addFeeds adds an Atom feed of the newest results per language. An entry's id
// is the bundle's hash, so it stays the same wherever the site moves.
func (b *builder) addFeeds() error {
	configs := slices.DeleteFunc(slices.Clone(b.configs), configuration.withdrawn)
	slices.SortStableFunc(configs, func(x, y configuration) int {
		return cmp.Or(cmp.Compare(y.row.Bundle.StartedAt, x.row.Bundle.StartedAt), cmp.Compare(x.row.ID, y.row.ID))
	})
	configs = configs[:min(len(configs), feedEntries)]
	for _, l := range i18n.Langs {
		w := b.Catalogs.Printer(l)
		self := b.absolute("/" + feedFile(l))
		feed := atomFeed{
			Lang: string(l), Title: w.T("common.feed.title"), ID: self, Updated: b.Date.UTC().Format(time.RFC3339),
			Links:  []atomLink{{Rel: "self", Type: "application/atom+xml", Href: self}, {Rel: "alternate", Type: "text/html", Href: b.absolute(routeBoard.url(l))}},
			Author: atomAuthor{w.T("common.site.name")},
		}
		for _, c := range configs {
			m := modelWriter{builder: b, configuration: c, Printer: w}
			feed.Entries = append(feed.Entries, atomEntry{
				Title:   w.T("common.feed.entry", "model", modelName(c.row), "configuration", c.Key.Profile, "platform", b.platformName(c.Key.Platform)),
				ID:      "urn:sha256:" + c.row.ID,
				Updated: c.row.Bundle.StartedAt,
				Link:    atomLink{Href: b.absolute(c.route().url(l))},
				Summary: m.verdict(),
			})
		}
		data, err := xml.MarshalIndent(feed, "", " ")
		if err != nil {
			return err
		}
		b.tree.add(feedFile(l), []byte(xml.Header+string(data)+"\n"))
	}
	return nil
}
