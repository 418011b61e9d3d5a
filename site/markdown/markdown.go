// Package markdown turns the site's own Markdown into HTML: headings with ids,
// tables without inline styles, links checked by the caller. Raw HTML and
// javascript: addresses are dropped. It is meant for texts of this repository;
// words of contributors are shown as plain text and never pass through here.
package markdown

import (
	"bytes"
	"fmt"
	"html/template"
	texttemplate "text/template"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// A Heading is a heading of a text, for a table of contents.
type Heading struct {
	Level int // 1 to 6
	ID    string
	Text  string
}

// A Renderer turns Markdown into HTML. It is safe for use by several goroutines.
type Renderer struct {
	md goldmark.Markdown
}

// New returns a Renderer.
func New() *Renderer {
	return &Renderer{goldmark.New(
		goldmark.WithExtensions(
			extension.Linkify,
			extension.Strikethrough,
			// Alignment by attribute: a style attribute would break the security policy.
			extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)),
		),
		goldmark.WithParserOptions(parser.WithAttribute(), parser.WithAutoHeadingID()),
	)}
}

// Fill replaces the placeholders of a text, such as {{.Runs}}, by the fields of
// values. A placeholder without a field is an error that names its line.
func Fill(name string, source []byte, values any) ([]byte, error) {
	t, err := texttemplate.New(name).Option("missingkey=error").Parse(string(source))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, values); err != nil {
		return nil, fmt.Errorf("fill in %s: %w", name, err)
	}
	return b.Bytes(), nil
}

// Render returns the text as HTML and its headings.
func (r *Renderer) Render(source []byte) (template.HTML, []Heading, error) {
	doc := r.md.Parser().Parse(text.NewReader(source))
	var headings []Heading
	err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		h, ok := n.(*ast.Heading)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		id, _ := h.AttributeString("id")
		idText, _ := id.([]byte)
		headings = append(headings, Heading{h.Level, string(idText), nodeText(h, source)})
		return ast.WalkSkipChildren, nil
	})
	if err != nil {
		return "", nil, err
	}
	var b bytes.Buffer
	if err := r.md.Renderer().Render(&b, source, doc); err != nil {
		return "", nil, fmt.Errorf("render markdown: %w", err)
	}
	return template.HTML(b.String()), headings, nil
}

// nodeText is the text of a node without its markup.
func nodeText(n ast.Node, source []byte) string {
	var b bytes.Buffer
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b.Write(t.Value(source))
		} else {
			b.WriteString(nodeText(c, source))
		}
	}
	return b.String()
}
