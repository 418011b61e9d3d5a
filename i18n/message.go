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

// A segment is literal text, or a placeholder when name is set.
type segment struct {
	text string
	name string
	kind string // formatting directive after the colon, "" for none
}

// parseText splits a message at its placeholders: {name} or {name:directive}.
// There is no escape: a brace that belongs to no placeholder is an error.
func parseText(s string) ([]segment, error) {
	var segs []segment
	for s != "" {
		i := strings.IndexAny(s, "{}")
		if i < 0 {
			return append(segs, segment{text: s}), nil
		}
		if s[i] == '}' {
			return nil, fmt.Errorf("closing brace without an opening one before %q", s[i:])
		}
		if i > 0 {
			segs = append(segs, segment{text: s[:i]})
		}
		s = s[i+1:]
		j := strings.IndexAny(s, "{}")
		if j < 0 || s[j] == '{' {
			return nil, fmt.Errorf("opening brace without a closing one before %q", s)
		}
		name, kind, colon := strings.Cut(s[:j], ":")
		if !isName(name) {
			return nil, fmt.Errorf("placeholder {%s} is no name of lower-case letters, digits and underscores", s[:j])
		}
		if _, err := parseDirective(kind); err != nil || colon && kind == "" {
			return nil, fmt.Errorf("placeholder {%s}: unknown directive", s[:j])
		}
		segs = append(segs, segment{name: name, kind: kind})
		s = s[j+1:]
	}
	return segs, nil
}

// isName reports whether s may name a placeholder or a part of a key.
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

// placeholders returns the placeholders of segs with their directives, sorted,
// each once.
func placeholders(segs []segment) []string {
	var names []string
	for _, s := range segs {
		if s.name == "" {
			continue
		}
		names = append(names, s.placeholder())
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// placeholder returns the placeholder as it is written.
func (s segment) placeholder() string {
	if s.kind == "" {
		return "{" + s.name + "}"
	}
	return "{" + s.name + ":" + s.kind + "}"
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
