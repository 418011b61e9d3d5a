package i18n

import "strings"

// keyLines returns the line of every key and table of a catalog, from 1. The
// TOML library gives none. It reads the layout that catalogs have: a key, an
// equals sign and a text on one line, below [table] headers; a text of several
// lines stands between triple quotes. What it does not understand has no line.
func keyLines(doc string) map[string]int {
	lines := map[string]int{}
	table, closing := "", ""
	n := 0
	for line := range strings.Lines(doc) {
		n++
		if closing != "" {
			if strings.Contains(line, closing) {
				closing = ""
			}
			continue
		}
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			table = unquoteKey(strings.Trim(line, "[] "))
			note(lines, table, n)
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		note(lines, strings.TrimPrefix(table+"."+unquoteKey(key), "."), n)
		for _, quotes := range []string{`"""`, `'''`} {
			if value = strings.TrimSpace(value); strings.HasPrefix(value, quotes) && strings.Count(value, quotes) == 1 {
				closing = quotes
			}
		}
	}
	return lines
}

// note stores the first line on which key appears.
func note(lines map[string]int, key string, n int) {
	if lines[key] == 0 {
		lines[key] = n
	}
}

// unquoteKey returns a dotted key without spaces and quotes.
func unquoteKey(key string) string {
	return strings.NewReplacer(`"`, "", " ", "", "\t", "").Replace(key)
}
