package chart

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A node is an element of a drawing, or text when it has no name.
type node struct {
	name     string
	attrs    []xml.Attr
	text     string
	children []*node
}

func (n *node) get(name string) string {
	for _, a := range n.attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (n *node) drop(names ...string) {
	n.attrs = slices.DeleteFunc(n.attrs, func(a xml.Attr) bool {
		return slices.Contains(names, a.Name.Local)
	})
}

func (n *node) set(name, value string) {
	for i := range n.attrs {
		if n.attrs[i].Name.Local == name {
			n.attrs[i].Value = value
			return
		}
	}
	n.attrs = append(n.attrs, xml.Attr{Name: xml.Name{Local: name}, Value: value})
}

// parseSVG reads one element with all that is in it.
func parseSVG(s string) (*node, error) {
	d := xml.NewDecoder(strings.NewReader(s))
	root := &node{}
	open := []*node{root}
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("read drawing: %w", err)
		}
		top := open[len(open)-1]
		switch t := t.(type) {
		case xml.StartElement:
			n := &node{name: t.Name.Local, attrs: t.Attr}
			top.children = append(top.children, n)
			open = append(open, n)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if top.name == "text" || top.name == "tspan" {
				top.children = append(top.children, &node{text: string(t)})
			}
		}
	}
	if len(root.children) != 1 || root.children[0].name != "svg" {
		return nil, errors.New("read drawing: it is not one svg element")
	}
	return root.children[0], nil
}

var (
	escapeText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	escapeAttr = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")
)

func (n *node) write(b *strings.Builder) {
	if n.name == "" {
		b.WriteString(escapeText.Replace(n.text))
		return
	}
	b.WriteByte('<')
	b.WriteString(n.name)
	for _, a := range n.attrs {
		b.WriteByte(' ')
		b.WriteString(a.Name.Local)
		b.WriteString(`="`)
		b.WriteString(escapeAttr.Replace(a.Value))
		b.WriteByte('"')
	}
	if len(n.children) == 0 {
		b.WriteString("/>")
		return
	}
	b.WriteByte('>')
	for _, c := range n.children {
		c.write(b)
	}
	b.WriteString("</")
	b.WriteString(n.name)
	b.WriteByte('>')
}
