package stat

import (
	"slices"

	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
)

// rateKeys are the quantities that a repetition has as a whole.
var rateKeys = []metric.Key{
	metric.Prefill, metric.Decode, metric.Output, metric.Total, metric.RequestRate, metric.Duration,
}

// PerRepetition reports whether a figure that Figures computes of a closed loop has
// one sample per repetition of the cell.
func PerRepetition(key metric.Key) bool { return slices.Contains(rateKeys, key) }

// repetitions adds the figures that have a sample per repetition.
func (d *deriver) repetitions() {
	samples := map[metric.Key][]float64{}
	for _, places := range d.byRepetition() {
		for key, v := range d.rates(places) {
			samples[key] = append(samples[key], v)
		}
	}
	for _, key := range rateKeys {
		list := samples[key]
		if len(list) == 0 {
			continue
		}
		if d.open() {
			d.add(key, bundle.Figure{Value: &list[0]})
			continue
		}
		s := Summarize(list)
		if s.Mean == nil {
			continue
		}
		f := bundle.Figure{N: s.N, Mean: s.Mean, Values: list}
		if s.Std != nil {
			f.Std, f.StdKind = s.Std, Sample
		}
		d.add(key, f)
	}
}

// byRepetition returns the places of the requests of each repetition, in the order
// of their numbers. An open loop is one.
func (d *deriver) byRepetition() [][]int {
	numbers := map[int][]int{}
	for i := range d.records.Outcome {
		n := 0
		if len(d.records.Repetition) > 0 && !d.open() {
			n = d.records.Repetition[i]
		}
		numbers[n] = append(numbers[n], i)
	}
	var order []int
	for n := range numbers {
		order = append(order, n)
	}
	slices.Sort(order)
	var out [][]int
	for _, n := range order {
		out = append(out, numbers[n])
	}
	return out
}

// rates returns the rates of one repetition that are known.
func (d *deriver) rates(places []int) map[metric.Key]float64 {
	r, out := d.records, map[metric.Key]float64{}
	var answers []int
	for _, i := range places {
		if r.Outcome[i] == bundle.OutcomeOK {
			answers = append(answers, i)
		}
	}
	start := d.start(places)
	input, output := total(r.PromptTokens, answers), total(r.CompletionTokens, answers)
	set := func(key metric.Key, n int64, from, to *int64) {
		ms, ok := between(from, to)
		if v, ok := rate(n, ms, ok); ok {
			out[key] = v
		}
	}
	end := latest(r.DoneUS, answers)
	if ms, ok := between(start, end); ok {
		out[metric.Duration] = ms / 1000
	}
	set(metric.RequestRate, int64(len(answers)), start, end)
	if output != nil {
		set(metric.Output, *output, start, end)
		set(metric.Decode, *output-int64(len(answers)), earliest(r.FirstTokenUS, answers), latest(r.LastTokenUS, answers))
	}
	if input != nil && output != nil {
		set(metric.Total, *input+*output, start, end)
	}
	if !d.open() {
		first := d.batch(answers)
		if prompts := total(r.PromptTokens, first); prompts != nil {
			set(metric.Prefill, *prompts, start, latest(r.FirstTokenUS, first))
		}
	}
	return out
}

// start returns when the schedule of a repetition started.
func (d *deriver) start(places []int) *int64 {
	if d.open() {
		return new(int64(0))
	}
	if first := earliest(d.records.ScheduledUS, places); first != nil {
		return first
	}
	return earliest(d.records.SentUS, places)
}

// batch returns the answers that a repetition starts with: those that were sent
// before any of its answers had ended.
func (d *deriver) batch(answers []int) []int {
	ended := earliest(d.records.DoneUS, answers)
	return slices.DeleteFunc(slices.Clone(answers), func(i int) bool {
		sent := d.records.SentUS[i]
		return ended == nil || sent == nil || *sent >= *ended
	})
}

// earliest returns the first of the known moments, nil when there is none.
func earliest(column []*int64, places []int) *int64 {
	var out *int64
	for _, i := range places {
		if v := column[i]; v != nil && (out == nil || *v < *out) {
			out = v
		}
	}
	return out
}

// latest returns the last of the known moments, nil when there is none.
func latest(column []*int64, places []int) *int64 {
	var out *int64
	for _, i := range places {
		if v := column[i]; v != nil && (out == nil || *v > *out) {
			out = v
		}
	}
	return out
}
