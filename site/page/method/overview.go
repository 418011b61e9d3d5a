package method

import (
	"example.org/arena/results/metric"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// overview is the table of all tests.
func (w writer) overview() *render.Table {
	t := &render.Table{
		Caption: w.p.T("method.overview.caption"),
		Head: []render.Head{
			{Label: w.p.T("method.overview.test")},
			{Label: w.p.T("method.overview.loop")},
			{Label: w.p.T("method.overview.prompt"), Numeric: true},
			{Label: w.p.T("method.overview.output"), Numeric: true},
			{Label: w.p.T("method.overview.load")},
			{Label: w.p.T("method.overview.answers")},
		},
	}
	for _, x := range w.contract.Tests {
		prompt, output := w.lengths(x)
		t.Rows = append(t.Rows, []render.Cell{
			{Text: format.TestNumber(x.Number) + " " + format.TestName(w.p, x.Slug), URL: "#test-" + x.Slug},
			{Text: w.p.T("loop." + string(x.Loop()) + ".name"), Class: "nw"},
			{Text: prompt, Class: "n"},
			{Text: output, Class: "n"},
			{Text: w.load(x), Class: "note"},
			{Text: w.answers(x)},
		})
	}
	return t
}

// metrics defines the quantities of the site.
func (w writer) metrics() *render.Table {
	t := &render.Table{
		Caption: w.p.T("method.metrics.caption"),
		Head: []render.Head{
			{Label: w.p.T("method.metrics.quantity")},
			{Label: w.p.T("method.metrics.unit")},
			{Label: w.p.T("method.metrics.better")},
			{Label: w.p.T("method.metrics.meaning")},
		},
	}
	better := map[metric.Direction]string{metric.Neutral: "neutral", metric.HigherIsBetter: "higher", metric.LowerIsBetter: "lower"}
	for _, x := range metric.All {
		t.Rows = append(t.Rows, []render.Cell{
			{Text: w.p.T("metric." + string(x.Key) + ".name")},
			{Text: w.p.Unit(string(x.Unit))},
			{Text: w.p.T("method.metrics." + better[x.Better])},
			{Text: w.p.T("metric." + string(x.Key) + ".text")},
		})
	}
	return t
}
