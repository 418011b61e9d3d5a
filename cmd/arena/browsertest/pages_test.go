//go:build browser

package browsertest

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"example.org/arena/i18n"
)

// A kind is a type of page.
type kind struct {
	name    string
	pattern string // of the path behind the language
}

// kinds lists all types of pages that have translations. A page of none of them
// fails the tests: it needs a line here, and perhaps a test.
var kinds = []kind{
	{"board", ""},
	{"preset", "for/*/"},
	{"models", "models/"},
	{"model", "models/*/*/"},
	{"methods", "method/"},
	{"method", "method/*/"},
	{"reports", "reports/"},
	{"report", "reports/*/"},
	{"suggestions", "suggestions/"},
	{"data", "data/"},
}

// A place is a page without its language.
type place struct {
	kind string
	path string // behind the language, ends in a slash
	size int64  // of its file in English, bytes
}

func (p place) in(l i18n.Lang) string { return "/" + string(l) + "/" + p.path }

// places lists all pages of the site that have translations.
func places(t *testing.T) []place {
	t.Helper()
	site := os.DirFS(bench.folder)
	var list []place
	err := fs.WalkDir(site, "en", func(name string, d fs.DirEntry, err error) error {
		if err != nil || path.Base(name) != "index.html" {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		behind := strings.TrimSuffix(strings.TrimPrefix(name, "en/"), "index.html")
		list = append(list, place{kindOf(t, behind), behind, info.Size()})
		return nil
	})
	check(t, err)
	for _, k := range kinds {
		if !slices.ContainsFunc(list, func(p place) bool { return p.kind == k.name }) {
			t.Errorf("the site has no page of type %s", k.name)
		}
	}
	return list
}

func kindOf(t *testing.T, behind string) string {
	t.Helper()
	for _, k := range kinds {
		if ok, err := path.Match(k.pattern, behind); err == nil && ok {
			return k.name
		}
	}
	t.Errorf("no type of page is known for /en/%s", behind)
	return "unknown"
}

// samples lists the largest page of each type, and the smallest where there are
// several: the one with the least data is where a page may go wrong.
func samples(t *testing.T) []place {
	t.Helper()
	byKind := map[string][]place{}
	for _, p := range places(t) {
		byKind[p.kind] = append(byKind[p.kind], p)
	}
	var list []place
	for _, k := range kinds {
		all := byKind[k.name]
		slices.SortFunc(all, func(a, b place) int {
			return cmp.Or(cmp.Compare(b.size, a.size), cmp.Compare(a.path, b.path))
		})
		if len(all) > 0 {
			list = append(list, all[0])
		}
		if len(all) > 1 {
			list = append(list, all[len(all)-1])
		}
	}
	return list
}

// largest returns the largest page of a type.
func largest(t *testing.T, kind string) place {
	t.Helper()
	for _, p := range samples(t) {
		if p.kind == kind {
			return p
		}
	}
	t.Fatalf("the site has no page of type %s", kind)
	return place{}
}

// Every page of every language loads without a complaint of the browser and
// without a request to another place; on the narrowest phone it does not scroll
// sideways, folded or not.
func TestEveryPage(t *testing.T) {
	all := places(t)
	for _, lang := range i18n.Langs {
		t.Run(string(lang), func(t *testing.T) {
			t.Parallel()
			wide, narrow := browse(t, desktop), browse(t, screen{width: 360})
			for _, p := range all {
				address := p.in(lang)
				for _, v := range []*visit{wide, narrow} {
					v.open(address)
					v.want(`document.documentElement.lang`, fmt.Sprintf("%q", lang))
					v.want(`document.querySelectorAll("h1").length`, "1")
					v.clean(address)
				}
				narrow.fits(address)
				narrow.unfold()
				narrow.fits(address + " unfolded")
			}
		})
	}
}

// fits fails when the page can be scrolled sideways, and says what sticks out.
func (v *visit) fits(what string) {
	v.t.Helper()
	var out []string
	v.evalTo(&out, `(() => {
		const root = document.documentElement;
		const room = root.clientWidth;
		if (root.scrollWidth <= room) return [];
		const scrolls = (e) => e !== document.body && (/auto|scroll/.test(getComputedStyle(e).overflowX) || (e.parentElement && scrolls(e.parentElement)));
		const far = [...document.body.querySelectorAll("*")].filter((e) => e.getBoundingClientRect().right > room + 0.5);
		const free = far.filter((e) => !scrolls(e));
		return ["the page is " + root.scrollWidth + " wide on a screen of " + room].concat((free.length ? free : far).slice(0, 5).map((e) =>
			e.tagName.toLowerCase() + "." + e.getAttribute("class") + " ends at " + Math.round(e.getBoundingClientRect().right) + ": " + e.textContent.trim().slice(0, 40)));
	})()`)
	for _, o := range out {
		v.t.Errorf("%s: %s", what, o)
	}
}

// The page of an unknown address says so in the language of the address.
func TestNotFound(t *testing.T) {
	for _, s := range []screen{desktop, {width: 360}} {
		v := browse(t, s)
		for _, lang := range i18n.Langs {
			address := "/" + string(lang) + "/no/such/page/"
			v.open(address)
			v.forget("404")
			v.clean(address)
			v.want(`document.documentElement.lang`, fmt.Sprintf("%q", lang))
			v.fits(address)
		}
		v.open("/no/such/page")
		v.forget("404")
		v.clean("/no/such/page")
		v.want(`document.documentElement.lang`, `"en"`)
	}
}

// The first page offers the three languages.
func TestChooser(t *testing.T) {
	for _, s := range []screen{desktop, {width: 360}, {width: 360, noScript: true}} {
		v := browse(t, s)
		for _, lang := range i18n.Langs {
			v.open("/")
			v.fits("/")
			v.follow(fmt.Sprintf(`main a[href="/%s/"]`, lang))
			v.want(`document.documentElement.lang`, fmt.Sprintf("%q", lang))
		}
		v.clean("/")
	}
}

// The language switch leads to the same page with the same query and place, and
// without a script at least to the same page.
func TestLanguageSwitch(t *testing.T) {
	const query, fragment = "?q=nvfp4&sort=-date&unknown=%C3%A9", "#main"
	with, without := browse(t, desktop), browse(t, screen{width: 1280, noScript: true})
	for _, p := range samples(t) {
		from := i18n.Langs[0]
		with.open(p.in(from) + query + fragment)
		without.open(p.in(from) + query + fragment)
		// The leaderboard writes its own state into the query.
		var kept string
		with.evalTo(&kept, `location.search + location.hash`)
		for _, to := range append(i18n.Langs[1:], from) {
			selector := fmt.Sprintf(`.languages a[hreflang="%s"]`, to)
			with.follow(selector)
			with.want(`location.pathname + location.search + location.hash`, fmt.Sprintf("%q", p.in(to)+kept))
			with.want(`document.documentElement.lang`, fmt.Sprintf("%q", to))
			with.want(`document.querySelector(".languages [aria-current]").hreflang`, fmt.Sprintf("%q", to))
			without.follow(selector)
			without.want(`location.pathname`, fmt.Sprintf("%q", p.in(to)))
			without.want(`document.documentElement.lang`, fmt.Sprintf("%q", to))
		}
		with.clean(p.path)
		without.clean(p.path)
	}
}

// Without a script everything is there to read: charts, tables, commands. What
// needs one is not shown.
func TestWithoutScript(t *testing.T) {
	for _, width := range []int{1280, 360} {
		v := browse(t, screen{width: width, noScript: true})
		charts := 0
		for _, p := range samples(t) {
			v.open(p.in(i18n.EN))
			v.want(`[...document.querySelectorAll("button, form.tools")].filter((e) => e.offsetParent !== null).length`, "0")
			charts += v.chartsVisible(p.path)
			v.want(`[...document.querySelectorAll("table.board tbody tr")].every((e) => e.getBoundingClientRect().height > 0)`, "true")
			v.unfold()
			v.want(`[...document.querySelectorAll(".command code")].every((e) => e.getBoundingClientRect().height > 0 && e.textContent.length > 10)`, "true")
			v.clean(p.path)
		}
		if charts == 0 {
			t.Error("no page has a chart")
		}
	}
}

// chartsVisible counts the charts of the page and fails for one that does not
// show exactly one picture of a sensible size with something drawn in it.
func (v *visit) chartsVisible(what string) int {
	v.t.Helper()
	var bad []string
	v.evalTo(&bad, `[...document.querySelectorAll("figure.chart")].filter((f) => {
		const shown = [...f.querySelectorAll("svg.chart")].filter((s) => getComputedStyle(s).display !== "none");
		if (shown.length !== 1) return true;
		const box = shown[0].getBoundingClientRect();
		const marks = [...shown[0].querySelectorAll("path, rect, circle")].filter((e) => e.getBoundingClientRect().width > 1);
		return box.width < 250 || box.height < 80 || marks.length < 3 || shown[0].querySelectorAll("text").length < 3;
	}).map((f) => f.id)`)
	for _, id := range bad {
		v.t.Errorf("%s: chart %s does not show", what, id)
	}
	var n int
	v.evalTo(&n, `document.querySelectorAll("figure.chart").length`)
	return n
}
