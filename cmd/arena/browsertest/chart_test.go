//go:build browser

package browsertest

import (
	"fmt"
	"strings"
	"testing"

	"example.org/arena/i18n"
)

// Every chart has an interactive version that draws, shows values under the
// pointer, and goes away again. Its library is loaded only when it is asked for.
func TestCharts(t *testing.T) {
	for _, s := range []screen{desktop, phone.in(true)} {
		for _, kind := range []string{"model", "report"} {
			v := browse(t, s)
			p := largest(t, kind)
			v.open(p.in(i18n.NL))
			n := v.chartsVisible(p.path)
			if n < 3 {
				t.Fatalf("%s has %d charts", p.path, n)
			}
			v.settle()
			if v.asked("/echarts.") {
				t.Errorf("%s loads the chart library by itself", p.path)
			}
			for i := range n {
				v.tryChart(i, s.String()+" "+p.path)
			}
			if !v.asked("/echarts.") {
				t.Error("no chart library was loaded")
			}
			v.clean(p.path)
		}
	}
}

// asked reports whether the page has asked for an address with this text in it.
func (v *visit) asked(text string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, r := range v.requests {
		if strings.Contains(r, text) {
			return true
		}
	}
	return false
}

// tryChart opens, uses and closes the i-th chart of the page.
func (v *visit) tryChart(i int, what string) {
	v.t.Helper()
	v.eval(fmt.Sprintf(`document.querySelectorAll("figure.chart").forEach((f, i) => f.toggleAttribute("data-next", i === %d))`, i))
	var id string
	v.evalTo(&id, `document.querySelector("figure.chart[data-next]").id`)
	what += " #" + id
	const button = `figure.chart[data-next] button.chart-open`
	v.want(`document.querySelector("`+button+`").textContent === document.querySelector("`+button+`").dataset.open`, "true")
	v.click(button)
	v.await(`document.querySelector("figure.chart[data-next]").getAttribute("data-chart-state") !== "busy"`)
	v.want(`document.querySelector("figure.chart[data-next]").getAttribute("data-chart-state")`, `"live"`)
	var got struct {
		Still, Marks, Texts int
		Width               float64
		Label, Button       string
	}
	v.evalTo(&got, `(() => {
		const f = document.querySelector("figure.chart[data-next]");
		const live = f.querySelector("[data-chart-live]");
		return {
			Still: [...f.querySelectorAll("svg.chart")].filter((s) => getComputedStyle(s).display !== "none").length,
			Marks: live.querySelectorAll("path").length,
			Texts: live.querySelectorAll("text").length,
			Width: live.querySelector("svg").getBoundingClientRect().width,
			Label: live.getAttribute("aria-label"),
			Button: f.querySelector("button.chart-open").textContent,
		};
	})()`)
	if got.Still != 0 || got.Marks < 3 || got.Texts < 3 || got.Width < 250 || got.Label == "" {
		v.t.Errorf("%s: the live chart is %+v", what, got)
	}
	v.want(`document.querySelector("`+button+`").textContent === document.querySelector("`+button+`").dataset.close`, "true")
	v.click(button)
	v.want(`document.querySelectorAll("figure.chart[data-next] [data-chart-live]").length`, "0")
	v.want(`[...document.querySelectorAll("figure.chart[data-next] svg.chart")].filter((s) => getComputedStyle(s).display !== "none").length`, "1")
}
