package facts

import "testing"

func number(v float64) *Number { return &Number{Value: v, Source: "a card"} }

var model = Model{
	ID:           "model",
	TotalParams:  number(10e9),
	ActiveParams: number(2e9),
	Checkpoints: []Checkpoint{
		{ID: "org/Model", Precision: "bf16", Base: true},
		{ID: "org/Model-FP8", Precision: "fp8", Bytes: number(11e9)},
		{ID: "org/Model-NVFP4", Precision: "nvfp4"},
		{ID: "org/Model-Odd", Precision: "q4_k_m"},
		{ID: "org/Model-Unknown"},
	},
	Quality: []Quality{
		{Checkpoint: "org/Model", Dimension: Science, Benchmark: "A", Value: new(80.0), Suggested: true},
		{Checkpoint: "org/Model", Dimension: Science, Benchmark: "B", Value: new(90.0)},
		{Checkpoint: "org/Model-NVFP4", Dimension: Science, Benchmark: "A", Value: new(79.0), Suggested: true},
		{Checkpoint: "org/Model", Dimension: Coding, Benchmark: "C", Value: new(50.0)},
		{Checkpoint: "org/Model", Dimension: Knowledge, Benchmark: "D", Suggested: true},
	},
}

func TestSuggested(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		checkpoint string
		dimension  Dimension
		want       string // benchmark and checkpoint, empty for none
	}{
		{"org/Model", Science, "A org/Model"},
		{"org/Model-FP8", Science, "A org/Model"},         // measured on the base
		{"org/Model-NVFP4", Science, "A org/Model-NVFP4"}, // its own comes first
		{"org/Model", Coding, ""},                         // there is one, but nobody suggests it
		{"org/Model", Knowledge, ""},                      // the source shows no value
	} {
		got := ""
		if q, ok := model.Suggested(c.checkpoint, c.dimension); ok {
			got = q.Benchmark + " " + q.Checkpoint
		}
		if got != c.want {
			t.Errorf("%s, %s: got %q; want %q", c.checkpoint, c.dimension, got, c.want)
		}
	}
}

func TestWeights(t *testing.T) {
	t.Parallel()
	const unknown = -1
	for i, c := range []struct{ total, active float64 }{
		{20e9, 4e9},
		{11e9, 2e9}, // as published, not as computed
		{5.625e9, 1.125e9},
		{unknown, unknown},
		{unknown, unknown},
	} {
		cp := model.Checkpoints[i]
		total, ok := model.WeightBytes(cp)
		if !ok {
			total = unknown
		}
		active, ok := model.ActiveBytes(cp)
		if !ok {
			active = unknown
		}
		if total != c.total || active != c.active {
			t.Errorf("%s: got %v and %v bytes; want %v and %v", cp.ID, total, active, c.total, c.active)
		}
	}
	if _, ok := (Model{}).WeightBytes(Checkpoint{Precision: "bf16"}); ok {
		t.Error("weights of a model of unknown size are known")
	}
}

func TestCatalog(t *testing.T) {
	t.Parallel()
	c := Catalog{
		Models:     []Model{{ID: "other", Checkpoints: []Checkpoint{{ID: "org/Other"}}}, model},
		Platforms:  []Platform{{ID: "box"}},
		Publishers: []Publisher{{Name: "Someone", URL: "https://example.org"}},
	}
	if m, cp, ok := c.Checkpoint("org/Model-FP8"); !ok || m.ID != "model" || cp.Precision != "fp8" {
		t.Errorf("checkpoint: got %q, %q, %v", m.ID, cp.Precision, ok)
	}
	if _, _, ok := c.Checkpoint("org/model-fp8"); ok {
		t.Error("ids differ in case and match all the same")
	}
	if m, ok := c.Model("model"); !ok || m.ID != "model" {
		t.Errorf("model: got %q, %v", m.ID, ok)
	}
	if _, ok := c.Platform("box"); !ok {
		t.Error("no platform")
	}
	if p, ok := c.Publisher("Someone"); !ok || p.URL == "" {
		t.Errorf("publisher: got %+v, %v", p, ok)
	}
	base, ok := model.Base()
	if !ok || base.ID != "org/Model" {
		t.Errorf("base: got %q, %v", base.ID, ok)
	}
	if _, ok := c.Models[0].Base(); ok {
		t.Error("a model without a base has one")
	}
}
