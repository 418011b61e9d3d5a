//go:build browser

package browsertest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/arena/i18n"
)

// Pictures of all types of pages, in all languages, widths and colour schemes, for
// people to look at. Nothing is compared.
func TestScreenshots(t *testing.T) {
	dir := os.Getenv("ARENA_SCREENSHOTS")
	if dir == "" {
		t.Skip("ARENA_SCREENSHOTS names no folder for pictures")
	}
	check(t, os.MkdirAll(dir, 0o755))
	for _, s := range everyScreen() {
		v := browse(t, s)
		for _, p := range append(samples(t), place{kind: "not-found", path: "no/such/page/"}) {
			for _, lang := range i18n.Langs {
				v.open(p.in(lang))
				name := strings.Trim(p.kind+"_"+strings.ReplaceAll(strings.Trim(p.path, "/"), "/", "_"), "_")
				v.shoot(filepath.Join(dir, name+"_"+string(lang)+"_"+s.String()+".png"))
			}
		}
		v.open("/")
		v.shoot(filepath.Join(dir, "chooser_"+s.String()+".png"))
	}
}

// everyScreen lists phone and desktop, light and dark.
func everyScreen() []screen {
	return []screen{desktop.in(false), desktop.in(true), phone.in(false), phone.in(true)}
}

// shoot writes a picture of the whole page.
func (v *visit) shoot(file string) {
	v.t.Helper()
	png, err := v.page.Screenshot(true, nil)
	check(v.t, err)
	check(v.t, os.WriteFile(file, png, 0o644))
}
