package i18n

import (
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"
)

// catalogs returns a file system with the given files.
func catalogs(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

// inEveryLanguage adds English catalogs for the languages that files do not know.
func inEveryLanguage(files map[string]string) map[string]string {
	all := maps.Clone(files)
	for name, text := range files {
		area, english := strings.CutPrefix(name, "en/")
		for _, lang := range Langs {
			if other := string(lang) + "/" + area; english && all[other] == "" {
				all[other] = text
			}
		}
	}
	return all
}

// sample holds one area in three languages, beside the committed formats.
func sample(t testing.TB) *Catalogs {
	t.Helper()
	files := map[string]string{
		"nl/board.toml": `
title = "Ranglijst"
empty = "Nog geen run op {platform}."
share = "{share:percent.1} van {n:integer} verzoeken, limiet {limit:ms}"
spread = "{std:amount.1} bij {metric:@metric.*.name}"
when = "op {day:date}"
rows = "{rows} rijen"
more = "anders[: {others}]"
failed = "{n} verzoeken[, {failed} mislukt][, waarvan {late} na {limit:ms}]"
[shown]
one = "één rij"
other = "{count} rijen van {total}"
[found]
one = "{count} rij"
other = "{count} rijen"
`,
		"en/board.toml": `
title = "Leaderboard"
empty = "No run on {platform} yet."
share = "{share:percent.1} of {n:integer} requests, limit {limit:ms}"
spread = "{std:amount.1} for {metric:@metric.*.name}"
when = "on {day:date}"
rows = "{rows} rows"
more = "other[: {others}]"
failed = "{n} requests[, {failed} failed][, {late} of them after {limit:ms}]"
[shown]
one = "one row of {total}"
other = "{count} rows of {total}"
[found]
one = "{count} row"
other = "{count} rows"
`,
		"fr/board.toml": `
title = "Classement"
empty = "Aucune mesure sur {platform}."
share = "{share:percent.1} des {n:integer} requêtes, limite {limit:ms}"
spread = "{std:amount.1} pour {metric:@metric.*.name}"
when = "le {day:date}"
rows = "{rows} lignes"
more = "autre[\u00a0: {others}]"
failed = "{n} requêtes[, {failed} en échec][, dont {late} après {limit:ms}]"
[shown]
one = "{count} ligne sur {total}"
many = "{count} de lignes sur {total}"
other = "{count} lignes sur {total}"
[found]
one = "{count} ligne"
many = "{count} de lignes"
other = "{count} lignes"
`,
	}
	files["nl/board.toml"] = strings.Replace(files["nl/board.toml"], `"één rij"`, `"één rij van {total}"`, 1)
	for _, lang := range Langs {
		files[string(lang)+"/metric.toml"] = "[ttft_ms]\nname = \"TTFT\"\n"
	}
	return formats(t, files)
}

// formats returns the committed catalogs of formats and units, and the files.
func formats(t testing.TB, files map[string]string) *Catalogs {
	t.Helper()
	all := map[string]string{}
	for _, lang := range Langs {
		for _, area := range []string{"format", "unit"} {
			name := string(lang) + "/" + area + ".toml"
			data, err := FS.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all[name] = string(data)
		}
	}
	maps.Copy(all, inEveryLanguage(files))
	c, err := Load(catalogs(all))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A key is a stand-in for the string types of other packages.
type key string

func TestT(t *testing.T) {
	t.Parallel()
	c := sample(t)
	day := time.Date(2026, 8, 14, 0, 0, 0, 0, time.UTC)
	tests := []struct {
		name string
		key  string
		args []any
		want string
	}{
		{"plain", "board.title", nil, "Leaderboard"},
		{"string", "board.empty", []any{"platform", "DGX Spark"}, "No run on DGX Spark yet."},
		{"string type", "board.empty", []any{"platform", key("b300")}, "No run on b300 yet."},
		{"text that looks like a placeholder", "board.empty", []any{"platform", "{platform}"}, "No run on {platform} yet."},
		{"integer", "board.rows", []any{"rows", 12345}, "12,345 rows"},
		{"raw numbers", "board.share", []any{"share", 0.34, "n", 300, "limit", 2000.0}, "34.0% of 300 requests, limit 2.00 s"},
		{"numbers as text", "board.share", []any{"share", "0.34", "n", "300", "limit", key("2000")}, "34.0% of 300 requests, limit 2.00 s"},
		{"amount and name", "board.spread", []any{"std", Amount{731.74, "ms"}, "metric", key("ttft_ms")}, "731.7 ms for TTFT"},
		{"time", "board.when", []any{"day", day}, "on 14 August 2026"},
		{"time as text", "board.when", []any{"day", "2026-08-14T09:05:00Z"}, "on 14 August 2026"},
		{"date as text", "board.when", []any{"day", "2026-08-14"}, "on 14 August 2026"},
		{"optional parts left out", "board.failed", []any{"n", 5}, "5 requests"},
		{"optional part", "board.failed", []any{"n", 5, "failed", 2}, "5 requests, 2 failed"},
		{"optional part with half its values", "board.failed", []any{"n", 5, "late", 2}, "5 requests"},
		{"optional part with two values", "board.failed", []any{"n", 5, "late", 2, "limit", 50}, "5 requests, 2 of them after 50 ms"},
		{"no other arguments", "board.more", nil, "other"},
		{"other arguments", "board.more", []any{"p50", "1", "p60", "2"}, "other: p50 1, p60 2"},
		{"form for a script", "board.found.other", nil, "{count} rows"},
		{"form for a script with an argument", "board.shown.other", []any{"total", 40}, "{count} rows of 40"},
	}
	for _, tt := range tests {
		got := strings.ReplaceAll(c.Printer(EN).T(tt.key, tt.args...), noBreak, " ")
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
	noFaults(t, c)
}

func TestN(t *testing.T) {
	t.Parallel()
	c := sample(t)
	tests := []struct {
		lang  Lang
		count int
		want  string
	}{
		{NL, 0, "0 rijen"},
		{NL, 1, "1 rij"},
		{NL, 2, "2 rijen"},
		{EN, 0, "0 rows"},
		{EN, 1, "1 row"},
		{EN, 10_000_001, "10,000,001 rows"},
		{FR, 0, "0 ligne"},
		{FR, 1, "1 ligne"},
		{FR, 2, "2 lignes"},
		{FR, 1_000_000, "1_000_000 de lignes"},
		{FR, 3_000_000, "3_000_000 de lignes"},
		{FR, 1_000_001, "1_000_001 lignes"},
		{FR, -1, "−1 ligne"},
	}
	for _, tt := range tests {
		got := c.Printer(tt.lang).N("board.found", tt.count)
		if want := strings.ReplaceAll(tt.want, "_", narrow); got != want {
			t.Errorf("%s %d: got %q, want %q", tt.lang, tt.count, got, want)
		}
	}
	if got, want := c.Printer(NL).N("board.shown", 1, "total", 40), "één rij van 40"; got != want {
		t.Errorf("count left out: got %q, want %q", got, want)
	}
	noFaults(t, c)
}

func TestParts(t *testing.T) {
	t.Parallel()
	c := sample(t)
	got := fmt.Sprint(c.Printer(FR).Parts("board.empty", "platform", Slot))
	want := fmt.Sprint([]Part{{Text: "Aucune mesure sur "}, {Slot: "platform"}, {Text: "."}})
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	noFaults(t, c)
}

func TestHas(t *testing.T) {
	t.Parallel()
	c := sample(t)
	p := c.Printer(NL)
	for key, want := range map[string]bool{"board.title": true, "board.shown": true, "board": false, "board.nothing": false, "": false} {
		if got := p.Has(key); got != want {
			t.Errorf("Has(%q) = %t, want %t", key, got, want)
		}
	}
	noFaults(t, c)
}

// TestFaults makes every mistake that a caller can make: each is recorded, none
// panics, and the page shows a mark that a scan finds.
func TestFaults(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		call func(p *Printer) string
		want string
	}{
		{"missing key", func(p *Printer) string { return p.T("board.nothing") }, "en: board.nothing: no such key"},
		{"empty key", func(p *Printer) string { return p.T("") }, "en: no such key"},
		{"missing plural", func(p *Printer) string { return p.N("board.nothing", 2) }, "en: board.nothing: no such key"},
		{"no argument", func(p *Printer) string { return p.T("board.empty") }, "en: board.empty: no argument for {platform}"},
		{"odd arguments", func(p *Printer) string { return p.T("board.empty", "platform") }, "en: board.empty: 1 arguments are no name, value pairs"},
		{"no name", func(p *Printer) string { return p.T("board.empty", 1, 2) }, "en: board.empty: argument 1 is a int where a name is wanted"},
		{"argument too many", func(p *Printer) string { return p.T("board.title", "platform", "x") }, "en: board.title: no placeholder {platform} in the message"},
		{"argument twice", func(p *Printer) string { return p.T("board.empty", "platform", "x", "platform", "y") }, `en: board.empty: argument "platform" is given twice`},
		{"float without directive", func(p *Printer) string { return p.T("board.rows", "rows", 1.5) }, "en: board.rows: argument {rows}: a value of type float64 needs a directive"},
		{"nil", func(p *Printer) string { return p.T("board.rows", "rows", nil) }, "en: board.rows: argument {rows}: a value of type <nil> needs a directive"},
		{"text for a number", func(p *Printer) string {
			return p.T("board.share", "share", "a third", "n", 1, "limit", 1)
		}, `en: board.share: argument {share:percent.1}: "a third" where a number is wanted`},
		{"number for an amount", func(p *Printer) string {
			return p.T("board.spread", "std", 1.0, "metric", "ttft_ms")
		}, "en: board.spread: argument {std:amount.1}: a value of type float64 where an Amount is wanted"},
		{"unknown unit", func(p *Printer) string { return p.Quantity(1, 0, "furlong") }, "en: unit.furlong: no such key"},
		{"unknown name", func(p *Printer) string {
			return p.T("board.spread", "std", Amount{1, "ms"}, "metric", "wow")
		}, "en: board.spread: argument {metric:@metric.*.name}: no text for metric.wow.name"},
		{"no time", func(p *Printer) string { return p.T("board.when", "day", "yesterday") }, `en: board.when: argument {day:date}: "yesterday" where a time is wanted`},
		{"formatting mistake", func(p *Printer) string { return p.T("board.empty", "platform", "%!d(string=x)") }, `en: board.empty: argument {platform}: a formatting mistake in "%!d(string=x)"`},
		{"plural read as a text", func(p *Printer) string { return p.T("board.shown") }, "en: board.shown: a plural message, use N"},
		{"text read as a plural", func(p *Printer) string { return p.N("board.title", 1) }, "en: board.title: no plural message, use T"},
		{"form that English does not have", func(p *Printer) string { return p.T("board.found.many") }, `en: board.found.many: no plural form "many"`},
		{"not a number", func(p *Printer) string {
			return p.T("board.share", "share", "NaN", "n", 1, "limit", 1)
		}, "en: a number that is not finite"},
	}
	for _, tt := range tests {
		c := sample(t)
		got := tt.call(c.Printer(EN))
		faults := c.Faults()
		if len(faults) != 1 || faults[0].Error() != tt.want {
			t.Errorf("%s: got faults %v, want %s", tt.name, faults, tt.want)
		}
		if tt.name != "argument too many" && tt.name != "formatting mistake" && !strings.Contains(got, "⟦") {
			t.Errorf("%s: got %q, want a mark in it", tt.name, got)
		}
	}
}

// TestConcurrentUse is for the race detector.
func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	c := sample(t)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			p := c.Printer(Langs[i%len(Langs)])
			for range 50 {
				p.Number(1234.5, 1)
				p.N("board.found", i)
				p.T("board.nothing")
			}
		})
	}
	wg.Wait()
	if got := len(c.Faults()); got != len(Langs) {
		t.Errorf("got %d faults, want the same one in each language", got)
	}
}

func TestTryRecordsNoFault(t *testing.T) {
	t.Parallel()
	c, err := Load(FS)
	if err != nil {
		t.Fatal(err)
	}
	p := c.Printer(EN)
	if _, ok := p.Try("common.no_such_key"); ok {
		t.Error("an unknown key is said to fit")
	}
	if _, ok := p.Try("common.title"); ok {
		t.Error("a missing argument is said to fit")
	}
	if got, ok := p.Try("common.title", "page", "x"); !ok || got != p.T("common.title", "page", "x") {
		t.Errorf("got %q, %v", got, ok)
	}
	if faults := c.Faults(); len(faults) != 0 {
		t.Errorf("got faults %v, want none", faults)
	}
}
