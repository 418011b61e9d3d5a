package board

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"math"
	"reflect"
	"testing"

	"example.org/arena/results/audit"
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/metric"
	"example.org/arena/results/verdict"
)

// entries returns entries of each kind: ranked, excluded, stopped early, without a
// contract, with infinite numbers and of Arena's own.
func entries(t testing.TB) []Entry {
	t.Helper()
	c := testContract(t)
	rules := verdict.Rules{Contracts: []*contract.Contract{c}}
	var out []Entry
	for _, r := range []run{
		{model: "o/m", profile: "a", speed: 10, std: 9, total: 20},
		{model: "o/m", profile: "sweep", speed: 10, change: func(b *bundle.Bundle) {
			b.Tests = append(b.Tests, bundle.Test{Slug: "rate-sweep", Cells: sweep(100, 200), Stopped: &bundle.Stop{Reason: bundle.StopErrors, Detail: "gone"}})
		}},
		{model: "o/m", profile: "failed", speed: 10, change: func(b *bundle.Bundle) {
			b.Tests = append(b.Tests, bundle.Test{Slug: "monday-peak", Cells: []bundle.Cell{arriving(1.5, 198, 102, single(metric.PeakConcurrency, 0))}})
		}},
		{model: "o/m", profile: "free", speed: 10, change: func(b *bundle.Bundle) { b.Contract = nil }},
		{model: "o/m", profile: "inf", change: func(b *bundle.Bundle) {
			b.Tests = []bundle.Test{{Slug: "office-baseline", Cells: []bundle.Cell{arriving(math.Inf(1), 200, 0, tails(metric.TTFT, 0, 0))}}}
		}},
		{model: "o/m", profile: "own", change: func(b *bundle.Bundle) {
			b.Kind, b.Tests = bundle.Run, []bundle.Test{{Slug: "chat", Cells: []bundle.Cell{ownCell(1, 10_000)}}}
			serving("vllm", true, "--max-len", "8")(b)
		}},
	} {
		it := r.item(c)
		run := rules.Judge(it.Bundle)
		out = append(out, EntryOf(it.ID, &run))
	}
	out[0].Values[0].At.RequestRate = math.Inf(1)
	out[0].Values[0].Findings = append(out[0].Values[0].Findings, audit.Finding{Args: []audit.Arg{{Name: "x", Number: math.Inf(-1)}}})
	return out
}

// kept writes an entry and reads it again.
func kept(e Entry) (out Entry, err error) {
	var data bytes.Buffer
	if err := gob.NewEncoder(&data).Encode(e); err != nil {
		return out, err
	}
	err = gob.NewDecoder(&data).Decode(&out)
	return out, err
}

// An entry that was kept is the same.
func TestEntryRoundTrip(t *testing.T) {
	t.Parallel()
	for _, want := range entries(t) {
		got, err := kept(want)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n got %+v\nwant %+v", want.ID, got, want)
		}
	}
}

// Boards of entries that were kept are the boards of the bundles, in whatever
// order they are added.
func TestBuilderOfKeptEntries(t *testing.T) {
	t.Parallel()
	list := entries(t)
	rules := verdict.Rules{Contracts: []*contract.Contract{testContract(t)}}
	var sets [2]Set
	for i := range sets {
		b := NewBuilder(rules, []Retraction{{ID: list[2].ID, Date: "2026-02-01", Reason: "x"}})
		for k := range list {
			e := list[k]
			if i == 1 {
				var err error
				if e, err = kept(list[len(list)-1-k]); err != nil {
					t.Fatal(err)
				}
				b.Add(e)
			}
			b.Add(e)
		}
		sets[i] = b.Finish()
	}
	if !reflect.DeepEqual(sets[0], sets[1]) {
		t.Errorf("the boards differ:\n%+v\n%+v", sets[0], sets[1])
	}
	equal(t, "rows", len(sets[0].Boards[0].Rows)+len(sets[0].Boards[1].Rows)+len(sets[0].Boards[2].Rows), 5)
	equal(t, "withdrawn", len(sets[0].Withdrawn), 1)
}

// BenchmarkFinish ranks five thousand configurations of which many cannot be told
// apart.
func BenchmarkFinish(b *testing.B) {
	list := entries(b)[:1]
	rules := verdict.Rules{Contracts: []*contract.Contract{testContract(b)}}
	b.ReportAllocs()
	for b.Loop() {
		builder := NewBuilder(rules, nil)
		for i := range 5000 {
			e := list[0]
			e.ID, e.Config.Profile = fmt.Sprint(i), fmt.Sprint(i)
			builder.Add(e)
		}
		set := builder.Finish()
		for _, c := range set.Boards[0].Columns {
			set.Boards[0].RankBy(c)
		}
	}
}
