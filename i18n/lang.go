package i18n

import (
	"slices"

	"golang.org/x/text/language"
)

// A Lang is a language of the site, as an ISO 639-1 code.
type Lang string

// The languages that code names. Others need no name here: a row of languages is
// enough.
const (
	NL Lang = "nl"
	EN Lang = "en"
	FR Lang = "fr"
)

// A row is what the program knows of a language beside its texts. No field
// may stay empty, and a test compares each with what browsers do.
type row struct {
	code    Lang
	tag     language.Tag // whose data of x/text it uses, and whose Intl formats in browsers equal its own
	autonym string       // its name in itself: the same on every page, so it is no text of a catalog
	marks   marks        // of numbers

	forms    []form // CLDR's plural categories of whole numbers
	millions form   // the category of whole millions, where x/text has older data; empty for none

	typography []rule // what its texts must keep beside what all texts must
}

// languages lists the languages in the order in which pages offer them. Another
// language is a row here, a folder of catalogs, and its texts in content: what it
// lacks of these is a fault that says so.
var languages = []row{
	{
		code: NL, tag: language.Dutch, autonym: "Nederlands", marks: marksOf(language.Dutch),
		forms:      []form{one, other},
		typography: []rule{noSpaceBeforeMarks, noGuillemets},
	},
	{
		code: EN, tag: language.BritishEnglish, autonym: "English", marks: marksOf(language.BritishEnglish),
		forms:      []form{one, other},
		typography: []rule{noSpaceBeforeMarks, noGuillemets},
	},
	{
		code: FR, tag: language.French, autonym: "Français",
		// Browsers, whose data are newer, group with the narrow space.
		marks: marks{decimal: ",", group: narrow},
		// 1 000 000 de mesures.
		forms: []form{one, many, other}, millions: many,
		typography: frenchSpaces,
	},
}

// Langs lists the codes of the languages in the order in which pages offer them.
var Langs = codes(languages)

func codes(all []row) []Lang {
	out := make([]Lang, len(all))
	for i, l := range all {
		out[i] = l.code
	}
	return out
}

// row returns the row of l and whether there is one.
func (l Lang) row() (row, bool) {
	i := slices.Index(Langs, l)
	if i < 0 {
		return row{code: l}, false
	}
	return languages[i], true
}

// Autonym returns the language's name in the language itself.
func (l Lang) Autonym() string {
	r, _ := l.row()
	return r.autonym
}
