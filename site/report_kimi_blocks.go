package site

import (
	"fmt"
	"maps"
	"slices"

	"example.org/arena/results/metric"
	"example.org/arena/site/board"
	"example.org/arena/site/chart"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// blocks are the makers of the report's tables and charts, by name.
func (k *kimi) blocks() map[string]func() ([]render.Block, error) {
	return map[string]func() ([]render.Block, error){
		"deployments": k.deploymentsBlock,
		"commands":    k.commandsBlock,
		"ends":        k.endsBlock,
		"ttft":        k.ttftBlock,
		"itl":         k.itlBlock,
		"speed":       k.speedBlock,
		"latency":     k.latencyBlock,
		"rate":        k.rateBlock,
		"aggregate":   k.aggregateBlock,
		"speedup":     k.speedUpBlock,
		"slo":         k.sloBlock,
		"slo-slow":    k.sloSlowBlock,
		"users":       k.usersBlock,
		"consistency": k.consistencyBlock,
	}
}

func (k *kimi) names() []string { return slices.Sorted(maps.Keys(k.blocks())) }

func (k *kimi) block(name string) ([]render.Block, error) {
	b, ok := k.blocks()[name]
	if !ok {
		return nil, fmt.Errorf("no such block; there are %v", k.names())
	}
	return b()
}

// deploymentsBlock shows how the deployments differ.
func (k *kimi) deploymentsBlock() ([]render.Block, error) {
	t := &render.Table{
		Caption: k.T("report.deployments.caption"),
		Head: []render.Head{
			{Label: k.T("report.sources.configuration")}, {Label: k.T("model.setup.server")},
			{Label: k.T("model.setup.speculation")}, {Label: k.T("report.deployments.draft")}, {Label: k.T("model.setup.draft_tokens"), Numeric: true},
		},
	}
	none := format.NotReported(k.Printer)
	for _, c := range k.configs {
		b := c.Row.Bundle
		row := []render.Cell{{Text: k.name(c.Key.Profile), URL: c.Route().URL(k.Lang())}, {Text: b.Server.Name + " · " + b.Server.Image}, {Text: none}, {Text: none}, {Text: none, Class: "n"}}
		if d := b.Draft; d != nil {
			row[2].Text, row[3] = d.Method, render.Cell{Text: d.Model, URL: format.HuggingFace(d.Model)}
			if d.TokensPerStep > 0 {
				row[4].Text = k.Integer(int64(d.TokensPerStep))
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return []render.Block{{Table: t}}, nil
}

// commandsBlock shows how each server was started, as recorded.
func (k *kimi) commandsBlock() ([]render.Block, error) {
	var out []render.Block
	for _, c := range k.configs {
		cmd := format.ServerCommand(k.Printer, c.Row.Bundle.Server.Argv)
		if cmd == nil {
			continue
		}
		cmd.ID = "server-" + c.Key.Profile
		cmd.Summary = k.T("report.commands.summary", "deployment", k.name(c.Key.Profile))
		out = append(out, render.Block{Command: cmd})
	}
	return out, nil
}

// endsBlock shows the lowest and the highest load.
func (k *kimi) endsBlock() ([]render.Block, error) {
	levels := k.levels()
	var out []render.Block
	for _, level := range []int{levels[0], levels[len(levels)-1]} {
		t := &render.Table{Caption: k.T("report.ends.caption", "concurrency", level), Head: []render.Head{{Label: k.T("model.table.quantity")}}}
		rows := []struct {
			label string
			of    func(board.LoadPoint) *float64
			write func(float64) string
		}{
			{"metric.ttft_ms.short", func(p board.LoadPoint) *float64 { return p.TTFT.Mean }, k.Milliseconds},
			{"metric.itl_ms.short", func(p board.LoadPoint) *float64 { return p.ITL.Mean }, k.Milliseconds},
			{"metric.output_req_tok_per_s.short", func(p board.LoadPoint) *float64 { return p.Speed.Mean }, k.tokens(1)},
			{"metric.e2e_ms.short", func(p board.LoadPoint) *float64 { return p.Latency.Mean }, k.seconds},
		}
		for range k.configs {
			t.Head = append(t.Head, render.Head{Numeric: true})
		}
		for i, c := range k.configs {
			t.Head[i+1].Label = k.name(c.Key.Profile)
		}
		for _, r := range rows {
			row := []render.Cell{{Text: k.T(r.label)}}
			for _, c := range k.configs {
				p, err := k.at(c.Key.Profile, level)
				if err != nil {
					return nil, err
				}
				row = append(row, k.tailCell(board.MeanP90{Mean: r.of(p)}, r.write))
			}
			t.Rows = append(t.Rows, row)
		}
		out = append(out, render.Block{Table: t})
	}
	return out, nil
}

// tokens writes a rate of tokens with its unit.
func (k *kimi) tokens(digits int) func(float64) string {
	return func(x float64) string { return k.Quantity(x, digits, string(metric.TokensPerS)) }
}

// seconds writes a time given in seconds.
func (k *kimi) seconds(x float64) string { return k.Milliseconds(1000 * x) }

func (k *kimi) one(b render.Block, err error) ([]render.Block, error) {
	return []render.Block{b}, err
}

func (k *kimi) ttftBlock() ([]render.Block, error) {
	y := format.Axis(k.Printer, metric.TTFT)
	y.Scale = chart.Log
	return k.one(k.lineChart("ttft", y, func(p board.LoadPoint) board.MeanP90 { return p.TTFT }, k.Milliseconds,
		chart.Limit{Name: k.TTFTLimit(), Value: k.use.TTFTMS}))
}

func (k *kimi) itlBlock() ([]render.Block, error) {
	return k.one(k.lineChart("itl", format.Axis(k.Printer, metric.ITL), func(p board.LoadPoint) board.MeanP90 { return p.ITL }, k.Milliseconds))
}

func (k *kimi) speedBlock() ([]render.Block, error) {
	return k.one(k.lineChart("speed", format.Axis(k.Printer, metric.OutputRequest), func(p board.LoadPoint) board.MeanP90 { return p.Speed }, k.tokens(1),
		chart.Limit{Name: k.SpeedLimit(), Value: k.use.Speed}))
}

func (k *kimi) latencyBlock() ([]render.Block, error) {
	y := chart.Axis{Name: k.T("report.latency.axis"), Format: format.Tick(k.Printer)}
	return k.one(k.lineChart("latency", y, func(p board.LoadPoint) board.MeanP90 { return p.Latency }, k.seconds))
}

// rateBlock sets the printed request rate beside that of the whole system.
func (k *kimi) rateBlock() ([]render.Block, error) {
	printed := map[string]board.RateCheck{}
	for i, c := range k.configs {
		for _, r := range k.loads[i].Rates() {
			printed[fmt.Sprint(c.Key.Profile, r.Concurrency)] = r
		}
	}
	write := func(x float64) string { return k.Number(x, 2) }
	t := k.matrix(k.T("report.rate.caption"), "", func(d board.LoadCurve, level int) render.Cell {
		r := printed[fmt.Sprint(d.Bundle.Profile, level)]
		c := k.tailCell(board.MeanP90{Mean: r.Printed}, write)
		if r.System != nil {
			c.Spread = k.T("report.slash", "value", k.Number(*r.System, 1))
		}
		return c
	})
	return []render.Block{{Table: t}}, nil
}

// aggregateBlock shows the output of the whole machine, as the source computes
// it and as it follows from the latency.
func (k *kimi) aggregateBlock() ([]render.Block, error) {
	levels := k.levels()
	line := chart.Line{
		Title: k.T("report.aggregate.chart"), Description: k.T("report.aggregate.chart_text"),
		X: format.ConcurrencyAxis(k.Printer, levels), Y: format.Axis(k.Printer, metric.Output),
	}
	byLevel := map[string]board.Aggregate{}
	for slot, c := range k.configs {
		s := chart.Series{Name: k.name(c.Key.Profile), Slot: slot}
		for _, a := range k.loads[slot].Aggregates(k.use) {
			x := slices.Index(levels, a.Concurrency)
			if x < 0 {
				continue
			}
			byLevel[fmt.Sprint(c.Key.Profile, a.Concurrency)] = a
			p := chart.Point{X: float64(x), Y: a.Actual}
			if a.Actual != nil {
				p.Label = k.tokens(0)(*a.Actual)
			}
			s.Points = append(s.Points, p)
		}
		line.Series = append(line.Series, s)
	}
	write := func(x float64) string { return k.Number(x, 0) }
	t := k.matrix(k.T("report.aggregate.table"), "", func(d board.LoadCurve, level int) render.Cell {
		a := byLevel[fmt.Sprint(d.Bundle.Profile, level)]
		c := k.tailCell(board.MeanP90{Mean: a.SpeedTimesC}, write)
		if a.Actual != nil {
			c.Spread = k.T("report.slash", "value", write(*a.Actual))
		}
		return c
	})
	b, err := k.drawn("aggregate", line.Description, line, nil)
	return []render.Block{b, {Table: t}}, err
}

// speedUpBlock shows what speculation gains against concurrency.
func (k *kimi) speedUpBlock() ([]render.Block, error) {
	levels := k.levels()
	line := chart.Line{
		Title: k.T("report.speedup.chart"), Description: k.T("report.speedup.chart_text"),
		X: format.ConcurrencyAxis(k.Printer, levels), Y: chart.Axis{Name: k.T("report.speedup.axis"), Format: format.Tick(k.Printer)},
		Limits: []chart.Limit{{Name: k.T("report.speedup.even"), Value: 1}},
	}
	t := &render.Table{Caption: k.T("report.speedup.caption"), Head: []render.Head{{Label: k.T("model.chart.concurrency")}}}
	rows := make([][]render.Cell, len(levels))
	for i, l := range levels {
		rows[i] = []render.Cell{{Text: k.Integer(int64(l))}}
	}
	for i, p := range pairs {
		list, err := k.speedUps(p.engine)
		if err != nil {
			return nil, err
		}
		name := k.T("report.engine." + p.engine)
		// The colour is that of the deployment with speculation on every other chart.
		s := chart.Series{Name: name, Slot: 2*i + 1}
		t.Head = append(t.Head, render.Head{Label: name, Numeric: true})
		for _, x := range list {
			at := slices.Index(levels, x.Concurrency)
			if at < 0 {
				continue
			}
			text := k.Multiple(x.Ratio, 2)
			s.Points = append(s.Points, chart.Point{X: float64(at), Y: new(x.Ratio), Label: text})
			rows[at] = append(rows[at], render.Cell{Text: text, Class: "n"})
		}
		line.Series = append(line.Series, s)
	}
	t.Rows = rows
	b, err := k.drawn("speedup", line.Description, line, nil)
	return []render.Block{b, {Table: t}}, err
}

// mark writes whether a limit is met.
func (k *kimi) mark(ok *bool) string {
	switch {
	case ok == nil:
		return k.T("report.slo.unknown")
	case *ok:
		return k.T("report.slo.met")
	}
	return k.T("report.slo.missed")
}

// sloBlock is the matrix as the source prints it: P90 of both quantities.
func (k *kimi) sloBlock() ([]render.Block, error) {
	return k.sloMatrix("slo", func(c board.Compliance) (ttft, speed *bool) { return c.TTFTP90, c.SpeedP90 })
}

// sloSlowBlock is the matrix with the speed that nine of ten requests reach.
func (k *kimi) sloSlowBlock() ([]render.Block, error) {
	return k.sloMatrix("slo_slow", func(c board.Compliance) (ttft, speed *bool) { return c.TTFTP90, c.SpeedSlow })
}

func (k *kimi) sloMatrix(key string, of func(board.Compliance) (ttft, speed *bool)) ([]render.Block, error) {
	levels := k.levels()
	h := chart.Heatmap{
		Title: k.T("report." + key + ".chart"), Description: k.T("report." + key + ".chart_text"),
		RowName: k.T("report.sources.configuration"), ColumnName: k.T("model.chart.concurrency"),
		Columns: k.levelNames(),
		States: map[chart.State]string{
			chart.Met: k.T("report.slo.met_both"), chart.Near: k.T("report.slo.met_one"), chart.Missed: k.T("report.slo.met_neither"),
		},
	}
	at := map[string]board.Compliance{}
	for i, c := range k.configs {
		h.Rows = append(h.Rows, k.name(c.Key.Profile))
		var row []chart.Cell
		for _, x := range k.loads[i].Compliances(k.use) {
			if !slices.Contains(levels, x.Concurrency) {
				continue
			}
			at[fmt.Sprint(c.Key.Profile, x.Concurrency)] = x
			ttft, speed := of(x)
			text := k.mark(ttft) + k.mark(speed)
			row = append(row, chart.Cell{State: sloState(ttft, speed), Text: text, Label: k.T("report.slo.label", "ttft", k.mark(ttft), "speed", k.mark(speed))})
		}
		h.Cells = append(h.Cells, row)
	}
	h.States = occurring(h)
	t := k.matrix(k.T("report."+key+".caption"), "slo", func(d board.LoadCurve, level int) render.Cell {
		ttft, speed := of(at[fmt.Sprint(d.Bundle.Profile, level)])
		return render.Cell{Text: k.mark(ttft) + k.mark(speed), Class: "n"}
	})
	return k.one(k.drawn(key, k.T("report."+key+".caption"), h, t))
}

func sloState(ttft, speed *bool) chart.State {
	switch {
	case ttft == nil || speed == nil:
		return chart.Unmeasured
	case *ttft && *speed:
		return chart.Met
	case *ttft || *speed:
		return chart.Near
	}
	return chart.Missed
}

// occurring keeps the names of the states that a matrix shows.
func occurring(h chart.Heatmap) map[chart.State]string {
	out := map[chart.State]string{}
	for _, row := range h.Cells {
		for _, c := range row {
			out[c.State] = h.States[c.State]
		}
	}
	return out
}

// usersBlock shows how many users each deployment carries, on each basis.
func (k *kimi) usersBlock() ([]render.Block, error) {
	t := &render.Table{Caption: k.T("report.users.caption", "think", k.Think()), Head: []render.Head{{Label: k.T("report.sources.configuration")}}}
	bases := []board.Basis{board.BasisP90, board.BasisMean, board.BasisSlow}
	for _, b := range bases {
		t.Head = append(t.Head, render.Head{Label: k.T("report.users.basis." + string(b)), Numeric: true})
	}
	bar := chart.Bar{
		Title: k.T("report.users.chart"), Description: k.T("report.users.chart_text"),
		X: chart.Axis{Name: k.T("report.sources.configuration"), Scale: chart.Category},
		Y: chart.Axis{Name: k.T("report.users.axis"), Format: format.Tick(k.Printer)},
	}
	for slot, b := range bases {
		bar.Series = append(bar.Series, chart.Series{Name: k.T("report.users.basis." + string(b)), Slot: slot})
	}
	for i, c := range k.configs {
		bar.X.Categories = append(bar.X.Categories, k.name(c.Key.Profile))
		row := []render.Cell{{Text: k.name(c.Key.Profile)}}
		for j, b := range bases {
			u := k.loads[i].UsersOf(b, k.use)
			p := chart.Point{X: float64(i)}
			cell := render.Cell{Text: k.T("report.users.none"), Class: "n none"}
			if u.Known {
				p.Y = new(u.Users)
				p.Label = k.N("report.users.label", int(u.Users+0.5), "concurrency", u.Concurrency)
				cell = render.Cell{Text: k.Number(u.Users, 0), Class: "n", Spread: k.T("report.users.at", "concurrency", u.Concurrency)}
			}
			bar.Series[j].Points = append(bar.Series[j].Points, p)
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	b, err := k.drawn("users", bar.Description, bar, nil)
	return []render.Block{{Table: t}, b}, err
}

// consistencyBlock compares what TTFT and ITL add up to with the latency at the
// highest load.
func (k *kimi) consistencyBlock() ([]render.Block, error) {
	levels := k.levels()
	top := levels[len(levels)-1]
	t := &render.Table{
		Caption: k.T("report.consistency.caption", "concurrency", top),
		Head: []render.Head{
			{Label: k.T("report.sources.configuration")}, {Label: k.T("report.consistency.sum"), Numeric: true},
			{Label: k.T("metric.e2e_ms.short"), Numeric: true}, {Label: k.T("report.consistency.ratio"), Numeric: true},
		},
	}
	for i, c := range k.configs {
		for _, x := range k.loads[i].Consistencies(k.use) {
			if x.Concurrency != top {
				continue
			}
			ratio := func(r float64) string { return k.Multiple(r, 2) }
			t.Rows = append(t.Rows, []render.Cell{
				{Text: k.name(c.Key.Profile)},
				k.tailCell(board.MeanP90{Mean: x.SumMS}, k.Milliseconds),
				k.tailCell(board.MeanP90{Mean: x.LatencyMS}, k.Milliseconds),
				k.tailCell(board.MeanP90{Mean: x.Ratio}, ratio),
			})
		}
	}
	return []render.Block{{Table: t}}, nil
}
