package dataset

import (
	"math"
	"strconv"

	"example.org/arena/results/audit"
	"example.org/arena/results/bundle"
	"example.org/arena/results/verdict"
	"example.org/arena/site/board"
)

// RunOf describes a row and the run that it stands for.
func RunOf(r *board.Row, run *verdict.Run) Run {
	out := Run{
		Bundle: r.ID, Platform: r.Config.Platform, Model: r.Config.Model, Profile: r.Config.Profile, Date: r.Date,
		Kind: string(r.Key.Kind), Licence: run.Bundle.Licence, Credit: run.Bundle.Credit, Contract: r.Key.Contract,
		Tests: []Test{}, Figures: []Figure{}, Findings: []Finding{},
	}
	for i := range run.Tests {
		t := &run.Tests[i]
		out.Tests = append(out.Tests, Test{
			Test: t.Slug, Completeness: string(t.Completeness), Counts: t.Counts, Planned: t.Planned, Measured: t.Measured, Reasons: codes(t.Reasons),
		})
		if t.Test != nil {
			out.Figures = append(out.Figures, figures(t)...)
		}
	}
	for _, f := range run.Findings {
		out.Findings = append(out.Findings, findingOf(f))
	}
	return out
}

func codes(reasons []verdict.Reason) []string {
	var out []string
	for _, r := range reasons {
		out = append(out, r.Code)
	}
	return out
}

func findingOf(f audit.Finding) Finding {
	out := Finding{Test: f.Test, Cell: f.Cell, Code: string(f.Code), Severity: string(f.Severity), Args: []Arg{}}
	for _, a := range f.Args {
		switch {
		case a.Text != "":
			out.Args = append(out.Args, Arg{Name: a.Name, Text: a.Text})
		case !math.IsInf(a.Number, 0) && !math.IsNaN(a.Number):
			out.Args = append(out.Args, Arg{Name: a.Name, Number: &a.Number, Unit: string(a.Unit)})
		}
	}
	return out
}

// figures lists every statistic of a test.
func figures(t *verdict.Test) []Figure {
	var out []Figure
	for i := range t.Test.Cells {
		cell := &t.Test.Cells[i]
		for _, reported := range cell.Reported {
			for _, st := range statistics(reported) {
				if v := t.Value(i, reported.Metric, st); v.Known {
					out = append(out, figureOf(t.Slug, cell, v))
				}
			}
		}
	}
	return out
}

func figureOf(slug string, cell *bundle.Cell, v verdict.Value) Figure {
	f := Figure{
		Test: slug, PromptTokens: cell.PromptTokens, OutputTokens: cell.OutputTokens, DepthTokens: cell.DepthTokens,
		Concurrency: cell.Concurrency, Metric: string(v.Metric), Statistic: string(v.Statistic), Unit: string(v.Unit),
		Value: v.Number, N: v.N, Excluded: codes(v.Excluded),
	}
	if r := cell.RequestRate; r != nil && !math.IsInf(float64(*r), 0) {
		rate := float64(*r)
		f.RequestRate = &rate
	}
	if v.Spread != nil {
		f.Std = &v.Spread.Number
	}
	return f
}

// statistics lists the statistics that a figure has.
func statistics(f bundle.Figure) []verdict.Statistic {
	var out []verdict.Statistic
	if f.Value != nil {
		out = append(out, verdict.Single)
	}
	if f.Mean != nil {
		out = append(out, verdict.Mean)
	}
	for _, p := range []struct {
		percent   float64
		statistic verdict.Statistic
	}{{50, verdict.P50}, {90, verdict.P90}, {95, verdict.P95}, {99, verdict.P99}} {
		if _, ok := f.Percentile(p.percent); ok {
			out = append(out, p.statistic)
		}
	}
	return out
}

// LeaderboardOf describes every board. Date is that of the site, YYYY-MM-DD.
func LeaderboardOf(set *board.Set, date string) Leaderboard {
	out := Leaderboard{Date: date, Boards: []Board{}}
	for i := range set.Boards {
		bd := &set.Boards[i]
		b := Board{Contract: bd.Key.Contract, Platform: bd.Key.Platform, Kind: string(bd.Kind), Source: bd.Source, Ranked: bd.Ranked, Rows: []Row{}}
		for j := range bd.Rows {
			r := &bd.Rows[j]
			row := Row{Rank: r.Rank, Bundle: r.ID, Model: r.Config.Model, Profile: r.Config.Profile, Date: r.Date, Values: []Value{}}
			for _, col := range bd.Columns {
				row.Values = append(row.Values, valueOf(col, bd.Value(r, col)))
			}
			b.Rows = append(b.Rows, row)
		}
		out.Boards = append(out.Boards, b)
	}
	return out
}

func valueOf(col board.Column, v verdict.Value) Value {
	out := Value{
		Column: col.ID, Metric: string(col.Metric), Statistic: string(col.Statistic), Unit: string(v.Unit),
		Missing: string(v.Missing), AtLeast: v.Bound == verdict.AtLeast, Excluded: codes(v.Excluded),
	}
	if v.Known {
		out.Value = &v.Number
		if v.Spread != nil {
			out.Std = &v.Spread.Number
		}
	}
	return out
}

// Table is the document as rows for a CSV file, the header first.
func (r Run) Table() [][]string {
	rows := [][]string{{"platform", "model", "profile", "test", "prompt_tokens", "output_tokens", "depth_tokens", "concurrency", "request_rate_per_s", "metric", "statistic", "unit", "value", "std", "n", "bundle"}}
	for _, f := range r.Figures {
		rows = append(rows, []string{
			r.Platform, r.Model, r.Profile, f.Test, count(f.PromptTokens), count(f.OutputTokens), count(f.DepthTokens),
			count(f.Concurrency), decimal(f.RequestRate), f.Metric, f.Statistic, f.Unit, decimal(&f.Value), decimal(f.Std), count(f.N), r.Bundle,
		})
	}
	return rows
}

// Table is the document as rows for a CSV file, the header first.
func (l Leaderboard) Table() [][]string {
	rows := [][]string{{"contract", "platform", "kind", "source", "rank", "model", "profile", "date", "column", "metric", "statistic", "unit", "value", "std", "missing", "bundle"}}
	for _, b := range l.Boards {
		for _, r := range b.Rows {
			for _, v := range r.Values {
				rows = append(rows, []string{
					b.Contract, b.Platform, b.Kind, b.Source, count(r.Rank), r.Model, r.Profile, r.Date,
					v.Column, v.Metric, v.Statistic, v.Unit, decimal(v.Value), decimal(v.Std), v.Missing, r.Bundle,
				})
			}
		}
	}
	return rows
}

// count writes a number of which zero means that there is none.
func count(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func decimal(x *float64) string {
	if x == nil {
		return ""
	}
	return strconv.FormatFloat(*x, 'f', -1, 64)
}
