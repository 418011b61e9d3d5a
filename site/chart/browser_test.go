//go:build browser

package chart

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/launcher"
	"github.com/go-rod/rod/lib/proto"
)

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// A visit is a page in a real browser, and what the browser had to say about it.
type visit struct {
	t    *testing.T
	page *rod.Page
}

// samplePage is a page with all sample charts, each with the whole column to itself.
// The options of the first chart are an island in the page, the rest are files.
func samplePage(figures map[string]Figure, names []string) string {
	var b strings.Builder
	b.WriteString(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Charts</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,"><link rel="stylesheet" href="/site.css"><link rel="stylesheet" href="/chart.css">
<script type="module" src="/chart.js" data-echarts="/echarts.js"></script></head><body><main id="main"><h1>Charts</h1><div>`)
	for i, name := range names {
		source := "/" + name + ".json"
		if i == 0 {
			fmt.Fprintf(&b, `<script type="application/json" id="options">%s</script>`, figures[name].Option)
			source = "#options"
		}
		title := html.EscapeString(name)
		fmt.Fprintf(&b, `<figure class="chart" id="%s"><figcaption><span>%s</span>`+
			`<button type="button" class="chart-open" data-chart="%s" data-open="Explore" data-close="Back" data-failed="Not now" hidden>Explore</button></figcaption>`+
			`<div class="plot">%s%s</div></figure>`, name, title, source, figures[name].Wide, figures[name].Narrow)
	}
	b.WriteString(`</div></main></body></html>`)
	return b.String()
}

// serveSamples serves the page with the production policy. Without a library
// its address answers 404.
func serveSamples(t *testing.T, specs map[string]Spec, withLibrary bool) string {
	t.Helper()
	r := newRenderer(t, 1)
	figures, names := map[string]Figure{}, []string{}
	for name, s := range specs {
		f, err := r.Render(t.Context(), name, s)
		if err != nil {
			t.Fatal(err)
		}
		figures[name], names = f, append(names, name)
	}
	slices.Sort(names)
	files := map[string]string{"/site.css": "css/site.css", "/chart.css": "css/chart.css", "/chart.js": "js/chart.js"}
	if withLibrary {
		files["/echarts.js"] = "dist/echarts.js"
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		name := strings.TrimSuffix(q.URL.Path[1:], ".json")
		switch f, ok := figures[name]; {
		case q.URL.Path == "/":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, samplePage(figures, names))
		case ok:
			w.Header().Set("Content-Type", "application/json")
			w.Write(f.Option)
		case files[q.URL.Path] != "":
			http.ServeFile(w, q, filepath.Join("../../templates", files[q.URL.Path]))
		default:
			http.NotFound(w, q)
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL + "/"
}

func browse(t *testing.T, url string, width, height int, dark bool) *visit {
	t.Helper()
	control := launcher.New().Bin("/usr/bin/chromium").NoSandbox(true).Headless(true).MustLaunch()
	browser := rod.New().ControlURL(control).MustConnect()
	t.Cleanup(browser.MustClose)
	page := browser.MustPage().Timeout(60 * time.Second)
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	proto.EmulationSetEmulatedMedia{Features: []*proto.EmulationMediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}.Call(page)
	page.MustEvalOnNewDocument(`
		window.complaints = [];
		addEventListener("securitypolicyviolation", (e) => complaints.push("policy: " + e.violatedDirective + " " + e.sample));
		addEventListener("error", (e) => complaints.push("error: " + e.message));
		addEventListener("unhandledrejection", (e) => complaints.push("rejected: " + e.reason));
		window.alert = () => complaints.push("alert");
		for (const level of ["warn", "error"]) {
			console[level] = (...all) => complaints.push(level + ": " + all.join(" "));
		}
	`)
	page.MustSetViewport(width, height, 1, width < 500)
	page.MustNavigate(url).MustWaitLoad()
	return &visit{t, page}
}

func (v *visit) complaints() []string {
	var list []string
	for _, c := range v.page.MustEval(`() => complaints`).Arr() {
		list = append(list, c.Str())
	}
	return list
}

func (v *visit) shot(name string) {
	dir := os.Getenv("ARENA_SHOTS")
	if dir == "" {
		return
	}
	data, err := v.page.Screenshot(true, nil)
	if err != nil {
		v.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), data, 0o644); err != nil {
		v.t.Fatal(err)
	}
}

// eval answers a JavaScript expression as JSON.
func (v *visit) eval(expression string) string {
	return v.page.MustEval(`() => JSON.stringify(` + expression + `)`).Str()
}

func (v *visit) want(expression, want string) {
	v.t.Helper()
	if got := v.eval(expression); got != want {
		v.t.Errorf("%s = %s, want %s", expression, got, want)
	}
}

func (v *visit) open(name string) {
	v.page.MustElement("#" + name + " button").MustClick()
	v.page.MustElement("#" + name + `[data-chart-state="live"] [data-chart-live] svg`)
}

func TestBrowserPictures(t *testing.T) {
	url := serveSamples(t, sampleSpecs(), true)
	for _, c := range []struct {
		name  string
		width int
		dark  bool
		shown string
	}{
		{"light", 1160, false, "wide"},
		{"dark", 1160, true, "wide"},
		{"phone", 375, false, "narrow"},
		{"phone-dark", 375, true, "narrow"},
	} {
		v := browse(t, url, c.width, 900, c.dark)
		v.shot(c.name)
		v.want(`[...document.querySelectorAll("svg.chart-`+c.shown+`")].every((e) => e.getBoundingClientRect().width > 200)`, "true")
		v.want(`[...document.querySelectorAll("svg.chart")].filter((e) => getComputedStyle(e).display !== "none").length`, fmt.Sprint(len(sampleSpecs())))
		v.want(`document.documentElement.scrollWidth <= innerWidth`, "true")
		ground := map[bool]string{false: `"rgb(253, 253, 252)"`, true: `"rgb(16, 19, 23)"`}[c.dark]
		v.want(`getComputedStyle(document.documentElement).backgroundColor`, ground)
		v.want(`getComputedStyle(document.querySelector('svg [stroke="#0072b2"]')).stroke !== "rgb(0, 114, 178)"`, fmt.Sprint(c.dark))
		v.clipped()
		if got := v.complaints(); got != nil {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

// clipped fails for text that leaves its picture by more than a hair, and for
// texts that cover each other.
func (v *visit) clipped() {
	v.t.Helper()
	list := v.page.MustEval(`() => {
		const found = [];
		const hair = 1.001; // a pixel, and what a browser's sum of positions is off
		for (const svg of document.querySelectorAll("svg.chart, [data-chart-live] svg")) {
			const outer = svg.getBoundingClientRect();
			if (outer.width === 0) continue;
			const texts = [...svg.querySelectorAll("text")].map((e) => [e.textContent, e.getBoundingClientRect()]);
			texts.forEach(([text, box], i) => {
				if (box.left < outer.left - hair || box.right > outer.right + hair || box.top < outer.top - hair || box.bottom > outer.bottom + hair) {
					found.push("outside: " + text);
				}
				for (const [other, b] of texts.slice(i + 1)) {
					const wide = Math.min(box.right, b.right) - Math.max(box.left, b.left);
					const high = Math.min(box.bottom, b.bottom) - Math.max(box.top, b.top);
					if (wide > 1 && high > 4) found.push("overlap: " + text + " / " + other);
				}
			});
		}
		return found;
	}`).Arr()
	for _, c := range list {
		v.t.Error(c.Str())
	}
}

func TestBrowserExtremes(t *testing.T) {
	url := serveSamples(t, extremeSpecs(), true)
	for _, c := range []struct {
		name  string
		width int
	}{{"extreme", 1160}, {"extreme-phone", 360}} {
		v := browse(t, url, c.width, 900, false)
		v.shot(c.name)
		v.clipped()
		for name := range extremeSpecs() {
			v.open(name)
		}
		v.clipped()
		v.shot(c.name + "-live")
		if got := v.complaints(); got != nil {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

func TestBrowserInteractive(t *testing.T) {
	url := serveSamples(t, sampleSpecs(), true)
	for _, dark := range []bool{false, true} {
		v := browse(t, url, 1160, 900, dark)
		v.want(`globalThis.arenaCharts === undefined`, "true")
		for name := range sampleSpecs() {
			v.open(name)
			v.want(`document.querySelector("#`+name+` button").textContent`, `"Back"`)
		}
		v.want(`[...document.querySelectorAll("svg.chart")].every((e) => getComputedStyle(e).display === "none")`, "true")
		v.clipped()
		v.hover("concurrency", 0.5, 0.5)
		v.want(`[...document.querySelectorAll("#concurrency [data-chart-live] text")].some((e) => e.textContent.includes("tokens/s") && e.textContent.length < 20)`, "true")
		v.shot(map[bool]string{false: "live", true: "live-dark"}[dark])

		v.page.MustSetViewport(375, 900, 1, true)
		v.page.MustWait(`() => document.querySelector("#matrix [data-chart-live] svg").getBoundingClientRect().width < 370`)
		v.clipped()
		v.shot(map[bool]string{false: "live-phone", true: "live-phone-dark"}[dark])

		v.page.MustElement("#concurrency button").MustClick()
		v.want(`document.querySelectorAll("#concurrency [data-chart-live]").length`, "0")
		v.want(`getComputedStyle(document.querySelector("#concurrency svg.chart-narrow")).display`, `"block"`)
		if got := v.complaints(); got != nil {
			t.Errorf("%q", got)
		}
	}
}

func (v *visit) hover(name string, x, y float64) {
	box := v.page.MustElement("#" + name + " [data-chart-live] svg").MustShape().Box()
	v.page.Mouse.MustMoveTo(box.X+x*box.Width-3, box.Y+y*box.Height)
	v.page.Mouse.MustMoveTo(box.X+x*box.Width, box.Y+y*box.Height)
	v.page.MustWait(`(id) => document.querySelectorAll("#" + id + " [data-chart-live] svg filter, #" + id + " [data-chart-live] tspan").length > 0 || true`, name)
	v.page.MustWaitDOMStable()
}

// TestBrowserAxe asks axe about the page with pictures and with live charts.
func TestBrowserAxe(t *testing.T) {
	axe, err := os.ReadFile("../../node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Skipf("SKIPPED, NOTHING WAS TESTED: %v", err)
	}
	for _, dark := range []bool{false, true} {
		v := browse(t, serveSamples(t, sampleSpecs(), true), 1160, 900, dark)
		v.page.MustEval("() => {" + string(axe) + "}")
		check := func(state string) {
			list := v.page.MustEval(`async () => (await axe.run()).violations.map((v) => v.id + ": " + v.nodes.map((n) => n.html.slice(0, 120)).join(" | "))`).Arr()
			for _, c := range list {
				t.Errorf("%s: %s", state, c.Str())
			}
		}
		check("pictures")
		for name := range sampleSpecs() {
			v.open(name)
		}
		check("live")
	}
}

func TestBrowserWithoutLibrary(t *testing.T) {
	v := browse(t, serveSamples(t, sampleSpecs(), false), 1160, 900, false)
	v.page.MustElement("#bars button").MustClick()
	v.page.MustElement(`#bars[data-chart-state="failed"]`)
	v.want(`document.querySelector("#bars .chart-status").textContent`, `"Not now"`)
	v.want(`getComputedStyle(document.querySelector("#bars svg.chart-wide")).display`, `"block"`)
	for _, c := range v.complaints() {
		if !strings.HasPrefix(c, "warn:") {
			t.Error(c)
		}
	}
}

func TestBrowserHostileNames(t *testing.T) {
	line := sampleConcurrency()
	for i := range line.Series {
		line.Series[i].Name = hostile[i]
		for j := range line.Series[i].Points {
			line.Series[i].Points[j].Label = hostile[(i+1)%len(hostile)]
		}
	}
	v := browse(t, serveSamples(t, map[string]Spec{"hostile": line}, true), 1160, 900, false)
	texts, _ := json.Marshal(hostile[:4])
	present := string(texts) + `.every((h) => [...document.querySelectorAll("#hostile text")].some((e) => e.textContent === h))`
	v.want(present, "true")
	v.open("hostile")
	v.hover("hostile", 0.5, 0.5)
	v.want(present, "true")
	v.want(`document.querySelectorAll("main script:not([type]), img, iframe").length`, "0")
	if got := v.complaints(); got != nil {
		t.Errorf("%q", got)
	}
	v.shot("hostile")
}
