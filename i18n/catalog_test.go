package i18n

import (
	"maps"
	"strings"
	"testing"
)

// TestLoadFaults changes one file of a good set of catalogs at a time: Load names
// file, line, key and what is wrong, and finds nothing else.
func TestLoadFaults(t *testing.T) {
	t.Parallel()
	good := inEveryLanguage(map[string]string{
		"nl/a.toml": "x = \"Dag {name}.\"\n\n[n]\none = \"{count} rij\"\nother = \"{count} rijen\"\n",
		"en/a.toml": "x = \"Hello {name}.\"\n\n[n]\none = \"{count} row\"\nother = \"{count} rows\"\n",
		"fr/a.toml": "x = \"Bonjour {name}.\"\n\n[n]\none = \"{count} ligne\"\nmany = \"{count} de lignes\"\nother = \"{count} lignes\"\n",
	})
	if _, err := Load(catalogs(good)); err != nil {
		t.Fatalf("good catalogs: %v", err)
	}
	tests := []struct {
		name     string
		file     string
		old, new string
		want     []string
	}{
		{"missing key", "fr/a.toml", "x = ", "y = ", []string{
			"en/a.toml:1: a.x: missing in fr", "fr/a.toml:1: a.y: missing in nl", "fr/a.toml:1: a.y: missing in en", "nl/a.toml:1: a.x: missing in fr",
		}},
		{"placeholder", "nl/a.toml", "{name}", "{naam}", []string{
			"nl/a.toml:1: a.x: placeholders {naam}, in en {name}", "en/a.toml:1: a.x: placeholders {name}, in nl {naam}",
		}},
		{"placeholder missing", "en/a.toml", " {name}", "", []string{"en/a.toml:1: a.x: placeholders none, in nl {name}"}},
		{"directive", "en/a.toml", "{name}", "{name:integer}", []string{"en/a.toml:1: a.x: placeholders {name:integer}, in nl {name}"}},
		{"unknown directive", "en/a.toml", "{name}", "{name:roman}", []string{"en/a.toml:1: a.x: placeholder {name:roman}: unknown directive"}},
		{"empty directive", "en/a.toml", "{name}", "{name:}", []string{"en/a.toml:1: a.x: placeholder {name:}: unknown directive"}},
		{"open brace", "en/a.toml", "{name}", "{name", []string{"en/a.toml:1: a.x: nothing closes '{' before"}},
		{"closing brace", "en/a.toml", "{name}", "name}", []string{"en/a.toml:1: a.x: '}' closes nothing before"}},
		{"name of a placeholder", "en/a.toml", "{name}", "{Name}", []string{"placeholder {Name} is no name"}},
		{"plural form missing", "fr/a.toml", "many = \"{count} de lignes\"\n", "", []string{"fr/a.toml:3: a.n: no plural form \"many\""}},
		{"plural form too many", "en/a.toml", "other =", "many = \"{count} rows\"\nother =", []string{"en/a.toml:3: a.n: en has no plural form \"many\""}},
		{"stranger among plural forms", "en/a.toml", "other =", "title = \"rows\"\nother =", []string{"en/a.toml:3: a.n: \"title\" stands among plural forms"}},
		{"no plural elsewhere", "nl/a.toml", "[n]\none = \"{count} rij\"\nother = \"{count} rijen\"", "n = \"{count} rijen\"", []string{"nl/a.toml:3: a.n: a plural message here or in en, but not in both"}},
		{"form without count", "en/a.toml", "{count} rows", "rows", []string{"en/a.toml:3: a.n: the form \"other\" lacks {count}"}},
		{"French one without count", "fr/a.toml", "{count} ligne\"", "une ligne\"", []string{"fr/a.toml:3: a.n: the form \"one\" lacks {count}"}},
		{"plural without count at all", "nl/a.toml", "[n]\none = \"{count} rij\"\nother = \"{count} rijen\"", "[n]\none = \"rij\"\nother = \"rijen\"", []string{"nl/a.toml:3: a.n: a plural message without {count}"}},
		{"plural form as a key", "en/a.toml", "x = ", "other = \"rest\"\nx = ", []string{"en/a.toml:1: a.other: the name of a plural form is no key by itself"}},
		{"empty text", "en/a.toml", "\"Hello {name}.\"", "\" \"", []string{"en/a.toml:1: a.x: an empty text"}},
		{"number", "en/a.toml", "\"Hello {name}.\"", "3", []string{"en/a.toml:1: a.x: a text or a table wanted, got int64"}},
		{"open bracket", "en/a.toml", "{name}", "[and {name}", []string{"en/a.toml:1: a.x: nothing closes '[' before"}},
		{"closing bracket", "en/a.toml", "{name}", "{name}]", []string{"en/a.toml:1: a.x: ']' closes nothing before"}},
		{"optional part without a placeholder", "en/a.toml", "{name}", "{name}[!]", []string{"en/a.toml:1: a.x: no placeholder in the optional part [!]"}},
		{"optional in one language", "en/a.toml", "{name}", "[{name}]", []string{"en/a.toml:1: a.x: placeholders [{name}], in nl {name}"}},
		{"key with a space", "en/a.toml", "[n]", "\"b c\" = \"d\"\n[n]", []string{"a.b c: a key has no spaces and braces"}},
		{"key twice through a dot", "en/a.toml", "[n]", "\"b.c\" = \"d\"\nb = {c = \"d\"}\n[n]", []string{"a.b.c: the key stands twice"}},
		{"syntax", "en/a.toml", "[n]", "[n", []string{"en/a.toml:3: expected '.' or ']' to end table name"}},
		{"key twice", "en/a.toml", "[n]", "x = \"again {name}\"\n[n]", []string{"en/a.toml:3: "}},
		{"formatting mistake", "en/a.toml", "Hello", "%!s(MISSING)", []string{"en/a.toml:1: a.x: the formatting mistake %!"}},
		{"straight apostrophe", "fr/a.toml", "Bonjour", "L'ami", []string{"fr/a.toml:1: a.x: a straight apostrophe"}},
		{"straight quotation mark", "en/a.toml", "Hello", `\"Hello\"`, []string{"en/a.toml:1: a.x: a straight quotation mark"}},
		{"wide space before a semicolon", "fr/a.toml", "Bonjour", "Bonjour ; oui", []string{"fr/a.toml:1: a.x: no narrow no-break space (U+202F) before ; ! or ?"}},
		{"no space before a question mark", "fr/a.toml", "{name}.", "{name}?", []string{"before ; ! or ?"}},
		{"wide space before a colon", "fr/a.toml", "Bonjour", "Bonjour : oui", []string{"fr/a.toml:1: a.x: no no-break space (U+00A0) before :"}},
		{"wide spaces inside guillemets", "fr/a.toml", "Bonjour", "« Bonjour »", []string{"after «", "before »"}},
		{"percent sign", "fr/a.toml", "{name}.", "{name} %", []string{"fr/a.toml:1: a.x: no no-break space (U+00A0) before %"}},
		{"French space in English", "en/a.toml", "Hello", "Hello : you", []string{"en/a.toml:1: a.x: a space before punctuation"}},
		{"markup", "en/a.toml", "Hello", "<b>Hello</b>", []string{"en/a.toml:1: a.x: markup in a text"}},
		{"trailing space", "en/a.toml", "{name}.", "{name} ", []string{"en/a.toml:1: a.x: a space at the beginning or end"}},
	}
	for _, tt := range tests {
		files := map[string]string{}
		maps.Copy(files, good)
		files[tt.file] = strings.Replace(good[tt.file], tt.old, tt.new, 1)
		if files[tt.file] == good[tt.file] {
			t.Errorf("%s: nothing changed", tt.name)
			continue
		}
		_, err := Load(catalogs(files))
		if err == nil {
			t.Errorf("%s: no error", tt.name)
			continue
		}
		for _, want := range tt.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got\n%v\nwant in it\n%s", tt.name, err, want)
			}
		}
	}
}

// TestTypography holds texts that are right and must not be faulted.
func TestTypography(t *testing.T) {
	t.Parallel()
	for lang, texts := range map[Lang][]string{
		NL: {"Zo’n test: vijf beurten; p95 < 2 s?", "“Snel” – zegt de bron", "https://example.org/a?b=c:d"},
		EN: {"It’s 12–25; see https://example.org/?q=1: done", "{a}–{b}: {x:percent.1}"},
		FR: {
			"L’essai\u00a0: cinq tours\u202f; p95 < 2 s\u202f?", "«\u202fRapide\u202f»", "«\u202fVraiment\u202f?\u202f»",
			"https://example.org/a?b=c:d", "{n}\u00a0%", "Quoi\u202f?!", "à 09:05",
		},
	} {
		for _, text := range texts {
			if faults := CheckText(lang, text); len(faults) > 0 {
				t.Errorf("%s %q: %v", lang, text, faults)
			}
		}
	}
}

func TestLoadNothing(t *testing.T) {
	t.Parallel()
	_, err := Load(catalogs(nil))
	if err == nil || !strings.Contains(err.Error(), "fr: no catalogs") {
		t.Errorf("got %v, want a fault per language", err)
	}
}
