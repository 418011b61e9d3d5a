package i18n

import "strings"

// Pseudo returns a printer whose texts are those of lang with accents on every
// vowel and a third more length, for tests of layout and for finding words that
// come from no catalog. Placeholders, numbers and units stay as they are.
func (c *Catalogs) Pseudo(lang Lang) *Printer {
	return &Printer{lang: lang, catalogs: c, pseudo: true}
}

// stretch lengthens text when the printer is a pseudo one.
func (p *Printer) stretch(text string) string {
	if !p.pseudo {
		return text
	}
	letters := 0
	for _, r := range text {
		if r >= 'a' && r <= 'z' {
			letters++
		}
	}
	return accents.Replace(text) + strings.Repeat("~", (letters+2)/3)
}

var accents = strings.NewReplacer(
	"a", "å", "e", "ë", "i", "ï", "o", "ø", "u", "ü", "y", "ÿ",
	"A", "Å", "E", "Ë", "I", "Ï", "O", "Ø", "U", "Ü", "Y", "Ý",
)
