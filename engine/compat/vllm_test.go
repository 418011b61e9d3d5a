package compat

import (
	"encoding/json"
	"math"
	"strconv"
	"testing"
	"time"

	"example.org/arena/loadgen"
	"example.org/arena/results/bundle"
)

// vllmCase is the reference run of `vllm bench serve`.
type vllmCase struct {
	Duration float64
	Requests []struct {
		Success bool
		Start   float64 `json:"start_time"`
		Latency float64
		TTFT    float64
		ITL     []float64
		Output  int `json:"output_tokens"`
		Prompt  int `json:"prompt_len"`
		Error   string
	}
	Percentiles []float64
	Expected    map[string]json.RawMessage
}

func readVLLMCase(t *testing.T) (vllmCase, VLLMRun) {
	t.Helper()
	var file struct {
		Case vllmCase `json:"metrics_case"`
	}
	readJSON(t, corpusFile(t, "vectors", "vllm-bench-serve.json"), &file)
	c := file.Case
	if len(c.Requests) == 0 || len(c.Expected) == 0 {
		t.Fatal("the reference file holds no run")
	}
	run := VLLMRun{
		Release: 26, Duration: c.Duration, Percentiles: c.Percentiles,
		Metrics: []string{"ttft", "tpot", "itl", "e2el"},
	}
	for _, r := range c.Requests {
		run.Outputs = append(run.Outputs, VLLMOutput{
			Success: r.Success, Start: r.Start, TTFT: r.TTFT, Latency: r.Latency, ITL: r.ITL,
			PromptTokens: r.Prompt, OutputTokens: r.Output,
		})
	}
	return c, run
}

// compareVLLM compares the figures of a run with the reference, by same.
func compareVLLM(t *testing.T, c vllmCase, run VLLMRun, same func(got, want float64) bool) []bundle.Figure {
	t.Helper()
	figures, err := run.Figures()
	if err != nil {
		t.Fatal(err)
	}
	check := func(key string, got, want float64) {
		t.Helper()
		if !same(got, want) {
			t.Errorf("%s: got %v, want %v", key, got, want)
		}
	}
	s := run.samples()
	for key, got := range map[string]float64{
		"completed": float64(s.completed), "failed": float64(len(run.Outputs) - s.completed),
		"total_input_tokens": float64(s.input), "total_output_tokens": float64(s.output),
		"request_throughput":                    value(figures, "request_throughput"),
		"output_throughput":                     value(figures, "output_throughput"),
		"total_token_throughput":                value(figures, "total_token_throughput"),
		"max_output_tokens_per_s_bucket_chunks": value(figures, "max_output_tokens_per_s"),
	} {
		check(key, got, number(t, c.Expected[key]))
	}
	for _, name := range run.Metrics {
		var want map[string]float64
		if err := json.Unmarshal(c.Expected[name], &want); err != nil {
			t.Fatal(err)
		}
		l := named(figures, name)
		check(name+" mean", *l.Mean, want["mean"])
		check(name+" median", *l.Median, want["median"])
		check(name+" std", *l.Std, want["std"])
		if len(l.Percentiles) != 5 {
			t.Fatalf("%s: got %d percentiles, want 5", name, len(l.Percentiles))
		}
		for _, p := range l.Percentiles {
			at := "p" + strconv.FormatFloat(p.P, 'f', -1, 64)
			check(name+" "+at, p.Value, want[at])
		}
	}
	return figures
}

// value returns the value of a figure, NaN without one.
func value(figures []bundle.Figure, name string) float64 {
	f := named(figures, name)
	if f == nil || f.Value == nil {
		return math.NaN()
	}
	return *f.Value
}

func number(t *testing.T, data json.RawMessage) float64 {
	t.Helper()
	var x float64
	if err := json.Unmarshal(data, &x); err != nil {
		t.Fatal(err)
	}
	return x
}

func TestVLLMFiguresEqualTheTool(t *testing.T) {
	t.Parallel()
	c, run := readVLLMCase(t)
	for release, key := range map[VLLMRelease]string{26: "max_concurrent_requests_bucket_le_0_28", 30: "max_concurrent_requests_exact"} {
		run.Release = release
		figures := compareVLLM(t, c, run, func(got, want float64) bool { return got == want })
		if got, want := value(figures, "max_concurrent_requests"), number(t, c.Expected[key]); got != want {
			t.Errorf("release %d: got %v requests at most, want %v", release, got, want)
		}
	}
}

// TestVLLMRecordsGiveTheSameFigures: the reference run as records, whose moments
// are nanoseconds, gives its figures but for that rounding.
func TestVLLMRecordsGiveTheSameFigures(t *testing.T) {
	t.Parallel()
	c, run := readVLLMCase(t)
	var records []loadgen.Record
	for i, o := range run.Outputs {
		records = append(records, recordOf(i, o))
	}
	run.Outputs = VLLMOutputs(28, records)
	compareVLLM(t, c, run, func(got, want float64) bool { return math.Abs(got-want) <= 1e-6 }) // a nanosecond of a figure in ms
}

// recordOf returns a record of which the tool would have noted o.
func recordOf(seq int, o VLLMOutput) loadgen.Record {
	at := func(s float64) loadgen.Offset { return loadgen.Offset(math.Round((o.Start - 1000 + s) * 1e9)) }
	r := loadgen.Record{Request: loadgen.Request{Seq: seq, PromptTokens: o.PromptTokens + 7}, Result: loadgen.NoResult()}
	r.Sent, r.Outcome = at(0), loadgen.HTTPStatus
	if !o.Success {
		return r
	}
	r.Outcome = loadgen.OK
	r.Result.PromptTokens, r.CompletionTokens = o.PromptTokens, o.OutputTokens
	moment := o.TTFT
	r.Arrivals = append(r.Arrivals, loadgen.Arrival{At: at(moment), Tokens: 1})
	for i, wait := range o.ITL {
		moment += wait
		if i%5 == 4 { // without a token, which makes no difference to the tool
			r.Bare = append(r.Bare, at(moment))
			continue
		}
		r.Arrivals = append(r.Arrivals, loadgen.Arrival{At: at(moment), Tokens: 1})
	}
	r.Usage = at(o.Latency)
	r.Chunks = len(r.Arrivals)
	return r
}

// ms is a moment in milliseconds.
func ms(n int) loadgen.Offset { return time.Duration(n) * time.Millisecond }

// twoRequests is a small run, worked out by hand below: the first request starts
// at 500 ms and has a role chunk, three chunks of tokens and a usage event, the
// second starts at 1250 ms and has one token. The third fails.
func twoRequests() []loadgen.Record {
	first := loadgen.Record{Request: loadgen.Request{Seq: 0, PromptTokens: 100}, Result: loadgen.NoResult()}
	first.Sent, first.Done, first.Outcome, first.Queued = ms(500), ms(2000), loadgen.OK, ms(250)
	first.Bare, first.Usage = []loadgen.Offset{ms(750)}, ms(1750)
	first.Arrivals = []loadgen.Arrival{{At: ms(1000), Tokens: 2}, {At: ms(1250), Tokens: 2}, {At: ms(1500), Tokens: 1}}
	first.Chunks, first.CountedBy = 3, loadgen.ByContinuousUsage
	first.Result.PromptTokens, first.CompletionTokens = 110, 5

	second := loadgen.Record{Request: loadgen.Request{Seq: 1, PromptTokens: 40}, Result: loadgen.NoResult()}
	second.Sent, second.Done, second.Outcome = ms(1250), ms(1500), loadgen.OK
	second.Arrivals, second.Chunks, second.CountedBy = []loadgen.Arrival{{At: ms(1500), Tokens: 1}}, 1, loadgen.ByUsage
	second.Result.PromptTokens, second.CompletionTokens = 50, 1

	third := loadgen.Record{Request: loadgen.Request{Seq: 2, PromptTokens: 40}, Result: loadgen.NoResult()}
	third.Sent, third.Done, third.Outcome, third.Error = ms(1250), ms(4000), loadgen.HTTPStatus, "overloaded"
	return []loadgen.Record{first, second, third}
}

func TestVLLMFromRecords(t *testing.T) {
	t.Parallel()
	records := twoRequests()
	unsent := loadgen.Record{Request: loadgen.Request{Seq: 3}, Result: loadgen.NoResult()}
	unsent.Outcome = loadgen.Unsent
	warm := records[0]
	warm.Warmup = true
	records = append(records, unsent, warm)

	if got := VLLMDuration(records); got != 4 {
		t.Errorf("duration: got %v s, want 4", got)
	}
	for _, c := range []struct {
		release    VLLMRelease
		latency    float64 // of the first request, s
		input      int
		concurrent float64
	}{
		{19, 1.25, 140, 2}, // lengths of the dataset; latency to the usage event
		{26, 1.25, 160, 2}, // the server's lengths
		{29, 1, 160, 2},    // latency to the last chunk with a choice
		{0, 1, 160, 2},     // the same
		{30, 1, 160, 2},    // they overlap from 1250 to 1500 ms
	} {
		outputs := VLLMOutputs(c.release, records)
		if len(outputs) != 3 || !outputs[0].Success || !outputs[1].Success || outputs[2].Success {
			t.Fatalf("release %d: got %+v", c.release, outputs)
		}
		run := VLLMRun{
			Release: c.release, Duration: 4, Outputs: outputs, Metrics: []string{"ttft", "tpot", "itl", "e2el"}, Percentiles: []float64{50},
		}
		f, err := run.Figures()
		if err != nil {
			t.Fatal(err)
		}
		if s := run.samples(); s.completed != 2 || s.input != c.input || s.output != 6 {
			t.Errorf("release %d: got %+v", c.release, s)
		}
		for name, want := range map[string]float64{
			"request_throughput": 0.5, "output_throughput": 1.5, "total_token_throughput": float64(c.input+6) / 4,
			"max_concurrent_requests": c.concurrent, "duration": 4,
			"max_output_tokens_per_s": 3, // at 750, 1000 and 1250 ms; the two at 1500 ms fall in the next second
		} {
			if got := value(f, name); got != want {
				t.Errorf("release %d: %s: got %v, want %v", c.release, name, got, want)
			}
		}
		for name, want := range map[string]float64{
			"ttft": 250, "tpot": (c.latency - 0.25) / 4 * 1000, "itl": 250, "e2el": (c.latency + 0.25) / 2 * 1000,
		} {
			if got := mean(f, name); got != want {
				t.Errorf("release %d: mean %s: got %v ms, want %v", c.release, name, got, want)
			}
		}
		if len(f) != 10 {
			t.Errorf("release %d: got %d figures, want 10", c.release, len(f))
		}
	}
}

// TestVLLMJudges: what the tool takes for an answer.
func TestVLLMJudges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		outcome loadgen.Outcome
		broken  bool
		success bool
	}{
		{loadgen.OK, false, true},
		{loadgen.StreamError, false, true}, // it does not look at what an event says
		{loadgen.StreamError, true, false},
		{loadgen.Truncated, false, true},
		{loadgen.Truncated, true, false},
		{loadgen.Malformed, false, false},
		{loadgen.HTTPStatus, false, false},
		{loadgen.Connect, false, false},
		{loadgen.Timeout, false, false},
	} {
		r := twoRequests()[0]
		r.Outcome, r.Broken = c.outcome, c.broken
		o := VLLMOutputs(26, []loadgen.Record{r})
		if len(o) != 1 || o[0].Success != c.success {
			t.Errorf("%s, broken %v: got %+v, want success %v", c.outcome, c.broken, o, c.success)
		}
	}
	empty := loadgen.Record{Result: loadgen.NoResult()}
	empty.Sent, empty.Outcome = 0, loadgen.Truncated
	if o := VLLMOutputs(28, []loadgen.Record{empty}); !o[0].Success || o[0].TTFT != 0 || o[0].OutputTokens != 1 {
		t.Errorf("no chunk at all, 0.28: got %+v, want a success with a TTFT of 0", o[0])
	}
	if o := VLLMOutputs(29, []loadgen.Record{empty}); o[0].Success {
		t.Errorf("no chunk at all, 0.29: got %+v, want a failure", o[0])
	}
	for _, outcome := range []loadgen.Outcome{loadgen.Cancelled, loadgen.Unsent} {
		r := twoRequests()[0]
		r.Outcome = outcome
		if o := VLLMOutputs(26, []loadgen.Record{r}); len(o) != 0 {
			t.Errorf("%s: got %+v, want nothing", outcome, o)
		}
	}
}

// TestVLLMWithoutSamples: the tool gives 0 where nothing was measured.
func TestVLLMWithoutSamples(t *testing.T) {
	t.Parallel()
	run := VLLMRun{Duration: 2, Outputs: []VLLMOutput{{}}, Metrics: []string{"ttft"}, Percentiles: []float64{99}}
	f, err := run.Figures()
	if err != nil {
		t.Fatal(err)
	}
	l := named(f, "ttft")
	if value(f, "request_throughput") != 0 || value(f, "max_output_tokens_per_s") != 0 || *l.Mean != 0 || *l.Std != 0 || l.Percentiles[0].Value != 0 {
		t.Errorf("got %+v", f)
	}
	for _, d := range []float64{0, -1, math.NaN()} {
		run.Duration = d
		if _, err := run.Figures(); err == nil {
			t.Errorf("a run of %v s: no error", d)
		}
	}
	if got := VLLMDuration(nil); got != 0 {
		t.Errorf("duration of nothing: got %v", got)
	}
}

// TestVLLMPeaks: a request that ends when the next one starts is in flight with
// it for the tool, until it counts exactly.
func TestVLLMPeaks(t *testing.T) {
	t.Parallel()
	run := VLLMRun{Release: 29, Duration: 9, Outputs: []VLLMOutput{
		{Success: true, Start: 10, TTFT: 0.5, Latency: 0.75, OutputTokens: 1},
		{Success: true, Start: 10.75, TTFT: 0.5, Latency: 0.5, OutputTokens: 1},
		{Success: true, Start: 11.25, TTFT: 2, Latency: 2, OutputTokens: 1},
		{Start: 10.75},
	}}
	for release, want := range map[VLLMRelease]float64{29: 2, 30: 1} {
		run.Release = release
		f, err := run.Figures()
		if err != nil {
			t.Fatal(err)
		}
		if requests, chunks := value(f, "max_concurrent_requests"), value(f, "max_output_tokens_per_s"); requests != want || chunks != 1 {
			t.Errorf("release %d: got %v requests and %v chunks, want %v and 1", release, requests, chunks, want)
		}
	}
}
