package compat

import (
	"math"
	"testing"
	"testing/synctest"
	"time"

	"example.org/arena/loadgen"
	"example.org/arena/loadgen/arrival"
	"example.org/arena/loadgen/openai"
	"example.org/arena/loadgen/simserver"
	"example.org/arena/results/bundle"
)

// measure sends a schedule to a simulated server in fake time.
func measure(t *testing.T, s arrival.Schedule, edit func(o *simserver.Options)) []loadgen.Record {
	t.Helper()
	config := simserver.Default()
	config.Request.TTFT, config.Request.ITL = 250*time.Millisecond, 125*time.Millisecond
	edit(&config.Request)
	server, err := simserver.New(config)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	client, err := openai.New(openai.Options{BaseURL: "http://sim", DialContext: server.Dial})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	cell := loadgen.Cell{Schedule: s}
	for range s.Requests {
		body, err := openai.Params{Model: config.Model, OutputTokens: 9, IgnoreEOS: true, ContinuousUsage: true}.Chat([]openai.Message{{Role: "user", Content: "one two three"}})
		if err != nil {
			t.Fatal(err)
		}
		cell.Requests = append(cell.Requests, loadgen.Request{Body: body, PromptTokens: 3, OutputTokens: 9})
	}
	runner := loadgen.Runner{Sender: client, Pacer: loadgen.Timers{}, KeepGC: true, Connect: client.Warm}
	run, err := runner.Run(t.Context(), cell)
	if err != nil {
		t.Fatal(err)
	}
	return run.Records
}

// TestFiguresOfAKnownServer: what the tools would have said about a server whose
// timing is known to the nanosecond, quirks included. Answers have nine tokens, the
// first after 250 ms and then one every 125 ms.
func TestFiguresOfAKnownServer(t *testing.T) {
	t.Parallel()
	type want struct {
		response, first, promptTime, prefillRequest, prefill float64 // llama-benchy: ms, ms, ms, tokens/s, tokens/s
		decodeRequest, decode, peak                          float64 // tokens/s
		ttft, tpot, itl                                      float64 // vLLM: ms, means
		completed, output                                    int
	}
	for _, c := range []struct {
		name string
		edit func(*simserver.Options)
		want want
	}{
		{"role with the first token", func(*simserver.Options) {}, want{
			250, 250, 125, 64, 64, 8, 16, 16,
			250, 125, 111.111111, 4, 36, // a gap of nothing from the role to the token counts
		}},
		{"role in the first token", func(o *simserver.Options) { o.Role = simserver.RoleIn }, want{
			250, 250, 125, 64, 64, 8, 16, 16,
			250, 125, 125, 4, 36,
		}},
		{"role early", func(o *simserver.Options) { o.Role = simserver.RoleEarly }, want{
			0, 250, 0, 0, 64, 8, 16, 16, // no prefill rate: nothing is left of the response time
			0, 156.25, 138.888889, 4, 36,
		}},
		{"three tokens per chunk", func(o *simserver.Options) { o.Chunk, o.Role = 3, simserver.RoleIn }, want{
			250, 250, 125, 64, 64, 8, 16, 24,
			250, 93.75, 375, 4, 36, // gaps are between chunks, not tokens
		}},
		{"errors inside the answer", func(o *simserver.Options) {
			o.Role = simserver.RoleIn
			o.Fault = simserver.Fault{Kind: simserver.FaultError, After: 5}
		}, want{
			250, 250, 125, 64, 64, 8, 16, 20, // answers all the same, to both tools
			250, 125, 125, 4, 20,
		}},
		{"connections that break inside the answer", func(o *simserver.Options) {
			o.Fault = simserver.Fault{Kind: simserver.FaultCut, After: 5}
		}, want{}}, // no answers, to neither tool
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := arrival.Synchronised(2, 1, 2)
				records := measure(t, s, c.edit)
				cell := BenchyCell{Concurrency: 2, ExpectedTokens: 8, Latency: 0.125, Batches: BenchyBatches(s, records)}
				b := cell.Figures()
				run := VLLMRun{
					Release: 26, Duration: VLLMDuration(records), Outputs: VLLMOutputs(26, records),
					Metrics: []string{"ttft", "tpot", "itl"},
				}
				f, err := run.Figures()
				if err != nil {
					t.Fatal(err)
				}
				got := want{
					mean(b, "ttfr"), mean(b, "e2e_ttft"), mean(b, "est_ppt"), mean(b, "pp_req_throughput"), mean(b, "pp_throughput"),
					mean(b, "tg_req_throughput"), mean(b, "tg_throughput"), mean(b, "peak_throughput"),
					mean(f, "ttft"), mean(f, "tpot"), math.Round(mean(f, "itl")*1e6) / 1e6, run.samples().completed, run.samples().output,
				}
				if got != c.want {
					t.Errorf("\ngot  %+v\nwant %+v", got, c.want)
				}
			})
		})
	}
}

// mean returns the mean of a figure, 0 without one.
func mean(figures []bundle.Figure, name string) float64 {
	f := named(figures, name)
	if f == nil {
		return 0
	}
	return *f.Mean
}
