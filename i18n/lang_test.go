package i18n

import (
	"io/fs"
	"reflect"
	"slices"
	"testing"
)

// TestLanguagesAreWhole: a row says everything, and every folder of catalogs has
// a row.
func TestLanguagesAreWhole(t *testing.T) {
	t.Parallel()
	for _, l := range languages {
		row := reflect.ValueOf(l)
		for i := range row.NumField() {
			if name := row.Type().Field(i).Name; name != "millions" && row.Field(i).IsZero() {
				t.Errorf("%s: no %s", l.code, name)
			}
		}
	}
	folders, err := fs.ReadDir(FS, ".")
	if err != nil || len(folders) != len(languages) {
		t.Errorf("%d folders of catalogs for %d languages (%v)", len(folders), len(languages), err)
	}
	for _, d := range folders {
		if !slices.Contains(Langs, Lang(d.Name())) {
			t.Errorf("%s: catalogs of no language", d.Name())
		}
	}
}

func TestAutonym(t *testing.T) {
	t.Parallel()
	for lang, want := range map[Lang]string{NL: "Nederlands", EN: "English", FR: "Français"} {
		if got := lang.Autonym(); got != want {
			t.Errorf("%s: got %q, want %q", lang, got, want)
		}
	}
}

func TestNoSuchLanguage(t *testing.T) {
	t.Parallel()
	c := sample(t)
	c.Printer("xx").Number(1, 0)
	if f := c.Faults(); len(f) != 1 || f[0].Error() != "xx: no such language" {
		t.Errorf("got %v", f)
	}
}
