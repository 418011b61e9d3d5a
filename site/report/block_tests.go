package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.org/arena/content"
	"example.org/arena/results/audit"
	"example.org/arena/results/contract"
	"example.org/arena/results/metric"
	"example.org/arena/results/verdict"
	"example.org/arena/site/board"
	"example.org/arena/site/chart"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// testsBlock sets the tests of the contract side by side: of each the quantities
// that answer its question.
func (w *writer) testsBlock(b content.ReportBlock) ([]render.Block, error) {
	if err := w.sameContract(); err != nil {
		return nil, err
	}
	c := w.all[0].run.Verdict.Contract
	t := w.comparison(w.caption(b, "report.tests.caption", "contract", c.Version), w.p.T("report.tests.test"))
	for i := range c.Tests {
		name := strings.TrimSpace(format.TestNumber(c.Tests[i].Number) + " " + format.TestName(w.p, c.Tests[i].Slug))
		for _, col := range answers(c, c.Tests[i].Slug) {
			of := func(d *deployment) verdict.Value { return d.run.Verdict.Value(col.Quantity) }
			w.compare(t, name, w.quantityName(of(w.all[0])), of)
		}
	}
	return []render.Block{{Table: t}}, nil
}

// sameContract wants all deployments measured by the same contract.
func (w *writer) sameContract() error {
	for _, d := range w.all {
		switch c := d.run.Verdict.Contract; {
		case c == nil:
			return fmt.Errorf("%s follows no contract that is known here", d.id)
		case c.Digest != w.all[0].run.Verdict.Contract.Digest:
			return fmt.Errorf("%s and %s follow different contracts", w.all[0].id, d.id)
		}
	}
	return nil
}

// answers are the columns that answer the question of a test; of a sweep the
// capacity under the limit in the middle.
func answers(c *contract.Contract, slug string) []board.Column {
	var out, capacities []board.Column
	for _, col := range board.Columns(c) {
		switch {
		case col.Test != slug:
		case col.LimitMS > 0:
			capacities = append(capacities, col)
		case strings.HasPrefix(col.ID, slug+"/"):
			out = append(out, col)
		}
	}
	if n := len(capacities); n > 0 {
		out = append(out, capacities[n/2])
	}
	return out
}

// quantityName says what a value is and where in its test it was measured.
func (w *writer) quantityName(v verdict.Value) string {
	if v.Metric == metric.Capacity {
		return w.p.T("report.tests.capacity", "limit", format.ExactMilliseconds(w.p, float64(v.At.LimitMS)))
	}
	name := format.Head(w.p, v.Metric, v.Statistic).Label
	if at := v.At.Point; at != (audit.Point{}) {
		return w.p.T("report.tests.at", "quantity", name, "place", format.Point(w.p, at))
	}
	return name
}

// comparison is an empty table with a column per deployment and one per pair.
func (w *writer) comparison(caption, first string) *render.Table {
	t := &render.Table{Caption: caption, Head: w.columns(first, render.Head{Numeric: true})}
	t.Head = slices.Insert(t.Head, 1, render.Head{Label: w.p.T("model.table.quantity")})
	t.Head = append(t.Head, w.pairColumns()...)
	return t
}

// compare adds a row.
func (w *writer) compare(t *render.Table, first, quantity string, of func(*deployment) verdict.Value) {
	row := []render.Cell{{Text: first}, {Text: quantity}}
	for _, d := range w.all {
		row = append(row, w.valueCell(of(d)))
	}
	t.Rows = append(t.Rows, append(row, w.ratioCells(of)...))
}

// valueCell writes a value with its unit, and with its spread where that is over
// repetitions: requests differ by design.
func (w *writer) valueCell(v verdict.Value) render.Cell {
	s := v.Spread
	if s != nil && s.Of != verdict.Repetitions {
		v.Spread = nil
	}
	c := format.Cell(w.p, v)
	if !v.Known {
		return c
	}
	c.Text = format.Quantity(w.p, v)
	if v.Spread != nil && v.Unit == metric.Millisecond { // the value may stand in seconds
		c.Spread = w.p.T("value.spread", "std", w.p.Milliseconds(s.Number))
	}
	return c
}

// decodeBlock shows the speed of one request and of all together at each
// concurrency of a closed-loop test.
func (w *writer) decodeBlock(b content.ReportBlock) ([]render.Block, error) {
	levels, err := common(w, b, noClosedLoop, func(at audit.Point) int { return at.Concurrency })
	if err != nil {
		return nil, err
	}
	name := format.TestName(w.p, b.Test)
	line := chart.Line{
		Title: w.p.T("report.decode.chart", "test", name), Description: w.p.T("report.decode.chart_text", "test", name),
		X: format.ConcurrencyAxis(w.p, levels), Y: format.Axis(w.p, metric.DecodeRequest),
	}
	t := w.comparison(w.caption(b, "report.decode.caption", "test", name), w.p.T("model.chart.concurrency"))
	for _, level := range levels {
		for _, key := range []metric.Key{metric.DecodeRequest, metric.Decode} {
			if level == 1 && key == metric.Decode {
				continue // alone, a request is all there is
			}
			w.compare(t, w.p.Integer(int64(level)), w.p.T("metric."+string(key)+".short"), valueAt(b.Test, audit.Point{Concurrency: level}, key, verdict.Mean))
		}
	}
	line.Series = series(w, levels, func(d *deployment, x, level int) chart.Point {
		v := valueAt(b.Test, audit.Point{Concurrency: level}, metric.DecodeRequest, verdict.Mean)(d)
		return format.ChartPoint(w.p, float64(x), w.p.T("model.point.concurrency", "concurrency", level), v)
	})
	return []render.Block{chartBlock(b, line.Description, line, nil), {Table: t}}, nil
}

// prefillBlock shows the wait for the first token and the speed of prefill at each
// length of prompt of a closed-loop test, at its lowest concurrency.
func (w *writer) prefillBlock(b content.ReportBlock) ([]render.Block, error) {
	levels, err := common(w, b, noClosedLoop, func(at audit.Point) int { return at.Concurrency })
	if err != nil {
		return nil, err
	}
	lengths, err := common(w, b, noClosedLoop, func(at audit.Point) int { return at.PromptTokens })
	if err != nil {
		return nil, err
	}
	name := format.TestName(w.p, b.Test)
	line := chart.Line{
		Title: w.p.T("report.prefill.chart", "test", name), Description: w.p.T("report.prefill.chart_text", "concurrency", levels[0]),
		X: chart.Axis{Name: w.p.T("model.chart.prompt"), Format: format.Tick(w.p)},
		Y: chart.Axis{Name: w.p.T("model.chart.ttft_seconds"), Format: format.Tick(w.p)},
	}
	t := w.comparison(w.caption(b, "report.prefill.caption", "test", name, "concurrency", levels[0]), w.p.T("model.chart.prompt"))
	for _, length := range lengths {
		at := audit.Point{PromptTokens: length, Concurrency: levels[0]}
		for _, key := range []metric.Key{metric.TTFT, metric.Prefill} {
			w.compare(t, w.p.Integer(int64(length)), w.p.T("metric."+string(key)+".short"), valueAt(b.Test, at, key, verdict.Mean))
		}
	}
	line.Series = series(w, lengths, func(d *deployment, _, length int) chart.Point {
		at := audit.Point{PromptTokens: length, Concurrency: levels[0]}
		return w.secondsPoint(float64(length), format.Point(w.p, at), valueAt(b.Test, at, metric.TTFT, verdict.Mean)(d))
	})
	return []render.Block{chartBlock(b, line.Description, line, nil), {Table: t}}, nil
}

// noClosedLoop says of a test what common did not find.
const noClosedLoop = "is no closed loop"

// secondsPoint is a time in milliseconds on an axis in seconds.
func (w *writer) secondsPoint(x float64, where string, v verdict.Value) chart.Point {
	if !v.Known || v.Number <= 0 {
		return chart.Point{X: x}
	}
	return chart.Point{X: x, Y: new(v.Number / 1000), Label: format.PointLabel(w.p, where, w.p.Milliseconds(v.Number))}
}

// valueAt returns a value of the one cell of a test at a point, unknown where
// there is not exactly one.
func valueAt(slug string, at audit.Point, key metric.Key, stat verdict.Statistic) func(*deployment) verdict.Value {
	return func(d *deployment) verdict.Value {
		s, i, err := d.cell(slug, at)
		if err != nil {
			d, _ := metric.Lookup(key)
			return verdict.Value{Metric: key, Statistic: stat, Unit: d.Unit, Missing: verdict.NotMeasured}
		}
		return s.Value(i, key, stat)
	}
}

// common are the values of a parameter, ascending, that every deployment measured
// in the test of a block. None is an error that says what the test is lacking.
func common[T cmp.Ordered](w *writer, b content.ReportBlock, lacking string, of func(audit.Point) T) ([]T, error) {
	if b.Test == "" {
		return nil, fmt.Errorf("a block %s needs a test", b.Kind)
	}
	var out []T
	var none T
	for i, d := range w.all {
		s, err := d.test(b.Test)
		if err != nil {
			return nil, err
		}
		var here []T
		for k := range s.Test.Cells {
			if x := of(audit.PointOf(&s.Test.Cells[k])); x > none {
				here = append(here, x)
			}
		}
		if i == 0 {
			out = here
		}
		out = slices.DeleteFunc(out, func(x T) bool { return !slices.Contains(here, x) })
	}
	slices.Sort(out)
	if out = slices.Compact(out); len(out) == 0 {
		return nil, fmt.Errorf("test %s %s that all deployments measured", b.Test, lacking)
	}
	return out, nil
}
