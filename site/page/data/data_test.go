package data_test

import (
	"testing"

	"example.org/arena/i18n"
	"example.org/arena/results/bundle"
	"example.org/arena/site/page/data"
	"example.org/arena/site/page/pagetest"
	"example.org/arena/site/render"
)

func TestPage(t *testing.T) {
	t.Parallel()
	c := pagetest.Content(t, nil)
	own := pagetest.Bundle(c, "own", 40)
	own.Kind, own.Source, own.Credit, own.Licence = bundle.Run, nil, "", bundle.NoLicence
	s := pagetest.Site(t, c, pagetest.Bundle(c, "a", 40), pagetest.Bundle(c, "b", 30), own)
	made, err := data.Page(s, pagetest.Printer(t, i18n.EN))
	if err != nil {
		t.Fatal(err)
	}
	b := made.Body.(render.Prose)
	if len(b.Blocks) != 4 || len(b.TOC) != 4 || b.TOC[1].URL != "#bundles" {
		t.Fatalf("blocks %+v, contents %+v", b.Blocks, b.TOC)
	}
	pagetest.Want(t, b.Blocks[0].Table, "/data/leaderboard.csv", "/data/schema/bundle.schema.json", "/data/contracts/v2.toml", "/en/feed.xml")
	pagetest.Want(t, b.Blocks[1].Table.Rows, "Tiny 8B a", "Desk One", "/data/bundles/desk/0.json", "/data/runs/desk/Example--Tiny-8B/a.csv")
	// One line per source, with how much is owed to it.
	credits := b.Blocks[2].Table.Rows
	if len(credits) != 2 {
		t.Fatalf("credits %+v", credits)
	}
	if credits[0][0].Text == "" || credits[0][2].Class != "none" || credits[0][3].Text != "1" {
		t.Errorf("our own runs are credited as %+v", credits[0])
	}
	if credits[1][0].Text != "Ada Example" || credits[1][2].URL != "https://source.test/runs" || credits[1][3].Text != "2" {
		t.Errorf("the source is credited as %+v", credits[1])
	}
	if want := "<p>en: Write to <a href=\"mailto:arena@arena.test\">arena@arena.test</a>.</p>\n"; string(b.Blocks[3].Prose) != want {
		t.Errorf("contact %q, want %q", b.Blocks[3].Prose, want)
	}
}
