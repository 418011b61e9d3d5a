package bundle

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.org/arena/results/tomlfile"
)

// sampleRun returns a made-up run of Arena's own with everything that only such a
// run has: testdata/run.json holds its bytes.
func sampleRun() *Bundle {
	b := run()
	b.Salt = "5f3a9c0e"
	b.Calibration = []Calibration{
		{When: "before", Streams: 2, Requests: 40, TTFTErrorUS: 42, ITLErrorNS: -310, LateP50US: 12, LateP99US: 180, LateMaxUS: 190},
		{When: "after", Streams: 2, Requests: 40, TTFTErrorUS: -8, ITLErrorNS: 120, LateP50US: 11, LateP99US: 150, LateMaxUS: 400},
	}
	b.Tests = []Test{{
		Slug: "multi-turn", StartedAt: b.StartedAt, Tool: &Tool{Name: "arena", Version: "v0.1.0"},
		Stopped: &Stop{Reason: StopInterrupted, Detail: "1 of 3 cells"},
		Cells: []Cell{{
			PromptTokens: 2048, OutputTokens: 512, Concurrency: 1, StartedAt: b.StartedAt, Runs: 2,
			Requests: &Requests{Planned: new(5), Completed: new(2), Failed: new(2)},
			Records:  sampleRecords(),
			Gaps:     &Histogram{Count: 4, Sum: 90_000, Bucket: []int{20, 672}, Values: []int64{1, 3}},
			ChunkTokens: &Histogram{
				Count: 4, Sum: 7, Bucket: []int{1, 2}, Values: []int64{1, 3},
			},
			Counters: &Counters{
				PrefixQueryTokens: new(int64(4096)), PrefixHitTokens: new(int64(0)), Preemptions: new(int64(1)),
				PromptTokens: new(int64(4096)), GenerationTokens: new(int64(1024)),
			},
			Client: &Client{
				CountedBy: "continuous_usage", LateP50US: 10, LateP99US: 90, LateMaxUS: 120, Held: new(0.9975), GCPauseUS: 30,
				CPUUS: new(int64(210_000)), StallUS: 1200, Resent: 1, Coalesced: 2, Spread: 100, Arrivals: "kernel",
			},
			EnergyMJ: new(int64(1_250_000)),
		}},
	}}
	return b
}

// sampleRecords holds a request of each kind: two answers, one that broke off, one
// that was refused, and one that was never sent.
func sampleRecords() *Records {
	at := func(list ...int64) []*int64 {
		var out []*int64
		for _, v := range list {
			if v < 0 {
				out = append(out, nil)
			} else {
				out = append(out, new(v))
			}
		}
		return out
	}
	return &Records{
		Repetition:        []int{0, 0, 0, 1, 1},
		Turn:              []int{1, 2, 3, 1, 2},
		ScheduledUS:       at(0, 9_000_100, 18_000_300, 30_000_000, -1),
		QueuedUS:          at(0, 0, 0, 0, -1),
		SentUS:            at(12, 9_000_110, 18_000_310, 30_000_020, -1),
		FirstByteUS:       at(410_000, 9_400_000, 18_400_000, 30_010_000, -1),
		FirstTokenUS:      at(412_000, 9_402_000, 18_410_000, -1, -1),
		FirstVisibleUS:    at(412_000, 9_500_000, -1, -1, -1),
		LastTokenUS:       at(9_000_000, 18_000_000, 20_000_000, -1, -1),
		DoneUS:            at(9_000_100, 18_000_300, 20_100_000, 30_010_100, -1),
		AskedPromptTokens: []int64{2048, 2816, 3584, 2048, 2816},
		AskedOutputTokens: []int64{512, 512, 512, 512, 512},
		PromptTokens:      at(2048, 2817, -1, -1, -1),
		CompletionTokens:  at(512, 512, -1, -1, -1),
		Chunks:            []int64{512, 500, 90, 0, 0},
		Outcome:           []string{OutcomeOK, OutcomeOK, OutcomeTruncated, OutcomeHTTPStatus, OutcomeUnsent},
		Status:            []int{200, 200, 200, 503, 0},
		Finish:            []string{"length", "length", "", "", ""},
	}
}

func TestRunGolden(t *testing.T) {
	t.Parallel()
	data, err := Encode(sampleRun())
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "run.json", data)
	back, err := Decode("run.json", data)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back, sampleRun()) {
		t.Error("decoding the encoded run gives another one")
	}
	if _, faults := Check("run.json", data); faults != nil {
		t.Errorf("the run is invalid:\n%v", faults)
	}
}

// What only runs have is absent from every other bundle, so that those published
// before it was known keep their bytes.
func TestRunPartsAreAbsent(t *testing.T) {
	t.Parallel()
	data, err := Encode(sample())
	if err != nil {
		t.Fatal(err)
	}
	keys := []string{"records", "gaps_us", "tokens_per_chunk", "server_counters", "client", "energy_mj", "calibration", "salt"}
	for _, key := range keys {
		if strings.Contains(string(data), `"`+key+`"`) {
			t.Errorf("%s is written where there is none", key)
		}
		if run, err := Encode(sampleRun()); err != nil || !strings.Contains(string(run), `"`+key+`"`) {
			t.Errorf("%s is not written where there is one (%v)", key, err)
		}
	}
	// Columns that say nothing are absent too.
	b := sampleRun()
	r := b.Tests[0].Cells[0].Records
	r.Repetition, r.Turn, r.QueuedUS, r.Status, r.Finish = nil, nil, nil, nil, nil
	b.Tests[0].Cells[0].Client = &Client{}
	b.Tests[0].Cells[0].Counters = &Counters{}
	if data, err = Encode(b); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{
		"repetition", "turn", "queued_us", "finish_reason", "counted_by", "held_ratio", "cpu_us", "resent", "coalesced", "arrivals_by",
		"prefix_query_tokens", "prefix_hit_tokens", "preemptions", "generation_tokens",
	} {
		if strings.Contains(string(data), `"`+key+`"`) {
			t.Errorf("%s is written where there is none", key)
		}
	}
	if err := Validate(b); err != nil {
		t.Errorf("without optional columns: %v", err)
	}
}

func TestRunFaults(t *testing.T) {
	t.Parallel()
	records := func(f func(*Records)) func(*Bundle) { return func(b *Bundle) { f(b.Tests[0].Cells[0].Records) } }
	cell := func(f func(*Cell)) func(*Bundle) { return func(b *Bundle) { f(&b.Tests[0].Cells[0]) } }
	const at = "/tests/0/cells/0"
	cases := []struct {
		key  string
		edit func(*Bundle)
	}{
		{at + "/records/repetition", records(func(r *Records) { r.Repetition = r.Repetition[1:] })},
		{at + "/records/turn", records(func(r *Records) { r.Turn = append(r.Turn, 1) })},
		{at + "/records/scheduled_us", records(func(r *Records) { r.ScheduledUS = nil })},
		{at + "/records/queued_us", records(func(r *Records) { r.QueuedUS = r.QueuedUS[:1] })},
		{at + "/records/sent_us", records(func(r *Records) { r.SentUS = r.SentUS[:1] })},
		{at + "/records/first_byte_us", records(func(r *Records) { r.FirstByteUS = nil })},
		{at + "/records/first_token_us", records(func(r *Records) { r.FirstTokenUS = nil })},
		{at + "/records/first_visible_us", records(func(r *Records) { r.FirstVisibleUS = nil })},
		{at + "/records/last_token_us", records(func(r *Records) { r.LastTokenUS = nil })},
		{at + "/records/done_us", records(func(r *Records) { r.DoneUS = nil })},
		{at + "/records/asked_prompt_tokens", records(func(r *Records) { r.AskedPromptTokens = nil })},
		{at + "/records/asked_output_tokens", records(func(r *Records) { r.AskedOutputTokens = nil })},
		{at + "/records/prompt_tokens", records(func(r *Records) { r.PromptTokens = nil })},
		{at + "/records/completion_tokens", records(func(r *Records) { r.CompletionTokens = nil })},
		{at + "/records/chunks", records(func(r *Records) { r.Chunks = nil })},
		{at + "/records/status", records(func(r *Records) { r.Status = r.Status[:2] })},
		{at + "/records/finish_reason", records(func(r *Records) { r.Finish = r.Finish[:2] })},
		{at + "/records/outcome", cell(func(c *Cell) { c.Records = &Records{} })},
		{at + "/records/outcome/1", records(func(r *Records) { r.Outcome[1] = "fine" })},
		{at + "/records/first_byte_us/0", records(func(r *Records) { r.FirstByteUS[0] = new(int64(1)) })},
		{at + "/records/first_token_us/1", records(func(r *Records) { r.FirstTokenUS[1] = new(int64(9_399_999)) })},
		{at + "/records/last_token_us/0", records(func(r *Records) { r.LastTokenUS[0] = new(int64(411_999)) })},
		{at + "/records/done_us/0", records(func(r *Records) { r.DoneUS[0] = new(int64(8_999_999)) })},
		{at + "/records/sent_us/0", records(func(r *Records) { r.SentUS[0] = new(int64(-1)) })},
		{at + "/records/done_us/1", records(func(r *Records) { r.DoneUS[1] = new(int64(most + 1)) })},
		{at + "/records/sent_us/1", records(func(r *Records) { r.SentUS[1] = nil })},
		{at + "/records/sent_us/1", records(func(r *Records) { r.FirstByteUS[1] = nil })},
		{at + "/records/sent_us/1", records(func(r *Records) { r.DoneUS[1] = nil })},
		{at + "/records/sent_us/3", records(func(r *Records) { r.SentUS[3] = nil })},
		{at + "/records/prompt_tokens/0", records(func(r *Records) { r.PromptTokens[0] = new(int64(-1)) })},
		{at + "/records/completion_tokens/1", records(func(r *Records) { r.CompletionTokens[1] = new(int64(most + 1)) })},
		{at + "/records/chunks/0", records(func(r *Records) { r.Chunks[0] = -1 })},
		{at + "/records/asked_prompt_tokens/0", records(func(r *Records) { r.AskedPromptTokens[0] = -1 })},
		{at + "/records/asked_output_tokens/0", records(func(r *Records) { r.AskedOutputTokens[0] = -1 })},

		{at + "/gaps_us/values", cell(func(c *Cell) { c.Gaps.Values = c.Gaps.Values[1:] })},
		{at + "/gaps_us/values/1", cell(func(c *Cell) { c.Gaps.Values, c.Gaps.Count = []int64{4, 0}, 4 })},
		{at + "/gaps_us/bucket/1", cell(func(c *Cell) { c.Gaps.Bucket[1] = 20 })},
		{at + "/gaps_us/bucket/0", cell(func(c *Cell) { c.Gaps.Bucket[0] = -1 })},
		{at + "/gaps_us/count", cell(func(c *Cell) { c.Gaps.Count = 5 })},
		{at + "/gaps_us/sum", cell(func(c *Cell) { c.Gaps.Sum = -1 })},
		{at + "/tokens_per_chunk/count", cell(func(c *Cell) { c.ChunkTokens.Count = 0 })},

		{at + "/server_counters/prefix_query_tokens", cell(func(c *Cell) { c.Counters.PrefixQueryTokens = new(int64(-1)) })},
		{at + "/server_counters/prefix_hit_tokens", cell(func(c *Cell) { c.Counters.PrefixHitTokens = new(int64(-1)) })},
		{at + "/server_counters/preemptions", cell(func(c *Cell) { c.Counters.Preemptions = new(int64(-1)) })},
		{at + "/server_counters/prompt_tokens", cell(func(c *Cell) { c.Counters.PromptTokens = new(int64(-1)) })},
		{at + "/server_counters/generation_tokens", cell(func(c *Cell) { c.Counters.GenerationTokens = new(int64(most + 1)) })},
		{at + "/client/held_ratio", cell(func(c *Cell) { c.Client.Held = new(1.1) })},
		{at + "/client/send_late_p99_us", cell(func(c *Cell) { c.Client.LateP99US = 9 })},
		{at + "/client/send_late_p99_us", cell(func(c *Cell) { c.Client.LateMaxUS = 89 })},
		{at + "/client/send_late_p99_us", cell(func(c *Cell) { c.Client.LateP50US = -1 })},
		{at + "/client/gc_pause_us", cell(func(c *Cell) { c.Client.GCPauseUS = -1 })},
		{at + "/client/resent", cell(func(c *Cell) { c.Client.Resent = -1 })},
		{at + "/client/coalesced", cell(func(c *Cell) { c.Client.Coalesced = -1 })},
		{at + "/energy_mj", cell(func(c *Cell) { c.EnergyMJ = new(int64(-1)) })},

		{"/calibration/1/when", func(b *Bundle) { b.Calibration[1].When = "during" }},
		{"/calibration/0/streams", func(b *Bundle) { b.Calibration[0].Streams = -1 }},
		{"/calibration/0/requests", func(b *Bundle) { b.Calibration[0].Requests = -1 }},
		{"/calibration/0/send_late_p99_us", func(b *Bundle) { b.Calibration[0].LateP99US = 11 }},
	}
	for _, c := range cases {
		b := sampleRun()
		c.edit(b)
		faults := validate(b)
		if !slices.ContainsFunc(faults, func(f tomlfile.Fault) bool { return f.Key == c.key }) {
			t.Errorf("no fault at %s, but %v", c.key, faults)
		}
		if len(faults) > 2 {
			t.Errorf("%s: one fault is reported %d times: %v", c.key, len(faults), faults)
		}
	}
}

// A request that was cancelled before it had a connection, or never got one, may
// lack the moment of sending.
func TestRecordsWithoutSending(t *testing.T) {
	t.Parallel()
	for _, outcome := range []string{OutcomeUnsent, OutcomeCancelled, OutcomeConnect} {
		b := sampleRun()
		b.Tests[0].Cells[0].Records.Outcome[4] = outcome
		if err := Validate(b); err != nil {
			t.Errorf("%s: %v", outcome, err)
		}
	}
	for _, outcome := range []string{OutcomeTimeout, OutcomeHTTPStatus, OutcomeStreamError, OutcomeTruncated, OutcomeMalformed, OutcomeOK} {
		b := sampleRun()
		b.Tests[0].Cells[0].Records.Outcome[4] = outcome
		if err := Validate(b); err == nil {
			t.Errorf("%s: accepted without a moment of sending", outcome)
		}
	}
}
