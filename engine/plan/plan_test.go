package plan

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.org/arena/loadgen/arrival"
	"example.org/arena/loadgen/prompt"
	"example.org/arena/results/contract"
)

func read(t *testing.T, version string) *contract.Contract {
	t.Helper()
	name := filepath.Join("..", "..", "content", "contracts", version+".toml")
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	c, err := contract.Parse(name, data)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func planned(t *testing.T, version, salt string, only ...string) *Plan {
	t.Helper()
	p, err := Make(read(t, version), only, salt)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestEveryRequestIsPlanned: as many requests, of the lengths that the contract
// says, and every text that it names is there.
func TestEveryRequestIsPlanned(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"v1", "v2", "v3"} {
		p := planned(t, version, "salt")
		seen := map[string]bool{}
		for i, test := range p.Tests {
			if test.Spec.Slug != p.Contract.Tests[i].Slug || len(test.Cells) != len(test.Spec.Cells()) {
				t.Errorf("%s: %s has %d cells", version, test.Spec.Slug, len(test.Cells))
			}
			for _, c := range test.Cells {
				if seen[c.ID] {
					t.Errorf("%s: %s stands twice", version, c.ID)
				}
				seen[c.ID] = true
				checkCell(t, version, test.Spec, c)
			}
		}
	}
}

func checkCell(t *testing.T, version string, spec contract.Test, c Cell) {
	t.Helper()
	if want := repetitions(spec); len(c.Repetitions) != want {
		t.Errorf("%s, %s: %d repetitions, want %d", version, c.ID, len(c.Repetitions), want)
	}
	seeds := map[uint64]bool{}
	for _, r := range c.Repetitions {
		if !c.FromFile && len(r.Requests) != r.Schedule.Requests {
			t.Errorf("%s, %s: %d requests for a schedule of %d", version, c.ID, len(r.Requests), r.Schedule.Requests)
		}
		if spec.Open() && r.Schedule.Requests != c.Spec.Prompts {
			t.Errorf("%s, %s: %d requests, want %d", version, c.ID, r.Schedule.Requests, c.Spec.Prompts)
		}
		for i, q := range r.Requests {
			if _, err := prompt.Named(q.Text); err != nil {
				t.Errorf("%s, %s: %v", version, c.ID, err)
			}
			if seeds[q.Seed] {
				t.Errorf("%s, %s: a seed stands twice", version, c.ID)
			}
			seeds[q.Seed] = true
			if spec.Closed() && (q.Tokens != c.Spec.DepthTokens+c.Spec.PromptTokens || q.OutputTokens != c.Spec.OutputTokens) {
				t.Errorf("%s, %s, request %d: %d + %d tokens", version, c.ID, i, q.Tokens, q.OutputTokens)
			}
		}
	}
}

func repetitions(t contract.Test) int {
	if s, ok := t.Slots(); ok {
		return s.Repetitions
	}
	return 1
}

func TestShapes(t *testing.T) {
	t.Parallel()
	cell := func(p *Plan, id string) Cell {
		for _, c := range p.Cells() {
			if c.ID == id {
				return c
			}
		}
		t.Fatalf("no cell %s", id)
		return Cell{}
	}
	v2, v3 := planned(t, "v2", "salt"), planned(t, "v3", "salt")
	if c := cell(v2, "chat/1024/1024/c5"); c.Repetitions[0].Schedule.Kind != arrival.Batched || c.Repetitions[0].Schedule.Requests != 5*4 {
		t.Errorf("v2 sends batches, one to warm up: %+v", c.Repetitions[0].Schedule)
	}
	if c := cell(v2, "multi-turn/4+2048/512/c1"); c.Repetitions[0].Requests[0].Tokens != 2052 || c.Turns != nil {
		t.Errorf("v2's depth is four tokens: %+v", c)
	}
	if c := cell(v3, "chat/1024/1024/c5"); c.Repetitions[0].Schedule.Kind != arrival.Refill || c.Repetitions[2].Schedule.Requests != 5*2 {
		t.Errorf("v3 refills: %+v", c.Repetitions[0].Schedule)
	}
	c := cell(v3, "multi-turn/2048/512/c10")
	if len(c.Turns) != 5 || c.Turns[4] != (prompt.Turn{PromptTokens: 2048 + 4*(512+256), OutputTokens: 512}) || c.Longest() != 5120+512 {
		t.Errorf("v3's conversations have five turns: %+v", c.Turns)
	}
	if c := cell(v3, "chat/1024/1024/c5"); len(c.Warmup) != 5 || c.Warmup[0].OutputTokens != 16 || c.Warmup[0].Seed == c.Repetitions[0].Requests[0].Seed {
		t.Errorf("v3 warms up: %+v", c.Warmup)
	}
	if n := len(cell(v3, "monday-peak/r1.5").Warmup) + len(cell(v3, "sharegpt/r0.3").Warmup) + len(cell(v2, "chat/1024/1024/c5").Warmup); n != openWarmups {
		t.Errorf("%d requests warm up", n)
	}
	texts := map[string]bool{}
	for _, r := range cell(v3, "big-context/4096/256/c10").Repetitions {
		for _, q := range r.Requests {
			texts[q.Text] = true
		}
	}
	if len(texts) != 3 || !texts["code"] || !texts["data"] {
		t.Errorf("texts take turns: %v", texts)
	}
	if c := cell(v3, "monday-peak/r1.5"); c.MaxInFlight != 25 || len(c.Repetitions[0].Requests) != 300 {
		t.Errorf("a cap: %d in flight", c.MaxInFlight)
	}
	if c := cell(v3, "sharegpt/r0.3"); !c.FromFile || c.Longest() != 0 {
		t.Errorf("lengths come from a file: %+v", c)
	}
	sum := 0
	for _, q := range cell(v2, "office-baseline/r0.3").Repetitions[0].Requests {
		sum += q.OutputTokens
		if q.Bare != (q.Tokens < shortPrompt) {
			t.Errorf("a prompt of %d tokens has a task: %t", q.Tokens, !q.Bare)
		}
	}
	if sum != 97092 {
		t.Errorf("the seed fixes 97,092 output tokens, and %d are planned", sum)
	}
}

func TestOnly(t *testing.T) {
	t.Parallel()
	p := planned(t, "v3", "salt", "rate-sweep", "chat")
	if len(p.Tests) != 2 || p.Tests[0].Spec.Slug != "chat" || len(p.Tests[1].Cells) != 6 {
		t.Errorf("got %d tests", len(p.Tests))
	}
	if _, err := Make(read(t, "v3"), []string{"chat", "chess"}, ""); err == nil || !strings.Contains(err.Error(), `no test "chess": want one of chat, rag-8k`) {
		t.Errorf("got %v", err)
	}
}

// TestDigest: what is sent decides the digest, and nothing else.
func TestDigest(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]string{ // published contracts never change, and neither does what they send
		"v1": "f61fb357cadfc1847872b6dc75b83d5f68f77d19f07a2a39f02bda4af1092934",
		"v2": "4a00704225e7a7f6b0cd57010fdeea3846181abae2bb80e0c59d1d473ce0ad3a",
		"v3": "2ce4da205ba5f6016b15ff59b8bf06f71edf6c95fb33d7358548d51f36f8d5a6",
	} {
		if got := planned(t, version, "salt").Digest(); got != want {
			t.Errorf("%s: got the digest %s, want %s", version, got, want)
		}
	}
	want := planned(t, "v3", "salt").Digest()
	if got := planned(t, "v3", "salt").Digest(); got != want {
		t.Errorf("the same plan has the digests %s and %s", want, got)
	}
	other := planned(t, "v3", "salt")
	other.Tests[0].Cells[1].Repetitions[2].Requests[3].Tokens++
	for name, p := range map[string]*Plan{
		"another salt":     planned(t, "v3", "pepper"),
		"fewer tests":      planned(t, "v3", "salt", "chat"),
		"another contract": planned(t, "v2", "salt"),
		"another length":   other,
	} {
		if p.Digest() == want {
			t.Errorf("%s has the same digest", name)
		}
	}
}

func TestSize(t *testing.T) {
	t.Parallel()
	v := Speed{Prefill: 1024, Decode: 64}
	p := planned(t, "v3", "salt", "chat")
	got := p.Tests[0].Cells[1].Size(v) // 3 repetitions of 10 requests on 5 slots
	if want := (Size{30, 30 * 1024, 30 * 1024, 3 * (10*time.Second + 2*16*time.Second)}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	open := planned(t, "v3", "salt", "office-baseline").Size(v)
	if open.Requests != 200 || open.OutputTokens != 97092 || open.Time < 200*1000/300*time.Second || open.Time > 690*time.Second {
		t.Errorf("an open loop lasts as long as its schedule: %+v", open)
	}
	capped := planned(t, "v3", "salt", "monday-peak").Size(v)
	if capped.Time < 1000*time.Second {
		t.Errorf("a cap that the server cannot follow makes it longer: %+v", capped)
	}
}
