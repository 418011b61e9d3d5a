package content

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"example.org/arena/i18n"
	"example.org/arena/results/tomlfile"
)

// A Section is a folder of Markdown texts, <name>.<language>.md.
type Section string

// The sections.
const (
	Benchmarks Section = "benchmarks" // one text per test, named by its slug
	Pages      Section = "pages"      // texts of whole pages
	Reports    Section = "reports"    // texts of reports, each beside the file of its report
)

// Sections lists the sections.
var Sections = []Section{Benchmarks, Pages, Reports}

// Text returns the Markdown of a text in a language and whether there is one.
func (c *Content) Text(s Section, name, lang string) ([]byte, bool) {
	b, ok := c.texts[s][name][lang]
	return b, ok
}

// A library is the texts of all sections: section → name → language.
type library map[Section]map[string]map[string][]byte

// texts reads the Markdown of every section.
func (l *loader) texts() library {
	all := library{}
	for _, section := range Sections {
		texts := map[string]map[string][]byte{}
		var others []string
		if section == Reports {
			others = []string{".toml"}
		}
		for _, base := range l.list(string(section), ".md", others...) {
			l.text(section, base, texts)
		}
		l.checkLanguages(section, texts)
		all[section] = texts
	}
	return all
}

// text reads one file, named without its ".md".
func (l *loader) text(section Section, base string, texts map[string]map[string][]byte) {
	file := path.Join(string(section), base+".md")
	name, lang := splitLanguage(base)
	if lang == "" || !slug.MatchString(name) {
		l.fault(file, fmt.Sprintf("is not named <name>.<language>.md with a lower-case name and one of the languages %s", i18n.Langs))
		return
	}
	data, ok := l.read(file)
	if !ok {
		return
	}
	if message := oddBytes(data); message != "" {
		l.faults = append(l.faults, tomlfile.Fault{File: file, Line: 1, Message: message})
	}
	if strings.TrimSpace(string(data)) == "" {
		l.fault(file, "is empty")
	}
	if texts[name] == nil {
		texts[name] = map[string][]byte{}
	}
	texts[name][lang] = data
}

// splitLanguage splits "chat.nl" into name and language. The language is empty
// when it is none of the site's.
func splitLanguage(base string) (name, lang string) {
	ext := path.Ext(base)
	if lang = strings.TrimPrefix(ext, "."); slices.Contains(i18n.Langs, i18n.Lang(lang)) {
		return strings.TrimSuffix(base, ext), lang
	}
	return base, ""
}

// checkLanguages wants each text in every language.
func (l *loader) checkLanguages(section Section, texts map[string]map[string][]byte) {
	for name, byLang := range texts {
		for _, lang := range i18n.Langs {
			if _, ok := byLang[string(lang)]; !ok {
				l.fault(path.Join(string(section), name+"."+string(lang)+".md"), "is missing; the text exists in another language")
			}
		}
	}
}
