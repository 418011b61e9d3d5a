package stat

import (
	"cmp"
	"slices"

	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
)

// percentiles are those of a figure over requests. Where higher is better the slow
// tail is the low one, and stands beside the other.
var (
	percentiles = []float64{50, 90, 95, 99}
	slowTail    = []float64{1, 5, 10}
)

// A deriver collects the figures of a cell.
type deriver struct {
	cell    *bundle.Cell
	records *bundle.Records
	figures []bundle.Figure
}

// add adds a figure, named and measured as its metric is.
func (d *deriver) add(key metric.Key, f bundle.Figure) {
	m, _ := metric.Lookup(key)
	f.Metric, f.Name, f.Unit = key, string(key), m.Unit
	d.figures = append(d.figures, f)
}

// sorted returns the figures in the order of the metrics.
func (d *deriver) sorted() []bundle.Figure {
	place := map[metric.Key]int{}
	for i, m := range metric.All {
		place[m.Key] = i
	}
	slices.SortStableFunc(d.figures, func(a, b bundle.Figure) int { return cmp.Compare(place[a.Metric], place[b.Metric]) })
	return d.figures
}

// open reports whether arrivals did not wait for answers.
func (d *deriver) open() bool { return d.cell.RequestRate != nil }

// requests adds the figures over answered requests.
func (d *deriver) requests() {
	r := d.records
	d.addSampled(metric.TTFT, func(i int) (float64, bool) { return between(r.SentUS[i], r.FirstTokenUS[i]) })
	d.addSampled(metric.E2E, func(i int) (float64, bool) { return between(r.SentUS[i], r.LastTokenUS[i]) })
	if d.open() {
		d.addSampled(metric.TTFTScheduled, func(i int) (float64, bool) { return between(r.ScheduledUS[i], r.FirstTokenUS[i]) })
		d.addSampled(metric.E2EScheduled, func(i int) (float64, bool) { return between(r.ScheduledUS[i], r.LastTokenUS[i]) })
		if len(r.QueuedUS) > 0 {
			d.addSampled(metric.Queue, func(i int) (float64, bool) { return between(new(int64(0)), r.QueuedUS[i]) })
		}
	}
	d.addSampled(metric.TPOT, func(i int) (float64, bool) {
		ms, ok := between(r.FirstTokenUS[i], r.LastTokenUS[i])
		n := known(r.CompletionTokens[i])
		return ms / float64(max(n-1, 1)), ok && n > 1
	})
	d.addSampled(metric.DecodeRequest, func(i int) (float64, bool) {
		ms, ok := between(r.FirstTokenUS[i], r.LastTokenUS[i])
		return rate(known(r.CompletionTokens[i])-1, ms, ok)
	})
	d.addSampled(metric.OutputRequest, func(i int) (float64, bool) {
		ms, ok := between(r.SentUS[i], r.LastTokenUS[i])
		return rate(known(r.CompletionTokens[i]), ms, ok)
	})
}

// between returns the time from one moment to another, in milliseconds, and
// whether both are known and in order.
func between(from, to *int64) (float64, bool) {
	if from == nil || to == nil || *to < *from {
		return 0, false
	}
	return float64(*to-*from) / 1000, true
}

// known returns a count, 0 for one that is unknown.
func known(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}

// rate returns n per second over a time in milliseconds, and whether there is one.
func rate(n int64, ms float64, ok bool) (float64, bool) {
	if !ok || n <= 0 || ms <= 0 {
		return 0, false
	}
	return 1000 * float64(n) / ms, true
}

// addSampled adds a figure over the answered requests that have a sample.
func (d *deriver) addSampled(key metric.Key, sample func(i int) (float64, bool)) {
	var samples []float64
	for _, i := range answered(d.records) {
		if v, ok := sample(i); ok {
			samples = append(samples, v)
		}
	}
	s := Summarize(samples)
	if s.N == 0 || s.Mean == nil {
		return
	}
	f := bundle.Figure{N: s.N, Mean: s.Mean, Min: s.Min, Median: s.Median, Max: s.Max}
	if s.Std != nil {
		f.Std, f.StdKind = s.Std, Sample
	}
	for _, p := range percentilesOf(key) {
		if v, ok := s.Percentile(p); ok {
			f.Percentiles = append(f.Percentiles, bundle.Percentile{P: p, Value: v})
		}
	}
	d.add(key, f)
}

func percentilesOf(key metric.Key) []float64 {
	if m, ok := metric.Lookup(key); ok && m.Better == metric.HigherIsBetter {
		return slices.Concat(slowTail, percentiles)
	}
	return percentiles
}

// gaps adds the time between chunks.
func (d *deriver) gaps() {
	h := d.cell.Gaps
	if h == nil || h.Count < 1 || len(h.Bucket) != len(h.Values) {
		return
	}
	f := bundle.Figure{N: int(h.Count), Mean: new(float64(h.Sum) / float64(h.Count) / 1000)}
	for _, p := range percentiles {
		if v, ok := h.Percentile(p); ok {
			f.Percentiles = append(f.Percentiles, bundle.Percentile{P: p, Value: v / 1000})
		}
	}
	if v, ok := h.Percentile(50); ok {
		f.Median = new(v / 1000)
	}
	d.add(metric.ITL, f)
}

// peak adds the largest number of requests in flight.
func (d *deriver) peak() {
	type change struct {
		at int64
		by int
	}
	var changes []change
	for i, sent := range d.records.SentUS {
		if done := d.records.DoneUS[i]; sent != nil && done != nil {
			changes = append(changes, change{*sent, 1}, change{*done, -1})
		}
	}
	slices.SortFunc(changes, func(a, b change) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.by, b.by)) })
	now, most := 0, 0
	for _, c := range changes {
		now += c.by
		most = max(most, now)
	}
	if most > 0 {
		d.add(metric.PeakConcurrency, bundle.Figure{Value: new(float64(most))})
	}
}

// draft adds what the server accepted of the tokens that were proposed.
func (d *deriver) draft() {
	s := d.cell.Draft
	if s == nil {
		return
	}
	ratio, length := s.AcceptanceRatio, s.AcceptanceLength
	if s.DraftTokens > 0 {
		ratio = new(float64(s.AcceptedTokens) / float64(s.DraftTokens))
	}
	if s.Drafts > 0 {
		length = new(1 + float64(s.AcceptedTokens)/float64(s.Drafts))
	}
	if ratio != nil {
		d.add(metric.AcceptanceRate, bundle.Figure{Value: new(*ratio)})
	}
	if length != nil {
		d.add(metric.AcceptanceLength, bundle.Figure{Value: new(*length)})
	}
}

// energy adds what an output token took.
func (d *deriver) energy() {
	tokens := total(d.records.CompletionTokens, answered(d.records))
	if mj := d.cell.EnergyMJ; mj != nil && tokens != nil && *tokens > 0 {
		d.add(metric.Energy, bundle.Figure{Value: new(float64(*mj) / 1000 / float64(*tokens))})
	}
}
