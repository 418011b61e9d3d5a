package i18n

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"example.org/arena/results/tomlfile"
)

// Catalogs holds the texts of every language, and the faults found in them and
// in their use so far.
type Catalogs struct {
	messages map[Lang]map[string]entry

	mu     sync.Mutex
	faults map[tomlfile.Fault]bool
}

// Load reads and checks the catalogs <lang>/<area>.toml of every language. The
// error is tomlfile.Faults: every fault of every file, in order. The catalogs are returned
// beside it whenever there are any, so that a preview can show a site whose
// texts are not finished; a build must stop at the error.
func Load(fsys fs.FS) (*Catalogs, error) {
	c := &Catalogs{messages: map[Lang]map[string]entry{}, faults: map[tomlfile.Fault]bool{}}
	for _, lang := range Langs {
		c.messages[lang] = map[string]entry{}
		c.loadLang(fsys, lang)
	}
	c.check()
	return c, c.Faults().Err()
}

// loadLang reads every catalog of lang.
func (c *Catalogs) loadLang(fsys fs.FS, lang Lang) {
	files, err := fs.Glob(fsys, string(lang)+"/*.toml")
	if err != nil || len(files) == 0 {
		c.record(tomlfile.Fault{File: string(lang), Message: "no catalogs"})
		return
	}
	for _, file := range files {
		c.loadFile(fsys, lang, file)
	}
}

// loadFile reads one catalog.
func (c *Catalogs) loadFile(fsys fs.FS, lang Lang, file string) {
	area := strings.TrimSuffix(path.Base(file), ".toml")
	if !isName(area) {
		c.record(tomlfile.Fault{File: file, Message: "the file's name is no area of lower-case letters, digits and underscores"})
		return
	}
	data, err := fs.ReadFile(fsys, file)
	if err != nil {
		c.record(tomlfile.Fault{File: file, Message: err.Error()})
		return
	}
	top, err := tomlfile.Decode(file, data)
	if faults, ok := errors.AsType[tomlfile.Faults](err); ok {
		for _, f := range faults {
			c.record(tomlfile.Fault{File: f.File, Line: f.Line, Message: f.Message}) // its key would lack the area
		}
		return
	}
	r := fileReader{catalogs: c, lang: lang, area: area, file: file}
	r.table(area, top)
}

// A fileReader turns the tables of one file into messages.
type fileReader struct {
	catalogs *Catalogs
	lang     Lang
	area     string
	file     string
}

// table reads the entries of the table with the given full key.
func (r *fileReader) table(prefix string, t *tomlfile.Table) {
	for _, name := range t.Keys() {
		key, line := prefix+"."+name, t.Line(name)
		if name == "" || strings.ContainsAny(name, " {}") {
			r.fault(key, line, "a key has no spaces and braces")
			continue
		}
		switch v := t.Any(name).(type) {
		case string:
			if prefix != r.area || !isCategory(name) {
				r.message(key, line, false, map[string]any{string(other): v})
				continue
			}
			r.fault(key, line, "the name of a plural form is no key by itself")
		case map[string]any:
			if isPlural(v) {
				r.message(key, line, true, v)
				continue
			}
			r.table(key, t.Sub(name))
		default:
			r.fault(key, line, fmt.Sprintf("a text or a table wanted, got %T", v))
		}
	}
}

// isPlural reports whether a table is a plural message. A table that has one
// plural form has nothing else; message faults the rest.
func isPlural(tree map[string]any) bool {
	for name, v := range tree {
		if _, text := v.(string); text && isCategory(name) {
			return true
		}
	}
	return false
}

func isCategory(name string) bool {
	return slices.Contains(categories, form(name))
}

// message adds one message with its forms.
func (r *fileReader) message(key string, line int, plural bool, forms map[string]any) {
	m := entry{
		file: r.file, line: line, plural: plural,
		forms: map[form][]segment{}, texts: map[form]string{},
	}
	for _, name := range slices.Sorted(maps.Keys(forms)) {
		text, ok := forms[name].(string)
		if !ok || plural && !isCategory(name) {
			r.fault(key, line, fmt.Sprintf("%q stands among plural forms", name))
			continue
		}
		segs, err := parseText(text)
		if err != nil {
			r.fault(key, line, err.Error())
			continue
		}
		m.forms[form(name)], m.texts[form(name)] = segs, text
	}
	if _, twice := r.catalogs.messages[r.lang][key]; twice {
		r.fault(key, line, "the key stands twice")
	}
	r.catalogs.messages[r.lang][key] = m
}

func (r *fileReader) fault(key string, line int, message string) {
	r.catalogs.record(tomlfile.Fault{File: r.file, Line: line, Key: key, Message: message})
}

// record adds a fault, once.
func (c *Catalogs) record(f tomlfile.Fault) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.faults[f] = true
}

// Faults returns everything found wrong so far: the faults of Load, and every
// key, argument and plural form that a printer missed since. They are sorted. The
// file of such a use is the language whose text was wanted.
func (c *Catalogs) Faults() tomlfile.Faults {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.SortedFunc(maps.Keys(c.faults), func(a, b tomlfile.Fault) int {
		return cmp.Or(
			cmp.Compare(a.File, b.File),
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Key, b.Key),
			cmp.Compare(a.Message, b.Message),
		)
	})
}

// Printer returns the printer of lang, which must be one of Langs.
func (c *Catalogs) Printer(lang Lang) *Printer {
	row, ok := lang.row()
	if !ok {
		c.record(tomlfile.Fault{File: string(lang), Message: "no such language"})
	}
	return &Printer{row: row, catalogs: c}
}

// Keys returns every key that a language has, sorted.
func (c *Catalogs) Keys() []string {
	keys := map[string]bool{}
	for _, messages := range c.messages {
		for key := range messages {
			keys[key] = true
		}
	}
	return slices.Sorted(maps.Keys(keys))
}

// Plural reports whether key is a plural message, to be read by N.
func (c *Catalogs) Plural(key string) bool {
	for _, lang := range Langs {
		if m, ok := c.messages[lang][key]; ok {
			return m.plural
		}
	}
	return false
}

// sortedMessages returns the keys of messages by file and line, as a reader of
// the files meets them.
func sortedMessages(messages map[string]entry) []string {
	return slices.SortedFunc(maps.Keys(messages), func(a, b string) int {
		x, y := messages[a], messages[b]
		return cmp.Or(cmp.Compare(x.file, y.file), cmp.Compare(x.line, y.line), cmp.Compare(a, b))
	})
}
