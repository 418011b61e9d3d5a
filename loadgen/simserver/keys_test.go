package simserver

import (
	"os"
	"strings"
	"testing"
	"time"
)

func TestSet(t *testing.T) {
	t.Parallel()
	o := Default().Request
	if err := o.Set("ttft_ms=0.5, itl_ms = 20,usage=none,,crlf=true, draft=2, acceptance=0.5 0.25, fault=status, fault_status=429, fault_gap_ms=1"); err != nil {
		t.Fatal(err)
	}
	want := Default().Request
	want.TTFT, want.ITL, want.Usage, want.CRLF = 500*time.Microsecond, 20*time.Millisecond, UsageNone, true
	want.Draft, want.Acceptance = 2, []float64{0.5, 0.25}
	want.Fault = Fault{Kind: FaultStatus, Status: 429, Gap: time.Millisecond}
	if len(o.Acceptance) != 2 || o.Acceptance[0] != 0.5 || o.Acceptance[1] != 0.25 {
		t.Errorf("acceptance %v", o.Acceptance)
	}
	o.Acceptance, want.Acceptance = nil, nil
	if got, want := optionsText(o), optionsText(want); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	err := o.Set("ttft_ms=soon, ttft_ms=-1, tokens=1.5, crlf=yes, usage=some, acceptance=x, colour=red, chunk")
	const all = `ttft_ms: "soon" is not a time in milliseconds
ttft_ms: "-1" is not a time in milliseconds
tokens: "1.5" is not an integer
crlf: "yes" is not true or false
usage: "some" is none of asked null always finish none
acceptance: "x" is not a number
colour: no such option
chunk: no value`
	if err == nil || err.Error() != all {
		t.Errorf("got %v\nwant %s", err, all)
	}
}

// optionsText tells two options without lists apart.
func optionsText(o Options) string {
	var b strings.Builder
	for _, p := range []any{o.TTFT, o.ITL, o.Usage, o.CRLF, o.Draft, o.Fault, o.Tokens, o.Chunk, o.Role} {
		b.WriteString(strings.TrimSpace(sprint(p)) + " ")
	}
	return b.String()
}

// Every key is told about in the documentation, with every choice.
func TestKeysDocumented(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../docs/simulated-server.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for line := range strings.Lines(string(data)) {
		if name, ok := strings.CutPrefix(line, "| `"); ok {
			name, rest, _ := strings.Cut(name, "`")
			rows[name] += rest
		}
	}
	for _, k := range Keys() {
		row, ok := rows[k.Name]
		if !ok {
			t.Errorf("no row for %s", k.Name)
		}
		for _, c := range k.Choices {
			if c != "" && !strings.Contains(row, "`"+c+"`") && rows[c] == "" {
				t.Errorf("no word about %s = %s", k.Name, c)
			}
		}
	}
	if len(Keys()) < 30 {
		t.Errorf("found %d keys", len(Keys()))
	}
}

func TestProblems(t *testing.T) {
	t.Parallel()
	c := Default()
	if p := c.Problems(); p != nil {
		t.Errorf("the default has problems: %v", p)
	}
	c.Engine = DefaultEngine()
	if p := c.Problems(); p != nil {
		t.Errorf("the default engine has problems: %v", p)
	}
	c.Model = "llama"
	c.KeepAlive, c.Senders, c.LogKeep, c.MaxModelLen = 0, 0, -1, 1
	c.Request.Tokens, c.Request.Hold, c.Request.Draft, c.Request.SplitGap = 0, 1, 1, -1
	c.Request.Fault.Status = 200
	c.Faults = []Rule{{Share: 2}, {Fault: Fault{Kind: FaultReset, After: -1}}}
	c.Engine.Steps = []StepTime{{2, 1}, {1, 0}}
	c.Engine.PrefillRate, c.Engine.MaxSeqs, c.Engine.MaxTokens, c.Engine.KVTokens = 0, 0, 0, 1
	got := map[string]bool{}
	for _, p := range c.Problems() {
		key, _, _ := strings.Cut(p.Error(), ": ")
		got[key] = true
	}
	for _, want := range []string{
		"model", "max_model_len", "keep_alive_ms", "senders", "log_keep",
		"request.tokens", "request.hold", "request.acceptance", "request.split_gap_ms", "request.fault_status",
		"fault[0].kind", "fault[0].share", "fault[1].share", "fault[1].after",
		"engine.step_batch", "engine.step_ms", "engine.prefill_tok_per_s", "engine.max_num_seqs", "engine.max_num_batched_tokens", "engine.kv_tokens",
	} {
		if !got[want] {
			t.Errorf("no problem at %s", want)
		}
		delete(got, want)
	}
	if len(got) > 0 {
		t.Errorf("problems that are none: %v", got)
	}
	if _, err := New(c); err == nil {
		t.Error("a server was made of it")
	}
}

// FuzzRequest: whatever a client sends is a request that can be answered, or is
// refused.
func FuzzRequest(f *testing.F) {
	f.Add([]byte(hello), "usage=none")
	f.Add([]byte(`{"prompt":[1,2],"max_tokens":3,"arena_sim":{"acceptance":[0.5],"draft":1}}`), "")
	f.Add([]byte(`{"messages":[{"role":"user","content":[{"type":"text","text":"x"}]}],"n":1,"stream_options":null}`), "tokens=x")
	f.Add([]byte(`{`), "=,=")
	c := Default()
	s := &Server{config: c, keys: newKeyTable()}
	f.Fuzz(func(t *testing.T, body []byte, header string) {
		for _, chat := range []bool{true, false} {
			opt := c.Request
			r, err := s.readRequest(body, header, chat, &opt)
			if err == nil && (r.prompt < 1 || len(opt.problems()) > 0 || r.limit < 0) {
				t.Errorf("%q, %q: %+v, %+v", body, header, r, opt)
			}
		}
	})
}
