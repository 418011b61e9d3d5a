package main

import (
	"os"
	"time"

	"example.org/arena/cmd/arena/bench"
	"example.org/arena/cmd/arena/bench/view"
	"example.org/arena/cmd/arena/exit"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newBench() *cobra.Command {
	var o bench.Options
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
		Annotations: exits(exit.OK, exit.Failure, exit.Usage, exit.Breaks, exit.Invalid, exit.Interrupted),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 && o.Resume == bench.NewestJournal {
				o.Resume = args[0] // --resume FILE
			} else if len(args) == 1 {
				return exit.Usagef("%q belongs to no flag", args[0])
			}
			c.Flags().Visit(func(flag *pflag.Flag) {
				o.Given = append(o.Given, bench.Flag{Name: flag.Name, Value: flag.Value.String()})
			})
			return bench.Run(c.Context(), benchProgram(c), o)
		},
	}
	fs := c.Flags()
	fs.StringVar(&o.BaseURL, "base-url", "http://127.0.0.1:8000", "address of the server; /v1 is added where it is missing")
	fs.StringVar(&o.Model, "model", "", "Hugging Face id of the checkpoint, ORG/MODEL")
	fs.StringVar(&o.ServedName, "served-model-name", "", "name that the server gives the model (default the id, or the only one served)")
	fs.StringVar(&o.KeyEnv, "api-key-env", "", "`NAME` of the environment variable that holds the API key")
	fs.StringVar(&o.CA, "ca", "", "PEM `FILE` with the certificate authority of the server")
	fs.StringVar(&o.Platform, "platform", "", "id of the platform, as dgx-spark (default the one with this GPU)")
	fs.StringVar(&o.Profile, "profile", "", "name of the configuration, as nvfp4 (default the quantisation)")
	fs.StringVar(&o.Licence, "licence", "", "licence of the results (default CC-BY-4.0)")
	fs.StringVar(&o.Credit, "credit", "", "whom to name when the results are used")
	fs.StringVar(&o.Contract, "contract", "", "version of the contract, or a TOML file with one that is being tried out (default the newest)")
	fs.StringSliceVar(&o.Only, "only", nil, "tests to run, as chat,rag-8k (default all)")
	fs.StringVar(&o.Runner, "runner", "native", "native, tools or both")
	fs.StringVar(&o.Container, "container", "", "container that the server runs in: it is looked into, and tools run in it")
	fs.StringVar(&o.Metadata, "metadata", "", "TOML `FILE` with what cannot be found out")
	fs.StringVar(&o.Content, "content", "", "folder of models and platforms (default: those inside the program)")
	fs.StringVar(&o.ShareGPT, "sharegpt", "", "`FILE` of conversations for the test of that name")
	fs.StringVar(&o.Out, "out", "", "folder to write below (default results/bundles of the checkout, else the current folder)")
	fs.StringVar(&o.Resume, "resume", "", "continue the run of a `JOURNAL` (default the newest below --out)")
	fs.Lookup("resume").NoOptDefVal = bench.NewestJournal
	fs.BoolVar(&o.Finish, "finish", false, "with --resume: measure no more, and write what there is")
	fs.BoolVar(&o.DryRun, "dry-run", false, "print what would be sent and about how long it takes; ask no server")
	fs.BoolVar(&o.NoCalibration, "no-calibration", false, "do not check the load generator before and after; such a run cannot be published")
	fs.StringVar(&o.Progress, "progress", "auto", "auto, plain, json or none")
	fs.DurationVar(&o.TestLimit, "test-limit", 0, "begin no cell of a test later than this after its first (default no limit)")
	fs.DurationVar(&o.RequestTimeout, "request-timeout", time.Hour, "how long one request may take")
	completions := map[string]cobra.CompletionFunc{
		"contract": completeVersions,
		"only": func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return completeSlugs(o.Contract)
		},
		"runner":   cobra.FixedCompletions(bench.Runners, cobra.ShellCompDirectiveNoFileComp),
		"progress": cobra.FixedCompletions(view.Modes, cobra.ShellCompDirectiveNoFileComp),
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

// benchProgram returns what a run has of this program.
func benchProgram(c *cobra.Command) bench.Program {
	return bench.Program{
		Stdout:     c.OutOrStdout(),
		Stderr:     c.ErrOrStderr(),
		Getenv:     os.Getenv,
		Executable: os.Executable,
		Contract:   contractOrNewest,
		Pin:        contractPin,
		Engine:     enginePin("native"),
		Built:      builtAt(),
		Private:    privateWords(),
	}
}
