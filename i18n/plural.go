package i18n

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

// oneAlone is the rule of languages that have a form for exactly one.
func oneAlone(n int) form {
	if n == 1 {
		return one
	}
	return other
}

// french gives nothing the form of one, and whole millions a form of their own:
// 1 000 000 de mesures.
func french(n int) form {
	switch {
	case n == 0 || n == 1:
		return one
	case n%1_000_000 == 0:
		return many
	}
	return other
}
