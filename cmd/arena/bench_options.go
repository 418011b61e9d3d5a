package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"example.org/arena/engine"
	"example.org/arena/engine/hostinfo"
	"example.org/arena/engine/plan"
	"example.org/arena/engine/runner"
	"example.org/arena/loadgen/openai"
	"example.org/arena/loadgen/prompt"
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
)

// drainTime is how long answers under way may take when a run is interrupted. The
// cell that they belong to is lost all the same: it is the server that is spared.
const drainTime = 15 * time.Second

// newSalt draws what makes the prompts of a run differ from those of every other.
func newSalt() string {
	b := make([]byte, 8)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// options turns flags and files into what the engine needs.
func (f *benchFlags) options(ctx context.Context, p *plan.Plan, old *engine.Journal) (engine.Options, error) {
	client, err := f.client()
	if err != nil {
		return engine.Options{}, err
	}
	machine, host := f.machine(ctx)
	stated, err := f.stated(p.Contract, host)
	if err != nil {
		return engine.Options{}, err
	}
	o := engine.Options{
		Plan:      p,
		Stated:    stated,
		Client:    client,
		Resume:    old,
		TestLimit: f.testLimit,
		Timeout:   f.requestTimeout,
		Drain:     drainTime,
		Machine:   machine,
	}
	if !f.noCalibrate {
		o.Calibrate = calibrate
	}
	if f.sharegpt != "" {
		if o.ShareGPT, o.File, err = openShareGPT(f.sharegpt); err != nil {
			return engine.Options{}, err
		}
	}
	if o.Journal, err = f.journalPath(stated, old); err != nil {
		return engine.Options{}, err
	}
	if f.runner == "tools" {
		o.Tools = f.tools(stated, client.Key)
		o.Keep = func(output []byte) error { return keepRaw(o.Journal, output) }
	}
	return o, nil
}

// journalPath returns where the journal lies: beside the coming bundle.
func (f *benchFlags) journalPath(b bundle.Bundle, old *engine.Journal) (string, error) {
	if old != nil {
		return old.Path, nil
	}
	b.StartedAt = time.Now().UTC().Format(time.RFC3339)
	place, err := bundle.Path(&b, nil)
	if err != nil {
		return "", withHint(usagef("%w", err), "platform, profile and model name the folder of the bundle")
	}
	name, _, _ := strings.Cut(path.Base(place), "-") // the time; there is no hash yet
	return filepath.Join(f.folder(b.Kind == bundle.Simulated), filepath.FromSlash(path.Dir(place)), name+journalSuffix), nil
}

// client returns how the server is spoken to.
func (f *benchFlags) client() (openai.Options, error) {
	o := openai.Options{BaseURL: f.baseURL, Timeout: f.requestTimeout}
	if f.keyEnv != "" {
		key := os.Getenv(f.keyEnv)
		if key == "" {
			return o, usagef("--api-key-env: the environment has no variable %s, or it is empty", f.keyEnv)
		}
		o.Key = openai.Secret(strings.TrimSpace(key)) // files end in a line end, and so do keys that come from them
	}
	if f.ca != "" {
		pem, err := os.ReadFile(f.ca)
		if err != nil {
			return o, withCode(exitUsage, fmt.Errorf("--ca: %w", err))
		}
		o.RootCAs = x509.NewCertPool()
		if !o.RootCAs.AppendCertsFromPEM(pem) {
			return o, usagef("--ca: %s holds no certificate in PEM form", f.ca)
		}
	}
	return o, nil
}

// openShareGPT opens a file of conversations. It stays open for the run.
func openShareGPT(path string) (*prompt.ShareGPT, *bundle.File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, withCode(exitUsage, fmt.Errorf("--sharegpt: %w", err))
	}
	info, err := file.Stat()
	if err != nil {
		return nil, nil, err
	}
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return nil, nil, err
	}
	talks, err := prompt.ReadShareGPT(file, info.Size(), path)
	if err != nil {
		return nil, nil, err
	}
	return talks, &bundle.File{Name: filepath.Base(path), SHA256: hex.EncodeToString(h.Sum(nil)), Bytes: info.Size()}, nil
}

// machine returns how the machine is asked, and what it says of itself.
func (f *benchFlags) machine(ctx context.Context) (engine.Machine, bundle.Host) {
	var system hostinfo.System
	host, notes := hostinfo.Host(ctx, system)
	clock := hostinfo.NewClock(nil, nil)
	m := engine.Machine{
		Host: func(context.Context) (bundle.Host, []bundle.Note) { return host, notes },
		Sample: func(ctx context.Context) (engine.Telemetry, error) {
			s := hostinfo.StartSampler(ctx, system, time.Second)
			return s, s.Err()
		},
		Free:  freeBytes,
		Clock: engine.Clock{Sane: func() []bundle.Note { return clock.Sane(builtAt()) }, Step: clock.Check},
	}
	if f.container != "" {
		m.Server = func(ctx context.Context) (bundle.Server, *bundle.Draft, []bundle.Note, error) {
			s, err := hostinfo.Container(ctx, system, f.container)
			return s.Server, s.Draft, s.Notes, err
		}
	}
	return m, host
}

// builtAt returns the time of the revision that the program was built from, zero
// when it does not know.
func builtAt() time.Time {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return time.Time{}
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.time" {
			if t, err := time.Parse(time.RFC3339, s.Value); err == nil {
				return t
			}
		}
	}
	return time.Time{}
}

// tools returns the runner of the contract's own commands.
func (f *benchFlags) tools(stated bundle.Bundle, key openai.Secret) *runner.Tools {
	return &runner.Tools{
		Names:     contract.Names{Model: stated.Model.ID, ServedName: cmp.Or(stated.Model.ServedName, stated.Model.ID)},
		BaseURL:   f.toolURL,
		Container: f.container,
		APIKey:    string(key),
		Private:   privateWords(),
	}
}

// privateWords returns what outputs of tools must not keep: the name of this machine
// and the user's home folder.
func privateWords() []string {
	var words []string
	if name, err := os.Hostname(); err == nil && len(name) > 2 {
		words = append(words, name)
	}
	if home, err := os.UserHomeDir(); err == nil && len(home) > 1 {
		words = append(words, home)
	}
	return words
}

// keepRaw keeps an output of a tool beside a journal, where its bundle will lie.
func keepRaw(journal string, output []byte) error {
	packed, err := compress(output)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(output)
	_, err = createFile(filepath.Join(filepath.Dir(journal), "raw", hex.EncodeToString(sum[:])+".gz"), packed)
	return err
}
