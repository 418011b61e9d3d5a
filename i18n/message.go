package i18n

import (
	"fmt"
	"slices"
	"strings"
)

// An entry is the text of a key: one form ("other"), or one per plural category.
type entry struct {
	file   string
	line   int
	plural bool
	forms  map[form][]segment
	texts  map[form]string
}

// A segment is literal text; a placeholder, when name is set; or a part that is
// left out unless all its placeholders have a value, when optional is set.
type segment struct {
	text     string
	name     string
	kind     string // formatting directive after the colon, "" for none
	optional []segment
}

// parseText splits a message at its placeholders, {name} or {name:directive},
// and its optional parts, [text with a {name}]. There is no escape: a brace or
// bracket that belongs to neither is an error.
func parseText(s string) ([]segment, error) {
	var segs []segment
	for s != "" {
		i := strings.IndexAny(s, "{}[]")
		if i < 0 {
			return append(segs, segment{text: s}), nil
		}
		if i > 0 {
			segs = append(segs, segment{text: s[:i]})
		}
		seg, rest, err := parseBraced(s[i:])
		if err != nil {
			return nil, err
		}
		segs, s = append(segs, seg), rest
	}
	return segs, nil
}

// parseBraced reads the placeholder or optional part that s begins with, and
// returns what follows it.
func parseBraced(s string) (seg segment, rest string, err error) {
	opening, s := s[0], s[1:]
	if opening == '}' || opening == ']' {
		return seg, "", fmt.Errorf("%q closes nothing before %q", opening, s)
	}
	closing := map[byte]string{'{': "}", '[': "]"}[opening]
	inside, rest, ok := strings.Cut(s, closing)
	if !ok {
		return seg, "", fmt.Errorf("nothing closes %q before %q", opening, s)
	}
	if opening == '{' {
		seg, err = parsePlaceholder(inside)
		return seg, rest, err
	}
	seg.optional, err = parseText(inside)
	if err == nil && len(placeholders(seg.optional)) == 0 {
		err = fmt.Errorf("no placeholder in the optional part [%s]", inside)
	}
	return seg, rest, err
}

// parsePlaceholder reads what stands between the braces of a placeholder.
func parsePlaceholder(inside string) (segment, error) {
	name, kind, colon := strings.Cut(inside, ":")
	if !isName(name) {
		return segment{}, fmt.Errorf("placeholder {%s} is no name of lower-case letters, digits and underscores", inside)
	}
	if _, err := parseDirective(kind); err != nil || colon && kind == "" {
		return segment{}, fmt.Errorf("placeholder {%s}: unknown directive", inside)
	}
	return segment{name: name, kind: kind}, nil
}

// isName reports whether s may name a placeholder or an area.
func isName(s string) bool {
	for i, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r == '_' && i > 0, r >= '0' && r <= '9' && i > 0:
		default:
			return false
		}
	}
	return s != ""
}

// placeholder returns a placeholder as it is written.
func (s segment) placeholder() string {
	if s.kind == "" {
		return "{" + s.name + "}"
	}
	return "{" + s.name + ":" + s.kind + "}"
}

// placeholders returns the placeholders of segs as they are written, sorted, each
// once; those of optional parts have their brackets.
func placeholders(segs []segment) []string {
	var names []string
	for _, s := range segs {
		switch {
		case s.optional != nil:
			for _, name := range placeholders(s.optional) {
				names = append(names, "["+name+"]")
			}
		case s.name != "":
			names = append(names, s.placeholder())
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// allPlaceholders returns the placeholders of all forms of m, sorted, each once.
func (m entry) allPlaceholders() []string {
	var names []string
	for _, segs := range m.forms {
		names = append(names, placeholders(segs)...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// uses reports whether segs have the named placeholder.
func uses(segs []segment, name string) bool {
	for _, s := range segs {
		if s.name == name || uses(s.optional, name) {
			return true
		}
	}
	return false
}

// given reports whether args have a value for every placeholder of segs.
func given(segs []segment, args arguments) bool {
	for _, s := range segs {
		if _, ok := args.get(s.name); s.name != "" && !ok {
			return false
		}
	}
	return true
}
