package chart

import "strconv"

func decimal(digits int) func(float64) string {
	return func(v float64) string { return strconv.FormatFloat(v, 'f', digits, 64) }
}

func short(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// sampleSpecs are made-up charts of every kind, by file name.
func sampleSpecs() map[string]Spec {
	return map[string]Spec{
		"concurrency": sampleConcurrency(),
		"latency":     sampleLatency(),
		"bars":        sampleBars(),
		"matrix":      sampleMatrix(),
		"sweep":       sampleSweep(),
		"scatter":     sampleScatter(),
	}
}

func sampleConcurrency() Line {
	users := []float64{1, 2, 4, 8, 16, 32, 64}
	line := Line{
		Title:       "Output rate against concurrency",
		Description: "Four deployments, one to sixty-four requests at a time. All gain up to 32.",
		X:           Axis{Name: "Concurrent requests (log scale)", Scale: Log, Format: short},
		Y:           Axis{Name: "Output (tokens/s)", Format: short},
	}
	for i, s := range []struct {
		name string
		rate float64
		soft float64
	}{{"Engine A", 58, 40}, {"Engine A, drafts", 92, 14}, {"Engine B", 47, 55}, {"Engine B, drafts", 80, 9}} {
		one := Series{Name: s.name, Slot: i, Spread: Band}
		for _, u := range users {
			y := s.rate * u / (1 + u/s.soft)
			one.Points = append(one.Points, Point{X: u, Y: new(y), Lo: new(y * 0.9), Hi: new(y * 1.07), Label: short(float64(int(y))) + " tokens/s"})
		}
		line.Series = append(line.Series, one)
	}
	return line
}

func sampleLatency() Line {
	line := Line{
		Title:       "Time to first token against concurrency",
		Description: "Median with whiskers up to P90. One configuration was not measured at 8.",
		X:           Axis{Name: "Concurrent requests (log scale)", Scale: Log, Format: short},
		Y:           Axis{Name: "Time to first token (ms, log scale)", Scale: Log, Format: short},
		Limits:      []Limit{{Name: "comfortable: 500 ms", Value: 500}},
	}
	for i, name := range []string{"Quantised to four bits, speculation on, 32k", "Eight bits"} {
		one := Series{Name: name, Slot: i}
		for j, u := range []float64{1, 2, 4, 8, 16, 32, 64} {
			y := (60 + 40*float64(i)) * (1 + float64(j)*float64(j)/3)
			p := Point{X: u, Y: new(y), Lo: new(y * 0.85), Hi: new(y * 1.5)}
			if i == 1 && u == 8 {
				p = Point{X: u}
			}
			one.Points = append(one.Points, p)
		}
		line.Series = append(line.Series, one)
	}
	return line
}

func sampleBars() Bar {
	b := Bar{
		Title:       "Generation rate by prompt length",
		Description: "Mean and standard deviation of three runs. The longest prompt was not run in eight bits.",
		X:           Axis{Name: "Prompt length (tokens)", Scale: Category, Categories: []string{"512", "2,048", "8,192", "32,768"}},
		Y:           Axis{Name: "Generation (tokens/s)", Format: short},
	}
	values := [][]float64{{61.2, 58.4, 49.9, 38.1}, {38.5, 37.0, 33.2, 0}}
	for i, name := range []string{"Four bits", "Eight bits"} {
		one := Series{Name: name, Slot: i}
		for j, v := range values[i] {
			p := Point{X: float64(j)}
			if v > 0 {
				p = Point{X: float64(j), Y: new(v), Lo: new(v - 1.8), Hi: new(v + 1.8), Name: decimal(1)(v)}
			}
			one.Points = append(one.Points, p)
		}
		b.Series = append(b.Series, one)
	}
	return b
}

func sampleMatrix() Heatmap {
	h := Heatmap{
		Title:       "Limits met by concurrency",
		Description: "Four limits against seven levels. The first two hold up to sixteen.",
		RowName:     "Limit",
		ColumnName:  "Concurrent requests",
		Rows:        []string{"First token under 1 s", "First token under 2 s", "40 ms a token", "All of them, for nine requests in ten"},
		Columns:     []string{"1", "2", "4", "8", "16", "32", "64"},
		States:      map[State]string{Met: "met", Near: "within 5 %", Missed: "missed", Unmeasured: "not measured"},
	}
	for i := range h.Rows {
		var row []Cell
		for j := range h.Columns {
			c := Cell{State: Met, Text: short(float64((i + 1) * (j + 1) * 41)), Label: "value and limit"}
			switch {
			case i == 3 && j == 6:
				c = Cell{State: Unmeasured}
			case i+j == 6:
				c.State = Near
			case i+j > 6:
				c.State = Missed
			}
			row = append(row, c)
		}
		h.Cells = append(h.Cells, row)
	}
	return h
}

func sampleSweep() Line {
	line := Line{
		Title:       "Time to first token against arrival rate",
		Description: "P90 with limits at 2, 5 and 10 seconds. The queue grows beyond one request a second.",
		X:           Axis{Name: "Arrivals (requests/s)", Format: short},
		Y:           Axis{Name: "Time to first token, P90 (s)", Format: short},
		Limits:      []Limit{{"2 s", 2}, {"5 s", 5}, {"10 s", 10}},
	}
	line.Series = []Series{{Name: "Measured", Slot: 0}}
	for i, r := range []float64{0.1, 0.3, 0.5, 0.8, 1.2, 1.6} {
		y := []float64{0.31, 0.44, 0.71, 1.6, 4.4, 11.2}[i]
		line.Series[0].Points = append(line.Series[0].Points, Point{X: r, Y: new(y), Lo: new(y * 0.9), Hi: new(y * 1.12)})
	}
	return line
}

func sampleScatter() Scatter {
	s := Scatter{
		Title:       "Speed against quality",
		Description: "Each point is a configuration.",
		X:           Axis{Name: "Knowledge (score, %)", Format: short, Min: new(50.0), Max: new(90.0)},
		Y:           Axis{Name: "Generation (tokens/s)", Format: short},
	}
	names := [][]string{{"Small 8B", "Model 30B-A3B", "Model 32B"}, {"Other 20B", "Other 120B", "Other 120B MXFP4"}}
	at := [][][2]float64{{{58, 42}, {78, 61}, {80, 10}}, {{71, 66}, {84, 39}, {84, 41}}}
	for i, family := range []string{"Model", "Other"} {
		one := Series{Name: family, Slot: i}
		for j, p := range at[i] {
			one.Points = append(one.Points, Point{X: p[0], Y: new(p[1]), Lo: new(p[1] - 2), Hi: new(p[1] + 2), Name: names[i][j], Label: short(p[1]) + " tokens/s"})
		}
		s.Series = append(s.Series, one)
	}
	return s
}

const sixty = "Organisation/Model-With-A-Name-235B-A22B-Instruct-2507-NVFP4"

// extremeSpecs are charts at the edges of what the site may ask for.
func extremeSpecs() map[string]Spec {
	return map[string]Spec{
		"onepoint":  extremeLine(1, 1, []float64{7}, func(float64, int) float64 { return 41.5 }),
		"sixlines":  extremeLine(6, 24, []float64{1, 2, 4, 8, 16, 32, 64, 128, 256}, func(x float64, i int) float64 { return x * float64(10+i) }),
		"longnames": extremeLine(4, 60, []float64{1, 2, 4, 8}, func(x float64, i int) float64 { return 1e6 * x / float64(1+i) }),
		"tiny":      extremeLine(2, 8, []float64{0.001, 0.002, 0.004}, func(x float64, i int) float64 { return x * float64(1+i) / 100 }),
		"flat":      extremeLine(3, 12, []float64{1, 10, 100, 1000}, func(float64, int) float64 { return 0 }),
		"negative":  extremeLine(2, 12, []float64{1, 2, 3}, func(x float64, i int) float64 { return float64(1-2*i) * x * 12 }),
		"crowded":   extremeScatter(),
		"stopped":   extremeStopped(),
		"levels":    extremeLevels(),
		"onecell": Heatmap{
			Title: "One cell", Description: "One.", RowName: "Limit", ColumnName: "Users", Rows: []string{sixty}, Columns: []string{"1"},
			Cells: [][]Cell{{{State: Missed, Text: "12.5 s"}}}, States: map[State]string{Missed: "over the limit"},
		},
	}
}

func extremeLine(n, name int, xs []float64, y func(x float64, i int) float64) Line {
	line := Line{
		Title: "Extreme", Description: "For tests.",
		X: Axis{Name: "Something along the bottom (log scale)", Scale: Log, Format: short},
		Y: Axis{Name: "Something with a rather long name, and its unit (tokens per second)", Format: short},
	}
	for i := range n {
		s := Series{Name: (string(rune('A'+i)) + " " + sixty)[:name], Slot: i}
		for _, x := range xs {
			v := y(x, i)
			s.Points = append(s.Points, Point{X: x, Y: new(v), Lo: new(v - 0.1*v*v/(v*v+1)), Hi: new(v + 0.1*v*v/(v*v+1))})
		}
		line.Series = append(line.Series, s)
	}
	return line
}

// extremeStopped has lines that end early, and one that was never measured.
func extremeStopped() Line {
	line := extremeLine(4, 14, []float64{1, 2, 4, 8, 16}, func(x float64, i int) float64 { return x*3 + float64(i) })
	line.Series[1].Points = line.Series[1].Points[:2]
	line.Series[2].Points = []Point{{X: 4}}
	line.Series[3].Points[0] = Point{X: 1}
	line.X.Format = func(v float64) string { return short(v) + ",000,000" }
	return line
}

// extremeLevels is a line over categories.
func extremeLevels() Line {
	line := extremeLine(3, 14, []float64{1, 2, 3}, func(x float64, i int) float64 { return 90000 / x * float64(1+i) })
	line.X = Axis{Name: "Level", Scale: Category, Categories: []string{"low", "middle", "high"}}
	for i := range line.Series {
		for j := range line.Series[i].Points {
			line.Series[i].Points[j].X = float64(j)
		}
	}
	line.Limits = []Limit{{"the limit", 60000}}
	return line
}

func extremeScatter() Scatter {
	s := Scatter{
		Title: "Crowded", Description: "For tests.",
		X: Axis{Name: "X (%)", Format: short},
		Y: Axis{Name: "Y (ms, log scale)", Scale: Log, Format: short},
	}
	for i := range MaxSeries {
		one := Series{Name: (string(rune('A'+i)) + " " + sixty)[:20], Slot: i}
		for j := range 7 {
			one.Points = append(one.Points, Point{X: float64((i*7 + j*j) % 17), Y: new(float64(1 + (i+1)*(j+2)*(j+2))), Name: sixty[i*5 : i*5+14]})
		}
		s.Series = append(s.Series, one)
	}
	return s
}
