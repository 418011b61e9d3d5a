package i18n

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// The spaces of French typography.
const (
	narrow  = "\u202f" // narrow no-break space: before ; ! ? and inside « »
	noBreak = "\u00a0" // no-break space: before : and %
)

// CheckText returns what is wrong with the characters of a text in lang.
func CheckText(lang Lang, text string) []string {
	var faults []string
	if strings.TrimSpace(text) == "" {
		return []string{"an empty text"}
	}
	if strings.TrimFunc(text, unicode.IsSpace) != text {
		faults = append(faults, "a space at the beginning or end")
	}
	prose := withoutLiterals(text)
	row, _ := lang.row()
	for _, rule := range slices.Concat(everywhere, row.typography) {
		if rule.find(prose) {
			faults = append(faults, rule.says)
		}
	}
	for _, r := range text {
		if unicode.IsControl(r) {
			faults = append(faults, fmt.Sprintf("a control character %U", r))
			break
		}
	}
	return faults
}

// literals match what is no prose: placeholders and addresses.
var literals = regexp.MustCompile(`\{[^}]*\}|https?://\S+`)

// withoutLiterals replaces each placeholder and address in text by a letter, so
// that rules about neighbouring characters still see a word there.
func withoutLiterals(text string) string {
	return literals.ReplaceAllString(text, "x")
}

// A rule of typography says what a text must not have.
type rule struct {
	find func(string) bool
	says string
}

// everywhere are the rules of all languages.
var everywhere = []rule{
	{contains("%!"), "the formatting mistake %!"},
	{contains("'"), "a straight apostrophe, use ’"},
	{contains(`"`), "a straight quotation mark, use “ ” or « »"},
	{contains("..."), "three full stops, use …"},
	{contains("  "), "two spaces in a row"},
	{contains(" ."), "a space before a full stop"},
	{contains(" ,"), "a space before a comma"},
	{matches(`[0-9]-[0-9]`), "a hyphen between numbers, use –"},
	{matches(`</?[a-z]|&#?[a-z0-9]+;`), "markup in a text"},
}

// Rules that several languages have.
var (
	noSpaceBeforeMarks = rule{matches(`\p{L}[\s` + noBreak + narrow + `][;:!?]`), "a space before punctuation"}
	noGuillemets       = rule{contains("«", "»"), "French quotation marks, use “ ”"}
)

var frenchSpaces = []rule{
	{contains("“", "”"), "English quotation marks, use « »"},
	{matches(`[^` + narrow + `!?][;!?]`), "no narrow no-break space (U+202F) before ; ! or ?"},
	{matches(`[^` + noBreak + `]:(\s|$)`), "no no-break space (U+00A0) before :"},
	{matches(`«[^` + narrow + `]`), "no narrow no-break space (U+202F) after «"},
	{matches(`[^` + narrow + `]»`), "no narrow no-break space (U+202F) before »"},
	{matches(`[0-9x] %`), "no no-break space (U+00A0) before %"},
}

func contains(any ...string) func(string) bool {
	return func(s string) bool {
		for _, sub := range any {
			if strings.Contains(s, sub) {
				return true
			}
		}
		return false
	}
}

func matches(pattern string) func(string) bool {
	return regexp.MustCompile(pattern).MatchString
}
