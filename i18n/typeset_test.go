package i18n

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

// A replacement puts one typographic character where it belongs.
type replacement struct {
	lang Lang
	find *regexp.Regexp
	with string
}

// anySpace matches a space that breaks or does not; Go's \s knows only the former.
const anySpace = `[\s` + noBreak + narrow + `]`

var replacements = []replacement{
	{"", regexp.MustCompile(`'`), "’"},
	{"", regexp.MustCompile(`\.\.\.`), "…"},
	{FR, regexp.MustCompile(`«` + anySpace + `*`), "«" + narrow},
	{FR, regexp.MustCompile(anySpace + `*»`), narrow + "»"},
	{FR, regexp.MustCompile(`([^\s!?` + noBreak + narrow + `])` + anySpace + `?([;!?])`), "$1" + narrow + "$2"},
	{FR, regexp.MustCompile(`([^\s` + noBreak + narrow + `])` + anySpace + `?:(\s|$)`), "$1" + noBreak + ":$2"},
	{FR, regexp.MustCompile(`([0-9\x{E000}]) %`), "$1" + noBreak + "%"},
}

// typeset returns a text with the characters that CheckText asks for. Addresses
// and placeholders stay as they are.
func typeset(lang Lang, text string) string {
	for _, r := range replacements {
		if r.lang != "" && r.lang != lang {
			continue
		}
		kept := literals.FindAllString(text, -1)
		// A placeholder is a word to the rules around it, so it is replaced by
		// a rune that no text has.
		text = r.find.ReplaceAllString(literals.ReplaceAllString(text, "\uE000"), r.with)
		for _, k := range kept {
			text = strings.Replace(text, "\uE000", k, 1)
		}
	}
	return text
}

// typesetFile returns a catalog with every text typeset, line by line.
func typesetFile(lang Lang, doc string) string {
	var b strings.Builder
	for line := range strings.Lines(doc) {
		before, rest, ok := strings.Cut(line, `= "`)
		end := strings.LastIndexByte(rest, '"')
		if !ok || end < 0 || strings.HasPrefix(line, "#") {
			b.WriteString(line)
			continue
		}
		b.WriteString(before + `= "` + typeset(lang, rest[:end]) + rest[end:])
	}
	return b.String()
}

// TestTypeset fails for a catalog whose characters are not typographic; with
// UPDATE_TYPOGRAPHY=1 it puts them in.
func TestTypeset(t *testing.T) {
	t.Parallel()
	files, err := fs.Glob(FS, "*/*.toml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no catalogs: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want := typesetFile(Lang(path.Dir(file)), string(data))
		switch {
		case want == string(data):
		case os.Getenv("UPDATE_TYPOGRAPHY") != "":
			if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s: not typographic; UPDATE_TYPOGRAPHY=1 go test ./i18n rewrites it", file)
		}
	}
}

func TestTypesetText(t *testing.T) {
	t.Parallel()
	tests := []struct {
		lang      Lang
		got, want string
	}{
		{FR, "L'essai : oui; non?", "L’essai\u00a0: oui\u202f; non\u202f?"},
		{FR, "« Vraiment ? » dit {n} %...", "«\u202fVraiment\u202f?\u202f» dit {n}\u00a0%…"},
		{FR, "12 % à 09:05, https://example.org/?a=b", "12\u00a0% à 09:05, https://example.org/?a=b"},
		{FR, "Quoi ?!", "Quoi\u202f?!"},
		{NL, "Zo'n test: ja; nee?", "Zo’n test: ja; nee?"},
		{EN, "It's {a:ms}...", "It’s {a:ms}…"},
	}
	for _, tt := range tests {
		if got := typeset(tt.lang, tt.got); got != tt.want {
			t.Errorf("%s %q: got %q, want %q", tt.lang, tt.got, got, tt.want)
		}
		if again := typeset(tt.lang, tt.want); again != tt.want {
			t.Errorf("%s %q: a second time gives %q", tt.lang, tt.want, again)
		}
	}
}
