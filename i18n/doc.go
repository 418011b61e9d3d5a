// Package i18n holds the words of the site in Dutch, English and French, and is
// the only place where numbers, dates, units and plurals are written for readers.
// It knows no page and no metric, and nothing it writes goes into a command, a
// JSON value, a file name or a data- attribute.
//
// Catalogs are looked up by a table of our own with plural rules and number
// formats from x/text, because go-i18n would add text/template syntax and a
// message type while named placeholders, faults as data and every check below
// would remain ours.
//
// # How to add a text
//
// A catalog is the file <lang>/<area>.toml; an area belongs to one part of the
// site, and the key of a text is <area>.<key in the file>, dots for tables:
//
//	# en/board.toml                        board.title
//	title = "Leaderboard"                  board.empty
//	empty = "No run on {platform} yet."    board.shown
//	[shown]
//	one = "one configuration"
//	other = "{count} configurations"
//
// Write it in all three languages, natively, with the words of the glossary. The
// same key has the same placeholders everywhere. A table with the keys one and
// other (in French one, many and other: "1 000 000 de mesures") is a plural
// message with the placeholder {count}; only the Dutch and English "one" may
// leave it out. Then use it:
//
//	p.T("board.empty", "platform", name)
//	p.N("board.shown", rows)
//	p.Parts("board.hint", "link", i18n.Slot) // pieces around a link
//
// A placeholder may say how its value is written: {share:percent.1},
// {limit:ms}, {metric:@metric.*.name} (the text of
// metric.<value>.name). Then raw
// numbers and keys, also as the text of a bundle, are handed over as they are.
// The directives are listed at the type directive. Without one, a string stands
// as it is and an integer is grouped; a float64 needs a directive.
//
// Keys are string literals in the code, so that the tests find unused and unknown
// ones. A key that is put together starts with a literal prefix, and the prefix
// stands with all its members in the families of catalog_test.go at the root.
//
// French has a narrow no-break space (U+202F) before ; ! ? and inside « », a
// no-break space (U+00A0) before a colon and a percent sign. Apostrophes and
// quotation marks are typographic. UPDATE_TYPOGRAPHY=1 go test ./i18n puts these
// characters into the files; without it the test fails on what is missing.
//
// # Numbers
//
// Numbers equal those of Intl.NumberFormat in browsers for nl, en-GB and fr,
// except the minus sign, which is U+2212 here, and zero, which never has a sign:
// a page that writes numbers in a browser replaces "-" accordingly. Rounding is
// half away from zero, on the shortest decimal notation, once.
package i18n
