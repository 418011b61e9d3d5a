package runner

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"example.org/arena/engine/plan"
	"example.org/arena/loadgen"
	"example.org/arena/loadgen/arrival"
	"example.org/arena/results/contract"
)

// TestToolFigures: what a bundle of a native run of v1 or v2 holds of the tools' own
// figures, cell by cell. The golden file spells out a cell of each kind and has the
// hash of every other one.
func TestToolFigures(t *testing.T) {
	t.Parallel()
	spelt := map[string]bool{"v2 chat/1024/1024/c1": true, "v2 chat/1024/1024/c5": true, "v2 rate-sweep/r0.5": true}
	var cells []any
	for _, version := range []string{"v1", "v2"} {
		name := filepath.Join("..", "..", "content", "contracts", version+".toml")
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		c, err := contract.Parse(name, data)
		if err != nil {
			t.Fatal(err)
		}
		p, err := plan.Make(c, nil, "salt")
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range p.Tests {
			for _, cell := range test.Cells {
				id := version + " " + cell.ID
				figures, err := randomRun(cell, uint64(len(cells))).ToolFigures(test.Spec, 12.5)
				if err != nil {
					t.Fatalf("%s: %v", id, err)
				}
				text, err := json.Marshal(figures)
				if err != nil {
					t.Fatal(err)
				}
				line := map[string]any{"cell": id, "sha256": fmt.Sprintf("%x", sha256.Sum256(text))}
				if spelt[id] {
					delete(spelt, id)
					line["figures"] = figures
				}
				cells = append(cells, line)
			}
		}
	}
	if len(spelt) > 0 {
		t.Errorf("no contract has the cells %v", spelt)
	}
	got, err := json.MarshalIndent(cells, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	const name = "testdata/tool-figures.json"
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(name, got, 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s differs; UPDATE_GOLDEN=1 rewrites it\ngot:\n%s", name, got)
	}
}

// randomRun makes up what became of a cell: the same for the same seed. Some requests
// fail, some chunks carry several tokens and some none, and now and then the server
// does not count.
func randomRun(c plan.Cell, seed uint64) *Measured {
	rng := rand.New(rand.NewPCG(seed, 1))
	origin := time.Date(2026, 8, 9, 6, 0, 0, 0, time.UTC)
	s := c.Repetitions[0].Schedule
	run := &loadgen.Run{Origin: origin}
	for seq := range s.Requests {
		r := loadgen.Record{Request: loadgen.Request{Seq: seq, PromptTokens: 1000, OutputTokens: 20}, Result: loadgen.NoResult(), Warmup: s.Warmup(seq)}
		if s.Kind == arrival.Open {
			r.Due = s.At[seq]
			r.Queued = time.Duration(rng.IntN(3)) * time.Second
		} else {
			r.Due = time.Duration(seq/s.Concurrency) * time.Minute
		}
		r.Sent = r.Due + r.Queued + time.Duration(rng.IntN(1e6))
		answer(&r, rng)
		run.Records = append(run.Records, r)
	}
	return &Measured{Cell: c, Start: origin, End: origin.Add(lastEnd(run)), Runs: []*loadgen.Run{run}}
}

func answer(r *loadgen.Record, rng *rand.Rand) {
	at := r.Sent + time.Duration(rng.IntN(4e9)) + time.Millisecond
	r.FirstByte = at
	if rng.IntN(10) == 0 {
		r.Outcome, r.Error, r.Done = loadgen.HTTPStatus, "overloaded", at
		return
	}
	r.Outcome, r.Finish, r.Status = loadgen.OK, "length", 200
	r.Bare = append(r.Bare, at)
	tokens := 0
	r.CountedBy = []string{loadgen.ByContinuousUsage, loadgen.ByUsage, loadgen.ByChunks}[rng.IntN(3)]
	for range 5 + rng.IntN(10) {
		at += time.Duration(rng.IntN(3e8))
		n := 1 + rng.IntN(3)
		tokens += n
		r.Arrivals = append(r.Arrivals, loadgen.Arrival{At: at, Tokens: n})
	}
	r.FirstToken, r.LastToken, r.Chunks = r.Arrivals[0].At, at, len(r.Arrivals)
	r.Usage = at + time.Duration(rng.IntN(1e7))
	r.Done = r.Usage + time.Millisecond
	if r.CountedBy != loadgen.ByChunks {
		r.Result.PromptTokens, r.CompletionTokens = 900+rng.IntN(300), tokens
	}
}
