package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"example.org/arena/content"
	"example.org/arena/engine"
	"example.org/arena/engine/hostinfo"
	"example.org/arena/engine/plan"
	"example.org/arena/engine/runner"
	"example.org/arena/loadgen/openai"
	"example.org/arena/loadgen/prompt"
	"example.org/arena/loadgen/simserver"
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/facts"
	"example.org/arena/results/ingest"
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

// stated puts together what is known before the server is asked: the metadata
// file, the flags, and what the project knows of the model and the platform.
func (f *benchFlags) stated(k *contract.Contract, host bundle.Host) (bundle.Bundle, error) {
	meta, err := readMetadataFile(f.metadata)
	if err != nil {
		return bundle.Bundle{}, err
	}
	simulated := strings.HasPrefix(cmp.Or(f.servedName, f.model), simserver.Prefix)
	b := bundle.Bundle{
		Format:   bundle.Format,
		Kind:     bundle.Run,
		Contract: &bundle.ContractPin{Version: k.Version, SHA256: k.Digest},
		Engine:   enginePin("native"),
		Draft:    meta.Draft,
		Server:   meta.Server,
		Host:     meta.Host,
		Notes:    meta.Notes,
	}
	if err := f.identify(&b, meta); err != nil {
		return b, err
	}
	known, err := f.known()
	if err != nil {
		return b, err
	}
	addKnown(&b, known, host)
	if simulated {
		addSimulated(&b)
	}
	if err := errors.Join(f.sensible(b, known), lacking(b)); err != nil {
		return b, err
	}
	if strings.HasSuffix(f.contract, ".toml") {
		if !simulated {
			return b, withHint(usagef("a contract from a file is tried out on the simulated server only: no revision of it can be pinned in a bundle"),
				"start arena sim, or commit the contract to content/contracts and build the program again")
		}
		return b, nil
	}
	pin, err := contractPin(k.Version, k.Digest)
	if err == nil {
		b.Contract = pin
	} else if !simulated {
		return b, err
	}
	return b, nil
}

// known returns what the project knows of models and platforms, or what is being
// written about others.
func (f *benchFlags) known() (*content.Content, error) {
	if f.content == "" {
		return content.Load(content.FS)
	}
	if info, err := os.Stat(f.content); err != nil || !info.IsDir() {
		return nil, usagef("--content %s is not a folder", f.content)
	}
	return content.Load(os.DirFS(f.content))
}

// identify takes what is said by flag or file; a thing that both say differently is
// an error.
func (f *benchFlags) identify(b *bundle.Bundle, meta ingest.Metadata) error {
	b.Model = meta.Model
	var faults []error
	for _, s := range []struct {
		flag, key, said, stated string
		into                    *string
	}{
		{"model", "model.id", f.model, meta.Model.ID, &b.Model.ID},
		{"served-model-name", "model.served_name", f.servedName, meta.Model.ServedName, &b.Model.ServedName},
		{"platform", "platform", f.platform, meta.Platform, &b.Platform},
		{"profile", "profile", f.profile, meta.Profile, &b.Profile},
		{"licence", "licence", f.licence, meta.Licence, &b.Licence},
		{"credit", "credit", f.credit, meta.Credit, &b.Credit},
		{"contract", "contract", f.contract, meta.Contract, new(string)},
	} {
		if s.said != "" && s.stated != "" && s.said != s.stated {
			faults = append(faults, fmt.Errorf("%s: %s is %q, but --%s says %q", f.metadata, s.key, s.stated, s.flag, s.said))
		}
		*s.into = cmp.Or(s.said, s.stated)
	}
	if len(faults) > 0 {
		return withCode(exitUsage, errors.Join(faults...))
	}
	return nil
}

// addKnown fills in what the project knows of the model and the platform.
func addKnown(b *bundle.Bundle, known *content.Content, host bundle.Host) {
	if m, c, ok := known.Catalog.Checkpoint(b.Model.ID); ok {
		b.Model.Quantisation = cmp.Or(b.Model.Quantisation, c.Precision)
		if m.Licence != nil {
			b.Model.Licence = cmp.Or(b.Model.Licence, m.Licence.Value)
		}
	}
	if b.Platform == "" {
		b.Platform = platformOf(known.Catalog.Platforms, host)
	}
	b.Profile = cmp.Or(b.Profile, strings.ToLower(b.Model.Quantisation))
	b.Licence = cmp.Or(b.Licence, resultsLicence)
}

// resultsLicence is the licence of results in this project.
const resultsLicence = "CC-BY-4.0"

// platformOf returns the only platform that has the machine's GPUs, or nothing.
func platformOf(platforms []facts.Platform, host bundle.Host) string {
	found := ""
	for _, p := range platforms {
		if p.Accelerator != host.GPU || p.Accelerators != host.GPUs {
			continue
		}
		if found != "" {
			return ""
		}
		found = p.ID
	}
	return found
}

// addSimulated fills in what a simulated model has no one to state.
func addSimulated(b *bundle.Bundle) {
	b.Kind = bundle.Simulated
	b.Model.ID = cmp.Or(b.Model.ID, b.Model.ServedName)
	b.Platform, b.Profile = cmp.Or(b.Platform, "simulated"), cmp.Or(b.Profile, "simulated")
	b.Credit = cmp.Or(b.Credit, "Arena's simulated server")
}

// stateable are the parts of a bundle that a user states, by their keys.
var stateable = []string{"/platform", "/profile", "/licence", "/credit", "/model/", "/draft/", "/server/", "/host/"}

// quantisationForm is what the name of a quantisation looks like.
var quantisationForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]{0,39}$`)

// sensible lists what is stated and cannot be right: better now than after hours.
func (f *benchFlags) sensible(b bundle.Bundle, known *content.Content) error {
	var faults []error
	add := func(format string, args ...any) {
		faults = append(faults, fmt.Errorf("%s: "+format, append([]any{cmp.Or(f.metadata, "flags")}, args...)...))
	}
	var invalid bundle.Faults
	if errors.As(bundle.Validate(&b), &invalid) {
		for _, fault := range invalid {
			stated := slices.ContainsFunc(stateable, func(key string) bool { return strings.HasPrefix(fault.Key, key) })
			if stated && fault.Code == bundle.CodeValue {
				add("%s: %s", strings.ReplaceAll(strings.TrimPrefix(fault.Key, "/"), "/", "."), fault.Message)
			}
		}
	}
	if q := b.Model.Quantisation; q != "" && !quantisationForm.MatchString(q) {
		add("model.quantisation: %q is no name of one, like nvfp4 or q4_k_m", q)
	}
	if _, ok := known.Catalog.Platform(b.Platform); b.Platform != "" && !ok && b.Kind != bundle.Simulated {
		var ids []string
		for _, p := range known.Catalog.Platforms {
			ids = append(ids, p.ID)
		}
		add("platform: there is no platform %q; known are %s, and a new one is a file in content/platforms: name your content folder with --content", b.Platform, strings.Join(ids, ", "))
	}
	if len(faults) == 0 {
		return nil
	}
	return withCode(exitUsage, errors.Join(faults...))
}

// lacking lists what has to be stated before a server is asked.
func lacking(b bundle.Bundle) error {
	var lines []string
	for _, s := range []struct{ value, how string }{
		{b.Model.ID, `the checkpoint: --model ORG/MODEL, or [model] id = "ORG/MODEL"`},
		{b.Platform, `the platform: --platform dgx-spark, or platform = "dgx-spark"`},
		{b.Profile, `the configuration's name: --profile nvfp4, or profile = "nvfp4"`},
		{b.Credit, `whom to name when the results are used: --credit NAME, or credit = "NAME"`},
	} {
		if s.value == "" {
			lines = append(lines, "  "+s.how)
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return withHint(usagef("state, by flag or in the file of --metadata:\n%s", strings.Join(lines, "\n")), "docs/measuring.md explains them")
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
