package i18n

import (
	"fmt"
	"slices"
	"strings"

	"example.org/arena/results/tomlfile"
)

// A Printer writes words, numbers, dates and units in one language. Nothing it
// does fails or panics: a fault is recorded with the catalogs it belongs to, and
// its text shows the key between ⟦ and ⟧. A Printer is safe for concurrent use.
type Printer struct {
	row      row
	catalogs *Catalogs
}

// Lang returns the printer's language.
func (p *Printer) Lang() Lang { return p.row.code }

// T returns the text of key. The args are name, value pairs, one for each of the
// message's placeholders.
//
// The key of a plural message followed by a plural category ("board.shown.one")
// is that form with its {count} left standing, for a script that counts.
func (p *Printer) T(key string, args ...any) string {
	return join(p.Parts(key, args...))
}

// N returns the plural message of key for count. The placeholder {count} is the
// count itself, grouped; args hold the others.
func (p *Printer) N(key string, count int, args ...any) string {
	m, ok := p.message(key)
	if !ok {
		return p.missing(key)
	}
	if !m.plural {
		return p.faulty(key, "no plural message, use T")
	}
	pairs, err := pairArguments(args)
	if err != nil {
		return p.faulty(key, err.Error())
	}
	pairs = append(pairs, argument{"count", count})
	return join(p.expand(key, m, p.row.plural(max(count, -count)), pairs))
}

// Try returns the text of key, and whether key and arguments fit. It records no
// fault: it is for keys and arguments that come from data, which a newer program
// or another hand may have written.
func (p *Printer) Try(key string, args ...any) (string, bool) {
	apart := &Catalogs{messages: p.catalogs.messages, faults: map[tomlfile.Fault]bool{}}
	text := (&Printer{row: p.row, catalogs: apart}).T(key, args...)
	return text, len(apart.faults) == 0
}

// Has reports whether key has a text, so that optional texts can be left out.
func (p *Printer) Has(key string) bool {
	_, ok := p.message(key)
	return ok
}

// A Part is a piece of an expanded message: text, or a slot when Slot is set.
type Part struct {
	Text string
	Slot string // name of the placeholder that the caller fills
}

// Slot leaves a place to the caller, when it is given to Parts as the value of a
// placeholder: so a link can stand in the middle of a sentence.
var Slot slot

type slot struct{}

// Parts returns the text of key in pieces, split at the placeholders whose value
// is Slot. Neighbouring texts are joined.
func (p *Printer) Parts(key string, args ...any) []Part {
	m, ok := p.message(key)
	if !ok {
		return p.formParts(key, args)
	}
	if m.plural {
		return []Part{{Text: p.faulty(key, "a plural message, use N")}}
	}
	pairs, err := pairArguments(args)
	if err != nil {
		return []Part{{Text: p.faulty(key, err.Error())}}
	}
	return p.expand(key, m, other, pairs)
}

// formParts returns a single plural form, whose key is that of the message and
// the form's category.
func (p *Printer) formParts(key string, args []any) []Part {
	i := max(strings.LastIndexByte(key, '.'), 0)
	m, ok := p.message(key[:i])
	if !ok || !m.plural || !isCategory(key[i+1:]) {
		return []Part{{Text: p.missing(key)}}
	}
	pairs, err := pairArguments(args)
	if err != nil {
		return []Part{{Text: p.faulty(key, err.Error())}}
	}
	return p.expand(key, m, form(key[i+1:]), append(pairs, argument{"count", "{count}"}))
}

// expand puts args into one form of m.
func (p *Printer) expand(key string, m entry, f form, args arguments) []Part {
	segs, ok := m.forms[f]
	if !ok {
		return []Part{{Text: p.faulty(key, fmt.Sprintf("no plural form %q", f))}}
	}
	args = gatherOthers(m, args)
	for _, name := range m.unknown(args) {
		p.faulty(key, fmt.Sprintf("no placeholder {%s} in the message", name))
	}
	return p.appendParts(nil, key, segs, args)
}

// appendParts adds the segments of a message to parts.
func (p *Printer) appendParts(parts []Part, key string, segs []segment, args arguments) []Part {
	for _, s := range segs {
		v, ok := args.get(s.name)
		_, isSlot := v.(slot)
		switch {
		case s.optional != nil && given(s.optional, args):
			parts = p.appendParts(parts, key, s.optional, args)
		case s.optional != nil:
		case s.name == "":
			parts = appendText(parts, s.text)
		case isSlot:
			parts = append(parts, Part{Slot: s.name})
		default:
			parts = appendText(parts, p.value(key, s, v, ok))
		}
	}
	return parts
}

// appendText adds text to parts, to the last one when that is text as well.
func appendText(parts []Part, text string) []Part {
	if last := len(parts) - 1; last >= 0 && parts[last].Slot == "" {
		parts[last].Text += text
		return parts
	}
	return append(parts, Part{Text: text})
}

// value returns the text of one placeholder.
func (p *Printer) value(key string, s segment, v any, given bool) string {
	if !given {
		p.faulty(key, fmt.Sprintf("no argument for %s", s.placeholder()))
		return mark(s.name)
	}
	d, err := parseDirective(s.kind)
	if err == nil {
		var text string
		if text, err = p.apply(d, v); err == nil {
			if strings.Contains(text, "%!") {
				p.faulty(key, fmt.Sprintf("argument %s: a formatting mistake in %q", s.placeholder(), text))
			}
			return text
		}
	}
	p.faulty(key, fmt.Sprintf("argument %s: %v", s.placeholder(), err))
	return mark(s.name)
}

// unknown returns the names in args that no form of m uses.
func (m entry) unknown(args arguments) []string {
	var names []string
	for _, arg := range args {
		if arg.name == "count" && m.plural {
			continue
		}
		if !m.uses(arg.name) {
			names = append(names, arg.name)
		}
	}
	return names
}

// others is the placeholder that takes every argument without one of its own, as
// "name value, name value": for data whose names are not known beforehand.
const others = "others"

// gatherOthers moves the arguments that m does not name into others, when m has
// that placeholder.
func gatherOthers(m entry, args arguments) arguments {
	names := m.unknown(args)
	if len(names) == 0 || !m.uses(others) {
		return args
	}
	var named arguments
	var rest []string
	for _, arg := range args {
		if !slices.Contains(names, arg.name) {
			named = append(named, arg)
			continue
		}
		rest = append(rest, arg.name+" "+fmt.Sprint(arg.value))
	}
	return append(named, argument{others, strings.Join(rest, ", ")})
}

// uses reports whether a form of m has the named placeholder.
func (m entry) uses(name string) bool {
	for _, segs := range m.forms {
		if uses(segs, name) {
			return true
		}
	}
	return false
}

// join returns the text of parts.
func join(parts []Part) string {
	if len(parts) == 1 {
		return parts[0].Text
	}
	var b strings.Builder
	for _, part := range parts {
		b.WriteString(part.Text)
	}
	return b.String()
}

// message finds the message of key.
func (p *Printer) message(key string) (entry, bool) {
	m, ok := p.catalogs.messages[p.row.code][key]
	return m, ok
}

// missing records that key has no text and returns its mark.
func (p *Printer) missing(key string) string {
	return p.faulty(key, "no such key")
}

// faulty records what is wrong with the use of key and returns its mark.
func (p *Printer) faulty(key, message string) string {
	p.catalogs.record(tomlfile.Fault{File: string(p.row.code), Key: key, Message: message})
	return mark(key)
}

// mark returns what stands on a page in place of a text that is missing.
func mark(name string) string {
	return "⟦" + name + "⟧"
}
