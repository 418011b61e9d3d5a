//go:build browser

package browsertest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.org/arena/i18n"
	"github.com/go-rod/rod/lib/input"
)

// A table is what a reader sees of the leaderboard.
type table struct {
	Rows    []row    `json:"rows"`
	Columns []string `json:"columns"` // keys of the columns shown
	Sorted  string   `json:"sorted"`  // key of the column and "ascending" or "descending"
	Query   string   `json:"query"`
	Status  string   `json:"status"`
}

type row struct {
	Name  string   `json:"name"`
	Text  string   `json:"text"`  // what a search looks in
	Only  string   `json:"only"`  // precision
	Cells []string `json:"cells"` // data-v, by column
}

const readTable = `(() => {
	const t = document.querySelector("table.board");
	const shown = (e) => getComputedStyle(e).display !== "none";
	const heads = [...t.tHead.rows[0].cells];
	const sorted = heads.find((h) => h.hasAttribute("aria-sort"));
	return {
		rows: [...t.tBodies[0].rows].filter(shown).map((r) => ({
			name: r.querySelector("th").textContent.trim(), text: r.dataset.search, only: r.dataset.precision,
			cells: [...r.cells].map((c) => c.dataset.v ?? null),
		})),
		columns: heads.filter((h, i) => shown(h) && [...t.tBodies[0].rows].every((r) => !r.cells[i].hidden)).map((h) => h.dataset.col),
		sorted: sorted ? sorted.dataset.col + " " + sorted.getAttribute("aria-sort") : "",
		query: location.search,
		status: document.querySelector("form.tools [role=status]").textContent,
	};
})()`

func (v *visit) table() table {
	v.t.Helper()
	var t table
	v.evalTo(&t, readTable)
	return t
}

// same compares two tables.
func (v *visit) same(what string, got, want table) {
	v.t.Helper()
	a, _ := json.Marshal(got)
	b, _ := json.Marshal(want)
	if string(a) != string(b) {
		v.t.Errorf("%s: the table is\n%s\nwant\n%s", what, a, b)
	}
}

// kept loads the present address again, and in the other languages: the table
// stays what it was, in words of that language.
func (v *visit) kept(what string) {
	v.t.Helper()
	before := v.table()
	v.load("the same page", func() error { return v.page.Reload() })
	v.same(what+", loaded again", v.table(), before)
	v.open("/fr/" + before.Query)
	french := v.table()
	french.Status = before.Status
	for i := range french.Rows {
		if i < len(before.Rows) {
			french.Rows[i].Name = before.Rows[i].Name
		}
	}
	v.same(what+", in French", french, before)
	v.open("/en/" + before.Query)
}

func TestBoardSearch(t *testing.T) {
	v := browse(t, desktop)
	v.open(largest(t, "board").in(i18n.EN))
	all := v.table()
	if len(all.Rows) < 10 || all.Query != "" || all.Status == "" {
		t.Fatalf("%d rows, query %q, status %q", len(all.Rows), all.Query, all.Status)
	}
	words := strings.Fields(all.Rows[0].Text)
	v.enter(`input[name=q]`, strings.ToUpper(words[0])+"  "+all.Rows[0].Only)
	found := v.table()
	if len(found.Rows) == 0 || len(found.Rows) == len(all.Rows) {
		t.Errorf("a search shows %d of %d rows", len(found.Rows), len(all.Rows))
	}
	for _, r := range all.Rows {
		matches := strings.Contains(r.Text, words[0]) && strings.Contains(r.Text, all.Rows[0].Only)
		if shown := slices.ContainsFunc(found.Rows, func(f row) bool { return f.Name == r.Name }); shown != matches {
			t.Errorf("%s: shown %v, matches %v", r.Name, shown, matches)
		}
	}
	if !strings.Contains(found.Status, fmt.Sprint(len(found.Rows))) || !strings.Contains(found.Status, fmt.Sprint(len(all.Rows))) {
		t.Errorf("status %q for %d of %d rows", found.Status, len(found.Rows), len(all.Rows))
	}
	v.kept("search")
	v.enter(`input[name=q]`, "no such model & nothing=else?")
	none := v.table()
	if len(none.Rows) != 0 || !strings.Contains(none.Status, "0") {
		t.Errorf("a search for nothing shows %d rows, status %q", len(none.Rows), none.Status)
	}
	v.kept("search for nothing")
	v.click(`form.tools [type=reset]`)
	v.same("after reset", v.table(), all)
	v.clean("search")
}

// enter replaces what stands in a field, as with a keyboard.
func (v *visit) enter(selector, text string) {
	v.t.Helper()
	e := v.element(selector)
	check(v.t, e.SelectAllText())
	check(v.t, e.Input(text))
	check(v.t, v.page.Keyboard.Type(input.Enter)) // sends no form
	v.want(fmt.Sprintf(`document.querySelector(%q).value`, selector), quoted(text))
}

func quoted(s string) string {
	data, _ := json.Marshal(s)
	return strings.NewReplacer(`\u0026`, "&").Replace(string(data))
}

func TestBoardFilter(t *testing.T) {
	v := browse(t, desktop)
	v.open("/en/")
	all := v.table()
	var choices []string
	v.evalTo(&choices, `[...document.querySelectorAll("input[name=only]")].map((e) => e.value)`)
	if len(choices) < 2 {
		t.Fatalf("precisions to choose from: %v", choices)
	}
	chosen := map[string]bool{}
	for _, c := range choices[:2] {
		chosen[c] = true
		v.click(fmt.Sprintf(`input[name=only][value=%q]`, c))
		got := v.table()
		want := 0
		for _, r := range all.Rows {
			if chosen[r.Only] {
				want++
			}
		}
		if len(got.Rows) != want || want == 0 {
			t.Errorf("%v shows %d rows, want %d", chosen, len(got.Rows), want)
		}
		for _, r := range got.Rows {
			if !chosen[r.Only] {
				t.Errorf("%v shows %s", chosen, r.Name)
			}
		}
	}
	v.kept("filter")
	v.want(`[...document.querySelectorAll("input[name=only]:checked")].map((e) => e.value)`, quotedList(choices[:2]))
	v.click(`form.tools [type=reset]`)
	v.same("after reset", v.table(), all)
	v.clean("filter")
}

func quotedList(list []string) string {
	data, _ := json.Marshal(list)
	return string(data)
}

// Every column that can be sorted is sorted by its numbers both ways, with what
// was not measured at the end, and then as it was.
func TestBoardSort(t *testing.T) {
	v := browse(t, desktop)
	v.open("/en/")
	all := v.table()
	var keys []string
	v.evalTo(&keys, `[...document.querySelectorAll("table.board th[data-sortable]")].map((h) => h.dataset.col)`)
	if len(keys) < 5 {
		t.Fatalf("columns to sort by: %v", keys)
	}
	for _, key := range keys {
		at := slices.Index(all.Columns, key)
		seen := map[string]bool{}
		for range 2 {
			v.click(fmt.Sprintf(`table.board th[data-col=%q] button`, key))
			got := v.table()
			how, ok := strings.CutPrefix(got.Sorted, key+" ")
			seen[how] = true
			if !ok || len(got.Rows) != len(all.Rows) {
				t.Fatalf("sorted by %q with %d rows, want %s with %d", got.Sorted, len(got.Rows), key, len(all.Rows))
			}
			ordered(t, key, how == "descending", got.Rows, at)
			v.same(key+" "+how+", loaded again", v.again(), got)
		}
		if !seen["ascending"] || !seen["descending"] {
			t.Errorf("%s is sorted only %v", key, seen)
		}
		v.click(fmt.Sprintf(`table.board th[data-col=%q] button`, key))
		v.same("after sorting by "+key, v.table(), all)
	}
	v.click(fmt.Sprintf(`table.board th[data-col=%q] button`, keys[0]))
	v.kept("sort")
	v.clean("sort")
}

// again loads the present address again.
func (v *visit) again() table {
	v.t.Helper()
	v.load("the same page", func() error { return v.page.Reload() })
	return v.table()
}

// ordered fails unless the numbers of a column are in order, the empty ones last.
func ordered(t *testing.T, key string, down bool, rows []row, at int) {
	t.Helper()
	var before *float64
	numbers := 0
	for i, r := range rows {
		text := r.Cells[at]
		if text == "" {
			if slices.ContainsFunc(rows[i:], func(r row) bool { return r.Cells[at] != "" }) {
				t.Errorf("%s: what was not measured stands above numbers", key)
			}
			break
		}
		var x float64
		if _, err := fmt.Sscan(text, &x); err != nil {
			t.Fatalf("%s: %q is no number", key, text)
		}
		if before != nil && (down && x > *before || !down && x < *before) {
			t.Errorf("%s: %v stands below %v", key, x, *before)
		}
		before = &x
		numbers++
	}
	if numbers < 2 {
		t.Errorf("%s has %d numbers", key, numbers)
	}
}

func TestBoardColumns(t *testing.T) {
	v := browse(t, desktop)
	v.open("/en/")
	all := v.table()
	var boxes []string
	v.evalTo(&boxes, `[...document.querySelectorAll("input[name=col]")].map((e) => e.value)`)
	if len(boxes) < 4 {
		t.Fatalf("columns to choose from: %v", boxes)
	}
	v.click(`form.tools summary`)
	want := slices.Clone(all.Columns)
	for _, key := range boxes[1:3] {
		v.click(fmt.Sprintf(`input[name=col][value=%q]`, key))
		want = slices.DeleteFunc(want, func(c string) bool { return c == key })
		if got := v.table().Columns; !slices.Equal(got, want) {
			t.Errorf("without %s the columns are %v, want %v", key, got, want)
		}
	}
	v.kept("columns")
	v.click(`form.tools summary`)
	v.click(`form.tools [type=reset]`)
	v.same("after reset", v.table(), all)
	v.clean("columns")
}

// A link with everything in it shows what its sender saw, and what no form knows
// does no harm.
func TestBoardLink(t *testing.T) {
	v := browse(t, desktop)
	v.open("/en/")
	all := v.table()
	r := all.Rows[0]
	column := all.Columns[2]
	query := "?q=" + strings.Fields(r.Text)[0] + "&only=" + r.Only + "&hide=" + all.Columns[3] + "&sort=-" + column
	v.open("/en/" + query)
	got := v.table()
	if got.Query != query || got.Sorted != column+" descending" || slices.Contains(got.Columns, all.Columns[3]) || len(got.Rows) == 0 || len(got.Rows) == len(all.Rows) {
		t.Errorf("%s shows %+v", query, got)
	}
	v.follow(`.languages a[hreflang="nl"]`)
	v.want(`location.pathname + location.search`, quoted("/nl/"+query))
	for _, odd := range []string{"?sort=nothing", "?sort=-", "?hide=nothing", "?unknown=1", "?sort=__proto__&only=constructor"} {
		v.open("/en/" + odd)
		v.clean(odd)
	}
	v.open("/en/?q=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E")
	v.want(`document.querySelectorAll("main img").length`, "0")
	v.clean("markup in the query")
}

// The whole leaderboard can be used with a keyboard.
func TestBoardKeyboard(t *testing.T) {
	v := browse(t, desktop)
	v.open("/en/")
	v.want(`document.activeElement === document.body`, "true")
	v.key(input.Tab)
	v.want(`document.activeElement.className`, `"skip"`)
	var key string
	v.evalTo(&key, `(() => { const b = document.querySelector("table.board th button"); b.focus(); return b.closest("th").dataset.col; })()`)
	v.key(input.Enter)
	if got := v.table().Sorted; !strings.HasPrefix(got, key+" ") {
		t.Errorf("Enter on %s sorts by %q", key, got)
	}
	v.want(`document.activeElement.closest("th").dataset.col`, quoted(key))
	v.key(input.Space)
	v.want(`document.activeElement.closest("th").dataset.col`, quoted(key))
	v.clean("keyboard")
}

func (v *visit) key(key input.Key) {
	v.t.Helper()
	check(v.t, v.page.Keyboard.Type(key))
}

// On a phone every row unfolds to all its values.
func TestBoardOnAPhone(t *testing.T) {
	v := browse(t, phone)
	v.open("/en/")
	check(t, v.element(`table.board tbody .more summary`).ScrollIntoView())
	v.want(`(() => { const d = document.querySelector("table.board tbody .more dl"); return d.checkVisibility(); })()`, "false")
	v.click(`table.board tbody .more summary`)
	v.want(`(() => { const d = document.querySelector("table.board tbody .more dl"); return d.checkVisibility() && d.querySelectorAll("dd").length > 4; })()`, "true")
	v.fits("board with a row unfolded")
	v.clean("phone")
}
