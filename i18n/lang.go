package i18n

import "slices"

// A Lang is a language of the site, as an ISO 639-1 code.
type Lang string

// The languages that code names. Others need no name here: a row of languages is
// enough.
const (
	NL Lang = "nl"
	EN Lang = "en"
	FR Lang = "fr"
)

// A language is what the program knows of a language beside its texts. No field
// may stay empty, and a test compares each with what browsers do.
type language struct {
	code    Lang
	locale  string // BCP 47, whose Intl formats equal these
	autonym string // its name in itself: the same on every page, so it is no text of a catalog

	decimal string // between the units and the decimals of a number
	group   string // between groups of three digits

	forms  []form           // CLDR's plural categories of whole numbers
	plural func(n int) form // of n, which is not negative

	typography []rule // what its texts must keep beside what all texts must
}

// languages lists the languages in the order in which pages offer them. Another
// language is a row here, a folder of catalogs, and its texts in content: what it
// lacks of these is a fault that says so.
var languages = []language{
	{
		code: NL, locale: "nl", autonym: "Nederlands",
		decimal: ",", group: ".",
		forms: []form{one, other}, plural: oneAlone,
		typography: []rule{noSpaceBeforeMarks, noGuillemets},
	},
	{
		code: EN, locale: "en-GB", autonym: "English",
		decimal: ".", group: ",",
		forms: []form{one, other}, plural: oneAlone,
		typography: []rule{noSpaceBeforeMarks, noGuillemets},
	},
	{
		code: FR, locale: "fr", autonym: "Français",
		decimal: ",", group: narrow,
		forms: []form{one, many, other}, plural: french,
		typography: frenchSpaces,
	},
}

// Langs lists the codes of the languages in the order in which pages offer them.
var Langs = codes(languages)

func codes(all []language) []Lang {
	out := make([]Lang, len(all))
	for i, l := range all {
		out[i] = l.code
	}
	return out
}

// language returns the row of l and whether there is one.
func (l Lang) language() (language, bool) {
	i := slices.Index(Langs, l)
	if i < 0 {
		return language{code: l}, false
	}
	return languages[i], true
}

// Autonym returns the language's name in the language itself.
func (l Lang) Autonym() string {
	row, _ := l.language()
	return row.autonym
}
