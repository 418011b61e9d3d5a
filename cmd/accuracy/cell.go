package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.org/arena/loadgen"
	"example.org/arena/loadgen/arrival"
	"example.org/arena/loadgen/openai"
	"example.org/arena/loadgen/simserver"
)

// A load is what one measurement sends.
type load struct {
	timing
	schedule arrival.Schedule
	tokens   int
	options  string // JSON object: what the simulated server is to do with every request
	faults   string // the same, instead, for three requests of ten
	during   func() // called once, when the first answers are half over; for two streams or more
	keepGC   bool

	processTime bool          // stamp arrivals in the client, and not by the kernel
	spread      time.Duration // see loadgen.Cell
}

// A measurement is what came of it.
type measurement struct {
	run     *loadgen.Run
	server  []simserver.Record // those of the measured requests
	started time.Time          // the zero of the server's offsets
	cpu     time.Duration      // of the server
}

// groups is how many lengths of prompts there are: they tell requests of the same
// moment apart.
const groups = 97

// measure sends a load to a server of its own.
func measure(ctx context.Context, l load) (*measurement, error) {
	server, err := start(ctx, l.timing)
	if err != nil {
		return nil, err
	}
	run, err := l.send(ctx, server.process.URL)
	header, records, endErr := server.end()
	if err != nil {
		return nil, err
	}
	if endErr != nil {
		return nil, endErr
	}
	if len(records) < warmups {
		return nil, fmt.Errorf("the server saw %d requests", len(records))
	}
	return &measurement{run, afterWarmup(records), header.Started, server.process.CPUTime()}, nil
}

// warmups is how many requests go before those that are measured.
const warmups = 2

func (l load) send(ctx context.Context, url string) (*loadgen.Run, error) {
	client, err := openai.New(openai.Options{BaseURL: url, ProcessTime: l.processTime})
	if err != nil {
		return nil, err
	}
	defer client.Close()
	r := &loadgen.Runner{Sender: client, Connect: client.Warm, KeepGC: l.keepGC}
	c := loadgen.Cell{Schedule: l.schedule, Timeout: time.Minute, Spread: l.spread}
	if c.Warmup, err = l.requests(warmups); err != nil {
		return nil, err
	}
	if c.Requests, err = l.requests(l.schedule.Requests); err != nil {
		return nil, err
	}
	if l.during != nil {
		whole := l.ttft + time.Duration(l.tokens)*l.itl
		timer := time.AfterFunc(whole+whole/2, l.during) // the warm-up takes as long as one answer
		defer timer.Stop()
	}
	return r.Run(ctx, c)
}

// requests returns n requests with prompts of groups lengths.
func (l load) requests(n int) ([]loadgen.Request, error) {
	params := openai.Params{Model: simserver.Prefix + "fixed", OutputTokens: l.tokens, IgnoreEOS: true}
	requests := make([]loadgen.Request, n)
	for i := range requests {
		options := l.options
		if l.faults != "" && i%10 < 3 {
			options = l.faults
		}
		if options != "" {
			params.Extra = map[string]json.RawMessage{simserver.OptionField: json.RawMessage(options)}
		}
		body, err := params.Chat([]openai.Message{{Role: "user", Content: "word" + strings.Repeat(" word", i%groups)}})
		if err != nil {
			return nil, err
		}
		requests[i] = loadgen.Request{Body: body, OutputTokens: l.tokens}
	}
	return requests, nil
}

// afterWarmup leaves out the first requests that arrived, and orders the rest by
// their arrival.
func afterWarmup(records []simserver.Record) []simserver.Record {
	var out []simserver.Record
	for _, r := range records {
		if r.Seq >= warmups {
			out = append(out, r)
		}
	}
	slices.SortFunc(out, func(a, b simserver.Record) int { return a.Seq - b.Seq })
	return out
}
