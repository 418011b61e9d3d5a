package i18n

// A Lang is a language of the site, as an ISO 639-1 code.
type Lang string

// The languages.
const (
	NL Lang = "nl"
	EN Lang = "en"
	FR Lang = "fr"
)

// Langs lists the languages in the order in which pages offer them.
var Langs = []Lang{NL, EN, FR}

// Autonym returns the language's name in the language itself. It is the same on
// every page, so it is a property of the language and no catalog entry.
func (l Lang) Autonym() string {
	switch l {
	case NL:
		return "Nederlands"
	case EN:
		return "English"
	case FR:
		return "Français"
	}
	return string(l)
}
