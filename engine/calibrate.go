package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"example.org/arena/loadgen"
	"example.org/arena/loadgen/arrival"
	"example.org/arena/loadgen/openai"
	"example.org/arena/loadgen/simserver"
	"example.org/arena/results/bundle"
)

// The timing of a calibration, in the terms of the simulated server.
const (
	CalibrationTTFT = 50 * time.Millisecond
	CalibrationITL  = 10 * time.Millisecond

	calibrationTokens = 32
	calibrationRounds = 2
)

// A Simulated is a simulated server to calibrate against. Its answers have
// CalibrationTTFT and CalibrationITL.
type Simulated struct {
	Client openai.Options
	Pacer  loadgen.Pacer // nil is the exact one
	KeepGC bool

	// End ends the server and returns what it noted.
	End func() ([]simserver.Record, error)
}

// Calibrate sends a closed loop to a simulated server and compares what the load
// generator saw with what the server noted.
func (s Simulated) Calibrate(ctx context.Context, streams int) (bundle.Calibration, error) {
	run, err := s.send(ctx, streams)
	records, endErr := s.End()
	if err := errors.Join(err, endErr); err != nil {
		return bundle.Calibration{}, err
	}
	k := bundle.Calibration{
		Streams:   streams,
		Requests:  len(run.Records),
		LateP50US: run.Lateness.P50.Microseconds(),
		LateP99US: run.Lateness.P99.Microseconds(),
		LateMaxUS: run.Lateness.Max.Microseconds(),
	}
	seenFirst, seenEach, err := clientMeans(run.Records)
	if err != nil {
		return k, err
	}
	trueFirst, trueEach, err := serverMeans(records, len(run.Records))
	if err != nil {
		return k, err
	}
	k.TTFTErrorUS = (seenFirst - trueFirst).Microseconds()
	k.ITLErrorNS = (seenEach - trueEach).Nanoseconds()
	return k, nil
}

func (s Simulated) send(ctx context.Context, streams int) (*loadgen.Run, error) {
	client, err := openai.New(s.Client)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	body, err := openai.Params{Model: simserver.Prefix + "fixed", OutputTokens: calibrationTokens, IgnoreEOS: true}.
		Chat([]openai.Message{{Role: "user", Content: strings.Repeat("word ", 16)}})
	if err != nil {
		return nil, err
	}
	cell := loadgen.Cell{Schedule: arrival.ClosedLoop(streams, streams*calibrationRounds), Timeout: time.Minute}
	for range cell.Schedule.Requests {
		cell.Requests = append(cell.Requests, loadgen.Request{Body: body, OutputTokens: calibrationTokens})
	}
	r := loadgen.Runner{Sender: client, Pacer: s.Pacer, Connect: client.Warm, KeepGC: s.KeepGC}
	return r.Run(ctx, cell)
}

// clientMeans returns the mean time to first token and per token as the client saw them.
func clientMeans(records []loadgen.Record) (first, each time.Duration, err error) {
	for _, r := range records {
		if r.Outcome != loadgen.OK || r.Chunks < 2 {
			return 0, 0, fmt.Errorf("the simulated server's answer ended as %s: %s", r.Outcome, r.Error)
		}
		first += r.FirstToken - r.Sent
		each += (r.LastToken - r.FirstToken) / time.Duration(r.Chunks-1)
	}
	n := time.Duration(max(len(records), 1))
	return first / n, each / n, nil
}

// serverMeans returns the mean time to first token and per token as the server noted them.
func serverMeans(records []simserver.Record, want int) (first, each time.Duration, err error) {
	n := time.Duration(0)
	for _, r := range records {
		var begin, end time.Duration
		tokens := 0
		for _, e := range r.Events {
			if e.Tokens == 0 {
				continue
			}
			if tokens == 0 {
				begin = e.Sent
			}
			end = e.Sent
			tokens += e.Tokens
		}
		if r.Outcome != simserver.Complete || tokens < 2 {
			continue
		}
		n++
		first += begin - r.Arrived
		each += (end - begin) / time.Duration(tokens-1)
	}
	if int(n) != want {
		return 0, 0, fmt.Errorf("the simulated server noted %d answers, and %d were sent", n, want)
	}
	return first / n, each / n, nil
}
