package method_test

import (
	"testing"

	"example.org/arena/i18n"
	"example.org/arena/site/page/method"
	"example.org/arena/site/page/pagetest"
	"example.org/arena/site/render"
)

// body makes the page of a version.
func body(t *testing.T, version string, l i18n.Lang) render.Method {
	t.Helper()
	s := pagetest.Site(t, pagetest.Content(t, nil))
	c, ok := s.Content.Contract(version)
	if !ok {
		t.Fatalf("no contract %s", version)
	}
	made, err := method.Page(s, c, pagetest.Printer(t, l))
	if err != nil {
		t.Fatal(err)
	}
	return made.Body.(render.Method)
}

// The first version has nothing before it. Its texts are filled in and its errata
// stand with the test that they are about.
func TestFirstVersion(t *testing.T) {
	t.Parallel()
	b := body(t, "v1", i18n.FR)
	if b.Changes != nil || b.ChangesText != "" {
		t.Errorf("changes %+v %s of a first version", b.Changes, b.ChangesText)
	}
	if got, want := string(b.Intro), "<p>fr: There are 2 tests.</p>\n"; got != want {
		t.Errorf("introduction %q, want %q", got, want)
	}
	if len(b.Versions) != 2 || b.Versions[0].Current != "" || b.Versions[1].Current != "page" {
		t.Errorf("versions %+v: want the newest first, this one marked", b.Versions)
	}
	if len(b.Tests) != 2 || len(b.Tests[0].Errata) != 1 || len(b.Tests[1].Errata) != 0 {
		t.Errorf("tests %+v", b.Tests)
	}
	if got, want := string(b.Tests[0].Text), "<p>fr: Reads 1\u202f024 tokens, writes 512.</p>\n"; got != want {
		t.Errorf("text of a test %q, want %q", got, want)
	}
	pagetest.Want(t, b.Tests[1].Parameters, "0,1 et 0,5", "10 s")
}

// A later version says what changed, and uses texts of its own where there are some.
func TestLaterVersion(t *testing.T) {
	t.Parallel()
	b := body(t, "v2", i18n.EN)
	if got, want := string(b.Intro), "<p>en: Now there are 2 tests.</p>\n"; got != want {
		t.Errorf("introduction %q, want %q", got, want)
	}
	if got, want := string(b.ChangesText), "<p>en: It converses.</p>\n"; got != want {
		t.Errorf("changes %q, want %q", got, want)
	}
	if b.Changes == nil || len(b.Changes.Rows) != 3 {
		t.Fatalf("changes %+v: want a longer prompt, a new test and one that is gone", b.Changes)
	}
	pagetest.Want(t, b.Changes.Rows[0], "1,024", "2,048")
	// The last prompt: the first, and four times an answer and a question.
	if got, want := string(b.Tests[1].Text), "<p>en: The last prompt has 5,120 tokens.</p>\n"; got != want {
		t.Errorf("text of a test %q, want %q", got, want)
	}
	pagetest.Want(t, b.Facts, "1 September 2026", "42", "/data/contracts/v2.toml")
}

// The list counts the measurements of each version.
func TestIndex(t *testing.T) {
	t.Parallel()
	c := pagetest.Content(t, nil)
	s := pagetest.Site(t, c, pagetest.Bundle(c, "a", 40), pagetest.Bundle(c, "b", 30))
	list := method.Index(s, pagetest.Printer(t, i18n.EN)).Body.(render.List)
	rows := list.Groups[0].Table.Rows
	if len(rows) != 2 || rows[0][0].URL != "/en/method/v2/" || rows[0][3].Text != "0" || rows[1][3].Text != "2" {
		t.Errorf("rows %+v", rows)
	}
}
