//go:build browser

package browsertest

import (
	"os"
	"path/filepath"
	"testing"

	"example.org/arena/i18n"
)

// axeVersion is the version whose rules the pages keep.
const axeVersion = "4.14.1"

// axe finds nothing on any type of page, light and dark, on a phone and on
// a desktop, with everything unfolded.
func TestAxe(t *testing.T) {
	script, err := os.ReadFile(filepath.Join("..", "..", "..", "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatalf("%v (npm ci installs it)", err)
	}
	all := append(samples(t), place{path: "no/such/page/"}, place{path: "chooser"})
	for i, s := range everyScreen() {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			v := browse(t, s)
			for j, p := range all {
				// Every type of page meets every screen, and every language too.
				address := p.in(i18n.Langs[(i+j)%len(i18n.Langs)])
				if p.path == "chooser" {
					address = "/"
				}
				v.open(address)
				v.unfold()
				v.axe(address, string(script))
			}
		})
	}
}

// A live chart is as accessible as the picture.
func TestAxeOnLiveChart(t *testing.T) {
	script, err := os.ReadFile(filepath.Join("..", "..", "..", "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatalf("%v (npm ci installs it)", err)
	}
	v := browse(t, desktop)
	v.open(largest(t, "model").in(i18n.EN))
	v.click(`button.chart-open`)
	v.element(`figure.chart[data-chart-state="live"]`)
	v.axe("live chart", string(script))
}

// axe runs the checker on the page as it is.
func (v *visit) axe(what, script string) {
	v.t.Helper()
	if _, err := v.page.Eval(`() => {` + script + `}`); err != nil {
		v.t.Fatal(err)
	}
	v.want(`axe.version`, `"`+axeVersion+`"`)
	var found struct {
		Passes     int
		Violations []struct {
			ID, Impact, Help string
			Nodes            []string
		}
	}
	v.evalTo(&found, `axe.run(document, { resultTypes: ["violations"] }).then((r) => ({
		Passes: r.passes.length,
		Violations: r.violations.map((x) => ({
			ID: x.id, Impact: x.impact, Help: x.help,
			Nodes: x.nodes.slice(0, 4).map((n) => n.target.join(" ") + " " + n.html.slice(0, 90) + " " + (n.any[0]?.message ?? "")),
		})),
	}))`)
	if found.Passes < 10 {
		v.t.Errorf("%s: axe checked %d rules only", what, found.Passes)
	}
	for _, x := range found.Violations {
		for _, n := range x.Nodes {
			v.t.Errorf("%s: %s %s: %s: %s", what, x.Impact, x.ID, x.Help, n)
		}
	}
}
