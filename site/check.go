package site

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"path"
	"strings"

	"golang.org/x/net/html"

	"example.org/arena/i18n"
)

// check reads the finished pages as a browser does and reports what no reader
// should meet: a link or fragment that leads nowhere, a heading without an id,
// an id used twice, a page that lacks a translation.
func (b *builder) check(ctx context.Context) error {
	var pages []string
	for _, p := range b.tree.Paths() {
		if strings.HasSuffix(p, ".html") {
			pages = append(pages, p)
		}
	}
	docs := make([]*document, len(pages))
	if err := b.each(ctx, len(pages), func(i int) error {
		data, _ := b.tree.File(pages[i])
		doc, err := readDocument(data)
		docs[i] = doc
		return err
	}); err != nil {
		return err
	}
	byPath := map[string]*document{}
	for i, p := range pages {
		byPath[p] = docs[i]
	}
	var faults []string
	for i, p := range pages {
		for _, fault := range docs[i].faults {
			faults = append(faults, p+": "+fault)
		}
		for _, link := range docs[i].links {
			if why := b.broken(p, link, byPath); why != "" {
				faults = append(faults, fmt.Sprintf("%s: link %q: %s", p, link, why))
			}
		}
		if why := missingTranslation(p, byPath); why != "" {
			faults = append(faults, p+": "+why)
		}
	}
	return joinFaults(faults)
}

// joinFaults makes one error of all faults, nil when there are none.
func joinFaults(faults []string) error {
	if len(faults) == 0 {
		return nil
	}
	return fmt.Errorf("%d faults in the pages:\n%s", len(faults), strings.Join(faults, "\n"))
}

// A document is what check wants to know of a page.
type document struct {
	ids    map[string]bool
	links  []string // href and src values inside the site's origin
	faults []string
}

func readDocument(data []byte) (*document, error) {
	root, err := html.Parse(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	d := &document{ids: map[string]bool{}}
	d.walk(root)
	return d, nil
}

func (d *document) walk(n *html.Node) {
	if n.Type == html.ElementNode {
		d.element(n)
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		d.walk(c)
	}
}

func (d *document) element(n *html.Node) {
	id := attribute(n, "id")
	if id != "" {
		if d.ids[id] {
			d.faults = append(d.faults, fmt.Sprintf("id %q is used twice", id))
		}
		d.ids[id] = true
	}
	switch n.Data {
	case "h2", "h3":
		if id == "" {
			d.faults = append(d.faults, fmt.Sprintf("heading %q has no id", text(n)))
		}
	case "html":
		if attribute(n, "lang") == "" {
			d.faults = append(d.faults, "page has no language")
		}
	case "a", "link":
		if href := attribute(n, "href"); href != "" {
			d.links = append(d.links, href)
		} else if n.Data == "a" {
			d.faults = append(d.faults, fmt.Sprintf("link %q leads nowhere", text(n)))
		}
	case "script", "img":
		if src := attribute(n, "src"); src != "" {
			d.links = append(d.links, src)
		}
		if src := attribute(n, "data-echarts"); src != "" {
			d.links = append(d.links, src)
		}
	case "button":
		if src := attribute(n, "data-chart"); src != "" {
			d.links = append(d.links, src)
		}
	}
	if attribute(n, "style") != "" {
		d.faults = append(d.faults, fmt.Sprintf("<%s> has a style attribute, which the security policy forbids", n.Data))
	}
}

// broken says why a link leads nowhere, or nothing.
func (b *builder) broken(from, link string, pages map[string]*document) string {
	if rest, ok := strings.CutPrefix(link, strings.TrimSuffix(b.in.BaseURL, "/")+"/"); ok {
		link = "/" + rest
	}
	u, err := url.Parse(link)
	if err != nil {
		return "not an address"
	}
	if u.Scheme != "" || u.Host != "" {
		return ""
	}
	target := from
	if u.Path != "" {
		if !strings.HasPrefix(u.Path, "/") {
			return "not from the root of the site"
		}
		target = strings.TrimPrefix(path.Clean(u.Path), "/")
		if strings.HasSuffix(u.Path, "/") {
			target = strings.TrimPrefix(path.Join(target, "index.html"), "/")
		}
	}
	if _, ok := b.tree.File(target); !ok {
		return "no such file"
	}
	if u.Fragment == "" {
		return ""
	}
	if doc := pages[target]; doc == nil || !doc.ids[u.Fragment] {
		return "no such place on that page"
	}
	return ""
}

// missingTranslation says which language a page lacks, or nothing.
func missingTranslation(page string, pages map[string]*document) string {
	lang, rest, ok := strings.Cut(page, "/")
	if !ok || !isLang(lang) {
		return ""
	}
	for _, l := range i18n.Langs {
		if pages[string(l)+"/"+rest] == nil {
			return fmt.Sprintf("no page in %s", l)
		}
	}
	return ""
}

func isLang(s string) bool {
	for _, l := range i18n.Langs {
		if string(l) == s {
			return true
		}
	}
	return false
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func text(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		b.WriteString(text(c))
	}
	return b.String()
}
