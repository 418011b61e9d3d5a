package content

import (
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"example.org/arena/i18n"
	"example.org/arena/results/facts"
	"example.org/arena/results/tomlfile"
)

// Limits on what people write, in characters.
const (
	maxRemark = 800
	maxWhy    = 500
	maxArgs   = 1000
	maxName   = 120
)

var (
	modelID  = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,95}/[A-Za-z0-9][A-Za-z0-9._-]{0,95}$`)
	slug     = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,149}$`)
	sha256Of = regexp.MustCompile(`^[0-9a-f]{64}$`)
	link     = regexp.MustCompile(`(?i)://|www\.|mailto:`)
	webURL   = regexp.MustCompile(`^https://[a-z0-9.-]+(/[^\s<>"']*)?$`)
)

// parse reads one file. The error is tomlfile.Faults.
func parse[T any](file string, data []byte, read func(*tomlfile.Table) T) (T, error) {
	var zero T
	t, err := decode(file, data)
	if err != nil {
		return zero, err
	}
	v := read(t)
	if err := t.Err(); err != nil {
		return zero, err
	}
	return v, nil
}

// decode reads the syntax of a file, and refuses what editors add unseen.
func decode(file string, data []byte) (*tomlfile.Table, error) {
	if message := oddBytes(data); message != "" {
		return nil, tomlfile.Faults{{File: file, Line: 1, Message: message}}
	}
	return tomlfile.Decode(file, data)
}

// oddBytes says what keeps data from being plain text with Unix line ends.
func oddBytes(data []byte) string {
	switch {
	case !utf8.Valid(data):
		return "not UTF-8"
	case strings.HasPrefix(string(data), "\ufeff"):
		return "starts with a byte order mark"
	case strings.Contains(string(data), "\r"):
		return "has carriage returns"
	}
	return ""
}

// optional returns the table under a key, nil when there is none.
func optional(t *tomlfile.Table, key string) *tomlfile.Table {
	sub := t.Sub(key)
	if !t.Sound(key) {
		return nil
	}
	return sub
}

// words reads a remark in every language, nil when there is none.
func words(t *tomlfile.Table, key string) facts.Words {
	sub := optional(t, key)
	if sub == nil {
		return nil
	}
	w := facts.Words{}
	for _, l := range i18n.Langs {
		lang := string(l)
		sub.Need(lang)
		w[lang] = sub.Str(lang)
		checkProse(sub, lang, w[lang], maxRemark)
	}
	sub.Done()
	return w
}

// checkProse wants plain text of one line: what is written here ends up between
// a page's own words, so it brings no markup, no links and no invisible
// characters.
func checkProse(t *tomlfile.Table, key, s string, limit int) {
	if !t.Sound(key) {
		return
	}
	switch n := utf8.RuneCountInString(s); {
	case strings.TrimSpace(s) == "":
		t.Fault(key, "empty text")
	case s != strings.TrimSpace(s):
		t.Fault(key, "space at the start or the end")
	case n > limit:
		t.Fault(key, "%d characters; at most %d are allowed", n, limit)
	}
	if i := strings.IndexFunc(s, invisible); i >= 0 {
		t.Fault(key, "line break, control or invisible character after %d bytes", i)
	}
	if strings.ContainsAny(s, "<>`") || strings.Contains(s, "](") {
		t.Fault(key, "markup is not allowed; write plain text")
	}
	if link.MatchString(s) {
		t.Fault(key, "links are not allowed")
	}
}

func invisible(r rune) bool {
	return unicode.Is(unicode.C, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r)
}

// checkName wants a short text without markup.
func checkName(t *tomlfile.Table, key, s string) {
	checkProse(t, key, s, maxName)
}

func checkSlug(t *tomlfile.Table, key, s string) {
	if t.Sound(key) && !slug.MatchString(s) {
		t.Fault(key, "%q is not a slug: want lower-case letters, digits, dots, dashes and underscores", s)
	}
}

func checkModelID(t *tomlfile.Table, key, s string) {
	if t.Sound(key) && !modelID.MatchString(s) {
		t.Fault(key, "%q is not a Hugging Face id: want ORG/MODEL", s)
	}
}

func checkSHA256(t *tomlfile.Table, key, s string) {
	if t.Sound(key) && !sha256Of.MatchString(s) {
		t.Fault(key, "%q is not a SHA-256: want 64 lower-case hex digits", s)
	}
}

func checkURL(t *tomlfile.Table, key, s string) {
	if t.Sound(key) && !webURL.MatchString(s) {
		t.Fault(key, "%q is not an https address", s)
	}
}

// checkSource wants an https address or the name of a document.
func checkSource(t *tomlfile.Table, key, s string) {
	switch {
	case !t.Has(key):
		t.Need(key)
	case strings.Contains(s, "://"):
		checkURL(t, key, s)
	default:
		checkProse(t, key, s, maxName)
	}
}

// checkDate wants a date in one of the layouts.
func checkDate(t *tomlfile.Table, key, s string, layouts ...string) {
	if !t.Sound(key) {
		return
	}
	for _, layout := range layouts {
		if _, err := time.Parse(layout, s); err == nil {
			return
		}
	}
	t.Fault(key, "%q is not a date: want YYYY-MM-DD", s)
}

// checkPositive wants a number above zero that is neither NaN nor infinite.
func checkPositive(t *tomlfile.Table, key string, v float64) {
	if t.Sound(key) && !(v > 0 && v <= 1e30) {
		t.Fault(key, "want a positive number")
	}
}

// checkCount wants a whole number above zero.
func checkCount(t *tomlfile.Table, key string, v int64) int {
	if t.Sound(key) && (v <= 0 || v > 1<<31-1) {
		t.Fault(key, "want a positive whole number")
		return 0
	}
	return int(v)
}

// checkOneOf wants one of the allowed values.
func checkOneOf[S ~string](t *tomlfile.Table, key string, s S, allowed ...S) {
	if !t.Sound(key) {
		return
	}
	var names []string
	for _, a := range allowed {
		if s == a {
			return
		}
		names = append(names, string(a))
	}
	t.Fault(key, "unknown value %q; known are %s", string(s), strings.Join(names, ", "))
}
