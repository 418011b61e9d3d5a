package site

import (
	"fmt"
	"slices"
	"strings"

	"example.org/arena/i18n"
	"example.org/arena/results/metric"
	"example.org/arena/site/board"
	"example.org/arena/site/chart"
	"example.org/arena/site/format"
	"example.org/arena/site/page"
	"example.org/arena/site/render"
)

// kimi computes the report on Kimi K3 from its four bundles. Its exported
// methods are what the report's text may name, as {{.SpeedUp "vllm" 1}}.
type kimi struct {
	*builder
	*i18n.Printer
	configs []*page.Configuration
	loads   []board.LoadCurve
	use     board.SLO
}

func newKimi(b *builder, w *i18n.Printer, configs []*page.Configuration) *kimi {
	d := b.in.Content.Site.Defaults
	k := &kimi{builder: b, Printer: w, configs: configs}
	for _, c := range configs {
		k.loads = append(k.loads, board.LoadCurveOf(board.Item{ID: c.Row.ID, Bundle: c.Row.Bundle}, ""))
	}
	k.use = board.SLO{ThinkS: d.ThinkTimeS, TTFTMS: float64(d.TTFTLimitMS), Speed: d.SpeedLimitTokPerS}
	for _, t := range configs[0].Row.Bundle.Tests {
		for _, c := range t.Cells {
			k.use.OutputTokens = c.OutputTokens
		}
	}
	return k
}

// pairs are the engines with the deployments that differ in speculation only.
var pairs = []struct {
	engine, without, with string
}{
	{"vllm", "vllm-direct", "vllm-dspark"},
	{"sglang", "sglang-direct", "sglang-dspark"},
}

// load returns the deployment of a profile.
func (k *kimi) load(profile string) (board.LoadCurve, error) {
	for i, c := range k.configs {
		if c.Key.Profile == profile {
			return k.loads[i], nil
		}
	}
	return board.LoadCurve{}, fmt.Errorf("no deployment %q", profile)
}

// at returns a deployment's point at a concurrency.
func (k *kimi) at(profile string, concurrency int) (board.LoadPoint, error) {
	d, err := k.load(profile)
	if err != nil {
		return board.LoadPoint{}, err
	}
	for _, p := range d.Points {
		if p.Concurrency == concurrency {
			return p, nil
		}
	}
	return board.LoadPoint{}, fmt.Errorf("%s was not measured at concurrency %d", profile, concurrency)
}

// need returns a known number.
func need(x *float64, what string) (float64, error) {
	if x == nil {
		return 0, fmt.Errorf("%s is not reported", what)
	}
	return *x, nil
}

// Tokens is the number of output tokens of every request.
func (k *kimi) Tokens() string { return k.Integer(int64(k.use.OutputTokens)) }

// Think is the think time.
func (k *kimi) Think() string { return format.ExactMilliseconds(k.Printer, k.use.ThinkS*1000) }

// TTFTLimit is the longest wait for the first token.
func (k *kimi) TTFTLimit() string { return format.ExactMilliseconds(k.Printer, k.use.TTFTMS) }

// SpeedLimit is the slowest speed of one request.
func (k *kimi) SpeedLimit() string {
	return k.Quantity(k.use.Speed, 0, string(metric.TokensPerS))
}

// TTFT is the mean time to first token.
func (k *kimi) TTFT(profile string, c int) (string, error) { return k.ms(profile, c, "mean TTFT") }

// TTFT90 is the 90th percentile of the time to first token.
func (k *kimi) TTFT90(profile string, c int) (string, error) { return k.ms(profile, c, "P90 of TTFT") }

// ITL is the mean time between tokens.
func (k *kimi) ITL(profile string, c int) (string, error) { return k.ms(profile, c, "mean ITL") }

// Latency is the mean duration of a request.
func (k *kimi) Latency(profile string, c int) (string, error) {
	return k.ms(profile, c, "mean latency")
}

func (k *kimi) ms(profile string, c int, what string) (string, error) {
	p, err := k.at(profile, c)
	if err != nil {
		return "", err
	}
	x, scale := p.TTFT.Mean, 1.0
	switch what {
	case "P90 of TTFT":
		x = p.TTFT.P90
	case "mean ITL":
		x = p.ITL.Mean
	case "mean latency":
		x, scale = p.Latency.Mean, 1000
	}
	v, err := need(x, what)
	return k.Milliseconds(v * scale), err
}

// Speed is the mean speed of one request.
func (k *kimi) Speed(profile string, c int) (string, error) {
	p, err := k.at(profile, c)
	if err != nil {
		return "", err
	}
	v, err := need(p.Speed.Mean, "mean speed")
	return k.Quantity(v, 0, string(metric.TokensPerS)), err
}

// SpeedUp is the speed with speculation, as a multiple of that without.
func (k *kimi) SpeedUp(engine string, c int) (string, error) {
	list, err := k.speedUps(engine)
	if err != nil {
		return "", err
	}
	for _, s := range list {
		if s.Concurrency == c {
			return k.Multiple(s.Ratio, 2), nil
		}
	}
	return "", fmt.Errorf("%s has no pair at concurrency %d", engine, c)
}

func (k *kimi) speedUps(engine string) ([]board.SpeedUp, error) {
	for _, p := range pairs {
		if p.engine != engine {
			continue
		}
		without, err := k.load(p.without)
		if err != nil {
			return nil, err
		}
		with, err := k.load(p.with)
		if err != nil {
			return nil, err
		}
		return board.SpeedUps(without, with), nil
	}
	return nil, fmt.Errorf("no engine %q", engine)
}

// BreakEven is the interpolated concurrency at which speculation stops paying.
func (k *kimi) BreakEven(engine string) (string, error) {
	b, err := k.breakEven(engine)
	return k.Number(b.Concurrency, 1), err
}

// BreakEvenBelow is the highest measured concurrency at which speculation pays.
func (k *kimi) BreakEvenBelow(engine string) (string, error) {
	b, err := k.breakEven(engine)
	return k.Integer(int64(b.Below)), err
}

// BreakEvenAbove is the next measured concurrency, at which it no longer does.
func (k *kimi) BreakEvenAbove(engine string) (string, error) {
	b, err := k.breakEven(engine)
	return k.Integer(int64(b.Above)), err
}

func (k *kimi) breakEven(engine string) (board.BreakEven, error) {
	list, err := k.speedUps(engine)
	if err != nil {
		return board.BreakEven{}, err
	}
	b := board.BreakEvenOf(list)
	if !b.Known {
		return b, fmt.Errorf("%s has no break-even between measured concurrencies", engine)
	}
	return b, nil
}

// Printed is the aggregate output as the source computes it: speed × concurrency.
func (k *kimi) Printed(profile string, c int) (string, error) { return k.aggregate(profile, c, false) }

// Actual is the aggregate output that follows from the latency.
func (k *kimi) Actual(profile string, c int) (string, error) { return k.aggregate(profile, c, true) }

func (k *kimi) aggregate(profile string, c int, actual bool) (string, error) {
	d, err := k.load(profile)
	if err != nil {
		return "", err
	}
	for _, a := range d.Aggregates(k.use) {
		if a.Concurrency != c {
			continue
		}
		x := a.SpeedTimesC
		if actual {
			x = a.Actual
		}
		v, err := need(x, "aggregate output")
		return k.Quantity(v, 0, string(metric.TokensPerS)), err
	}
	return "", fmt.Errorf("%s has no output at concurrency %d", profile, c)
}

// Users is the number of users on a basis: "p90", "mean" or "slow".
func (k *kimi) Users(profile, basis string) (string, error) {
	u, err := k.users(profile, basis)
	return k.Number(u.Users, 0), err
}

// CMax is the concurrency behind Users.
func (k *kimi) CMax(profile, basis string) (string, error) {
	u, err := k.users(profile, basis)
	return k.Integer(int64(u.Concurrency)), err
}

// UsersRatio compares the users of two deployments on a basis.
func (k *kimi) UsersRatio(a, b, basis string) (string, error) {
	x, err := k.users(a, basis)
	if err != nil {
		return "", err
	}
	y, err := k.users(b, basis)
	if err != nil {
		return "", err
	}
	return k.Multiple(x.Users/y.Users, 1), nil
}

func (k *kimi) users(profile, basis string) (board.Users, error) {
	d, err := k.load(profile)
	if err != nil {
		return board.Users{}, err
	}
	u := d.UsersOf(board.Basis(basis), k.use)
	if !u.Known {
		return u, fmt.Errorf("%s meets the limits at no concurrency on basis %s", profile, basis)
	}
	return u, nil
}

// SlowSpeed is the speed that nine of ten requests reach.
func (k *kimi) SlowSpeed(profile string, c int) (string, error) {
	d, err := k.load(profile)
	if err != nil {
		return "", err
	}
	for _, x := range d.Compliances(k.use) {
		if x.Concurrency == c {
			v, err := need(x.SlowSpeed, "speed of the slow requests")
			return k.Quantity(v, 1, string(metric.TokensPerS)), err
		}
	}
	return "", fmt.Errorf("%s was not measured at concurrency %d", profile, c)
}

// Sum is TTFT + (n−1) · ITL at a concurrency.
func (k *kimi) Sum(profile string, c int) (string, error) {
	d, err := k.load(profile)
	if err != nil {
		return "", err
	}
	for _, x := range d.Consistencies(k.use) {
		if x.Concurrency == c {
			v, err := need(x.SumMS, "sum")
			return k.Milliseconds(v), err
		}
	}
	return "", fmt.Errorf("%s was not measured at concurrency %d", profile, c)
}

// PeakC is the concurrency of the largest aggregate output as the source computes it.
func (k *kimi) PeakC(profile string) (string, error) {
	d, err := k.load(profile)
	if err != nil {
		return "", err
	}
	c, _ := board.Peaks(d.Aggregates(k.use))
	return k.Integer(int64(c)), nil
}

// name is a deployment's name.
func (k *kimi) name(profile string) string {
	return k.T("report." + kimiK3 + ".deployment." + strings.ReplaceAll(profile, "-", "_"))
}

// levels are the concurrencies that all deployments measured, ascending.
func (k *kimi) levels() []int {
	var out []int
	for _, p := range k.loads[0].Points {
		everywhere := true
		for _, d := range k.loads[1:] {
			everywhere = everywhere && slices.ContainsFunc(d.Points, func(q board.LoadPoint) bool { return q.Concurrency == p.Concurrency })
		}
		if everywhere {
			out = append(out, p.Concurrency)
		}
	}
	return out
}

func (k *kimi) sources() *render.Table { return k.reportSources(k.configs, k.Printer) }

// facts lists the frame of the measurements.
func (k *kimi) facts() []render.Term {
	t := format.NewTerms(k.Printer)
	b := k.configs[0].Row.Bundle
	t.Add("report.facts.model", render.Value{Text: b.Model.ID, URL: format.HuggingFace(b.Model.ID)})
	t.Text("report.facts.platform", k.site.PlatformName(b.Platform))
	if b.Source != nil {
		t.Add("report.facts.source", render.Value{Text: b.Source.Title, URL: format.WebAddress(b.Source.URL)})
	}
	t.Text("report.facts.credit", b.Credit)
	t.Text("report.facts.load", k.T("report.facts.load_text", "tokens", k.use.OutputTokens, "levels", k.List(k.levelNames()...)))
	return t.List
}

func (k *kimi) levelNames() []string {
	var out []string
	for _, c := range k.levels() {
		out = append(out, k.Integer(int64(c)))
	}
	return out
}

// lineChart draws one quantity of all deployments against concurrency, with P90
// as the end of a whisker.
func (k *kimi) lineChart(key string, y chart.Axis, of func(board.LoadPoint) board.MeanP90, write func(float64) string, limits ...chart.Limit) (render.Block, error) {
	levels := k.levels()
	line := chart.Line{
		Title: k.T("report." + key + ".chart"), Description: k.T("report." + key + ".chart_text"),
		X: format.ConcurrencyAxis(k.Printer, levels), Y: y, Limits: limits,
	}
	for slot, c := range k.configs {
		s := chart.Series{Name: k.name(c.Key.Profile), Slot: slot}
		for x, level := range levels {
			p, err := k.at(c.Key.Profile, level)
			if err != nil {
				return render.Block{}, err
			}
			t := of(p)
			point := chart.Point{X: float64(x), Y: t.Mean}
			if t.Mean != nil {
				value := write(*t.Mean)
				if t.P90 != nil {
					value = k.T("report.mean_p90", "mean", value, "p90", write(*t.P90))
					point.Lo, point.Hi = new(min(*t.Mean, *t.P90)), new(max(*t.Mean, *t.P90))
				}
				point.Label = format.PointLabel(k.Printer, k.T("model.point.concurrency", "concurrency", level), value)
			}
			s.Points = append(s.Points, point)
		}
		line.Series = append(line.Series, s)
	}
	return k.drawn(key, line.Description, line, k.tailTable(key, levels, of, write))
}

// drawn is a chart with the table behind it.
func (k *kimi) drawn(key, caption string, spec chart.Spec, table *render.Table) (render.Block, error) {
	f := render.Figure{ID: "chart-" + strings.ReplaceAll(key, "_", "-"), Caption: caption, Spec: spec, Table: table}
	return render.Block{Figures: []render.Figure{f}}, nil
}

// tailTable is a table of mean and P90 per deployment.
func (k *kimi) tailTable(key string, levels []int, of func(board.LoadPoint) board.MeanP90, write func(float64) string) *render.Table {
	t := &render.Table{Caption: k.T("report." + key + ".caption"), Head: []render.Head{{Label: k.T("model.chart.concurrency")}}}
	for _, c := range k.configs {
		t.Head = append(t.Head, render.Head{Label: k.name(c.Key.Profile), Unit: k.T("report.mean_p90_unit"), Numeric: true})
	}
	for _, level := range levels {
		row := []render.Cell{{Text: k.Integer(int64(level))}}
		for _, c := range k.configs {
			p, _ := k.at(c.Key.Profile, level)
			row = append(row, k.tailCell(of(p), write))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (k *kimi) tailCell(t board.MeanP90, write func(float64) string) render.Cell {
	if t.Mean == nil {
		return format.Unknown(k.Printer)
	}
	c := render.Cell{Text: write(*t.Mean), Class: "n"}
	if t.P90 != nil {
		c.Spread = k.T("report.slash", "value", write(*t.P90))
	}
	return c
}

// matrix is a table with a row per deployment and a column per concurrency.
func (k *kimi) matrix(caption, class string, cell func(d board.LoadCurve, level int) render.Cell) *render.Table {
	levels := k.levels()
	t := &render.Table{Caption: caption, Class: class, Head: []render.Head{{Label: k.T("report.sources.configuration")}}}
	for _, l := range levels {
		t.Head = append(t.Head, render.Head{Label: k.T("model.point.concurrency", "concurrency", l), Numeric: true})
	}
	for i, c := range k.configs {
		row := []render.Cell{{Text: k.name(c.Key.Profile)}}
		for _, l := range levels {
			row = append(row, cell(k.loads[i], l))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
