package engine

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.org/arena/engine/plan"
	"example.org/arena/loadgen"
	"example.org/arena/loadgen/openai"
	"example.org/arena/loadgen/prompt"
	"example.org/arena/loadgen/simserver"
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
)

// load reads a contract of the project.
func load(t testing.TB, version string) *contract.Contract {
	t.Helper()
	name := filepath.Join("..", "content", "contracts", version+".toml")
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

// planOf plans tests of a contract.
func planOf(t testing.TB, version string, only ...string) *plan.Plan {
	t.Helper()
	p, err := plan.Make(load(t, version), only, "salt")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A bed is a simulated server in memory with what a run needs to be measured on
// it, in fake time.
type bed struct {
	server  *simserver.Server
	options Options
	events  []Event
}

func newBed(t *testing.T, p *plan.Plan, edit func(c *simserver.Config)) *bed {
	t.Helper()
	config := simserver.Default()
	config.Request.TTFT, config.Request.ITL = 200*time.Millisecond, 20*time.Millisecond
	config.MaxModelLen = 1 << 17
	if edit != nil {
		edit(&config)
	}
	server, err := simserver.New(config)
	if err != nil {
		t.Fatal(err)
	}
	b := &bed{server: server}
	b.options = Options{
		Plan: p,
		Stated: bundle.Bundle{
			Format: bundle.Format, Kind: bundle.Simulated, Platform: "simulated", Profile: "simulated",
			Licence: "CC-BY-4.0", Credit: "Nobody",
			Contract: &bundle.ContractPin{Version: p.Contract.Version, SHA256: p.Contract.Digest},
			Engine:   bundle.EnginePin{Version: "v0", Go: "go1"},
			Model:    bundle.Model{ID: config.Model},
		},
		Client:  openai.Options{BaseURL: "http://sim", DialContext: server.Dial},
		Journal: filepath.Join(t.TempDir(), "run.journal"),
		Timeout: time.Hour,
		Drain:   time.Minute,
		Pacer:   loadgen.Timers{},
		KeepGC:  true,
		Observe: func(e Event) { b.events = append(b.events, e) },
	}
	return b
}

// run measures to the end and returns the bundle.
func (b *bed) run(ctx context.Context, t *testing.T) *bundle.Bundle {
	t.Helper()
	out, err := b.try(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (b *bed) try(ctx context.Context) (*bundle.Bundle, error) {
	r, err := New(ctx, b.options)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if err := r.Measure(ctx); err != nil {
		return nil, err
	}
	return r.Bundle()
}

// conversations is a made-up file in ShareGPT's form.
func conversations(t *testing.T) *prompt.ShareGPT {
	t.Helper()
	var text strings.Builder
	text.WriteString("[")
	for i := range 300 {
		if i > 0 {
			text.WriteString(",")
		}
		text.WriteString(`{"conversations":[{"from":"human","value":"` + strings.Repeat("why is this so ", 5+i%40) +
			`"},{"from":"gpt","value":"` + strings.Repeat("because it is ", 10+i%60) + `"}]}`)
	}
	text.WriteString("]")
	file, err := prompt.ReadShareGPT(strings.NewReader(text.String()), int64(text.Len()), "talks.json")
	if err != nil {
		t.Fatal(err)
	}
	return file
}
