package hostinfo

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"example.org/arena/results/bundle"
)

// A Sampler asks what the GPUs of this machine do, about once a second, from its
// start to its end. Where nothing answers it has no samples, and says so.
//
// A sample is of all GPUs of the machine: their powers and the memory in use are
// added up, of their temperatures it has the highest, of their clocks the lowest, of
// their utilisations the mean. What one of them does not tell is missing; of
// temperature, clock and utilisation, what the others tell counts.
type Sampler struct {
	interval time.Duration
	now      func() time.Time
	child    Child
	done     chan struct{} // closed when the child has ended and was freed
	failed   []bundle.Note // why there is no child

	mu       sync.Mutex
	cycle    cycle
	samples  []sample // ascending in time
	stopping bool
	err      error
}

// Field names, in the order in which they are asked for.
const (
	fieldIndex   = "index"
	fieldCount   = "count"
	fieldTime    = "timestamp"
	fieldPower   = "power.draw"
	fieldHeat    = "temperature.gpu"
	fieldClock   = "clocks.sm"
	fieldLimit   = "clocks.max.sm"
	fieldUse     = "utilization.gpu"
	fieldMemory  = "memory.used"
	fieldReasons = "clocks_event_reasons.active"
	fieldBefore  = "clocks_throttle_reasons.active" // fieldReasons, as drivers before 535 call it
)

var sampleFields = []string{
	fieldIndex, fieldCount, fieldTime, fieldPower, fieldHeat, fieldClock, fieldLimit, fieldUse, fieldMemory, fieldReasons,
}

// StartSampler starts to sample, every interval or every second if that is zero. It
// always returns a Sampler: [Sampler.Err] says what keeps it from sampling. The end
// of ctx ends it, as Stop does.
func StartSampler(ctx context.Context, sys System, interval time.Duration) *Sampler {
	sys = sys.complete()
	if interval <= 0 {
		interval = time.Second
	}
	s := &Sampler{interval: interval, now: sys.Now, done: make(chan struct{})}
	fields, out, err := askedFields(ctx, sys)
	if err == nil {
		s.child, err = sys.Start(ctx, gpuTool, "--query-gpu="+strings.Join(fields, ","), "--format=csv,noheader,nounits",
			"-lms", strconv.FormatInt(max(interval.Milliseconds(), 1), 10))
	}
	if err != nil {
		s.failed = []bundle.Note{toolFailure(sys, out, err)}
		s.err = fmt.Errorf("%s: %w", gpuTool, err)
		close(s.done)
		return s
	}
	s.cycle = cycle{fields: fields}
	go s.read()
	return s
}

var badField = regexp.MustCompile(`Field "([a-z_.]+)" is not a valid field`)

// askedFields returns the fields that this version of nvidia-smi knows, and its first
// answer: a query with one unknown field is refused as a whole.
func askedFields(ctx context.Context, sys System) (fields []string, out []byte, err error) {
	fields = slices.Clone(sampleFields)
	for range 2 * len(sampleFields) {
		out, err = sys.run(ctx, gpuTool, "--query-gpu="+strings.Join(fields, ","), "--format=csv,noheader,nounits")
		if err == nil {
			return fields, out, nil
		}
		m := badField.FindSubmatch(out)
		if m == nil {
			return nil, out, err
		}
		i := slices.Index(fields, string(m[1]))
		switch {
		case i < 0:
			return nil, out, err
		case fields[i] == fieldReasons:
			fields[i] = fieldBefore
		default:
			fields = slices.Delete(fields, i, i+1)
		}
	}
	return nil, out, err
}

// lineSize is the longest line that is read, in bytes.
const lineSize = 4 << 10

// read adds the lines of the program until it ends.
func (s *Sampler) read() {
	defer close(s.done)
	in := bufio.NewReaderSize(s.child.Out, lineSize)
	for {
		line, err := in.ReadSlice('\n')
		if err == nil {
			s.addLine(string(line), s.now())
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) { // a longer line is no sample
			break
		}
	}
	s.child.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.stopping {
		s.err = errors.New(gpuTool + " has ended by itself")
	}
}

// addLine adds a line and the time at which it arrived.
func (s *Sampler) addLine(text string, arrived time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sample, ok := s.cycle.addLine(text, arrived)
	if !ok {
		return
	}
	if n := len(s.samples); n > 0 && !sample.at.After(s.samples[n-1].at) {
		if sample.at = arrived; !arrived.After(s.samples[n-1].at) {
			return
		}
	}
	s.samples = append(s.samples, sample)
}

// Stop ends the sampling and what was started for it. The samples stay. It may be
// called twice.
func (s *Sampler) Stop() {
	s.mu.Lock()
	s.stopping = true
	s.mu.Unlock()
	if s.child.Stop != nil {
		s.child.Stop()
	}
	select {
	case <-s.done:
	case <-time.After(2 * grace): // it hangs in the driver, and cannot be ended
	}
}

// Err says why there are no samples, or none any more; nil while all is well and
// after Stop. It is for people, not for a bundle.
func (s *Sampler) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// between returns the samples of a span of time, its ends included, and the nearest
// ones before and after, if there are any.
func (s *Sampler) between(from, to time.Time) (inside []sample, before, after *sample) {
	s.mu.Lock()
	defer s.mu.Unlock()
	first, _ := slices.BinarySearchFunc(s.samples, from, func(x sample, t time.Time) int { return x.at.Compare(t) })
	last := first
	for last < len(s.samples) && !s.samples[last].at.After(to) {
		last++
	}
	if first > 0 {
		before = new(s.samples[first-1])
	}
	if last < len(s.samples) {
		after = new(s.samples[last])
	}
	return slices.Clone(s.samples[first:last]), before, after
}
