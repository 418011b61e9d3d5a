package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"example.org/arena/content"
	"example.org/arena/i18n"
	"example.org/arena/results/metric"
	"example.org/arena/results/verdict"
	"example.org/arena/site/board"
	"example.org/arena/site/chart"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// blocks are the makers of tables and charts, by the kind of block.
var blocks = map[string]func(*writer, content.ReportBlock) ([]render.Block, error){
	"deployments": (*writer).deploymentsBlock,
	"commands":    (*writer).commandsBlock,
	"settings":    (*writer).settingsBlock,
	"findings":    (*writer).findingsBlock,
	"memory":      (*writer).memoryBlock,
	"quality":     (*writer).qualityBlock,

	"tests":   (*writer).testsBlock,
	"decode":  (*writer).decodeBlock,
	"prefill": (*writer).prefillBlock,
	"sweep":   (*writer).sweepBlock,

	"ends":        (*writer).endsBlock,
	"ttft":        (*writer).ttftBlock,
	"itl":         (*writer).itlBlock,
	"speed":       (*writer).speedBlock,
	"latency":     (*writer).latencyBlock,
	"rate":        (*writer).rateBlock,
	"aggregate":   (*writer).aggregateBlock,
	"speedup":     (*writer).speedUpBlock,
	"slo":         (*writer).sloBlock,
	"slo-slow":    (*writer).sloSlowBlock,
	"users":       (*writer).usersBlock,
	"consistency": (*writer).consistencyBlock,
}

// caption is the one that the report's file gives a block, or else the usual one.
func (w *writer) caption(b content.ReportBlock, key string, args ...any) string {
	if own := w.words(b.Caption); own != "" {
		return own
	}
	return w.p.T(key, args...)
}

// chartBlock is a chart with the table behind it, nil for none.
func chartBlock(b content.ReportBlock, caption string, spec chart.Spec, table *render.Table) render.Block {
	return render.Block{Figures: []render.Figure{{ID: "chart-" + b.Name, Caption: caption, Spec: spec, Table: table}}}
}

// series are the lines of a chart, one per deployment, with a point for each value
// of the X axis: at is its index.
func series[X any](w *writer, values []X, point func(d *deployment, at int, x X) chart.Point) []chart.Series {
	var out []chart.Series
	for _, d := range w.all {
		s := chart.Series{Name: d.name, Slot: d.slot}
		for at, x := range values {
			s.Points = append(s.Points, point(d, at, x))
		}
		out = append(out, s)
	}
	return out
}

// levels are the concurrencies that all load curves have, ascending: index finds each
// of them in each deployment.
func (w *writer) levels() ([]int, error) {
	var out []int
	for _, p := range w.all[0].curve.Points {
		if !slices.ContainsFunc(w.all, func(d *deployment) bool { return d.index(p.Concurrency) < 0 }) {
			out = append(out, p.Concurrency)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("the deployments have no level of concurrency in common")
	}
	return out, nil
}

// columns are the heads of a table with a column per deployment, like the given one
// but for its label.
func (w *writer) columns(first string, column render.Head) []render.Head {
	out := []render.Head{{Label: first}}
	for _, d := range w.all {
		column.Label = d.name
		out = append(out, column)
	}
	return out
}

// pairColumns are the heads of the columns with the ratio of each pair.
func (w *writer) pairColumns() []render.Head {
	var out []render.Head
	for _, p := range w.pairs() {
		out = append(out, render.Head{Label: p.name, Numeric: true})
	}
	return out
}

// ratioCells set the variant of each pair against its base.
func (w *writer) ratioCells(of func(*deployment) verdict.Value) []render.Cell {
	var out []render.Cell
	for _, p := range w.pairs() {
		base, variant := of(p.base), of(p.variant)
		if !counts(base) || !counts(variant) || base.Number == 0 {
			out = append(out, render.Cell{Text: w.p.T("report.no_ratio"), Class: "n none"})
			continue
		}
		c := render.Cell{Text: w.p.Multiple(variant.Number/base.Number, ratioDigits), Class: "n"}
		if withinSpread(base, variant) {
			c.Mark = w.p.T("report.within_spread")
		}
		out = append(out, c)
	}
	return out
}

// counts reports whether a number may be set against another: it is known and
// counts, and was measured. A capacity is a step of a ladder.
func counts(v verdict.Value) bool {
	return v.Known && len(v.Excluded) == 0 && v.Metric != metric.Capacity
}

// withinSpread reports whether two values lie no further apart than their standard
// deviations over repetitions reach.
func withinSpread(a, b verdict.Value) bool {
	return a.Spread != nil && b.Spread != nil && a.Spread.Of == verdict.Repetitions && b.Spread.Of == verdict.Repetitions &&
		math.Abs(a.Number-b.Number) <= a.Spread.Number+b.Spread.Number
}

// number writes a mean with its P90 behind it.
func number(p *i18n.Printer, t board.MeanP90, write func(float64) string) render.Cell {
	if t.Mean == nil {
		return format.Unknown(p)
	}
	c := render.Cell{Text: write(*t.Mean), Class: "n"}
	if t.P90 != nil {
		c.Spread = p.T("report.slash", "value", write(*t.P90))
	}
	return c
}

// matrix is a table with a row per deployment and a column per concurrency.
func (w *writer) matrix(caption, class string, levels []int, cell func(d *deployment, level int) render.Cell) *render.Table {
	t := &render.Table{Caption: caption, Class: class, Head: []render.Head{{Label: w.p.T("report.sources.configuration")}}}
	for _, l := range levels {
		t.Head = append(t.Head, render.Head{Label: w.p.T("model.point.concurrency", "concurrency", l), Numeric: true})
	}
	for _, d := range w.all {
		row := []render.Cell{{Text: d.name}}
		for _, l := range levels {
			row = append(row, cell(d, l))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// key is the part of a catalog key that belongs to a kind of block.
func key(kind string) string { return strings.ReplaceAll(kind, "-", "_") }
