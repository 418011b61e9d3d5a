package site

import (
	"bytes"
	"fmt"
	"net/url"
	"strings"

	"golang.org/x/net/html"
)

// A document is what the checks look at of a finished page.
type document struct {
	IDs    []string // in their order
	Links  []string // values of href, src and the like, each once
	Faults []string // what is wrong whatever the other pages hold
}

// readDocument reads a page as far as the checks need it.
func readDocument(page []byte) *document {
	r := reader{ids: map[string]bool{}, links: map[string]bool{}}
	z := html.NewTokenizer(bytes.NewReader(page))
	for {
		switch z.Next() {
		case html.ErrorToken: // the end: a reader of bytes fails in no other way
			r.ownLinks()
			return &r.document
		case html.TextToken:
			if r.open != "" {
				r.text.Write(z.Text())
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			r.start(z)
		case html.EndTagToken:
			if name, _ := z.TagName(); string(name) == r.open {
				r.closeFault()
			}
		default: // comments and the type of the document are not checked
		}
	}
}

// A reader reads a page from tag to tag.
type reader struct {
	document
	ids, links map[string]bool
	open       string          // a faulty heading or link whose text is being read
	fault      string          // with a place for the text
	text       strings.Builder // of what is open
}

// start reads a start tag.
func (r *reader) start(z *html.Tokenizer) {
	name, more := z.TagName()
	tag := string(name)
	var id, lang, href string
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		switch string(key) {
		case "id":
			id = string(value)
		case "lang":
			lang = string(value)
		case "href":
			if tag == "a" || tag == "link" {
				href = string(value)
				r.link(href)
			}
		case "src", "data-echarts":
			if tag == "script" || tag == "img" {
				r.link(string(value))
			}
		case "data-chart":
			if tag == "button" {
				r.link(string(value))
			}
		case "style":
			if len(value) > 0 {
				r.add("<%s> has a style attribute, which the security policy forbids", tag)
			}
		}
	}
	if id != "" {
		if r.ids[id] {
			r.add("id %q is used twice", id)
		} else {
			r.ids[id], r.IDs = true, append(r.IDs, id)
		}
	}
	switch {
	case (tag == "h2" || tag == "h3") && id == "":
		r.openFault(tag, "heading %q has no id")
	case tag == "a" && href == "":
		r.openFault(tag, "link %q leads nowhere")
	case tag == "html" && lang == "":
		r.add("page has no language")
	}
}

// link notes a link, once.
func (r *reader) link(to string) {
	if to != "" && !r.links[to] {
		r.links[to], r.Links = true, append(r.Links, to)
	}
}

// openFault opens a fault of an element, which is added with the text that follows.
func (r *reader) openFault(tag, fault string) {
	r.open, r.fault = tag, fault
	r.text.Reset()
}

// closeFault adds the open fault with the text that was read for it.
func (r *reader) closeFault() {
	r.add(r.fault, r.text.String())
	r.open = ""
}

func (r *reader) add(format string, args ...any) {
	r.Faults = append(r.Faults, fmt.Sprintf(format, args...))
}

// ownLinks checks the links within the page and leaves them out of Links.
func (r *reader) ownLinks() {
	links := r.Links[:0]
	for _, link := range r.Links {
		u, err := url.Parse(link)
		switch {
		case err != nil || u.Scheme != "" || u.Host != "" || u.Path != "":
			links = append(links, link)
		case u.Fragment != "" && !r.ids[u.Fragment]:
			r.add("link %q: no such place on that page", link)
		}
	}
	r.Links = links
}
