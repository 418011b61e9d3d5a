// Package engine runs a contract against a server and writes what it measured as
// one bundle.
//
// A run has four parts. [New] looks whether it can succeed before any hour is
// spent. [Run.Measure] measures cell after cell; each that is complete is kept in
// a journal at once, so that whatever ends the run costs one cell at most. A
// journal continues an earlier attempt, if nothing has changed. [Run.Bundle] puts
// the bundle together from the journal alone, whether the run was interrupted or
// not; [Run.Finish] removes the journal once the bundle is written.
//
// The package draws nothing: it tells an observer what happens, and what goes on
// can be asked for at any time. It judges no result.
//
// Times are time.Duration and time.Time; what is kept has the units of the bundle's
// keys.
package engine

import (
	"context"
	"errors"
	"sync"
	"time"

	"example.org/arena/engine/plan"
	"example.org/arena/engine/runner"
	"example.org/arena/loadgen"
	"example.org/arena/loadgen/openai"
	"example.org/arena/loadgen/prompt"
	"example.org/arena/results/bundle"
)

// Options say what is measured, where, and what is known about it beforehand.
type Options struct {
	Plan *plan.Plan

	// Stated is what the user says and nobody can ask the server: platform, profile,
	// licence, credit, model, and whatever of server, draft and host is not found
	// out. Its pins of contract and engine are complete.
	Stated bundle.Bundle

	Client   openai.Options // Model and API are set from the server
	ShareGPT *prompt.ShareGPT
	File     *bundle.File // of ShareGPT, for the record

	Tools *runner.Tools             // measures by the contract's own commands; nil measures natively
	Keep  func(output []byte) error // keeps an output of a tool under its hash, compressed; nil keeps none

	Journal   string        // path of the journal: a new file, or that of the run to be continued
	Resume    *Journal      // what it holds, when it is continued
	TestLimit time.Duration // no cell of a test begins later than this after the test's first; 0 is no limit
	Timeout   time.Duration // of one request
	Drain     time.Duration // how long answers under way may take when the run is interrupted

	Machine Machine

	// Calibrate checks the load generator against a simulated server; nil leaves it
	// out.
	Calibrate func(ctx context.Context, streams int) (bundle.Calibration, error)

	Observe func(Event)   // may be nil; called by one goroutine at a time
	Pacer   loadgen.Pacer // nil is the exact one
	KeepGC  bool
}

// A Machine says what can be found out about the machine and the server beside the
// server's API. Every field may be nil.
type Machine struct {
	Host   func(ctx context.Context) (bundle.Host, []bundle.Note)
	Server func(ctx context.Context) (bundle.Server, *bundle.Draft, []bundle.Note, error) // of the container
	Sample func(ctx context.Context) (Telemetry, error)                                   // starts samples of the GPU
	Free   func(dir string) (uint64, error)                                               // bytes that a file system has left
	Clock  Clock
}

// A Clock tells what is wrong with the clocks of the machine. Both may be nil.
type Clock struct {
	Sane func() []bundle.Note // why the time of day cannot be believed
	Step func() []bundle.Note // by what it was set since the last look
}

// Telemetry are samples of the GPU that are being taken.
type Telemetry interface {
	Between(from, to time.Time) *bundle.Telemetry // nil without a sample
	EnergyMJ(from, to time.Time) *int64           // millijoules; nil when not known
	Notes(from, to time.Time) []bundle.Note       // what slowed the GPU down
	Stop()
}

// A Run is a run that can begin.
type Run struct {
	options  Options
	client   *openai.Client
	native   *runner.Native
	facts    bundle.Bundle // everything but tests and calibrations
	found    server
	journal  *journalFile
	sampler  Telemetry
	progress loadgen.Progress

	mu    sync.Mutex // guards live
	live  Snapshot
	timed estimate
}

// A Refusal says why a run does not begin, and what to change.
type Refusal struct {
	Code   string // lower-case words joined by underscores
	Why    string
	Advice string
}

// Error implements error.
func (r *Refusal) Error() string { return r.Why }

// ErrServerGone says that the server stopped answering during a run.
var ErrServerGone = errors.New("the server no longer answers")

// Close ends what New started. The journal stays.
func (r *Run) Close() {
	if r.sampler != nil {
		r.sampler.Stop()
	}
	if r.journal != nil {
		r.journal.close()
	}
	if r.client != nil {
		r.client.Close()
	}
}

// emit gives an event to the observer, with the present time and place.
func (r *Run) emit(e Event) {
	if r.options.Observe == nil {
		return
	}
	e.At = time.Now()
	if e.Place == (Place{}) {
		r.mu.Lock()
		e.Place = r.live.Place
		r.mu.Unlock()
	}
	r.options.Observe(e)
}

// Snapshot says how the run goes. It may be called at any time, by anyone.
func (r *Run) Snapshot() Snapshot {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.live
	if s.Phase == Measuring || s.Phase == Stopping {
		p := &r.progress
		s.Sent, s.Done, s.Failed = int(p.Sent.Load()), int(p.Done.Load()), int(p.Failed.Load())
		s.Tokens = p.Tokens.Load()
		if n := p.Answers.Load(); n > 0 {
			s.MeanTTFT = time.Duration(p.TTFT.Load() / n)
		}
	}
	s.CellExpected, s.Remaining = r.timed.expected(s, time.Now())
	return s
}

// update changes the snapshot.
func (r *Run) update(change func(s *Snapshot)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.live)
}
