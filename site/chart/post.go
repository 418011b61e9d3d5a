package chart

import (
	"encoding/xml"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// postVersion changes whenever the same drawing would be finished differently.
const postVersion = "2"

// idMark stands for the figure's id in a finished drawing. It cannot occur in
// text: clean removes it.
const idMark = "\uffff"

// finish turns what the library drew into a picture for a page: no style
// sheets, no inline styles, no classes, nothing for a pointer, and a name and a
// description for those who listen. Positions and paths stay as they were drawn:
// docs/charts.md says what rewriting them would save.
func finish(svg, title, description string, l layout) (string, error) {
	root, err := parseSVG(svg)
	if err != nil {
		return "", err
	}
	name := "wide"
	if l.narrow {
		name = "narrow"
	}
	ids := idTable{prefix: idMark + "-" + name[:1] + "-", to: map[string]string{}}
	if err := tidyNode(root, ids); err != nil {
		return "", err
	}
	if err := rewriteReferences(root, ids); err != nil {
		return "", err
	}
	frameSVG(root, "chart chart-"+name, ids.prefix, title, description)
	var b strings.Builder
	root.write(&b)
	return b.String(), nil
}

// An idTable maps the library's ids to the figure's. Clips that cut nothing map
// to no id.
type idTable struct {
	prefix string
	to     map[string]string
}

// frameSVG gives the element its size, its role and its name.
func frameSVG(root *node, class, prefix, title, description string) {
	box := root.get("viewBox")
	root.attrs = nil
	root.set("xmlns", "http://www.w3.org/2000/svg")
	root.set("class", class)
	root.set("viewBox", box)
	root.set("role", "img")
	root.set("aria-labelledby", prefix+"t "+prefix+"d")
	root.set("font-size", strconv.Itoa(fontSize))
	t := &node{name: "title", children: []*node{{text: title}}}
	t.set("id", prefix+"t")
	d := &node{name: "desc", children: []*node{{text: description}}}
	d.set("id", prefix+"d")
	root.children = append([]*node{t, d}, root.children...)
}

const painted = " fill fill-opacity stroke stroke-width stroke-dasharray stroke-linecap stroke-linejoin"

// known are the elements that a drawing consists of, and their attributes.
var known = map[string][]string{
	"g":        {"clip-path"},
	"defs":     {},
	"clipPath": {"id"},
	"path":     strings.Fields("d transform" + painted),
	"polygon":  strings.Fields("points transform" + painted),
	"text":     strings.Fields("x y dy transform dominant-baseline text-anchor font-size font-weight paint-order" + painted),
}

// unneeded are attributes that serve the library's own events or repeat what is
// the default.
var unneeded = strings.Fields("class pointer-events space cursor stroke-miterlimit")

// dropAttrs removes what is not needed and refuses what is not known.
func dropAttrs(n *node) error {
	if n.name == "svg" {
		return nil // frameSVG replaces them all
	}
	names, ok := known[n.name]
	if !ok {
		return fmt.Errorf("a drawing holds an unknown element %q", n.name)
	}
	var kept []xml.Attr
	for _, a := range n.attrs {
		name := a.Name.Local
		switch {
		case strings.HasPrefix(name, "ecmeta_") || slices.Contains(unneeded, name):
		case slices.Contains(names, name):
			kept = append(kept, a)
		default:
			return fmt.Errorf("%s has an unknown attribute %q", n.name, name)
		}
	}
	n.attrs = kept
	return nil
}

func tidyNode(n *node, ids idTable) error {
	kept := n.children[:0]
	for _, c := range n.children {
		if c.name == "style" || c.name == "rect" && c.get("fill") == "none" {
			continue
		}
		if err := tidyNode(c, ids); err != nil {
			return err
		}
		empty := len(c.children) == 0
		if empty && (c.name == "defs" || c.name == "g" || c.name == "clipPath") || unseen(c) {
			continue
		}
		kept = append(kept, c)
	}
	n.children = kept
	if n.name == "" {
		return nil
	}
	if err := styleToAttrs(n); err != nil {
		return err
	}
	if err := dropAttrs(n); err != nil {
		return err
	}
	for _, name := range []string{"fill", "stroke"} {
		if n.get(name) == "#fff" { // the library's own white, inside hollow markers
			n.set(name, ground)
		}
	}
	switch n.name {
	case "text":
		tidyText(n)
	case "path":
		tidyPath(n)
	case "clipPath":
		return ids.clip(n)
	}
	return nil
}

// unseen reports whether an element paints nothing: the library lays such paths
// under text, for the pointer.
func unseen(n *node) bool {
	empty := n.get("fill") == "none" || n.get("fill-opacity") == "0"
	bare := n.get("stroke") == "" || n.get("stroke-width") == "0"
	return n.name == "path" && empty && bare
}

// styleToAttrs turns inline style into attributes, which a content-security
// policy allows. The font family is the page's.
func styleToAttrs(n *node) error {
	style := n.get("style")
	n.drop("style")
	for part := range strings.SplitSeq(style, ";") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		name, value, ok := strings.Cut(part, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok {
			return fmt.Errorf("read style %q", style)
		}
		switch name {
		case "font-family", "cursor", "pointer-events":
		case "font-size":
			if value = strings.TrimSuffix(value, "px"); value != strconv.Itoa(fontSize) {
				n.set(name, value)
			}
		default:
			n.set(name, value)
		}
	}
	return nil
}

// tidyText centres text by a move, since not everything that shows SVG knows
// baselines, and leaves out where text begins by itself.
func tidyText(n *node) {
	if n.get("dominant-baseline") == "central" {
		n.drop("dominant-baseline")
		n.set("dy", "0.35em")
	}
	if n.get("text-anchor") == "start" {
		n.drop("text-anchor")
	}
}

// tidyPath takes the black from straight lines that the library fills: nothing
// shows of it, and it is no colour of a role.
func tidyPath(n *node) {
	d := n.get("d")
	if strings.Count(d, "L") == 1 && strings.Trim(d, "ML0123456789.- ") == "" {
		n.drop("fill-opacity")
		n.set("fill", "none")
	}
}

// clip gives a clip its new id. Where nothing is to be cut the library still
// writes a clip, much taller than the picture: that one is emptied, and dropped.
func (t idTable) clip(n *node) error {
	if len(n.children) != 1 || n.children[0].name != "path" {
		return errors.New("a clip is not one path")
	}
	shape := n.children[0]
	if _, top, _ := strings.Cut(shape.get("d"), " "); strings.HasPrefix(top, "-") {
		t.to[n.get("id")] = ""
		n.children = nil
		return nil
	}
	shape.drop("fill")
	to := fmt.Sprintf("%s%d", t.prefix, len(t.to))
	t.to[n.get("id")] = to
	n.set("id", to)
	return nil
}

// rewriteReferences makes url(#id) follow the new ids, and replaces groups that
// clip nothing by their content.
func rewriteReferences(n *node, ids idTable) error {
	var kept []*node
	for _, c := range n.children {
		if err := rewriteReferences(c, ids); err != nil {
			return err
		}
		for i, a := range c.attrs {
			id, ok := strings.CutPrefix(a.Value, "url(#")
			if !ok {
				continue
			}
			to, known := ids.to[strings.TrimSuffix(id, ")")]
			if !known {
				return fmt.Errorf("%s refers to %q, which is not in the drawing", a.Name.Local, a.Value)
			}
			c.attrs[i].Value = "url(#" + to + ")"
		}
		if c.name == "g" && (len(c.attrs) == 0 || len(c.attrs) == 1 && c.get("clip-path") == "url(#)") {
			kept = append(kept, c.children...)
			continue
		}
		kept = append(kept, c)
	}
	n.children = kept
	return nil
}
