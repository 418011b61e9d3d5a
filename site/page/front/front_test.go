package front_test

import (
	"testing"

	"example.org/arena/i18n"
	"example.org/arena/site/page/front"
	"example.org/arena/site/page/pagetest"
	"example.org/arena/site/render"
)

// The choice offers each language in its own words.
func TestChooser(t *testing.T) {
	t.Parallel()
	var all []*i18n.Printer
	for _, l := range i18n.Langs {
		all = append(all, pagetest.Printer(t, l))
	}
	made := front.Chooser(all[0], all)
	if len(made.Languages) != 3 {
		t.Fatalf("languages %+v", made.Languages)
	}
	texts := map[string]bool{}
	for i, l := range made.Languages {
		if l.URL != "/"+string(i18n.Langs[i])+"/" || l.Current != "" {
			t.Errorf("entry %+v", l)
		}
		texts[l.Text] = true
	}
	if len(texts) != 3 {
		t.Errorf("texts %v: want one per language", texts)
	}
}

// Who is lost is led to the leaderboard and the models, and search engines stay away.
func TestNotFound(t *testing.T) {
	t.Parallel()
	made := front.NotFound(pagetest.Printer(t, i18n.NL))
	links := made.Body.(render.NotFound).Links
	if !made.NoIndex || len(links) != 2 || links[0].URL != "/nl/" || links[1].URL != "/nl/models/" {
		t.Errorf("page %+v", made)
	}
}
