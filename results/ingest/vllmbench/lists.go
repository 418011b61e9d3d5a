package vllmbench

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"example.org/arena/results/ingest/scan"
	"example.org/arena/results/metric"
)

// detailedKeys says which figure a per-request list belongs to; lists that are no
// latencies have none.
var detailedKeys = map[string]metric.Key{
	"ttfts": metric.TTFT, "latencies": metric.E2E, "itls": metric.ITL,
	"input_lens": "", "output_lens": "", "start_times": "", "queue_times": "",
	"generated_texts": "", "errors": "", "failed_requests": "",
}

// manyValues is the number of samples beyond which a cell keeps no list of
// them: a bundle is read whole by every reader of its page.
const manyValues = 100

// detailedLists takes in the per-request lists of --save-detailed: the times of
// successful requests as samples when they are few, everything else by length.
func (b *Builder) detailedLists(o scan.Object) {
	failed := failedIndexes(o.Find("errors"))
	for _, m := range o.Members {
		key, ok := detailedKeys[m.Key]
		if !ok || m.Value.Kind() != '[' {
			continue
		}
		list := scan.Elements(m.Value)
		if m.Key == "output_lens" {
			b.checkLengths(m, list)
		}
		if key == "" || key == metric.ITL || !b.samples(m, key, list, failed) {
			b.detailed = append(b.detailed, m.Key+"="+strconv.Itoa(len(list)))
		}
	}
	b.checkFailures(o, failed)
}

// samples stores the times of successful requests, in ms. It reports false when
// they are too many to keep.
func (b *Builder) samples(m scan.Member, key metric.Key, list []jsontext.Value, failed map[int]bool) bool {
	var values []float64
	for i, v := range list {
		if failed[i] {
			continue
		}
		seconds, ok := b.Number(scan.Member{Key: m.Key, Value: v, Line: m.Line})
		if !ok {
			return false
		}
		values = append(values, seconds*1000)
	}
	if len(values) == 0 {
		return len(list) == 0
	}
	if len(values) > manyValues {
		if fig := b.figures[key]; fig != nil {
			fig.N = len(values)
		}
		return false
	}
	fig := b.figure(key, strings.TrimSuffix(m.Key, "s"))
	fig.N, fig.Values = len(values), values
	return true
}

// failedIndexes returns which requests have an error message.
func failedIndexes(value jsontext.Value) map[int]bool {
	failed := map[int]bool{}
	for i, v := range scan.Elements(value) {
		if v.Kind() == '"' && scan.Unquote(v) != "" {
			failed[i] = true
		}
	}
	return failed
}

// checkLengths compares the sum of the output lengths with the stated total.
func (b *Builder) checkLengths(m scan.Member, list []jsontext.Value) {
	t := b.res.Cell.Tokens
	if t == nil || t.Output == nil {
		return
	}
	var sum int64
	for _, v := range list {
		n, ok := b.integer(scan.Member{Key: m.Key, Value: v, Line: m.Line})
		if !ok {
			return
		}
		sum += n
	}
	if sum != *t.Output {
		b.f.Add(m.Line, m.Key, "", "adds up to %d tokens, but total_output_tokens is %d", sum, *t.Output)
	}
}

// checkFailures compares the error messages with the stated count.
func (b *Builder) checkFailures(o scan.Object, failed map[int]bool) {
	r := b.res.Cell.Requests
	if r == nil || r.Failed == nil {
		return
	}
	if v := o.Find("errors"); v != nil && len(scan.Elements(v)) > 0 && len(failed) != *r.Failed {
		b.f.Add(b.line, "errors", "", "names %d failed requests, but failed is %d", len(failed), *r.Failed)
	}
	if v := o.Find("failed_requests"); v != nil && v.Kind() == '[' && len(scan.Elements(v)) != *r.Failed {
		b.f.Add(b.line, "failed_requests", "", "lists %d failed requests, but failed is %d", len(scan.Elements(v)), *r.Failed)
	}
}
