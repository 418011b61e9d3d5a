package compat

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"example.org/arena/loadgen/arrival"
)

// A VLLMSetup is what the result file of `vllm bench serve` says about a run
// beside its figures.
type VLLMSetup struct {
	End        time.Time // in the zone that the file is to name it in
	Backend    string    // "openai-chat"
	Label      string    // "" is null
	Model      string
	Tokenizer  string // "" is null
	Prompts    int
	Metadata   []Metadatum // in order; one with the name of another member goes the way of Python's dictionaries
	Burstiness float64
	Ramp       *arrival.Ramp
	Changes    []VLLMRateChange
	Drafts     *VLLMDrafts
	Detailed   bool // with the lists of every request
}

// A Metadatum is something that the user wanted to be in the file.
type Metadatum struct{ Name, Value string }

// A VLLMRateChange is the moment at which a ramp reached a whole number of
// requests per second.
type VLLMRateChange struct {
	Rate int
	At   time.Time
}

// VLLMRateChanges returns when a ramp reached each whole rate: sent[i] is when
// request i was sent, start is the start of the schedule. There are none without
// a ramp.
func VLLMRateChanges(a arrival.Arrivals, start time.Time, sent []time.Time) []VLLMRateChange {
	if a.Ramp == nil {
		return nil
	}
	reached := int(a.Ramp.Start)
	changes := []VLLMRateChange{{reached, start}}
	for i, at := range sent {
		for now := int(a.RateAt(i)); reached < now; {
			reached++
			changes = append(changes, VLLMRateChange{reached, at})
		}
	}
	return changes
}

// VLLMDrafts are what a run added to the server's counters of speculative
// decoding.
type VLLMDrafts struct {
	Drafts   int
	Tokens   int   // drafted
	Accepted int   // of them
	At       []int // accepted at each position of a draft
}

// JSON returns the result file of `vllm bench serve`: a line without its end.
func (r VLLMRun) JSON(f VLLMFigures, s VLLMSetup) ([]byte, error) {
	members := s.head(r)
	members = append(members,
		member{"duration", f.Duration},
		member{"completed", f.Completed},
		member{"failed", f.Failed},
		member{"total_input_tokens", f.TotalInputTokens},
		member{"total_output_tokens", f.TotalOutputTokens},
		member{"request_throughput", f.RequestThroughput},
		member{"request_goodput", goodput(f.RequestGoodput)},
		member{"output_throughput", f.OutputThroughput},
		member{"total_token_throughput", f.TotalTokenThroughput})
	if s.Detailed {
		members = append(members, r.lists(f)...)
	}
	members = append(members,
		member{"max_output_tokens_per_s", f.MaxOutputTokensPerS},
		member{"max_concurrent_requests", f.MaxConcurrentRequests},
		member{"rtfx", 0.}) // of audio, which has no requests here
	members = append(members, s.changes()...)
	members = append(members, s.Drafts.members()...)
	for _, l := range f.Latencies {
		members = append(members, l.members()...)
	}
	data, err := pythonJSON(merge(members), "")
	if err != nil {
		return nil, fmt.Errorf("write result: %w", err)
	}
	return data, nil
}

// head returns what comes before the figures.
func (s VLLMSetup) head(r VLLMRun) []member {
	members := []member{
		{"date", s.End.Format("20060102-150405")},
		{"endpoint_type", s.Backend},
		{"backend", s.Backend},
		{"label", orNull(s.Label)},
		{"model_id", s.Model},
		{"tokenizer_id", orNull(s.Tokenizer)},
		{"num_prompts", s.Prompts},
	}
	for _, m := range s.Metadata {
		members = append(members, member{m.Name, m.Value})
	}
	rate, places := any(r.RequestRate), any(r.MaxConcurrency)
	if math.IsInf(r.RequestRate, 1) {
		rate = "inf"
	}
	if r.MaxConcurrency == 0 {
		places = nil
	}
	members = append(members, member{"request_rate", rate}, member{"burstiness", s.Burstiness}, member{"max_concurrency", places})
	if s.Ramp != nil {
		members = append(members,
			member{"ramp_up_strategy", string(s.Ramp.Shape)},
			member{"ramp_up_start_rps", whole(s.Ramp.Start)},
			member{"ramp_up_end_rps", whole(s.Ramp.End)})
	}
	return members
}

// whole returns a rate as the integer that the tool takes, where it is one.
func whole(rate float64) any {
	if rate == math.Trunc(rate) && math.Abs(rate) < 1e15 {
		return int(rate)
	}
	return rate
}

func goodput(rate *float64) any {
	if rate == nil {
		return nil
	}
	return *rate
}

// lists returns the values of every request.
func (r VLLMRun) lists(f VLLMFigures) []member {
	numbers := func(get func(VLLMOutput) float64) []any {
		return list(r.Outputs, func(o VLLMOutput) any { return get(o) })
	}
	members := []member{
		{"input_lens", list(r.Outputs, func(o VLLMOutput) any { return o.PromptTokens })},
		{"output_lens", list(f.OutputLens, plain[int])},
		{"ttfts", numbers(func(o VLLMOutput) float64 { return o.TTFT })},
		{"itls", list(r.Outputs, func(o VLLMOutput) any { return list(o.ITL, plain[float64]) })},
	}
	if r.Release.has(v29) {
		members = append(members, member{"latencies", numbers(func(o VLLMOutput) float64 { return o.Latency })})
	}
	members = append(members, member{"start_times", numbers(func(o VLLMOutput) float64 { return o.Start })})
	if r.Release.has(v29) {
		members = append(members, member{"queue_times", numbers(func(o VLLMOutput) float64 { return o.QueueTime })})
	}
	return append(members,
		member{"generated_texts", list(r.Outputs, func(o VLLMOutput) any { return o.Text })},
		member{"errors", list(r.Outputs, func(o VLLMOutput) any { return o.Error })})
}

func (s VLLMSetup) changes() []member {
	if len(s.Changes) == 0 {
		return nil
	}
	return []member{{"rps_change_events", list(s.Changes, func(c VLLMRateChange) any {
		return []member{{"rps", c.Rate}, {"timestamp", isoFormat(c.At)}}
	})}}
}

// isoFormat returns a time as Python's datetime.isoformat does.
func isoFormat(t time.Time) string {
	if t.Nanosecond()/1000 == 0 {
		return t.Format("2006-01-02T15:04:05")
	}
	return t.Format("2006-01-02T15:04:05.000000")
}

// members returns the figures of speculative decoding, none when nothing was
// drafted.
func (d *VLLMDrafts) members() []member {
	if d == nil || d.Tokens <= 0 {
		return nil
	}
	length, positions := 0., []any{}
	if d.Drafts > 0 {
		length = 1 + float64(d.Accepted)/float64(d.Drafts)
		positions = list(d.At, func(n int) any { return float64(n) / float64(d.Drafts) })
	}
	return []member{
		{"spec_decode_acceptance_rate", float64(d.Accepted) / float64(d.Tokens) * 100}, // percent
		{"spec_decode_acceptance_length", length},
		{"spec_decode_num_drafts", d.Drafts},
		{"spec_decode_draft_tokens", d.Tokens},
		{"spec_decode_accepted_tokens", d.Accepted},
		{"spec_decode_per_position_acceptance_rates", positions},
	}
}

func (l VLLMLatency) members() []member {
	members := []member{
		{"mean_" + l.Metric + "_ms", l.Mean},
		{"median_" + l.Metric + "_ms", l.Median},
		{"std_" + l.Metric + "_ms", l.Std},
	}
	for _, p := range l.Percentiles {
		members = append(members, member{"p" + strconv.FormatFloat(p.P, 'f', -1, 64) + "_" + l.Metric + "_ms", p.Value})
	}
	return members
}
