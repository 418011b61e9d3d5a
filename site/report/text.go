package report

import (
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"

	"example.org/arena/content"
	"example.org/arena/site/render"
)

// text makes the body: prose with its figures filled in, and blocks in their
// places.
func (w *writer) text() ([]render.Block, []render.Link) {
	var out []render.Block
	var toc []render.Link
	text, ok := w.src.Report.Texts[string(w.p.Lang())]
	if !ok {
		w.fault(w.src.Report.File, 1, "", errors.New("there is no text in "+string(w.p.Lang())))
	}
	for _, part := range text.Parts {
		if part.Block != "" {
			out = append(out, w.block(part.Block)...)
			continue
		}
		html, headings, err := w.markdown.Render([]byte(w.fill(text.File, part)))
		if err != nil {
			w.fault(text.File, part.Line, "", err)
		}
		for _, h := range headings {
			if h.Level == 2 {
				toc = append(toc, render.Link{Label: h.Text, URL: "#" + h.ID})
			}
		}
		out = append(out, render.Block{Prose: html})
	}
	return out, toc
}

// placeholder is a figure in a text: {{name argument …}}.
var placeholder = regexp.MustCompile(`\{\{([^{}\n]*)\}\}`)

// fill writes the figures of a part into its prose.
func (w *writer) fill(file string, part content.ReportPart) string {
	lines := strings.Split(part.Prose, "\n")
	for i, line := range lines {
		fault := func(err error) { w.fault(file, part.Line+i, "", err) }
		lines[i] = placeholder.ReplaceAllStringFunc(line, func(found string) string {
			text, err := w.figure(strings.Fields(found[2 : len(found)-2]))
			if err != nil {
				fault(err)
			}
			return text
		})
		if rest := placeholder.ReplaceAllString(line, ""); strings.Contains(rest, "{{") || strings.Contains(rest, "}}") {
			fault(errors.New("double braces that are not closed on the same line"))
		}
	}
	return strings.Join(lines, "\n")
}

// block makes the block that the report's file has under a name. Package content
// makes sure that there is one.
func (w *writer) block(name string) []render.Block {
	at := slices.IndexFunc(w.src.Report.Blocks, func(b content.ReportBlock) bool { return b.Name == name })
	if at < 0 || len(w.all) < len(w.src.Report.Deployments) {
		return nil
	}
	b := w.src.Report.Blocks[at]
	makeBlock, ok := blocks[b.Kind]
	if !ok {
		return nil // checkFile says so
	}
	made, err := makeBlock(w, b)
	if err != nil {
		w.fault(w.src.Report.File, b.Line, "block", err)
	}
	return made
}

// list is the keys in order, for the text of a fault.
func list[V any](all map[string]V) string {
	return strings.Join(slices.Sorted(maps.Keys(all)), ", ")
}
