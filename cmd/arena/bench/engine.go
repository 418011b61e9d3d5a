package bench

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
	"strings"
	"time"

	"example.org/arena/cmd/arena/compress"
	"example.org/arena/cmd/arena/exit"
	"example.org/arena/cmd/arena/store"
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

// engineOptions turns flags and files into what the engine needs.
func (j *job) engineOptions(ctx context.Context, p *plan.Plan, old *engine.Journal) (engine.Options, error) {
	client, err := j.client()
	if err != nil {
		return engine.Options{}, err
	}
	machine, host := j.machine(ctx)
	stated, err := j.statedBundle(p.Contract, host)
	if err != nil {
		return engine.Options{}, err
	}
	o := engine.Options{
		Plan:      p,
		Stated:    stated,
		Client:    client,
		Resume:    old,
		TestLimit: j.TestLimit,
		Timeout:   j.RequestTimeout,
		Drain:     drainTime,
		Machine:   machine,
	}
	if !j.NoCalibration {
		o.Calibrate = j.calibrate
	}
	if j.ShareGPT != "" {
		if o.ShareGPT, o.File, err = openShareGPT(j.ShareGPT); err != nil {
			return engine.Options{}, err
		}
	}
	if o.Journal, err = j.journalPath(stated, old); err != nil {
		return engine.Options{}, err
	}
	if j.Runner == "tools" {
		o.Tools = j.tools(stated, client.Key)
		o.Keep = func(output []byte) error { return keepRaw(o.Journal, output) }
	}
	return o, nil
}

// journalPath returns where the journal lies: beside the coming bundle.
func (j *job) journalPath(b bundle.Bundle, old *engine.Journal) (string, error) {
	if old != nil {
		return old.Path, nil
	}
	b.StartedAt = time.Now().UTC().Format(time.RFC3339)
	place, err := bundle.Path(&b, nil)
	if err != nil {
		return "", exit.WithHint(exit.Usagef("%w", err), "platform, profile and model name the folder of the bundle")
	}
	name, _, _ := strings.Cut(path.Base(place), "-") // the time; there is no hash yet
	return filepath.Join(j.folder(b.Kind == bundle.Simulated), filepath.FromSlash(path.Dir(place)), name+JournalSuffix), nil
}

// client returns how the server is spoken to.
func (j *job) client() (openai.Options, error) {
	o := openai.Options{BaseURL: j.BaseURL, Timeout: j.RequestTimeout}
	if j.KeyEnv != "" {
		key := j.program.Getenv(j.KeyEnv)
		if key == "" {
			return o, exit.Usagef("--api-key-env: the environment has no variable %s, or it is empty", j.KeyEnv)
		}
		o.Key = openai.Secret(strings.TrimSpace(key)) // files end in a line end, and so do keys that come from them
	}
	if j.CA != "" {
		pem, err := os.ReadFile(j.CA)
		if err != nil {
			return o, exit.WithCode(exit.Usage, fmt.Errorf("--ca: %w", err))
		}
		o.RootCAs = x509.NewCertPool()
		if !o.RootCAs.AppendCertsFromPEM(pem) {
			return o, exit.Usagef("--ca: %s holds no certificate in PEM form", j.CA)
		}
	}
	return o, nil
}

// openShareGPT opens a file of conversations. It stays open for the run.
func openShareGPT(path string) (*prompt.ShareGPT, *bundle.File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, exit.WithCode(exit.Usage, fmt.Errorf("--sharegpt: %w", err))
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
func (j *job) machine(ctx context.Context) (engine.Machine, bundle.Host) {
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
		Clock: engine.Clock{Sane: func() []bundle.Note { return clock.Sane(j.program.Built) }, Step: clock.Check},
	}
	if j.Container != "" {
		m.Server = func(ctx context.Context) (bundle.Server, *bundle.Draft, []bundle.Note, error) {
			s, err := hostinfo.Container(ctx, system, j.Container)
			return s.Server, s.Draft, s.Notes, err
		}
	}
	return m, host
}

// tools returns the runner of the contract's own commands. An address that the user
// gave goes into them; without one they keep the contract's own.
func (j *job) tools(stated bundle.Bundle, key openai.Secret) *runner.Tools {
	url := ""
	if j.given("base-url") {
		url = j.BaseURL
	}
	return &runner.Tools{
		Names:     contract.Names{Model: stated.Model.ID, ServedName: cmp.Or(stated.Model.ServedName, stated.Model.ID)},
		BaseURL:   url,
		Container: j.Container,
		APIKey:    string(key),
		Private:   j.program.Private,
	}
}

// keepRaw keeps an output of a tool beside a journal, where its bundle will lie.
func keepRaw(journal string, output []byte) error {
	packed, err := compress.Gzip(output)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(output)
	_, err = store.Create(filepath.Join(filepath.Dir(journal), "raw", hex.EncodeToString(sum[:])+".gz"), packed)
	return err
}
