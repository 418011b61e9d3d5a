package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.org/arena/engine/hostinfo"
	"example.org/arena/loadgen/openai"
	"example.org/arena/loadgen/simserver"
	"example.org/arena/results/bundle"
)

// A server is how requests to the server are made, as the checks found out. It is part
// of a run's identity: a run that finds another answer would send other requests.
type server struct {
	ServedName string `json:"served_name"`
	MaxTokens  int    `json:"max_tokens,omitzero"` // of prompt and answer together; 0 when it does not say
	Length     string `json:"length"`              // what fixes the length of answers: ignore_eos, min_tokens or none
	Continuous bool   `json:"continuous_usage"`    // usage in every chunk
	NoCache    bool   `json:"cache_prompt_false"`  // requests ask llama.cpp not to reuse what it has computed
	Counting   string `json:"counting"`            // tokenize or usage
}

// simulated reports whether the model is one of the simulated server's.
func (r *Run) simulated() bool { return strings.HasPrefix(r.found.ServedName, simserver.Prefix) }

// firstAnswer is how long a server may take to say what it serves.
const firstAnswer = 30 * time.Second

// shortAnswer is how long a short question may take before the run: some servers load
// their model with the first one.
const shortAnswer = 5 * time.Minute

// checkModel looks whether the server answers, and which model it serves.
func (r *Run) checkModel(ctx context.Context) error {
	client, err := openai.New(r.options.Client)
	if err != nil {
		return refuse("bad_address", "give an address like http://127.0.0.1:8000 with --base-url", "%v", err)
	}
	r.client = client
	r.pass("asking the server which models it serves")
	quick, cancel := context.WithTimeoutCause(ctx, firstAnswer, fmt.Errorf("no answer within %s", firstAnswer))
	models, err := client.Models(quick)
	cancel()
	if err != nil {
		if cause := context.Cause(quick); ctx.Err() == nil && cause != nil && errors.Is(err, context.DeadlineExceeded) {
			err = cause
		}
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
	if id := r.options.Stated.Model.ID; id != served.ID && id != "" && r.options.Stated.Model.ServedName == "" {
		r.emit(Event{Kind: Warning, Code: "served_name_differs", Message: fmt.Sprintf("the only model that is served is called %q, and is taken for %s", served.ID, id)})
	} else {
		r.pass("the server serves %q", served.ID)
	}
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
	if status != nil {
		return refuse("no_api", "look at --base-url, and into the server's log", "what answers there is no OpenAI-compatible server that is ready: %v", err)
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

// mergeServer adds what the container says to what the server says; the server
// knows its version best.
func mergeServer(s, found bundle.Server) bundle.Server {
	s.Name, s.Version = cmp.Or(s.Name, found.Name), cmp.Or(s.Version, found.Version)
	s.Image, s.ImageDigest = cmp.Or(found.Image, s.Image), cmp.Or(found.ImageDigest, s.ImageDigest)
	if len(found.Argv) > 0 {
		s.Argv = found.Argv
	}
	if len(found.Env) > 0 {
		s.Env = found.Env
	}
	s.Settings = hostinfo.MergeSettings(s.Settings, found.Settings)
	return s
}

// mergeHost takes what was found out over what was stated, and keeps the rest.
func mergeHost(stated, found bundle.Host) bundle.Host {
	for _, f := range []struct{ into, from *string }{
		{&stated.GPU, &found.GPU},
		{&stated.Driver, &found.Driver},
		{&stated.VBIOS, &found.VBIOS},
		{&stated.CUDA, &found.CUDA},
		{&stated.OS, &found.OS},
		{&stated.Kernel, &found.Kernel},
		{&stated.Description, &found.Description},
	} {
		if *f.from != "" {
			*f.into = *f.from
		}
	}
	if found.GPUs > 0 {
		stated.GPUs = found.GPUs
	}
	if found.MemoryBytes > 0 {
		stated.MemoryBytes = found.MemoryBytes
	}
	return stated
}
