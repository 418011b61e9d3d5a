package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"time"

	"example.org/arena/loadgen/arrival"
	"example.org/arena/loadgen/prompt"
)

// A Size is how much something sends, and about how long it takes.
type Size struct {
	Requests     int   // turns of conversations each count
	PromptTokens int64 // 0 where a file of conversations decides
	OutputTokens int64
	Time         time.Duration
}

func (s Size) plus(o Size) Size {
	return Size{s.Requests + o.Requests, s.PromptTokens + o.PromptTokens, s.OutputTokens + o.OutputTokens, s.Time + o.Time}
}

// A Speed is what a server is taken to do, for estimates.
type Speed struct {
	Prefill float64 // prompt tokens per second, of all requests together
	Decode  float64 // output tokens per second of one request
}

// Size sums up a plan.
func (p *Plan) Size(v Speed) Size {
	var s Size
	for _, t := range p.Tests {
		s = s.plus(t.Size(v))
	}
	return s
}

// Size sums up a test.
func (t Test) Size(v Speed) Size {
	var s Size
	for _, c := range t.Cells {
		s = s.plus(c.Size(v))
	}
	return s
}

// Size sums up a cell. An open loop lasts as long as its schedule and one answer;
// a closed loop as long as its slots need for theirs.
func (c Cell) Size(v Speed) Size {
	var s Size
	for _, r := range c.Repetitions {
		s = s.plus(c.sizeOf(r, v))
	}
	return s
}

func (c Cell) sizeOf(r Repetition, v Speed) Size {
	s := Size{Requests: r.Schedule.Requests * max(len(c.Turns), 1)}
	for _, q := range r.Requests {
		if len(c.Turns) == 0 {
			s.PromptTokens += int64(q.Tokens)
			s.OutputTokens += int64(q.OutputTokens)
		}
		for _, t := range c.Turns {
			s.PromptTokens += int64(t.PromptTokens)
			s.OutputTokens += int64(t.OutputTokens)
		}
	}
	prefill := float64(s.PromptTokens) / v.Prefill
	if r.Schedule.Kind == arrival.Open {
		last := time.Duration(0)
		if n := len(r.Schedule.At); n > 0 {
			last = r.Schedule.At[n-1]
		}
		each := float64(s.OutputTokens) / float64(max(s.Requests, 1)) / v.Decode
		s.Time = last + seconds(each)
		if places := r.Schedule.MaxConcurrency; places > 0 {
			s.Time = max(s.Time, seconds(prefill+float64(s.OutputTokens)/v.Decode/float64(places)))
		}
		return s
	}
	s.Time = seconds(prefill + float64(s.OutputTokens)/v.Decode/float64(max(r.Schedule.Concurrency, 1)))
	return s
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// Longest returns the most tokens that prompt and answer of any request have
// together, 0 where only a file of conversations decides.
func (p *Plan) Longest() int {
	longest := 0
	for _, t := range p.Tests {
		for _, c := range t.Cells {
			longest = max(longest, c.Longest())
		}
	}
	return longest
}

// Longest is [Plan.Longest] for a cell.
func (c Cell) Longest() int {
	longest := 0
	for _, t := range c.Turns {
		longest = max(longest, t.PromptTokens+t.OutputTokens)
	}
	for _, r := range c.Repetitions {
		for _, q := range r.Requests {
			longest = max(longest, q.Tokens+q.OutputTokens)
		}
	}
	return longest
}

// Shortest returns the request with the shortest prompt, and whether there is one: a
// file of conversations may decide.
func (p *Plan) Shortest() (shortest prompt.RequestSpec, ok bool) {
	for _, c := range p.Cells() {
		for _, r := range c.Repetitions {
			for _, q := range r.Requests {
				if !ok || q.Tokens < shortest.Tokens {
					shortest, ok = q, true
				}
			}
		}
	}
	return shortest, ok
}

// Cells lists the cells of all tests, in order.
func (p *Plan) Cells() []Cell {
	var all []Cell
	for _, t := range p.Tests {
		all = append(all, t.Cells...)
	}
	return all
}

// Digest is the SHA-256 of everything that the plan sends, in hex: two plans with
// the same digest send the same.
func (p *Plan) Digest() string {
	h := sha256.New()
	fmt.Fprintf(h, "contract %s\nsalt %s\n", p.Contract.Digest, p.Salt)
	for _, c := range p.Cells() {
		c.write(h)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// write writes everything that a cell sends.
func (c Cell) write(w io.Writer) {
	fmt.Fprintf(w, "cell %s %v file %t\n", c.ID, c.Turns, c.FromFile)
	for _, q := range c.Warmup {
		fmt.Fprintf(w, "warm-up %s %d %t %d %d\n", q.Text, q.Seed, q.Bare, q.Tokens, q.OutputTokens)
	}
	for _, r := range c.Repetitions {
		fmt.Fprintf(w, "repetition %s %+v\n", r.Salt, r.Schedule)
		for _, q := range r.Requests {
			fmt.Fprintf(w, "%s %d %t %d %d\n", q.Text, q.Seed, q.Bare, q.Tokens, q.OutputTokens)
		}
	}
}
