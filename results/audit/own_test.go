package audit

import (
	"testing"

	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
	"example.org/arena/results/stat"
)

// own returns a cell of Arena's own with two places and four requests of 100 and
// 10 tokens and one second each, without a fault but those that edit makes.
func own(edit func(*bundle.Cell)) bundle.Cell {
	moments := func(offset int64, starts ...int64) []*int64 {
		var out []*int64
		for _, s := range starts {
			out = append(out, new(1000*(s+offset)))
		}
		return out
	}
	counts := func(n int64) []*int64 { return []*int64{new(n), new(n), new(n), new(n)} }
	starts := []int64{0, 0, 1000, 1000}
	ok := bundle.OutcomeOK
	c := bundle.Cell{
		PromptTokens: 100, OutputTokens: 10, Concurrency: 2, Runs: 1,
		Records: &bundle.Records{
			ScheduledUS: moments(0, starts...), SentUS: moments(0, starts...), FirstByteUS: moments(100, starts...),
			FirstTokenUS: moments(100, starts...), FirstVisibleUS: moments(100, starts...),
			LastTokenUS: moments(1000, starts...), DoneUS: moments(1000, starts...),
			AskedPromptTokens: []int64{100, 100, 100, 100}, AskedOutputTokens: []int64{10, 10, 10, 10},
			PromptTokens: counts(100), CompletionTokens: counts(10), Chunks: []int64{10, 10, 10, 10},
			Outcome: []string{ok, ok, ok, ok},
		},
		Client: &bundle.Client{LateP50US: 20, LateP99US: 300, LateMaxUS: 900, Held: new(1.0)},
	}
	edit(&c)
	return c
}

// derived returns the cell with its figures.
func derived(c bundle.Cell) bundle.Cell {
	return stat.WithFigures(of("own-chat", c)).Tests[0].Cells[0]
}

// Every rule about a run of Arena's own, at its limits.
func TestOwnRules(t *testing.T) {
	t.Parallel()
	same := func(c *bundle.Cell) {}
	finding := func(code Code, s Severity) []brief { return []brief{{code, s, "own-chat", 0}} }
	cases := []struct {
		name string
		edit func(*bundle.Cell)
		want []brief
	}{
		{"nothing wrong", same, nil},

		{"no hits", func(c *bundle.Cell) { c.Counters = hits(1000, 0) }, nil},
		{"hits below one percent", func(c *bundle.Cell) { c.Counters = hits(1000, 9) }, nil},
		{"hits of one percent", func(c *bundle.Cell) { c.Counters = hits(1000, 10) }, finding(PrefixCacheHit, Error)},
		{"hits of an unknown number", func(c *bundle.Cell) { c.Counters = &bundle.Counters{PrefixHitTokens: new(int64(9))} }, nil},
		{"no prompt looked up", func(c *bundle.Cell) { c.Counters = hits(0, 0) }, nil},

		{"a little short", func(c *bundle.Cell) {
			c.Records.AskedOutputTokens = []int64{1000, 1000, 1000, 1000}
			for i := range c.Records.CompletionTokens {
				c.Records.CompletionTokens[i] = new(int64(990))
			}
		}, finding(ShortOutput, Warning)},
		{"short", func(c *bundle.Cell) { c.Records.CompletionTokens[2] = new(int64(9)) }, finding(ShortOutput, Error)},
		{"short, but failed", func(c *bundle.Cell) {
			c.Records.CompletionTokens[3], c.Records.Outcome[3] = new(int64(2)), bundle.OutcomeTruncated
		}, nil},
		{"unknown length", func(c *bundle.Cell) { c.Records.CompletionTokens[2] = nil }, nil},
		{"long", func(c *bundle.Cell) { c.Records.CompletionTokens[2] = new(int64(11)) }, finding(OutputTokensMismatch, Error)},

		{"another prompt", func(c *bundle.Cell) { c.Records.PromptTokens[2] = new(int64(101)) }, finding(PromptTokensMismatch, Info)},
		{"much longer prompts", func(c *bundle.Cell) { c.Records.PromptTokens[2] = new(int64(105)) }, finding(PromptTokensMismatch, Warning)},
		{"much shorter prompts", func(c *bundle.Cell) { c.Records.PromptTokens[2] = new(int64(95)) }, finding(PromptTokensMismatch, Warning)},

		{"late by 10 ms", func(c *bundle.Cell) { c.Client.LateP99US, c.Client.LateMaxUS = 10_000, 10_000 }, nil},
		{"later", func(c *bundle.Cell) { c.Client.LateP99US, c.Client.LateMaxUS = 10_001, 10_001 }, finding(ClientSaturated, Error)},
		{"held 95 percent", func(c *bundle.Cell) { c.Client.Held = new(0.95) }, nil},
		{"stopped", func(c *bundle.Cell) { c.Client.StallUS = 500_001 }, finding(ClientSaturated, Error)},
		{"held less", func(c *bundle.Cell) { c.Client.Held = new(0.949) }, finding(ClientSaturated, Error)},
		{"nothing known of the client", func(c *bundle.Cell) { c.Client = nil }, nil},

		// Of the two seconds of the first place, half of one is empty.
		{"a place stood empty", func(c *bundle.Cell) {
			c.Records.LastTokenUS[0], c.Records.DoneUS[0] = new(int64(500_000)), new(int64(500_000))
		}, finding(ConcurrencyNotHeld, Error)},
		{"the client says so too", func(c *bundle.Cell) {
			c.Records.LastTokenUS[0], c.Records.DoneUS[0] = new(int64(500_000)), new(int64(500_000))
			c.Client.Held = new(0.75)
		}, finding(ClientSaturated, Error)},
		{"more than asked for", func(c *bundle.Cell) { c.Concurrency, c.Client.Held = 1, nil }, finding(ConcurrencyNotHeld, Error)},
		{"no more requests than places", func(c *bundle.Cell) { c.Concurrency = 4 }, nil},
		{"repetitions one after the other", func(c *bundle.Cell) { c.Records.Repetition = []int{0, 0, 1, 1} }, nil},

		// Two conversations of two turns, side by side.
		{"conversations", func(c *bundle.Cell) {
			c.Records.Turn = []int{1, 2, 1, 2}
			for i, at := range []int64{0, 1000, 0, 1000} {
				c.Records.SentUS[i], c.Records.DoneUS[i] = new(at*1000), new(at*1000+1_000_000)
				c.Records.FirstTokenUS[i], c.Records.LastTokenUS[i] = new(at*1000+100_000), new(at*1000+1_000_000)
			}
		}, nil},
		{"several tokens a chunk", func(c *bundle.Cell) {
			c.Gaps = bundle.HistogramOf([]int64{200_000, 200_000})
		}, finding(MultiTokenChunks, Info)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			wantFindings(t, Audit(Input{Bundle: stat.WithFigures(of("own-chat", own(c.edit))), Contract: testContract(t)}), c.want...)
		})
	}
}

func hits(queries, found int64) *bundle.Counters {
	return &bundle.Counters{PrefixQueryTokens: &queries, PrefixHitTokens: &found}
}

// What only an own contract promises is not asked of others.
func TestOwnRulesNeedTheirContract(t *testing.T) {
	t.Parallel()
	cell := own(func(c *bundle.Cell) {
		c.Counters = hits(100, 50)
		c.Records.PromptTokens[0], c.Records.CompletionTokens[0] = new(int64(1)), new(int64(1))
	})
	wantFindings(t, Audit(Input{Bundle: stat.WithFigures(of("own-chat", cell))}))
	for _, f := range Audit(Input{Bundle: stat.WithFigures(of("chat", cell)), Contract: testContract(t)}) {
		if f.Code == ShortOutput || f.Code == PromptTokensMismatch {
			t.Errorf("found %s in a test of another tool", f.Code)
		}
	}
	warm := testContract(t)
	warm.ColdCache = false
	for _, f := range Audit(Input{Bundle: stat.WithFigures(of("own-chat", cell)), Contract: warm}) {
		if f.Code == PrefixCacheHit {
			t.Error("found hits where the cache may be warm")
		}
	}
}

func TestCalibration(t *testing.T) {
	t.Parallel()
	good := bundle.Calibration{When: "before", Streams: 20, Requests: 100, TTFTErrorUS: -5000, ITLErrorNS: 500_000, LateP99US: 10_000, LateMaxUS: 10_000}
	cases := []struct {
		name string
		edit func(*bundle.Calibration)
		want []string
	}{
		{"good", func(*bundle.Calibration) {}, nil},
		{"late", func(k *bundle.Calibration) { k.LateP99US = 10_001 }, []string{"lateness", "streams"}},
		{"TTFT too small", func(k *bundle.Calibration) { k.TTFTErrorUS = -5001 }, []string{"ttft_error", "streams"}},
		{"ITL too large", func(k *bundle.Calibration) { k.ITLErrorNS = 500_001 }, []string{"itl_error", "streams"}},
	}
	for _, c := range cases {
		b := of("own-chat", own(func(*bundle.Cell) {}))
		b.Calibration = []bundle.Calibration{good, good}
		c.edit(&b.Calibration[1])
		var names []string
		got := Audit(Input{Bundle: stat.WithFigures(b), Contract: testContract(t)})
		for _, f := range got {
			for _, a := range f.Args {
				names = append(names, a.Name)
				if a.Number < 0 {
					t.Errorf("%s: %s is %v", c.name, a.Name, a.Number)
				}
			}
		}
		if len(names) != len(c.want) || len(got) > 1 || len(c.want) > 0 && (names[0] != c.want[0] || names[1] != c.want[1]) {
			t.Errorf("%s: got %v", c.name, got)
		}
		if len(c.want) > 0 && len(excluding(got, "own-chat", 0, metric.TTFT)) == 0 {
			t.Errorf("%s: the values still rank", c.name)
		}
	}
}

func TestThrottled(t *testing.T) {
	t.Parallel()
	note := func(code string, args ...bundle.Setting) []bundle.Note {
		return []bundle.Note{{Code: "other"}, {Code: code, Args: args}}
	}
	all := []bundle.Setting{{Name: "samples", Value: "12"}, {Name: "of", Value: "60"}, {Name: "clock_mhz", Value: "1410"}}
	cell := func(notes []bundle.Note) *bundle.Bundle {
		return of("own-chat", own(func(c *bundle.Cell) { c.Notes = notes }))
	}
	test := of("own-chat", own(func(*bundle.Cell) {}))
	test.Tests[0].Notes = note("gpu_slowed_by_hardware")
	cases := []struct {
		name string
		b    *bundle.Bundle
		args int
		want []brief
	}{
		{"heat", cell(note("gpu_slowed_by_heat", all...)), 3, []brief{{Throttled, Warning, "own-chat", 0}}},
		{"brake, clock unknown", cell(note("gpu_slowed_by_power_brake", all[:2]...)), 2, []brief{{Throttled, Warning, "own-chat", 0}}},
		{"whole test", test, 0, []brief{{Throttled, Warning, "own-chat", WholeTest}}},
		{"no number", cell(note("gpu_slowed_by_heat", bundle.Setting{Name: "clock_mhz", Value: "low"})), 0, []brief{{Throttled, Warning, "own-chat", 0}}},
		{"power limit", cell(note("gpu_power_capped", all...)), 0, nil},
		{"none", cell(nil), 0, nil},
	}
	for _, c := range cases {
		got := Audit(Input{Bundle: stat.WithFigures(c.b), Contract: testContract(t)})
		t.Run(c.name, func(t *testing.T) { wantFindings(t, got, c.want...) })
		if len(got) > 0 && len(got[0].Args) != c.args {
			t.Errorf("%s: args %v", c.name, got[0].Args)
		}
	}
}

// How long repetitions took is no figure that varies: the rates are.
func TestDurationDoesNotVary(t *testing.T) {
	t.Parallel()
	cell := own(func(c *bundle.Cell) {
		c.Runs, c.Records.Repetition = 2, []int{0, 0, 1, 1}
		for i := range 2 {
			c.Records.LastTokenUS[i], c.Records.DoneUS[i] = new(int64(600_000)), new(int64(600_000))
		}
	})
	varying := map[metric.Key]bool{}
	for _, f := range Audit(Input{Bundle: stat.WithFigures(of("own-chat", cell)), Contract: testContract(t)}) {
		if f.Code == HighVariation {
			varying[f.Metrics[0]] = true
		}
	}
	if !varying[metric.Output] || varying[metric.Duration] {
		t.Errorf("varying are %v", varying)
	}
}
