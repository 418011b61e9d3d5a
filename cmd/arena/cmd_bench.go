package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"example.org/arena/engine"
	"example.org/arena/engine/plan"
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/tomlfile"
	"github.com/spf13/cobra"
)

// benchFlags are the flags of arena bench.
type benchFlags struct {
	baseURL, model, servedName  string
	toolURL                     string // baseURL, where it was given: the contract's own is no deviation
	keyEnv, ca                  string
	platform, profile           string
	licence, credit             string
	contract                    string
	only                        []string
	runner                      string
	container                   string
	metadata, sharegpt          string
	out                         string
	content                     string
	resume                      string
	finish, dryRun, noCalibrate bool
	progress                    string
	testLimit, requestTimeout   time.Duration
}

// newestJournal is the value of --resume without one.
const newestJournal = "newest"

func newBench() *cobra.Command {
	var f benchFlags
	c := &cobra.Command{
		Use:   "bench --base-url URL --model ORG/MODEL",
		Short: "Measure a served model by a contract and write one bundle",
		Long: "Bench runs the tests of a contract against an OpenAI-compatible server and writes\n" +
			"one bundle, which never changes. Before any hour is spent it looks whether the run\n" +
			"can succeed, and says what to change where it cannot.\n\n" +
			"Every cell that is complete is kept in a journal at once. Ctrl-C waits for the\n" +
			"answers under way; --resume continues a run that was interrupted, if contract,\n" +
			"model, server and program are the same, and --finish writes what there is. A second\n" +
			"Ctrl-C ends the program at once, and costs no more than the cell it was at.\n\n" +
			"What nobody can ask the server is stated in a TOML file (--metadata); what is\n" +
			"missing is named, with an example. The runner native sends every request itself;\n" +
			"tools runs the commands that contracts v1 and v2 prescribe, and both does one after\n" +
			"the other for one test and prints the figures side by side.",
		Example: "  arena bench --base-url http://127.0.0.1:8000 --model ORG/MODEL --metadata mine.toml\n" +
			"  arena bench --model ORG/MODEL --only chat,rag-8k --dry-run\n" +
			"  arena bench --resume --base-url http://127.0.0.1:8000 --model ORG/MODEL --metadata mine.toml",
		Args:        cobra.MaximumNArgs(1),
		Annotations: exits(exitOK, exitFailure, exitUsage, exitBreaks, exitInvalid, exitInterrupted),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 && f.resume == newestJournal {
				f.resume = args[0] // --resume FILE
			} else if len(args) == 1 {
				return usagef("%q belongs to no flag", args[0])
			}
			return runBench(c, f)
		},
	}
	fs := c.Flags()
	fs.StringVar(&f.baseURL, "base-url", "http://127.0.0.1:8000", "address of the server; /v1 is added where it is missing")
	fs.StringVar(&f.model, "model", "", "Hugging Face id of the checkpoint, ORG/MODEL")
	fs.StringVar(&f.servedName, "served-model-name", "", "name that the server gives the model (default the id, or the only one served)")
	fs.StringVar(&f.keyEnv, "api-key-env", "", "`NAME` of the environment variable that holds the API key")
	fs.StringVar(&f.ca, "ca", "", "PEM `FILE` with the certificate authority of the server")
	fs.StringVar(&f.platform, "platform", "", "id of the platform, as dgx-spark (default the one with this GPU)")
	fs.StringVar(&f.profile, "profile", "", "name of the configuration, as nvfp4 (default the quantisation)")
	fs.StringVar(&f.licence, "licence", "", "licence of the results (default CC-BY-4.0)")
	fs.StringVar(&f.credit, "credit", "", "whom to name when the results are used")
	fs.StringVar(&f.contract, "contract", "", "version of the contract, or a TOML file with one that is being tried out (default the newest)")
	fs.StringSliceVar(&f.only, "only", nil, "tests to run, as chat,rag-8k (default all)")
	fs.StringVar(&f.runner, "runner", "native", "native, tools or both")
	fs.StringVar(&f.container, "container", "", "container that the server runs in: it is looked into, and tools run in it")
	fs.StringVar(&f.metadata, "metadata", "", "TOML `FILE` with what cannot be found out")
	fs.StringVar(&f.content, "content", "", "folder of models and platforms (default: those inside the program)")
	fs.StringVar(&f.sharegpt, "sharegpt", "", "`FILE` of conversations for the test of that name")
	fs.StringVar(&f.out, "out", "", "folder to write below (default results/bundles of the checkout, else the current folder)")
	fs.StringVar(&f.resume, "resume", "", "continue the run of a `JOURNAL` (default the newest below --out)")
	fs.Lookup("resume").NoOptDefVal = newestJournal
	fs.BoolVar(&f.finish, "finish", false, "with --resume: measure no more, and write what there is")
	fs.BoolVar(&f.dryRun, "dry-run", false, "print what would be sent and about how long it takes; ask no server")
	fs.BoolVar(&f.noCalibrate, "no-calibration", false, "do not check the load generator before and after; such a run cannot be published")
	fs.StringVar(&f.progress, "progress", "auto", "auto, plain, json or none")
	fs.DurationVar(&f.testLimit, "test-limit", 0, "begin no cell of a test later than this after its first (default no limit)")
	fs.DurationVar(&f.requestTimeout, "request-timeout", time.Hour, "how long one request may take")
	completions := map[string]cobra.CompletionFunc{
		"contract": completeVersions,
		"only": func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return completeSlugs(f.contract)
		},
		"runner":   cobra.FixedCompletions([]string{"native", "tools", "both"}, cobra.ShellCompDirectiveNoFileComp),
		"progress": cobra.FixedCompletions([]string{"auto", "plain", "json", "none"}, cobra.ShellCompDirectiveNoFileComp),
	}
	for flag, complete := range completions {
		if err := c.RegisterFlagCompletionFunc(flag, complete); err != nil {
			panic(err) // the flags are defined above
		}
	}
	_ = c.MarkFlagFilename("metadata", "toml") // these flags exist
	_ = c.MarkFlagFilename("ca", "pem", "crt")
	_ = c.MarkFlagFilename("sharegpt", "json", "jsonl")
	return c
}

func runBench(c *cobra.Command, f benchFlags) error {
	if err := f.check(c); err != nil {
		return err
	}
	var old *engine.Journal
	if f.resume != "" {
		var err error
		if old, err = f.readJournal(); err != nil {
			return err
		}
		f.contract, f.only = cmp.Or(f.contract, old.Start.Contract), old.Start.Only
	}
	k, err := f.contractOf()
	if err != nil {
		return err
	}
	salt := newSalt()
	if old != nil {
		salt = old.Start.Salt
	}
	p, err := plan.Make(k, f.only, salt)
	if err != nil {
		return withCode(exitUsage, err)
	}
	if err := f.checkRunner(p); err != nil {
		return err
	}
	switch {
	case f.dryRun:
		meta, err := readMetadataFile(f.metadata)
		if err == nil {
			err = f.identify(&bundle.Bundle{}, meta)
		}
		if err != nil {
			return benchFaults(c.ErrOrStderr(), f.metadata, err)
		}
		return printPlan(c.OutOrStdout(), p, f.runner)
	case f.finish:
		b, err := old.Interrupted(p)
		if err != nil {
			return fmt.Errorf("finish %s: %w", old.Path, err)
		}
		return f.publish(c, b, k, func() error { return os.Remove(old.Path) })
	case f.runner == "both":
		return f.sideBySide(c, p)
	}
	return f.measure(c, p, old)
}

// check refuses flags that do not belong together.
func (f *benchFlags) check(c *cobra.Command) error {
	if c.Flags().Changed("base-url") {
		f.toolURL = f.baseURL
	}
	switch {
	case !slices.Contains([]string{"native", "tools", "both"}, f.runner):
		return usagef("--runner %q: want native, tools or both", f.runner)
	case !slices.Contains([]string{"auto", "plain", "json", "none"}, f.progress):
		return usagef("--progress %q: want auto, plain, json or none", f.progress)
	case c.Flags().Changed("resume") && f.resume == "":
		return usagef("--resume= names no journal")
	case f.finish && f.resume == "":
		return withHint(usagef("--finish needs the run that it finishes"), "give its journal with --resume")
	case f.resume != "" && c.Flags().Changed("only"):
		return usagef("--resume continues the tests of its run: leave out --only")
	case f.resume != "" && f.dryRun:
		return usagef("--resume and --dry-run do not go together")
	case f.requestTimeout <= 0 || f.testLimit < 0:
		return usagef("--request-timeout and --test-limit want a time above 0, as 30m")
	}
	for i := range f.only {
		f.only[i] = strings.TrimSpace(f.only[i])
	}
	if f.model != "" {
		if _, err := bundle.ModelSlug(f.model); err != nil {
			return usagef("--model %w", err)
		}
	}
	return nil
}

// contractOf returns the contract that is asked for, or the newest.
func (f *benchFlags) contractOf() (*contract.Contract, error) {
	if strings.HasSuffix(f.contract, ".toml") {
		return readContract(f.contract)
	}
	if f.contract != "" {
		return contractNamed(f.contract)
	}
	list, err := contracts()
	if err != nil {
		return nil, err
	}
	return list[len(list)-1], nil
}

// readContract reads a contract that is being written: its file has no revision
// that a bundle could pin, so its runs cannot be published.
func readContract(file string) (*contract.Contract, error) {
	data, err := readRegular(file)
	if err != nil {
		return nil, withCode(exitUsage, fmt.Errorf("--contract: %w", err))
	}
	k, err := contract.Parse(filepath.ToSlash(file), data)
	if err == nil {
		err = k.Validate()
	}
	return k, err
}

// folder returns where bundles are written below. Simulated ones never lie among
// the results.
func (f *benchFlags) folder(simulated bool) string {
	switch {
	case f.out != "":
		return f.out
	case simulated:
		return "simulated"
	}
	return defaultOut()
}

// measure measures and writes the bundle.
func (f *benchFlags) measure(c *cobra.Command, p *plan.Plan, old *engine.Journal) error {
	run, err := f.begin(c, p, old)
	if err != nil {
		return err
	}
	defer run.Close()
	b, err := run.Bundle()
	if err != nil {
		return err
	}
	return f.publish(c, b, p.Contract, run.Finish)
}

// begin prepares a run and measures to its end. After an error there is no run to
// be closed.
func (f *benchFlags) begin(c *cobra.Command, p *plan.Plan, old *engine.Journal) (*engine.Run, error) {
	sweep(f.folder(false))
	sweep(f.folder(true))
	o, err := f.options(c.Context(), p, old)
	if err != nil {
		return nil, benchFaults(c.ErrOrStderr(), f.metadata, err)
	}
	var running atomic.Pointer[engine.Run]
	view, err := newBenchView(c.ErrOrStderr(), f.progress, func() engine.Snapshot {
		if run := running.Load(); run != nil {
			return run.Snapshot()
		}
		return engine.Snapshot{}
	}, string(o.Client.Key))
	if err != nil {
		return nil, err
	}
	o.Observe = view.Event
	run, err := engine.New(c.Context(), o)
	if err != nil {
		view.Close()
		return nil, asRefusal(err)
	}
	running.Store(run)
	err = run.Measure(c.Context())
	view.Close()
	if err != nil {
		run.Close()
		return nil, interrupted(c, run, err)
	}
	return run, nil
}

// asRefusal turns what has to be changed into an error with its advice.
func asRefusal(err error) error {
	if r, ok := errors.AsType[*engine.Refusal](err); ok {
		return withHint(err, r.Advice)
	}
	return err
}

// invalidBeside returns the folder for bundles that are not valid: beside that for
// the others, where nobody takes them for results.
func invalidBeside(out string) string {
	if out = filepath.Clean(out); out == "." {
		return "invalid"
	}
	return out + "-invalid"
}

// checkRunner refuses a runner that cannot measure the plan.
func (f *benchFlags) checkRunner(p *plan.Plan) error {
	if f.runner == "both" && len(p.Tests) != 1 {
		return withHint(usagef("--runner both compares one test"), "name it with --only")
	}
	for _, t := range p.Tests {
		if f.runner != "native" && t.Spec.Tool == contract.Native {
			return withHint(usagef("contract %s prescribes no command for %s: only the native runner measures it", p.Contract.Version, t.Spec.Slug),
				"leave out --runner, or measure contract v2")
		}
	}
	return nil
}

// benchFaults prints each fault of a metadata file as it is, and returns how many
// there were. Other errors pass.
func benchFaults(w io.Writer, file string, err error) error {
	var faults tomlfile.Faults
	if !errors.As(err, &faults) {
		return err
	}
	fmt.Fprintln(w, faults.Error())
	return withCode(exitUsage, fmt.Errorf("%s in %s; nothing was measured", counted(len(faults), "fault"), file))
}

// publish writes a bundle and says what is in it.
func (f *benchFlags) publish(c *cobra.Command, b *bundle.Bundle, k *contract.Contract, done func() error) error {
	verdict := judge(b, k)
	out := f.folder(b.Kind == bundle.Simulated)
	if verdict.invalid != "" {
		out = invalidBeside(out)
	}
	path, err := writeBundle(out, b)
	if err != nil {
		return err
	}
	if err := done(); err != nil {
		return err
	}
	if f.progress == "json" {
		if err := json.NewEncoder(c.ErrOrStderr()).Encode(verdict.object(path)); err != nil {
			return err
		}
	} else {
		printVerdict(c.ErrOrStderr(), verdict)
	}
	if _, err := fmt.Fprintln(c.OutOrStdout(), path); err != nil {
		return err
	}
	return verdict.err()
}

// writeBundle writes a bundle below a folder, whole or not at all and never over
// another file.
func writeBundle(out string, b *bundle.Bundle) (string, error) {
	data, err := bundle.Encode(b)
	if err != nil {
		return "", err
	}
	place, err := bundle.Path(b, data)
	if err != nil {
		return "", err
	}
	path := filepath.Join(out, filepath.FromSlash(place))
	_, err = createFile(path, data)
	return path, err
}
