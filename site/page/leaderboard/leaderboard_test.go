package leaderboard_test

import (
	"slices"
	"testing"

	"example.org/arena/i18n"
	"example.org/arena/results/bundle"
	"example.org/arena/site/page"
	"example.org/arena/site/page/leaderboard"
	"example.org/arena/site/page/pagetest"
	"example.org/arena/site/render"
)

func body(t *testing.T, s *page.Site, preset string, l i18n.Lang) render.Board {
	t.Helper()
	made, err := leaderboard.Page(s, preset, pagetest.Printer(t, l))
	if err != nil {
		t.Fatal(err)
	}
	return made.Body.(render.Board)
}

// three is a site with a fast, a middling and a slow configuration.
func three(t *testing.T) *page.Site {
	t.Helper()
	c := pagetest.Content(t, nil)
	slow := pagetest.Bundle(c, "slow", 10)
	slow.Draft = &bundle.Draft{Method: "ngram"}
	return pagetest.Site(t, c, slow, pagetest.Bundle(c, "fast", 40), pagetest.Bundle(c, "middling", 25))
}

// Rows stand in the order of their values, each with a rank, its fields and what they
// are sorted by.
func TestRows(t *testing.T) {
	t.Parallel()
	b := body(t, three(t), "", i18n.EN)
	var profiles, ranks, orders []string
	for _, r := range b.Rows {
		profiles, ranks, orders = append(profiles, r.Configuration), append(ranks, r.Rank), append(orders, r.Order)
		if len(r.Cells) != len(b.Columns)-2 {
			t.Errorf("%s has %d fields for %d columns", r.Configuration, len(r.Cells), len(b.Columns)-2)
		}
		if !r.NewGroup || r.RankWhy != "" {
			t.Errorf("%s shares its rank: %s", r.Configuration, r.RankWhy)
		}
	}
	if want := []string{"fast", "middling", "slow"}; !slices.Equal(profiles, want) {
		t.Errorf("rows %q, want %q", profiles, want)
	}
	if want := []string{"1", "2", "3"}; !slices.Equal(ranks, want) {
		t.Errorf("ranks %q, want %q", ranks, want)
	}
	if want := []string{"0", "1", "2"}; !slices.Equal(orders, want) {
		t.Errorf("order %q, want %q", orders, want)
	}
	fast, slow := b.Rows[0], b.Rows[2]
	if c := fast.Cells[0]; c.Text != "40.0" || c.Sort != "40" || c.Bar != "100" || c.Class != "n key" || c.Missing {
		t.Errorf("speed of the fastest: %+v", c)
	}
	if c := slow.Cells[0]; c.Bar != "25" {
		t.Errorf("bar of the slowest: %+v", c)
	}
	if c := fast.Cells[2]; !c.Missing || c.Sort != "" || c.HasBar {
		t.Errorf("a column that was not measured: %+v", c)
	}
	if len(slow.Marks) != 1 || len(fast.Marks) != 0 {
		t.Errorf("marks %q and %q: only the slow one speculates", slow.Marks, fast.Marks)
	}
	if want := "/en/models/Example--Tiny-8B/fast/"; fast.URL != want {
		t.Errorf("address %s, want %s", fast.URL, want)
	}
	pagetest.Want(t, fast.More, "10 August 2026", "16.0 GB")
}

// Rows that cannot be told apart share a rank, and the page says why.
func TestSharedRank(t *testing.T) {
	t.Parallel()
	c := pagetest.Content(t, nil)
	b := body(t, pagetest.Site(t, c, pagetest.Bundle(c, "a", 40), pagetest.Bundle(c, "b", 40.1)), "", i18n.EN)
	if len(b.Rows) != 2 || b.Rows[0].Rank != "1" || b.Rows[1].Rank != "1" || b.Rows[1].NewGroup {
		t.Fatalf("rows %+v", b.Rows)
	}
	for _, r := range b.Rows {
		if r.RankWhy == "" || r.More[0].Text != r.RankWhy {
			t.Errorf("%s: nothing says why it shares its rank", r.Configuration)
		}
	}
}

// Three questions are answered by the names of those who lead.
func TestAnswers(t *testing.T) {
	t.Parallel()
	b := body(t, three(t), "", i18n.EN)
	if len(b.Answers) != 3 {
		t.Fatalf("%d answers, want 3", len(b.Answers))
	}
	first := b.Answers[0]
	if len(first.Names) != 1 || first.Names[0].Configuration != "fast" {
		t.Errorf("the fastest for one user is %+v", first.Names)
	}
	pagetest.Want(t, first, "40.0 tok/s")
	if capacity := b.Answers[2]; len(capacity.Names) != 3 {
		t.Errorf("%+v hold the sweep, want all three", capacity.Names)
	}
}

// A preset shows its own columns in its own order.
func TestPreset(t *testing.T) {
	t.Parallel()
	b := body(t, three(t), "chat", i18n.NL)
	var keys []string
	for _, c := range b.Columns {
		keys = append(keys, c.Key)
	}
	if want := []string{"rank", "model", "chat.decode_tok_per_s", "one_user", "weights", "quality", "date"}; !slices.Equal(keys, want) {
		t.Errorf("columns %q, want %q", keys, want)
	}
	if len(b.Presets) != 2 || b.Presets[0].Current != "" || b.Presets[1].Current != "page" {
		t.Errorf("views %+v", b.Presets)
	}
	if len(b.Answers) != 1 {
		t.Errorf("%d answers, want the one of the preset", len(b.Answers))
	}
}

// What stands on another board is named with the reason.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	c := pagetest.Content(t, nil)
	rack := pagetest.Bundle(c, "rack", 90)
	rack.Platform = "rack"
	none := pagetest.Bundle(c, "none", 90)
	none.Contract = nil
	simulated := pagetest.Bundle(c, "simulated", 90)
	simulated.Kind, simulated.Source = bundle.Simulated, nil
	b := body(t, pagetest.Site(t, c, pagetest.Bundle(c, "fast", 40), rack, none, simulated), "", i18n.EN)
	if len(b.Rows) != 1 || b.Excluded == nil || len(b.Excluded.Rows) != 3 {
		t.Fatalf("%d rows, elsewhere %+v", len(b.Rows), b.Excluded)
	}
	pagetest.Want(t, b.Excluded.Rows, "Tiny 8B rack", "Tiny 8B none", "Tiny 8B simulated", "Rack Eight")
}

// A site without measurements says so.
func TestEmpty(t *testing.T) {
	t.Parallel()
	for _, l := range i18n.Langs {
		b := body(t, pagetest.Site(t, pagetest.Content(t, nil)), "", l)
		if b.Caption == "" || b.Rows != nil || b.Excluded != nil {
			t.Errorf("%s: %+v", l, b)
		}
	}
}

// A preset that asks for a column that the contract does not have is a fault.
func TestPresetWithoutColumn(t *testing.T) {
	t.Parallel()
	c := pagetest.Content(t, nil)
	c.Presets[0].Columns = []string{"chat/energy_j_per_tok"}
	_, err := leaderboard.Page(pagetest.Site(t, c, pagetest.Bundle(c, "fast", 40)), "chat", pagetest.Printer(t, i18n.EN))
	if want := `preset "chat": contract v1 has no column "chat/energy_j_per_tok"`; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
