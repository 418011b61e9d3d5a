package board

import (
	"testing"

	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
	"example.org/arena/results/verdict"
)

// ownCell is a cell of three repetitions, each of two requests per place, in which
// a token takes the given time.
func ownCell(concurrency int, perTokenUS int64) bundle.Cell {
	r := &bundle.Records{}
	at := func(v int64) *int64 { return &v }
	start := int64(0)
	for repetition := range 3 {
		for n := range 2 * concurrency {
			sent := start + int64(n/concurrency)*1024*perTokenUS
			last := sent + 1023*perTokenUS + int64(repetition)*1000
			r.Repetition = append(r.Repetition, repetition)
			r.ScheduledUS, r.SentUS = append(r.ScheduledUS, at(sent)), append(r.SentUS, at(sent))
			r.FirstByteUS, r.FirstTokenUS = append(r.FirstByteUS, at(sent)), append(r.FirstTokenUS, at(sent))
			r.FirstVisibleUS, r.LastTokenUS = append(r.FirstVisibleUS, at(sent)), append(r.LastTokenUS, at(last))
			r.DoneUS = append(r.DoneUS, at(last))
			r.AskedPromptTokens, r.AskedOutputTokens = append(r.AskedPromptTokens, 1024), append(r.AskedOutputTokens, 1024)
			r.PromptTokens, r.CompletionTokens = append(r.PromptTokens, at(1024)), append(r.CompletionTokens, at(1024))
			r.Chunks, r.Outcome = append(r.Chunks, 1024), append(r.Outcome, bundle.OutcomeOK)
		}
		start += 3 * 1024 * perTokenUS
	}
	return bundle.Cell{PromptTokens: 1024, OutputTokens: 1024, Concurrency: concurrency, Runs: 3, Records: r}
}

// A run of Arena's own ranks by the figures that follow from its requests, with
// their spread over repetitions, on a board of its own.
func TestOwnRunsRank(t *testing.T) {
	t.Parallel()
	c := testContract(t)
	item := func(id, model string, perTokenUS int64) Item {
		return Item{ID: id, Bundle: &bundle.Bundle{
			Kind: bundle.Run, StartedAt: "2026-08-14T10:00:00Z", Platform: "p", Profile: "bf16",
			Contract: &bundle.ContractPin{Version: c.Version, SHA256: c.Digest}, Model: bundle.Model{ID: model},
			Tests: []bundle.Test{{Slug: "chat", Cells: []bundle.Cell{ownCell(1, perTokenUS), ownCell(5, perTokenUS), ownCell(10, perTokenUS)}}},
		}}
	}
	in := Input{Items: []Item{item("a", "o/fast", 10_000), item("b", "o/slow", 20_000)}}
	in.Contracts = append(in.Contracts, c)
	set := Build(in)
	if len(set.Boards) != 1 || len(set.Boards[0].Rows) != 2 || !set.Boards[0].Ranked {
		t.Fatalf("boards: %+v", set.Boards)
	}
	b := &set.Boards[0]
	for i, want := range []struct {
		model string
		rank  int
		one   float64
	}{{"o/fast", 1, 100}, {"o/slow", 2, 50}} {
		r := &b.Rows[i]
		if r.Config.Model != want.model || r.Rank != want.rank {
			t.Errorf("row %d is %s with rank %d, want %s with %d (%v)", i, r.Config.Model, r.Rank, want.model, want.rank, r.Unranked)
		}
		one, _ := b.Column(ColumnOneUser)
		if v := b.Value(r, one); !v.Known || v.Number < 0.99*want.one || v.Number > want.one || v.Spread == nil || v.Spread.Of != verdict.Repetitions {
			t.Errorf("%s: one user gets %+v", want.model, v)
		}
		many, _ := b.Column(ColumnManyUsers)
		v := b.Value(r, many)
		if !v.Known || v.Metric != metric.Decode || v.Spread == nil || v.Spread.Of != verdict.Repetitions || v.N != 3 {
			t.Errorf("%s: many users get %+v", want.model, v)
		}
	}
	for _, it := range in.Items {
		if len(it.Bundle.Tests[0].Cells[0].Reported) != 0 || it.Bundle.Tests[0].Cells[0].Requests != nil {
			t.Error("the input was changed")
		}
	}
}
