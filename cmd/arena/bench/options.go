package bench

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.org/arena/cmd/arena/bench/view"
	"example.org/arena/cmd/arena/exit"
	"example.org/arena/cmd/arena/store"
	"example.org/arena/engine/plan"
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
)

// Options are what a user asks for: the flags of arena bench.
type Options struct {
	BaseURL                   string // of the server; /v1 is added where it is missing
	Model                     string // Hugging Face id of the checkpoint
	ServedName                string // the server's name for the model
	KeyEnv                    string // environment variable with the API key
	CA                        string // file with the certificate authority of the server
	Platform, Profile         string
	Licence, Credit           string // of the results
	Contract                  string // version, or a TOML file; empty for the newest
	Only                      []string
	Runner                    string // one of Runners
	Container                 string // that the server runs in
	Metadata, Content         string // a file and a folder of what people state
	ShareGPT                  string // file of conversations
	Out                       string // folder to write below
	Resume                    string // journal of a run to continue, or NewestJournal
	Finish, DryRun            bool
	NoCalibration             bool
	Progress                  string        // one of view.Modes
	TestLimit, RequestTimeout time.Duration // the first 0 for no limit
	Given                     []Flag        // the flags that the user gave, by name
}

// A Flag is a flag as the user gave it.
type Flag struct{ Name, Value string }

// NewestJournal is the value of Options.Resume for the newest journal there is.
const NewestJournal = "newest"

// Runners are the values of Options.Runner.
var Runners = []string{"native", "tools", "both"}

// given reports whether the user gave a flag.
func (j *job) given(name string) bool {
	return slices.ContainsFunc(j.Given, func(f Flag) bool { return f.Name == name })
}

// check refuses flags that do not belong together.
func (j *job) check() error {
	switch {
	case !slices.Contains(Runners, j.Runner):
		return exit.Usagef("--runner %q: want native, tools or both", j.Runner)
	case !slices.Contains(view.Modes, j.Progress):
		return exit.Usagef("--progress %q: want auto, plain, json or none", j.Progress)
	case j.given("resume") && j.Resume == "":
		return exit.Usagef("--resume= names no journal")
	case j.Finish && j.Resume == "":
		return exit.WithHint(exit.Usagef("--finish needs the run that it finishes"), "give its journal with --resume")
	case j.Resume != "" && j.given("only"):
		return exit.Usagef("--resume continues the tests of its run: leave out --only")
	case j.Resume != "" && j.DryRun:
		return exit.Usagef("--resume and --dry-run do not go together")
	case j.RequestTimeout <= 0 || j.TestLimit < 0:
		return exit.Usagef("--request-timeout and --test-limit want a time above 0, as 30m")
	}
	for i := range j.Only {
		j.Only[i] = strings.TrimSpace(j.Only[i])
	}
	if j.Model != "" {
		if _, err := bundle.ModelSlug(j.Model); err != nil {
			return exit.Usagef("--model %w", err)
		}
	}
	return nil
}

// checkRunner refuses a runner that cannot measure the plan.
func (j *job) checkRunner(p *plan.Plan) error {
	if j.Runner == "both" && len(p.Tests) != 1 {
		return exit.WithHint(exit.Usagef("--runner both compares one test"), "name it with --only")
	}
	for _, t := range p.Tests {
		if j.Runner != "native" && t.Spec.Own() {
			return exit.WithHint(exit.Usagef("contract %s prescribes no command for %s: only the native runner measures it", p.Contract.Version, t.Spec.Slug),
				"leave out --runner, or measure contract v2")
		}
	}
	return nil
}

// contract returns the contract that is asked for, or the newest.
func (j *job) contract() (*contract.Contract, error) {
	if strings.HasSuffix(j.Contract, ".toml") {
		return readContract(j.Contract)
	}
	return j.program.Contract(j.Contract)
}

// readContract reads a contract that is being written: its file has no revision
// that a bundle could pin, so its runs cannot be published.
func readContract(file string) (*contract.Contract, error) {
	data, err := store.Read(file)
	if err != nil {
		return nil, exit.WithCode(exit.Usage, fmt.Errorf("--contract: %w", err))
	}
	k, err := contract.Parse(filepath.ToSlash(file), data)
	if err == nil {
		err = k.Validate()
	}
	return k, err
}
