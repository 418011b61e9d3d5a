package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.org/arena/engine/hostinfo"
	"example.org/arena/engine/runner"
	"example.org/arena/loadgen/openai"
	"example.org/arena/loadgen/prompt"
	"example.org/arena/loadgen/simserver"
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
)

// A server is what was found out about how to talk to it. It is part of a run's
// identity: another answer means other requests.
type server struct {
	ServedName string `json:"served_name"`
	MaxTokens  int    `json:"max_tokens,omitzero"` // of prompt and answer together; 0 when it does not say
	Length     string `json:"length"`              // what fixes the length of answers: ignore_eos, min_tokens or none
	Continuous bool   `json:"continuous_usage"`    // usage in every chunk
	NoCache    bool   `json:"cache_prompt_false"`  // requests ask llama.cpp not to reuse what it has computed
	Counting   string `json:"counting"`            // tokenize or usage
}

// New looks whether a run can succeed. It sends a few short requests, and one as
// long as the longest of the plan where the server does not say how long it may be.
// The error is a *Refusal when something has to be changed first. Close ends the
// run, whatever comes of it.
func New(ctx context.Context, o Options) (*Run, error) {
	r := &Run{options: o, facts: o.Stated}
	cells := o.Plan.Cells()
	r.timed = newEstimate(cells)
	r.live = Snapshot{Place: Place{Tests: len(o.Plan.Tests), Cells: len(cells)}, Started: time.Now(), MeanTTFT: -1}
	if err := r.preflight(ctx); err != nil {
		r.Close()
		return nil, err
	}
	if err := r.openJournal(); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// preflight goes through all checks, the cheap ones first.
func (r *Run) preflight(ctx context.Context) error {
	for _, check := range []func(context.Context) error{
		r.checkPlan, r.checkDisk, r.checkClock, r.checkModel, r.checkMachine, r.checkAnswers, r.checkCounting,
		r.checkContext, r.checkSense, r.checkCache, r.checkRecord,
	} {
		if err := check(ctx); err != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return err
		}
	}
	return nil
}

// pass reports a check that went well.
func (r *Run) pass(format string, args ...any) {
	r.tell(Event{Kind: Preflight, Message: fmt.Sprintf(format, args...)})
}

// warn reports what a person should know, and notes it in the bundle.
func (r *Run) warn(n bundle.Note, format string, args ...any) {
	r.facts.Notes = append(r.facts.Notes, n)
	r.tell(Event{Kind: Warning, Code: n.Code, Message: fmt.Sprintf(format, args...)})
}

func refuse(code, advice, format string, args ...any) error {
	return &Refusal{Code: code, Why: fmt.Sprintf(format, args...), Advice: advice}
}

// simulated reports whether the model is one of the simulated server's.
func (r *Run) simulated() bool { return strings.HasPrefix(r.found.ServedName, simserver.Prefix) }

// checkPlan looks whether everything is there that the plan needs.
func (r *Run) checkPlan(context.Context) error {
	p := r.options.Plan
	if len(p.Tests) == 0 {
		return refuse("no_tests", "name tests of the contract with --only", "the plan has no tests")
	}
	for _, t := range p.Tests {
		if needsFile(t.Spec) && r.options.ShareGPT == nil && r.options.Tools == nil {
			r.warn(bundle.Note{Code: NoteNoShareGPT, Args: []bundle.Setting{{Name: "test", Value: t.Spec.Slug}}},
				"test %s is left out: its prompts come from a ShareGPT file; give one with --sharegpt", t.Spec.Slug)
			if len(p.Tests) == 1 {
				return refuse("no_sharegpt_file", "give the file with --sharegpt", "test %s takes its prompts from a ShareGPT file", t.Spec.Slug)
			}
		}
	}
	return nil
}

func needsFile(t contract.Test) bool {
	return t.OpenLoop != nil && t.OpenLoop.Dataset == contract.ShareGPT
}

// enough is how many bytes a run may need at the most: the journal, the bundle and
// raw outputs of tools, several times over.
const enough = 256 << 20

// checkDisk looks whether the journal's folder can be written to, and has room.
func (r *Run) checkDisk(context.Context) error {
	dir := filepath.Dir(r.options.Journal)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return refuse("no_folder", "choose another folder with --out", "the folder for results cannot be made: %v", err)
	}
	probe, err := os.CreateTemp(dir, fmt.Sprintf(".arena-%d-probe-*", os.Getpid())) // a name that is swept up if the program is killed now
	if err != nil {
		return refuse("no_folder", "choose another folder with --out", "the folder for results cannot be written to: %v", err)
	}
	probe.Close()
	os.Remove(probe.Name())
	if r.options.Machine.Free == nil {
		return nil
	}
	free, err := r.options.Machine.Free(dir)
	if err == nil && free < enough {
		return refuse("disk_full", "free some, or choose another folder with --out", "%s has %d MB left, and a run may need %d", dir, free>>20, enough>>20)
	}
	return nil
}

// checkClock looks whether the time can be believed.
func (r *Run) checkClock(context.Context) error {
	if r.options.Machine.Clock.Sane == nil {
		return nil
	}
	for _, n := range r.options.Machine.Clock.Sane() {
		return refuse(n.Code, "set the clock of this machine, for example with timedatectl set-ntp true", "the clock of this machine says %s", time.Now().UTC().Format(time.RFC3339))
	}
	return nil
}

// checkModel looks whether the server answers, and which model it serves.
func (r *Run) checkModel(ctx context.Context) error {
	client, err := openai.New(r.options.Client)
	if err != nil {
		return refuse("bad_address", "give an address like http://127.0.0.1:8000 with --base-url", "%v", err)
	}
	r.client = client
	models, err := client.Models(ctx)
	if err != nil {
		return r.unreachable(err)
	}
	served, err := r.served(models)
	if err != nil {
		return err
	}
	r.found.ServedName, r.found.MaxTokens = served.ID, served.MaxModelLen
	r.facts.Model.ServedName = served.ID
	if r.simulated() {
		r.facts.Kind = bundle.Simulated
	} else {
		r.facts.Kind = bundle.Run
	}
	r.pass("the server serves %s", served.ID)
	options := r.options.Client
	options.Model = served.ID
	client.Close()
	r.client, err = openai.New(options)
	return err
}

// unreachable says why a server cannot be asked.
func (r *Run) unreachable(err error) error {
	var status *openai.StatusError
	if errors.As(err, &status) && (status.Status == 401 || status.Status == 403) {
		return refuse("no_key", "name the environment variable that holds the key with --api-key-env", "the server wants an API key: %v", err)
	}
	if strings.Contains(err.Error(), "x509:") || strings.Contains(err.Error(), "certificate") {
		return refuse("certificate", "name the file of its certificate authority with --ca", "the server's certificate is not trusted: %v", err)
	}
	return refuse("unreachable", "start the server, or say where it is with --base-url", "the server does not answer: %v", err)
}

// served picks the model: by its served name, by its id, or the only one.
func (r *Run) served(models []openai.Model) (openai.Model, error) {
	var ids []string
	for _, m := range models {
		ids = append(ids, m.ID)
	}
	for _, name := range []string{r.options.Stated.Model.ServedName, r.options.Stated.Model.ID} {
		if i := slices.Index(ids, name); name != "" && i >= 0 {
			return models[i], nil
		}
		if name != "" && name == r.options.Stated.Model.ServedName {
			return openai.Model{}, refuse("no_model", "name one of these with --served-model-name", "the server does not serve %q; it serves %s", name, listed(ids))
		}
	}
	if len(models) == 1 {
		return models[0], nil
	}
	return openai.Model{}, refuse("no_model", "say which one it is with --served-model-name", "the server serves %s", listed(ids))
}

func listed(ids []string) string {
	switch {
	case len(ids) == 0:
		return "no model"
	case len(ids) > 10:
		ids = append(slices.Clip(ids[:10]), fmt.Sprintf("and %d more", len(ids)-10))
	}
	quoted := make([]string, len(ids))
	for i, id := range ids {
		quoted[i] = fmt.Sprintf("%q", id)
	}
	return strings.Join(quoted, ", ")
}

// checkMachine finds out what runs on what.
func (r *Run) checkMachine(ctx context.Context) error {
	m := r.options.Machine
	if v, err := r.client.Version(ctx); err == nil {
		r.facts.Server.Name, r.facts.Server.Version = v.Engine, v.Version
	}
	if r.simulated() {
		r.facts.Server.Name = "arena-sim" // it answers as several engines do
	}
	settings, _ := hostinfo.CacheConfig(r.metrics(ctx))
	r.facts.Server.Settings = hostinfo.MergeSettings(settings, r.facts.Server.Settings)
	if m.Server != nil {
		found, draft, notes, err := m.Server(ctx)
		if err != nil {
			return refuse("no_container", "name the container that the server runs in with --container, or leave it out", "%v", err)
		}
		r.facts.Server = mergeServer(r.facts.Server, found)
		if r.facts.Draft == nil {
			r.facts.Draft = draft
		}
		r.facts.Notes = append(r.facts.Notes, notes...)
	}
	if r.facts.Server.Name == "" {
		return refuse("no_server_name", `state it in a file for --metadata: [server] name = "vllm", version = "0.26.0"`, "the server does not say what it is")
	}
	if m.Host != nil {
		host, notes := m.Host(ctx)
		r.facts.Host = mergeHost(r.facts.Host, host)
		for _, n := range notes {
			r.warn(n, "about this machine: %s", describe(n))
		}
	}
	r.pass("server %s %s", r.facts.Server.Name, r.facts.Server.Version)
	if gpu := r.facts.Host.GPU; gpu != "" {
		r.pass("machine %d × %s, driver %s", max(r.facts.Host.GPUs, 1), gpu, r.facts.Host.Driver)
	}
	return nil
}

// describe writes a note for the command line.
func describe(n bundle.Note) string {
	words := []string{strings.ReplaceAll(n.Code, "_", " ")}
	for _, a := range n.Args {
		words = append(words, a.Name+" "+a.Value)
	}
	return strings.Join(words, ", ")
}

// checkCounting finds out how prompts get their exact lengths.
func (r *Run) checkCounting(ctx context.Context) error {
	if r.options.Tools != nil {
		return nil // the tools count by themselves
	}
	counter, err := prompt.Endpoint{Client: r.client, Params: r.params()}.Counter(ctx)
	if err != nil {
		return refuse("no_counting", "use a server that has /tokenize or reports usage.prompt_tokens", "prompts cannot be given an exact length: %v", err)
	}
	r.found.Counting = "tokenize"
	if counter.Probes() {
		r.found.Counting = "usage"
	}
	r.native = &runner.Native{
		Client:   r.client,
		Maker:    &prompt.Maker{Counter: counter},
		Params:   r.params(),
		Free:     r.freeParams(),
		ShareGPT: r.options.ShareGPT,
		Seed:     r.options.Plan.Contract.Seed,
		Pacer:    r.options.Pacer,
		KeepGC:   r.options.KeepGC,
		Timeout:  r.options.Timeout,
		Drain:    r.options.Drain,
		Progress: &r.progress,
	}
	r.pass("prompts are counted by the server's %s", map[string]string{"tokenize": "own tokenizer", "usage": "reports of usage"}[r.found.Counting])
	return r.checkShortest(ctx)
}

// checkShortest makes the shortest prompt of the plan: chat templates can be longer
// than it.
func (r *Run) checkShortest(ctx context.Context) error {
	var shortest *prompt.Spec
	for _, c := range r.options.Plan.Cells() {
		for _, rep := range c.Repetitions {
			for _, q := range rep.Requests {
				if shortest == nil || q.PromptTokens < shortest.Tokens {
					shortest = new(q.Spec("shortest/" + r.options.Plan.Salt))
				}
			}
		}
	}
	if shortest == nil {
		return nil
	}
	if _, err := r.native.Maker.Make(ctx, *shortest); err != nil {
		return refuse("prompt_too_short", "use a chat template without a long preamble, or leave the test out with --only", "%v", err)
	}
	return nil
}

// checkContext looks whether the longest request fits.
func (r *Run) checkContext(ctx context.Context) error {
	longest := r.options.Plan.Longest()
	const advice = "start the server with a longer context (vLLM: --max-model-len, llama.cpp: -c, Ollama: num_ctx), or leave tests out with --only"
	switch {
	case r.found.MaxTokens > 0 && longest > r.found.MaxTokens:
		return refuse("context_too_short", advice, "the longest request has %d tokens, prompt and answer together, and the server allows %d", longest, r.found.MaxTokens)
	case r.found.MaxTokens > 0 || r.native == nil || longest == 0:
		return nil
	}
	return r.tryLongest(ctx, advice)
}

// checkRecord holds the bundle to be against the rules that a published one meets.
func (r *Run) checkRecord(context.Context) error {
	b := r.facts
	b.StartedAt = stamp(time.Now())
	b.Engine.Runner = r.runnerName()
	b.Tests = []bundle.Test{{Slug: r.options.Plan.Tests[0].Spec.Slug}}
	var lacking []string
	if err := bundle.Validate(&b); err != nil {
		var faults bundle.Faults
		if !errors.As(err, &faults) {
			return err
		}
		for _, f := range faults {
			lacking = append(lacking, strings.ReplaceAll(strings.TrimPrefix(f.Key, "/"), "/", ".")+" "+f.Message)
		}
	}
	if len(lacking) > 0 {
		return refuse("incomplete_record", "state them in a TOML file and give it with --metadata; docs/measuring.md has a template",
			"a bundle of this run would not be accepted:\n  %s", strings.Join(lacking, "\n  "))
	}
	if b.Engine.Dirty {
		r.warn(bundle.Note{Code: NoteDirtyEngine}, "this program was built from changed files: the run will not rank, and cannot be published")
	}
	return nil
}

func (r *Run) runnerName() string {
	if r.options.Tools != nil {
		return "tools"
	}
	return "native"
}
