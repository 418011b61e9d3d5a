package i18n

import (
	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

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

// forms returns the categories that a plural message needs in lang, the ones
// CLDR has for cardinals there.
func (l Lang) forms() []form {
	if l == FR {
		return []form{one, many, other}
	}
	return []form{one, other}
}

// plural returns the category of the integer n in l. The data of x/text predate
// the French "many" (whole millions: "1 000 000 de mesures"), which is added here.
func (l Lang) plural(n int) form {
	if n < 0 {
		n = -n
	}
	if l == FR && n != 0 && n%1_000_000 == 0 {
		return many
	}
	// MatchPlural takes the number's last digits where it is too large; the
	// rules of the three languages look at nothing else.
	if plural.Cardinal.MatchPlural(language.Make(string(l)), n%10_000_000, 0, 0, 0, 0) == plural.One && n < 10_000_000 {
		return one
	}
	return other
}
