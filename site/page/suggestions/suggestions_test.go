package suggestions_test

import (
	"strings"
	"testing"

	"example.org/arena/content"
	"example.org/arena/i18n"
	"example.org/arena/site/page"
	"example.org/arena/site/page/pagetest"
	"example.org/arena/site/page/suggestions"
	"example.org/arena/site/render"
)

func body(t *testing.T, s *page.Site) render.Prose {
	t.Helper()
	made, err := suggestions.Page(s, pagetest.Printer(t, i18n.EN))
	if err != nil {
		t.Fatal(err)
	}
	return made.Body.(render.Prose)
}

// A suggestion stands with its last state: declined with the reason, measured with a
// link.
func TestPage(t *testing.T) {
	t.Parallel()
	c := pagetest.Content(t, nil)
	c.Suggestions = append(c.Suggestions, content.Suggestion{
		Model: "Example/Tiny-8B", Why: "Please.",
		History: []content.Step{{State: content.Measured, Date: "2026-08-11", Bundle: pagetest.ID(0)}},
	})
	b := body(t, pagetest.Site(t, c, pagetest.Bundle(c, "fast", 40)))
	rows := b.Blocks[0].Table.Rows
	if len(rows) != 2 || rows[0][1].Text != "NVFP4" || rows[0][3].Spread == "" || rows[0][3].URL != "" {
		t.Fatalf("rows %+v", rows)
	}
	if want := "/en/models/Example--Tiny-8B/fast/"; rows[1][3].URL != want {
		t.Errorf("the measured one leads to %s, want %s", rows[1][3].URL, want)
	}
	pagetest.Want(t, rows[0][4], "3 August 2026")
	pagetest.Want(t, b.Blocks[1].Prose, "en: Open a request.")
}

// Without suggestions the page says so instead of showing an empty table.
func TestNone(t *testing.T) {
	t.Parallel()
	c := pagetest.Content(t, nil)
	c.Suggestions = nil
	if b := body(t, pagetest.Site(t, c)); b.Blocks[0].Table != nil || b.Blocks[0].Note == "" {
		t.Errorf("list %+v", b.Blocks[0])
	}
}

// What contributors start from is a suggestion that can be read once they say why.
func TestExample(t *testing.T) {
	t.Parallel()
	b := body(t, pagetest.Site(t, pagetest.Content(t, nil)))
	filled := strings.Replace(b.Blocks[2].Command.Text, `why = ""`, `why = "Please."`, 1)
	if _, err := content.ParseSuggestion("example.toml", []byte(filled)); err != nil {
		t.Error(err)
	}
}
