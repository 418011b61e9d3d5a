package engine

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.org/arena/loadgen/simserver"
	"example.org/arena/results/bundle"
)

// TestWholeContracts: the whole of v2 and of v3 natively, in fake time. Every cell
// of every test is there, every request was answered, lengths are exact, and what
// the server does is what the bundle says.
func TestWholeContracts(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"v2", "v3"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := planOf(t, version)
				b := newBed(t, p, nil)
				defer b.server.Close()
				b.options.ShareGPT = conversations(t)
				b.options.File = &bundle.File{Name: "talks.json", SHA256: strings.Repeat("0a", 32), Bytes: 1}
				began := time.Now()
				out := b.run(t.Context(), t)
				t.Logf("%s in the server's time", time.Since(began))
				if len(out.Tests) != 11 {
					t.Fatalf("%d tests", len(out.Tests))
				}
				for i, test := range out.Tests {
					want := p.Tests[i]
					if test.Slug != want.Spec.Slug || len(test.Cells) != len(want.Cells) || test.Stopped != nil {
						t.Errorf("%s: %d cells of %d, stopped %v", test.Slug, len(test.Cells), len(want.Cells), test.Stopped)
					}
					for j := range test.Cells {
						checkCell(t, want.Cells[j].ID, &test.Cells[j], version)
					}
				}
			})
		})
	}
}

// checkCell looks whether a cell says what the simulated server did.
func checkCell(t *testing.T, id string, c *bundle.Cell, version string) {
	t.Helper()
	if *c.Requests.Failed != 0 || *c.Requests.Completed != *c.Requests.Planned || c.Records.Len() != *c.Requests.Planned {
		t.Errorf("%s: %d planned, %d completed, %d failed, %d records", id, *c.Requests.Planned, *c.Requests.Completed, *c.Requests.Failed, c.Records.Len())
	}
	for i := range c.Records.Outcome {
		r := c.Records
		if *r.PromptTokens[i] != r.AskedPromptTokens[i] {
			t.Errorf("%s, request %d: a prompt of %d tokens, and %d were asked for", id, i, *r.PromptTokens[i], r.AskedPromptTokens[i])
		}
		if *r.CompletionTokens[i] != r.AskedOutputTokens[i] {
			t.Errorf("%s, request %d: an answer of %d tokens, and %d were asked for", id, i, *r.CompletionTokens[i], r.AskedOutputTokens[i])
		}
		ttft, each := *r.FirstTokenUS[i]-*r.SentUS[i], *r.LastTokenUS[i]-*r.FirstTokenUS[i]
		if ttft < 200_000 || ttft > 200_100 {
			t.Errorf("%s, request %d: TTFT %d µs", id, i, ttft)
		}
		if want := 20_000 * (r.AskedOutputTokens[i] - 1); each < want-10 || each > want+10 {
			t.Errorf("%s, request %d: %d µs from the first token to the last, want %d", id, i, each, want)
		}
	}
	if c.Gaps == nil || c.Gaps.Count == 0 || c.ChunkTokens == nil {
		t.Errorf("%s: gaps %+v, tokens per chunk %+v", id, c.Gaps, c.ChunkTokens)
	}
	if (len(c.Reported) > 0) != (version == "v2") {
		t.Errorf("%s: %d figures in a tool's terms", id, len(c.Reported))
	}
	// The server answers a prompt of one token as fast as one of 25,000: what is left
	// of a response time after llama-benchy's subtraction can be next to nothing, and
	// the rate that it divides by that is none.
	for _, n := range c.Notes {
		if n.Code != NoteFigureLeftOut || !strings.HasPrefix(n.Args[0].Value, "pp_") {
			t.Errorf("%s: note %+v", id, n)
		}
	}
}

// TestSweepStops: a sweep ends after the rung whose p95 of TTFT is past the limit.
func TestSweepStops(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBed(t, planOf(t, "v3", "rate-sweep"), func(c *simserver.Config) {
			c.Engine = simserver.DefaultEngine()
			c.Engine.PrefixCache = false
			c.Engine.MaxSeqs = 6 // some 0.6 requests per second
			c.Engine.Steps = []simserver.StepTime{{Batch: 1, Time: 20 * time.Millisecond}}
		})
		defer b.server.Close()
		out := b.run(t.Context(), t)
		test := out.Tests[0]
		if test.Stopped == nil || test.Stopped.Reason != bundle.StopSaturated || len(test.Cells) < 3 || len(test.Cells) > 5 {
			t.Fatalf("%d cells, stopped %+v", len(test.Cells), test.Stopped)
		}
		for i := range test.Cells {
			if p95, last := percentile95(&test.Cells[i]), i == len(test.Cells)-1; (p95 > 10_000) != last {
				t.Errorf("rung %d: p95 %v ms", i, p95)
			}
		}
	})
}

// TestErrorsEndATest: a test whose requests fail for the most part ends there, and
// the next one is measured.
func TestErrorsEndATest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBed(t, planOf(t, "v3", "chat", "rag-8k"), func(c *simserver.Config) {
			// The short questions before the run and the first test's first cell come
			// first; after them, for a while, nothing works.
			rule := simserver.Rule{Fault: simserver.Fault{Kind: simserver.FaultError}}
			for n := 20; n < 50; n++ {
				rule.Requests = append(rule.Requests, n)
			}
			c.Faults = []simserver.Rule{rule}
		})
		defer b.server.Close()
		out := b.run(t.Context(), t)
		chat, rag := out.Tests[0], out.Tests[1]
		if chat.Stopped == nil || chat.Stopped.Reason != bundle.StopErrors || len(chat.Cells) == 3 {
			t.Errorf("chat: %d cells, stopped %+v", len(chat.Cells), chat.Stopped)
		}
		if rag.Stopped != nil || len(rag.Cells) != 3 {
			t.Errorf("rag-8k: %d cells, stopped %+v", len(rag.Cells), rag.Stopped)
		}
	})
}

// TestTimeLimit: no cell of a test begins after its limit.
func TestTimeLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBed(t, planOf(t, "v3", "chat", "rag-8k"), nil)
		defer b.server.Close()
		b.options.TestLimit = 3 * time.Minute
		out := b.run(t.Context(), t)
		chat, rag := out.Tests[0], out.Tests[1]
		if chat.Stopped == nil || chat.Stopped.Reason != bundle.StopTimeLimit || len(chat.Cells) != 2 {
			t.Errorf("chat: %d cells, stopped %+v", len(chat.Cells), chat.Stopped)
		}
		if rag.Stopped != nil || len(rag.Cells) != 3 {
			t.Errorf("rag-8k: %d cells, stopped %+v", len(rag.Cells), rag.Stopped)
		}
	})
}
