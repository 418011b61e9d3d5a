// Package i18n knows the languages of the site, holds its words in each, and is the
// only place where numbers, dates, units and plurals are written for readers.
// It knows no page and no metric, and nothing it writes goes into a command, a
// JSON value, a file name or a data- attribute.
//
// Catalogs are a look-up of our own, because go-i18n would add the syntax of
// text/template, while named placeholders, faults as data and every check below
// would remain ours.
//
// # How to add a language
//
// A row of the table languages says everything that is not a text: its name, its
// marks of numbers, its plural forms, its typography. Its words are the folder
// <lang> of catalogs here, and in content a text <name>.<lang>.md beside each
// other one and a translation of each remark. Whatever is missing is a fault of a
// file, or fails a test.
//
// # How to add a text
//
// A catalog is the file <lang>/<area>.toml. An area belongs to one part of the
// site, and the key of a text is the area and the key in the file, with dots for
// tables. In en/board.toml, these are board.title, board.empty and board.shown:
//
//	title = "Leaderboard"
//	empty = "No run on {platform} yet."
//
//	[shown]
//	one = "one configuration"
//	other = "{count} configurations"
//
// Write the text in every language, natively, with the words of the
// glossary and the same placeholders. A table with the keys one and other (and in
// French many, as in "1 000 000 de mesures") is a plural message; its {count} may
// be left out of the Dutch and English "one" only. A key beside longer ones is
// quoted: "copy.failed" beside copy. Then use it:
//
//	p.T("board.empty", "platform", name)
//	p.N("board.shown", rows)
//	p.Parts("board.hint", "link", i18n.Slot) // the pieces around a link
//
// A placeholder may say how its value is written: {share:percent.1}, {limit:ms},
// {speed:amount.1}, or {metric:@metric.*.name}, which is the text of
// metric.<value>.name. Raw numbers and codes are then handed over as they are,
// also when they are kept as text. The type directive lists them all. Without
// one, a string stands as it is and an integer is grouped; a float64 is refused.
//
// A part in brackets is left out unless all its placeholders have a value:
// "{n} requests[, {failed} failed]". The placeholder {others} takes the arguments
// that have none of their own.
//
// Keys stand as literals in the code, so that a test of package site finds unknown
// keys and unused texts. A key that is put together begins or ends with a literal,
// and stands with all its members in the families of that test.
//
// French has a narrow no-break space (U+202F) before ; ! ? and inside « », and a
// no-break space (U+00A0) before a colon and a percent sign. Apostrophes and
// quotation marks are typographic. Type plain ones:
//
//	UPDATE_TYPOGRAPHY=1 go test ./i18n -run TestTypeset
//
// puts the right characters into the files. Without it the test fails.
//
// # Numbers
//
// Numbers and percentages equal those of Intl.NumberFormat in browsers, which a
// test checks for every language, except that the minus sign is U+2212 and that
// zero has none: a script of a page has to do the same. Rounding is half away
// from zero, on the shortest decimal notation, once.
package i18n
