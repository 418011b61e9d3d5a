package llamabenchy

import (
	"encoding/binary"
	"strings"
	"testing"

	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/ingesttest"
	"example.org/arena/results/ingest/scan"
)

const (
	benchyHead = "| model | test | t/s | peak t/s | ttfr (ms) | est_ppt (ms) | e2e_ttft (ms) |\n|:--|--:|--:|--:|--:|--:|--:|\n"
	benchyRows = "| tiny | pp512 | 2100.00 ± 1.00 | | 1250.00 ± 2.00 | 240.00 ± 2.00 | 251.00 ± 2.00 |\n" +
		"| tiny | tg64 | 40.00 ± 0.10 | 41.00 ± 0.00 | | | |\n"
)

// TestSpellings reads one and the same table in all the spellings that pasting,
// terminals and spreadsheets give it.
func TestSpellings(t *testing.T) {
	t.Parallel()
	plain := benchyHead + benchyRows
	want := understood(Parse(ingest.Input{Name: "in", Data: []byte(plain)}))
	if !strings.Contains(want, "mean 2100 std 1") || !strings.Contains(want, "mean 1250 std 2") {
		t.Fatalf("the plain table is misread:\n%s", want)
	}
	replace := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(plain) }
	for name, text := range map[string]string{
		"CRLF":                    strings.ReplaceAll(plain, "\n", "\r\n"),
		"CR only":                 strings.ReplaceAll(plain, "\n", "\r"),
		"byte order mark":         "\ufeff" + plain,
		"UTF-16 little endian":    ingesttest.UTF16Text(plain, binary.LittleEndian),
		"UTF-16 big endian":       ingesttest.UTF16Text(plain, binary.BigEndian),
		"colours":                 strings.ReplaceAll(plain, "|", "\x1b[1;32m|\x1b[0m"),
		"8-bit colours":           strings.ReplaceAll(plain, "|", "\u009b1m|\u009b0m"),
		"links":                   replace("tiny", "\x1b]8;;http://x/\x1b\\tiny\x1b]8;;\x1b\\"),
		"window title":            "\x1b]0;bench\a" + plain,
		"erased line":             replace("| tiny", "\x1b[2K| tiny"),
		"backspaces":              replace("tiny", "tinx\by"),
		"rewritten line":          replace("| tiny | tg64", "Run 1 [#   ] 25%\rRun 1 [####] 100% 41.00 ± 0.00\r| tiny | tg64"),
		"entities":                replace(" ± ", "&nbsp;&plusmn;&nbsp;"),
		"numeric entities":        replace("±", "&#177;"),
		"mojibake":                replace("±", "Â±"),
		"mojibake twice":          replace("±", "Ã‚Â±"),
		"mojibake code page 437":  replace("±", "┬▒"),
		"no spaces":               replace(" ± ", "±"),
		"typed plus minus":        replace("±", "+/-"),
		"no-break spaces":         replace(" ± ", "\u00a0±\u00a0"),
		"narrow spaces":           replace(" ± ", "\u202f±\u202f"),
		"zero-width spaces":       replace("±", "\u200b±\ufeff"),
		"narrow thousands":        replace("2100", "2\u202f100", "1250", "1\u202f250"),
		"no-break thousands":      replace("2100", "2\u00a0100", "1250", "1\u00a0250"),
		"comma thousands":         replace("2100", "2,100", "1250", "1,250"),
		"apostrophe thousands":    replace("2100", "2'100", "1250", "1’250"),
		"units in cells":          replace("1.00 |", "1.00 tok/s |", "1250.00 ± 2.00", "1250.00 ms ± 2.00 ms"),
		"bold":                    replace("2100.00 ± 1.00", "**2100.00 ± 1.00**", "tiny", "`tiny`"),
		"brackets":                replace("2100.00 ± 1.00", "(2100.00 ± 1.00)"),
		"three decimals":          replace("1250.00", "1250.000"),
		"capitals and spaces":     replace("| model", "|  Model", "peak t/s", "Peak  T/S"),
		"no outer pipes":          strings.ReplaceAll(strings.ReplaceAll(strings.TrimSuffix(plain, " |\n"), "\n| ", "\n"), " |\n", "\n")[2:] + "\n",
		"box drawing":             replace("|", "│"),
		"quoted mail":             "> " + strings.ReplaceAll(strings.TrimSuffix(plain, "\n"), "\n", "\n> "),
		"indented":                "    " + strings.ReplaceAll(plain, "\n", "\n    "),
		"fenced":                  "```\n" + plain + "```\n",
		"tabs":                    tabbed(plain),
		"spoken missing":          replace("| | | |", "| — | n/a | TBD |"),
		"no rule below header":    strings.Replace(plain, "|:--|--:|--:|--:|--:|--:|--:|\n", "", 1),
		"aligned with many dots":  replace("|:--|", "|:--------|"),
		"trailing spaces":         strings.ReplaceAll(plain, "\n", "   \n"),
		"noise between the rows":  strings.Replace(plain, "| tiny | tg64", "warning: something\n| tiny | tg64", 1),
		"text after":              plain + "\nand that was it | or not\n",
		"decimal commas":          decimalCommas(plain),
		"decimal commas, grouped": strings.NewReplacer("2100,00", "2.100,00", "1250,00", "1.250,00").Replace(decimalCommas(plain)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := understood(Parse(ingest.Input{Name: "in", Data: []byte(text)}))
			got = withoutLine(withoutLine(got, "  notes:"), "report at line")
			if want := withoutLine(want, "report at line"); got != want {
				t.Errorf("input:\n%s\ngot:\n%s\nwant:\n%s", text, got, want)
			}
		})
	}
}

// TestUnreadable refuses what could only be guessed, with a word on what to do.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	plain := benchyHead + benchyRows
	replace := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(plain) }
	for name, c := range map[string]struct{ text, message string }{
		"UTF-16 without mark": {ingesttest.UTF16Text(plain, binary.LittleEndian)[2:], "in:1: the file holds zero bytes: it is binary, or UTF-16 without a byte order mark\nhint: save the file as UTF-8"},
		"half of UTF-16":      {ingesttest.UTF16Text(plain, binary.BigEndian) + "x", "in: the file is UTF-16, but ends in half a character"},
		"UTF-32":              {"\xff\xfe\x00\x00a\x00\x00\x00", "in: the file is UTF-32"},
		"Latin-1":             {strings.ReplaceAll(plain, "±", "\xb1"), "in:3: the row holds bytes that are not text\nin:4"},
		"cursor movements":    {replace("| tiny | tg64", "\x1b[1A| tiny | tg64"), "in:4: the row holds bytes that are not text"},
		"ambiguous only": {
			benchyHead + "| tiny | pp512 | 2,100 | | 1,250 | 240 | 251 |\n",
			`in:3: t/s: "2,100" is either a number with decimals or one with a thousands separator` + "\n" +
				`in:3: ttfr (ms): "1,250" is either a number with decimals or one with a thousands separator` + "\nhint: write the numbers with a decimal point and without thousands separators",
		},
		"ambiguous points": {
			benchyHead + "| tiny | pp512 | 2.100 | | 1250 | 240 | 251 |\n",
			`"2.100" is either a number with decimals or one with a thousands separator`,
		},
		"negative":           {replace("2100.00", "-2100.00"), `t/s: "-2100.00 ± 1.00" is negative`},
		"both marks":         {replace("2100.00 ± 1.00", "2100,00 ± 1,00"), `some numbers have a decimal point ("`},
		"groups of two":      {replace("2100.00", "21,00.00"), `"21,00" is not grouped by thousands`},
		"two separators":     {replace("2100.00", "1,002'100.00"), "two kinds of separators"},
		"ordinary space":     {replace("2100.00", "2 100.00"), `"2 100.00 ± 1.00" has "100.00 ± 1.00" after the number`},
		"spilled digits":     {replace("1250.00 ± 2.00 | 240.00", "1250.0 | 0 ± 2.00 | 240.00"), "the row has 8 cells, the header has 7"},
		"full-width digits":  {replace("2100", "２１００"), "is not a number"},
		"two numbers":        {replace("2100.00 ± 1.00", "2100.00 / 1.00"), "after the number"},
		"repeated column":    {replace("peak t/s", "t/s"), "t/s: the column stands twice"},
		"same thing twice":   {strings.ReplaceAll(replace("peak t/s", "t/s (total)"), "| 41.00 ± 0.00 |", "| |"), "t/s (total): the column stands twice"},
		"swapped columns":    {replace("ttfr (ms) | est_ppt (ms)", "peak t/s (req) | est_ppt (ms)"), "a pp row has no such figure"},
		"decimals of commas": {decimalCommas(plain) + "\n" + benchyHead + "| tiny | pp512 | 2,100 | | 1250 | 240 | 251 |\n", `"2,100" is either`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			parsed, err := Parse(ingest.Input{Name: "in", Data: []byte(c.text)})
			if err == nil {
				t.Fatalf("read as:\n%s", understood(parsed, nil))
			}
			if !strings.Contains(err.Error(), c.message) {
				t.Errorf("got:\n%v\nwant it to say:\n%s", err, c.message)
			}
		})
	}
}

// TestSpreadsheetCSV reads a CSV file as a spreadsheet writes it where decimals
// stand after a comma.
func TestSpreadsheetCSV(t *testing.T) {
	t.Parallel()
	const usual = "model,test_name,t_s_mean,t_s_std,ttfr_mean,ttfr_std\r\ntiny,pp512 (c1),1673.9319917387,129.49,43.727559499984636,0.25\r\ntiny,tg16 (c1),201.5,11.25,,\r\n"
	want := withoutLine(understood(Parse(ingest.Input{Name: "in", Data: []byte(usual)})), "  notes:")
	if !strings.Contains(want, "mean 1673.9319917387 std 129.49") {
		t.Fatalf("misread:\n%s", want)
	}
	for name, text := range map[string]string{
		"semicolons":         strings.NewReplacer(",", ";", ".", ",").Replace(usual),
		"semicolons, points": strings.ReplaceAll(usual, ",", ";"),
		"grouped":            strings.Replace(strings.NewReplacer(",", ";", ".", ",").Replace(usual), "1673", "1.673", 1),
		"tabs":               strings.NewReplacer(",", "\t", ".", ",").Replace(usual),
		"quoted":             strings.NewReplacer("tiny", `"tiny"`, "1673.9319917387", `"1673.9319917387"`).Replace(usual),
	} {
		if got := withoutLine(understood(Parse(ingest.Input{Name: "in", Data: []byte(text)})), "  notes:"); got != want {
			t.Errorf("%s: got:\n%s\nwant:\n%s", name, got, want)
		}
	}
	bad := strings.Replace(usual, "tiny,tg16", `ti"ny,tg16`, 1)
	if _, err := Parse(ingest.Input{Name: "in", Data: []byte(bad)}); err == nil || !strings.Contains(err.Error(), "in:3: the row cannot be split into cells") {
		t.Errorf("a broken quote gives %v", err)
	}
}

// tabbed writes a pipe table as a browser copies it: tabs, no rule.
func tabbed(table string) string {
	var lines []string
	for i, line := range strings.Split(strings.TrimSpace(table), "\n") {
		if i != 1 {
			lines = append(lines, strings.Join(scan.SplitCells(line, scan.Pipes), "\t"))
		}
	}
	return strings.Join(lines, "\n")
}

// decimalCommas writes the numbers of a table with decimal commas.
func decimalCommas(table string) string {
	rows := []byte(table)
	digit := func(c byte) bool { return c >= '0' && c <= '9' }
	for i := 1; i+1 < len(rows); i++ {
		if rows[i] == '.' && digit(rows[i-1]) && digit(rows[i+1]) {
			rows[i] = ','
		}
	}
	return string(rows)
}

// withoutLine removes the lines that begin with a prefix.
func withoutLine(text, prefix string) string {
	var kept []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, prefix) {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}
