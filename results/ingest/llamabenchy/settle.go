package llamabenchy

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest/scan"
	"example.org/arena/results/metric"
	"example.org/arena/results/privacy"
)

// settle derives what follows from everything that is known of a run: sizes of
// context loads, requests that left no trace, numbers of samples, and notes on
// what is missing. It works on a copy, since a further file may say more. Prompt and
// output are the sizes of cells that show none, 0 where nobody states them.
func (r *Report) settle(prompt, output int) {
	r.Cells = make([]bundle.Cell, len(r.cells))
	for i, c := range r.cells {
		c.Reported = slices.Clone(c.Reported)
		c.Notes = slices.Clone(c.Notes)
		r.Cells[i] = c
	}
	for i := range r.Cells {
		c := &r.Cells[i]
		if c.Phase == contextPhase && i+1 < len(r.Cells) {
			adoptSizes(c, r.Cells[i+1])
		}
		c.PromptTokens, c.OutputTokens = cmp.Or(c.PromptTokens, prompt), cmp.Or(c.OutputTokens, output)
		countRequests(c)
		for j := range c.Reported {
			countSamples(c, &c.Reported[j])
		}
		noteMissing(c)
	}
	r.Runs = sameRuns(r.Cells)
}

// adoptSizes gives a context load, whose rows show no sizes, those of the cell
// that uses the context.
func adoptSizes(load *bundle.Cell, next bundle.Cell) {
	if next.Phase == "" && next.DepthTokens == load.DepthTokens && next.Concurrency == load.Concurrency {
		load.PromptTokens = max(load.PromptTokens, next.PromptTokens)
		load.OutputTokens = max(load.OutputTokens, next.OutputTokens)
	}
}

// countRequests completes the counts of a cell of which only the requests with a
// response are known: the batches that gave results had so many more.
func countRequests(c *bundle.Cell) {
	q := c.Requests
	if q == nil || q.Completed == nil || q.Planned != nil || q.Failed != nil || c.Runs == 0 {
		return
	}
	planned := c.Runs * c.Concurrency
	failed := planned - *q.Completed
	if planned > scan.MaxCount || failed < 0 {
		return
	}
	c.Requests = &bundle.Requests{Planned: &planned, Completed: q.Completed, Failed: &failed}
}

// countSamples sets the number of samples of a figure, where it is certain:
// batches for the totals, requests for the rest. The tool drops a request from
// its prefill rates when the latency that it subtracts leaves nothing of the
// response time, and a batch from its totals when all its requests failed.
func countSamples(c *bundle.Cell, fig *bundle.Figure) {
	if fig.N != 0 || len(fig.Values) > 0 || fig.Mean == nil || c.Requests == nil || c.Requests.Completed == nil {
		return
	}
	requests, failed := *c.Requests.Completed, 0
	if c.Requests.Failed != nil {
		failed = *c.Requests.Failed
	}
	batches := c.Runs
	if failed >= c.Concurrency {
		batches = 0 // a whole batch may be lost
	}
	switch fig.Metric {
	case metric.Prefill:
		if c.Concurrency > 1 {
			fig.N = batches
		} else if allAboveZero(c.Reported, requests) {
			fig.N = requests
		}
	case metric.PrefillRequest:
		if allAboveZero(c.Reported, requests) {
			fig.N = requests
		}
	case metric.Decode, metric.Peak:
		fig.N = batches
	default:
		fig.N = requests
	}
}

// allAboveZero reports whether no sample of the estimated prefill time can be
// zero: of n samples with mean m and population deviation s, none lies further
// below m than s·√(n−1).
func allAboveZero(figures []bundle.Figure, n int) bool {
	const rounding = 0.01 // ms; the tool prints two decimals
	for _, fig := range figures {
		if fig.Metric == metric.EstimatedPrefill && fig.Mean != nil && fig.Std != nil && n > 0 {
			reach := float64((*fig.Std + rounding) * math.Sqrt(float64(n-1)))
			return *fig.Mean-reach > rounding
		}
	}
	return false
}

// noteMissing says which rates and sizes a cell lacks.
func noteMissing(c *bundle.Cell) {
	has := func(keys ...metric.Key) bool {
		return slices.ContainsFunc(c.Reported, func(fig bundle.Figure) bool { return slices.Contains(keys, fig.Metric) })
	}
	prefill := has(metric.Prefill, metric.PrefillRequest)
	decode := has(metric.Decode, metric.DecodeRequest)
	switch {
	case !prefill && !decode:
		c.Notes = append(c.Notes, bundle.NewNote(bundle.NoteRowsMissing, "missing", "pp+tg"))
	case !prefill:
		c.Notes = append(c.Notes, bundle.NewNote(bundle.NoteRowsMissing, "missing", "pp"))
	case !decode:
		c.Notes = append(c.Notes, bundle.NewNote(bundle.NoteRowsMissing, "missing", "tg"))
	}
	if c.PromptTokens == 0 {
		c.Notes = append(c.Notes, bundle.NewNote(bundle.NoteSizeUnknown, "what", "prompt"))
	}
	if c.OutputTokens == 0 {
		c.Notes = append(c.Notes, bundle.NewNote(bundle.NoteSizeUnknown, "what", "output"))
	}
}

// sameRuns returns the number of batches that every cell has, or 0.
func sameRuns(cells []bundle.Cell) int {
	runs := 0
	for _, c := range cells {
		if runs != 0 && c.Runs != runs {
			return 0
		}
		runs = c.Runs
	}
	return runs
}

// report is what the log alone says: cells without figures.
func (b *log) report(file string) Report {
	r := Report{
		File:              file,
		Line:              max(1, b.line),
		Tool:              bundle.Tool{Name: Tool, Version: b.version},
		Date:              b.date,
		LatencyMode:       b.mode,
		TokenizerFallback: b.fallback,
		CorpusTokens:      b.corpusTokens,
		Model:             b.model,
		Argv:              b.argv,
		PrefixCaching:     b.prefixCaching,
		savedTo:           b.savedTo,
		latencyDigits:     scan.DecimalsOf(b.latencyMS),
		fromLog:           true,
	}
	if b.latencyMS != "" {
		r.LatencyMS = scan.PlainFloat(b.latencyMS)
	}
	if r.Date == "" {
		r.Date = b.footDate
	} else if b.footDate != "" && b.footDate != b.date {
		r.Notes = append(r.Notes, bundle.NewNote(bundle.NoteTextDiffers, "what", "date", "first", b.date, "second", b.footDate))
	}
	if b.fallback != "" {
		r.Notes = append(r.Notes, bundle.NewNote(bundle.NoteTokenizerFallback, "tokenizer", b.fallback))
	}
	if b.tokenCount != "" {
		r.Notes = append(r.Notes, bundle.NewNote(bundle.NoteTokenCount, "method", b.tokenCount))
	}
	for i, word := range b.argv {
		if flag, ok := strings.CutSuffix(word, "="+privacy.Removed); ok {
			r.Notes = append(r.Notes, bundle.NewNote(bundle.NoteSecretRemoved, "flag", flag))
		} else if word == privacy.Removed && i > 0 {
			r.Notes = append(r.Notes, bundle.NewNote(bundle.NoteSecretRemoved, "flag", b.argv[i-1]))
		}
	}
	for _, p := range b.plan {
		r.cells = append(r.cells, p.cell())
	}
	return r
}

// llamaBenchy and llamaBench are the names of the tools.
const (
	Tool       = "llama-benchy"
	llamaBench = "llama-bench"
)
