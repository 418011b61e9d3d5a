package i18n

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.org/arena/results/tomlfile"
)

// check compares the languages with each other and looks at every text.
func (c *Catalogs) check() {
	for _, l := range languages {
		lang := l.code
		for _, key := range sortedMessages(c.messages[lang]) {
			m := c.messages[lang][key]
			fault := func(message string) {
				c.record(tomlfile.Fault{File: m.file, Line: m.line, Key: key, Message: message})
			}
			checkForms(l, m, fault)
			for _, f := range slices.Sorted(maps.Keys(m.texts)) {
				for _, mistake := range CheckText(lang, m.texts[f]) {
					fault(mistake)
				}
			}
			c.compare(lang, key, m, fault)
		}
	}
}

// compare faults what key lacks or has differently in the other languages.
func (c *Catalogs) compare(lang Lang, key string, m entry, fault func(string)) {
	for _, to := range Langs {
		n, ok := c.messages[to][key]
		switch {
		case to == lang:
		case !ok:
			fault(fmt.Sprintf("missing in %s", to))
		case m.plural != n.plural:
			fault(fmt.Sprintf("a plural message here or in %s, but not in both", to))
		default:
			if got, want := m.allPlaceholders(), n.allPlaceholders(); !slices.Equal(got, want) {
				fault(fmt.Sprintf("placeholders %s, in %s %s", listNames(got), to, listNames(want)))
			}
		}
	}
}

func listNames(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, " ")
}

// checkForms faults missing and superfluous plural forms, and forms that leave
// out a placeholder. Only the form for exactly one may leave out the count: in
// Dutch and English, but not in French, where "one" is also the form of zero.
func checkForms(l row, m entry, fault func(string)) {
	if !m.plural {
		return
	}
	for _, f := range l.forms {
		if _, ok := m.forms[f]; !ok {
			fault(fmt.Sprintf("no plural form %q", f))
		}
	}
	all := m.allPlaceholders()
	if !slices.Contains(all, "{count}") {
		fault("a plural message without {count}")
	}
	for _, f := range slices.Sorted(maps.Keys(m.forms)) {
		if !slices.Contains(l.forms, f) {
			fault(fmt.Sprintf("%s has no plural form %q", l.code, f))
		}
		for _, name := range all {
			spared := name == "{count}" && f == one && l.plural(0) != one
			if !spared && !slices.Contains(placeholders(m.forms[f]), name) {
				fault(fmt.Sprintf("the form %q lacks %s", f, name))
			}
		}
	}
}
