// Package llamacpptest runs a real llama.cpp in tests of several packages: the one that
// npm's node-llama-cpp has compiled, behind a thin OpenAI-compatible server of ours,
// with a tiny model that is made on the spot. The server notes what the engine itself
// counted, which passes neither HTTP nor a client.
//
// It needs Node 20 and the npm package of this package's testdata folder; see make
// test-engine.
package llamacpptest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"example.org/arena/loadgen/child"
)

// Variable is the environment variable that names the folder with the server and
// the npm package. Without it nothing is tested against a real engine.
const Variable = "ARENA_LLAMACPP"

// Options say what the server does.
type Options struct {
	Folder    string            // holds server.mjs and the npm package
	Work      string            // an empty folder, for the model and the log
	Sequences int               // answers at a time; 0 is 6
	Context   int               // tokens of each, prompt and answer together; 0 is 2048
	Answers   map[string]string // questions that the server answers itself: a model of random weights knows nothing
	Reuse     Reuse
}

// Reuse says whether an answer uses what the one before has computed.
type Reuse string

// When what is computed is used again.
const (
	Never  Reuse = ""      // the default
	Asked  Reuse = "asked" // unless the request says cache_prompt false, as llama.cpp's own server does it
	Always Reuse = "always"
)

// An Engine is a llama.cpp that runs.
type Engine struct {
	URL string // of its server

	server *child.Server
	log    string
}

// An Answer is what the engine itself counted of an answer. Moments are in
// nanoseconds on the engine's clock.
type Answer struct {
	User       string // as the request names its user
	Cold       bool   // the request said cache_prompt false
	Connection int
	Use        int   // of the connection, from 1
	Arrived    int64 // when the request had been read
	Gone       bool  // the client had gone before the answer was complete
	Prompt     int   // tokens, as it made them of the prompt
	Kept       int   // of these, from the answer before
	Tokens     int   // as the loop of the engine gave them
	Evaluated  int   // by the meter of the sequence: tokens that nothing was drawn after
	Sampled    int   // and those that something was
	Cells      int   // of llama.cpp's KV cache
	Times      []int64
}

// Sound reports whether the engine's counters agree with each other.
func (a Answer) Sound() bool {
	return a.Evaluated == a.Prompt-a.Kept-1 && a.Sampled == a.Tokens && a.Cells == a.Prompt+a.Tokens-1 && len(a.Times) == a.Tokens
}

// Counted is what an engine says when it ends.
type Counted struct {
	Answers []Answer // in the order of their ends
	Total   int      // all tokens that llama.cpp computed
}

// Start starts an engine. It ends with ctx, or by Stop.
func Start(ctx context.Context, o Options) (*Engine, error) {
	model, err := Model()
	if err != nil {
		return nil, err
	}
	file := filepath.Join(o.Work, "tiny.gguf")
	if err := os.WriteFile(file, model, 0o600); err != nil {
		return nil, err
	}
	answers, err := json.Marshal(o.Answers)
	if err != nil {
		return nil, err
	}
	e := &Engine{log: filepath.Join(o.Work, "log.jsonl")}
	e.server, err = child.Start(exec.CommandContext(ctx, "node", filepath.Join(o.Folder, "server.mjs"), "--model", file, "--log", e.log,
		"--sequences", strconv.Itoa(cmp.Or(o.Sequences, 6)), "--context", strconv.Itoa(cmp.Or(o.Context, 2048)), "--answers", string(answers),
		"--reuse", cmp.Or(string(o.Reuse), "never")))
	if err != nil {
		return nil, fmt.Errorf("llama.cpp: %w", err)
	}
	e.URL = e.server.URL
	return e, nil
}

// Stop ends the engine and returns what it counted.
func (e *Engine) Stop() (Counted, error) {
	var c Counted
	if err := e.server.Stop(); err != nil {
		return c, err
	}
	file, err := os.Open(e.log)
	if err != nil {
		return c, err
	}
	defer file.Close()
	for lines := json.NewDecoder(file); ; {
		var line struct {
			Answer
			Total *struct{ Batched, Alone int } // of the last line only
		}
		switch err := lines.Decode(&line); {
		case err != nil:
			return c, fmt.Errorf("read %s: %w", e.log, err)
		case line.Total != nil:
			c.Total = line.Total.Batched + line.Total.Alone
			return c, nil
		}
		c.Answers = append(c.Answers, line.Answer)
	}
}
