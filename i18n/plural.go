package i18n

import "golang.org/x/text/feature/plural"

// A form is a CLDR plural category.
type form string

const (
	zero  form = "zero"
	one   form = "one"
	two   form = "two"
	few   form = "few"
	many  form = "many"
	other form = "other"
)

// categories are the table keys that make a table a plural message.
var categories = []form{zero, one, two, few, many, other}

// matched are the categories by x/text's names.
var matched = map[plural.Form]form{
	plural.Zero: zero, plural.One: one, plural.Two: two, plural.Few: few, plural.Many: many, plural.Other: other,
}

// plural returns the category of n, which is not negative.
func (l row) plural(n int) form {
	if l.millions != "" && n != 0 && n%1_000_000 == 0 {
		return l.millions
	}
	// MatchPlural looks at the last seven digits: what counts is that n is large.
	if n >= 10_000_000 {
		n = n%1_000_000 + 1_000_000
	}
	return matched[plural.Cardinal.MatchPlural(l.tag, n, 0, 0, 0, 0)]
}
