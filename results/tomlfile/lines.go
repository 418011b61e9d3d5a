package tomlfile

import (
	"strconv"
	"strings"
)

// Lines tells where the keys of a TOML file stand: path → line, from 1. The
// library gives no positions for keys, and a fault without its line is of
// little use.
type Lines map[string]int

// of returns the line of path, or of the nearest table around it, or 0. An
// array of tables stands where its first table does.
func (l Lines) of(path string) int {
	for path != "" {
		for _, p := range []string{path, Element(path, 0)} {
			if n, ok := l[p]; ok {
				return n
			}
		}
		path = path[:max(strings.LastIndexAny(path, ".["), 0)]
	}
	return 0
}

// at is as of, but says the first line of a file where of knows none.
func (l Lines) at(path string) int {
	if line := l.of(path); line > 0 || l == nil {
		return line
	}
	return 1
}

// scanLines finds all tables, and all keys outside inline tables. It expects
// valid TOML; from anything else it makes no sense, but it ends.
func scanLines(data []byte) Lines {
	s := scanner{rest: string(data), line: 1, found: Lines{}, tables: map[string]int{}}
	s.skip(len(s.rest) - len(strings.TrimPrefix(s.rest, "\ufeff")))
	for s.blank(); s.rest != ""; s.blank() {
		if s.rest[0] == '[' {
			s.header()
		} else {
			s.statement()
		}
	}
	return s.found
}

type scanner struct {
	rest   string
	line   int    // of the first byte of rest
	table  string // path of the table that keys belong to, empty at the top
	found  Lines
	tables map[string]int // path of an array of tables → tables so far
}

// skip drops n bytes of the rest, counting lines.
func (s *scanner) skip(n int) {
	s.line += strings.Count(s.rest[:n], "\n")
	s.rest = s.rest[n:]
}

// blank drops white space, line ends and comments.
func (s *scanner) blank() {
	for {
		s.skip(len(s.rest) - len(strings.TrimLeft(s.rest, " \t\r\n")))
		if !strings.HasPrefix(s.rest, "#") {
			return
		}
		s.skip(lineLength(s.rest))
	}
}

// header reads a [table] or an [[array of tables]].
func (s *scanner) header() {
	line, isArray := s.line, strings.HasPrefix(s.rest, "[[")
	s.rest = strings.TrimLeft(s.rest, "[")
	keys := s.keys()
	path := ""
	for i, key := range keys {
		path = Join(path, key)
		if n := s.tables[path]; n > 0 && (i < len(keys)-1 || !isArray) {
			path = Element(path, n-1)
		}
	}
	if isArray {
		s.tables[path]++
		path = Element(path, s.tables[path]-1)
	}
	s.table = path
	s.found[path] = line
	s.skip(lineLength(s.rest))
}

// statement reads a key and its value.
func (s *scanner) statement() {
	line, path := s.line, s.table
	for _, key := range s.keys() {
		path = Join(path, key)
	}
	if _, ok := s.found[path]; !ok {
		s.found[path] = line
	}
	s.value()
}

// keys reads a dotted key. It consumes at least one byte of a non-empty rest
// unless that is what ends a key.
func (s *scanner) keys() []string {
	var keys []string
	for {
		s.rest = strings.TrimLeft(s.rest, " \t")
		n := keyLength(s.rest)
		keys = append(keys, strings.Trim(s.rest[:n], `"'`))
		s.skip(n)
		s.rest = strings.TrimLeft(s.rest, " \t")
		if !strings.HasPrefix(s.rest, ".") {
			return keys
		}
		s.rest = s.rest[1:]
	}
}

// value drops a value and the rest of its last line. Values may span lines
// inside brackets and in strings with three quotes.
func (s *scanner) value() {
	depth := 0
	for s.rest != "" {
		n := 1
		switch s.rest[0] {
		case '"', '\'':
			n = stringLength(s.rest)
		case '#':
			n = lineLength(s.rest)
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case '\n':
			if depth <= 0 {
				s.skip(1)
				return
			}
		}
		s.skip(n)
	}
}

// keyLength returns the length of the bare or quoted key that s begins with.
func keyLength(s string) int {
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		return stringLength(s)
	}
	n := strings.IndexAny(s, " \t\r\n.=]#")
	if n < 0 {
		return len(s)
	}
	return n
}

// stringLength returns the length of the quoted string that s begins with.
func stringLength(s string) int {
	quote := s[:1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(s, triple) {
		quote = triple
	}
	for i := len(quote); i < len(s); i++ {
		switch {
		case quote[0] == '"' && s[i] == '\\':
			i++
		case strings.HasPrefix(s[i:], quote):
			i += len(quote)
			for len(quote) == 3 && i < len(s) && s[i] == quote[0] { // """" ends with a quote of its own
				i++
			}
			return i
		case len(quote) == 1 && s[i] == '\n':
			return i
		}
	}
	return len(s)
}

// lineLength returns the length of s up to its first line end, which stays.
func lineLength(s string) int {
	if n := strings.IndexByte(s, '\n'); n >= 0 {
		return n
	}
	return len(s)
}

// Join returns the path of a key of the table at path.
func Join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// Element returns the path of the i-th table, from 0, of the array at path.
func Element(path string, i int) string {
	return path + "[" + strconv.Itoa(i) + "]"
}
