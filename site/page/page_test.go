package page_test

import (
	"fmt"
	"slices"
	"testing"

	"example.org/arena/results/bundle"
	"example.org/arena/site/board"
	"example.org/arena/site/page"
	"example.org/arena/site/page/pagetest"
)

// slugs lists the addresses of a site's configurations.
func slugs(s *page.Site) []string {
	var out []string
	for _, c := range s.Configurations {
		out = append(out, c.Slug)
	}
	return out
}

// Addresses name what tells two configurations apart and no more: the platform where
// it is not the default one, a mark where a source is not that of the main board.
func TestAddresses(t *testing.T) {
	t.Parallel()
	c := pagetest.Content(t, nil)
	rack := pagetest.Bundle(c, "fast", 60)
	rack.Platform = "rack"
	alone := pagetest.Bundle(c, "alone", 60)
	alone.Platform = "rack"
	other := pagetest.Bundle(c, "fast", 30)
	other.Source = &bundle.Source{URL: "https://other.test"}
	s := pagetest.Site(t, c, pagetest.Bundle(c, "fast", 40), pagetest.Bundle(c, "slow", 10), rack, alone, other)
	got := slugs(s)
	want := []string{"Example--Tiny-8B/fast", "", "Example--Tiny-8B/slow", "Example--Tiny-8B/alone", "Example--Tiny-8B/fast--rack"}
	if len(got) != len(want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	const marked = "Example--Tiny-8B/fast--"
	if len(got[1]) != len(marked)+8 || got[1][:len(marked)] != marked {
		t.Errorf("the second source is at %q, want %s and a mark of eight digits", got[1], marked)
	}
	want[1] = got[1]
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := s.Configurations[0].Route().URL("nl"), "/nl/models/Example--Tiny-8B/fast/"; got != want {
		t.Errorf("address %s, want %s", got, want)
	}
}

// A configuration is found by its key, by every one of its bundles, and among those
// of its model.
func TestLookups(t *testing.T) {
	t.Parallel()
	c := pagetest.Content(t, nil)
	older := pagetest.Bundle(c, "fast", 39)
	older.StartedAt = "2026-08-01T09:00:00Z"
	fp8 := pagetest.Bundle(c, "fp8", 70)
	fp8.Model.ID = "Example/Tiny-8B-FP8"
	stranger := pagetest.Bundle(c, "fast", 90)
	stranger.Model.ID = "Someone/Else"
	s := pagetest.Site(t, c, pagetest.Bundle(c, "fast", 40), older, fp8, stranger)

	fast, ok := s.Configuration(board.ConfigKey{Platform: "desk", Model: "Example/Tiny-8B", Profile: "fast"})
	if !ok {
		t.Fatal("no configuration by its key")
	}
	for i := range 2 {
		if got, _ := s.ByBundle(pagetest.ID(i)); got != fast {
			t.Errorf("bundle %d leads to %v", i, got)
		}
	}
	if len(fast.Runs) != 2 || fast.Shown().ID != pagetest.ID(0) || len(fast.Runs[1].Reasons) != 1 {
		t.Errorf("runs %+v: want the newer, then the older with a reason", fast.Runs)
	}
	var family []string
	related, more := s.Family(fast)
	if more {
		t.Error("there are no more than a few")
	}
	for _, x := range related {
		family = append(family, x.Title())
	}
	if want := []string{"Tiny 8B fast", "Tiny 8B fp8"}; !slices.Equal(family, want) {
		t.Errorf("family %q, want %q", family, want)
	}
	if _, ok := s.ByBundle("none"); ok {
		t.Error("found a bundle that is not there")
	}
}

// A run comes with what became of its tests.
func TestRun(t *testing.T) {
	t.Parallel()
	c := pagetest.Content(t, nil)
	s := pagetest.Site(t, c, pagetest.Bundle(c, "fast", 40))
	run, err := s.Run(s.Configurations[0])
	if err != nil {
		t.Fatal(err)
	}
	if run.Source.Profile != "fast" || len(run.Tests) != 2 || !run.Tests[0].Counts {
		t.Errorf("run %+v", run)
	}
	if s.Configurations[0].MeasuredTests != 2 {
		t.Errorf("%d measured tests, want 2", s.Configurations[0].MeasuredTests)
	}
	missing := &page.Configuration{Runs: []page.Standing{{Summary: page.Summary{ID: "gone"}}}}
	if _, err := s.Run(missing); err == nil || err.Error() != "no bundle gone" {
		t.Errorf("error %v for a bundle that is not there", err)
	}
}

// A withdrawn bundle keeps its page.
func TestWithdrawn(t *testing.T) {
	t.Parallel()
	c := pagetest.Content(t, map[string]string{"retractions/" + pagetest.ID(0) + ".toml": `reason = "measurement_error"
date = "2026-08-20"

[text]
nl = "Fout."
en = "Wrong."
fr = "Faux."
`})
	s := pagetest.Site(t, c, pagetest.Bundle(c, "fast", 40))
	if len(s.Configurations) != 1 || !s.Configurations[0].Shown().Withdrawn || s.Main != nil {
		t.Errorf("configurations %+v, main board %v", s.Configurations, s.Main)
	}
}

// A source that states only the month is not quoted with a day.
func TestSummary(t *testing.T) {
	t.Parallel()
	c := pagetest.Content(t, nil)
	b := pagetest.Bundle(c, "fast", 40)
	b.Notes = []bundle.Note{{Code: bundle.NoteTimePrecision, Args: []bundle.Setting{{Name: "stated", Value: "2026-08"}}}}
	got := pagetest.Site(t, c, b).Summary(pagetest.ID(0))
	want := page.Summary{
		ID: pagetest.ID(0), Path: "desk/0.json", Kind: bundle.Import, Contract: "v1", StartedAt: b.StartedAt, Measured: "2026-08",
		Server: "vllm 0.26.0", Licence: "CC-BY-4.0", Credit: "Ada Example", Source: "https://source.test/runs",
	}
	if got != want {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	if got.BundleFile() != "data/bundles/desk/0.json" {
		t.Errorf("file %s", got.BundleFile())
	}
	if got := (page.Summary{ID: "abc"}).BundleFile(); got != "data/bundles/unpublished/abc.json" {
		t.Errorf("file %s of a bundle from elsewhere", got)
	}
}

// A text that is missing is named by its file.
func TestProse(t *testing.T) {
	t.Parallel()
	s := pagetest.Site(t, pagetest.Content(t, nil))
	html, err := s.Prose("pages", "data-contact", "fr", struct{ Contact string }{"Ada"})
	if err != nil || string(html) != "<p>fr: Write to Ada.</p>\n" {
		t.Errorf("got %q, %v", html, err)
	}
	if _, err := s.Prose("pages", "nothing", "fr", nil); err == nil || err.Error() != "no text content/pages/nothing.fr.md" {
		t.Errorf("error %v", err)
	}
}

// What the tests of pages are made of is what the format allows.
func TestFixtureIsValid(t *testing.T) {
	t.Parallel()
	if err := bundle.Validate(pagetest.Bundle(pagetest.Content(t, nil), "fast", 40)); err != nil {
		t.Error(err)
	}
}

// Beside a configuration stand as many of its model's as a table can hold, those
// next to it; what stands far from it does not change its page.
func TestFamilyIsBounded(t *testing.T) {
	t.Parallel()
	content := pagetest.Content(t, nil)
	var bundles []*bundle.Bundle
	for i := range 40 {
		bundles = append(bundles, pagetest.Bundle(content, fmt.Sprintf("p%02d", i), 40))
	}
	s := pagetest.Site(t, content, bundles...)
	for _, at := range []int{0, 5, 20, 39} {
		c := s.Configurations[at]
		near, more := s.Family(c)
		if !more || len(near) != 25 || near[0] != c {
			t.Errorf("%s: %d beside it, more %v", c.Key.Profile, len(near), more)
		}
		seen := map[*page.Configuration]bool{}
		for _, x := range near {
			seen[x] = true
		}
		if len(seen) != len(near) {
			t.Errorf("%s: one stands there twice", c.Key.Profile)
		}
	}
}
