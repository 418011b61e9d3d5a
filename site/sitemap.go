package site

import (
	"encoding/xml"
	"strings"

	"example.org/arena/i18n"
)

// xDefault is the language code of the page that offers the languages.
const xDefault = "x-default"

type urlset struct {
	XMLName xml.Name  `xml:"urlset"`
	Xmlns   string    `xml:"xmlns,attr"`
	XHTML   string    `xml:"xmlns:xhtml,attr"`
	URLs    []siteURL `xml:"url"`
}

type siteURL struct {
	Loc   string        `xml:"loc"`
	Links []sitemapLink `xml:"xhtml:link"`
}

type sitemapLink struct {
	Rel      string `xml:"rel,attr"`
	Hreflang string `xml:"hreflang,attr"`
	Href     string `xml:"href,attr"`
}

// makeSitemap lists every page with its translations, the same set that stands in
// the head of each page.
func (b *builder) makeSitemap(to *files) error {
	set := urlset{
		Xmlns: "http://www.sitemaps.org/schemas/sitemap/0.9",
		XHTML: "http://www.w3.org/1999/xhtml",
	}
	for _, r := range b.routes {
		for _, l := range i18n.Langs {
			u := siteURL{Loc: b.absolute(r.URL(l))}
			for _, a := range b.alternates(r) {
				u.Links = append(u.Links, sitemapLink{Rel: "alternate", Hreflang: a.Lang, Href: a.URL})
			}
			set.URLs = append(set.URLs, u)
		}
	}
	data, err := xml.MarshalIndent(set, "", " ")
	if err != nil {
		return err
	}
	if err := to.add("sitemap.xml", []byte(xml.Header+string(data)+"\n")); err != nil {
		return err
	}
	return to.add("robots.txt", []byte("User-agent: *\nAllow: /\nSitemap: "+b.absolute("/sitemap.xml")+"\n"))
}

// absolute is the full URL of an address that starts with a slash.
func (b *builder) absolute(address string) string {
	return strings.TrimSuffix(b.in.BaseURL, "/") + address
}
