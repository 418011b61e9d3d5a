package main

import (
	"fmt"
	"strings"
	"time"

	"example.org/arena/results/ingest/formats"

	"github.com/spf13/cobra"

	"example.org/arena/cmd/arena/exit"
	"example.org/arena/cmd/arena/importer"
	"example.org/arena/cmd/arena/store"
	"example.org/arena/results/contract"
	"example.org/arena/results/ingest"
)

// importFlags are the flags of arena import.
type importFlags struct {
	metadata string
	out      string
	keepRaw  bool
	dryRun   bool
	again    bool
	asJSON   bool
}

func newImport() *cobra.Command {
	var flags importFlags
	c := &cobra.Command{
		Use:   "import FORMAT PATH…",
		Short: "Turn other tools' results into bundles",
		Long: "Import reads results of other tools and writes a bundle for each configuration.\n" +
			"Figures are copied, never corrected; what neither the files nor the metadata say\n" +
			"is asked for, never guessed. Either every bundle is written or none, and nothing\n" +
			"is ever overwritten: the same import again finds its bundles already there, also when\n" +
			"another version of the program wrote them (--again writes them once more).\n\n" +
			"Formats:\n" + formatHelp() + "\n" +
			"The metadata file is TOML and states what the files do not: platform, profile,\n" +
			"licence, credit, model, server, source. A missing key is named with an example.",
		Example: "  arena import suite results --metadata spark.toml\n" +
			"  arena import llama-benchy 01-chat.md --metadata mine.toml --dry-run\n" +
			"  arena import vllm-bench result.json --metadata mine.toml --out results/bundles",
		Annotations:       exits(exit.OK, exit.Failure, exit.Usage, exit.Interrupted),
		Args:              importArgs,
		ValidArgsFunction: completeImport,
		RunE: func(c *cobra.Command, args []string) error {
			return runImport(c, args[0], args[1:], flags)
		},
	}
	f := c.Flags()
	f.StringVar(&flags.metadata, "metadata", "", "TOML file with what the files do not say")
	f.StringVar(&flags.out, "out", "", "folder to write below (default results/bundles of the checkout, else the current folder)")
	f.BoolVar(&flags.keepRaw, "keep-raw", false, "store the files that were read, compressed, beside the bundle")
	f.BoolVar(&flags.dryRun, "dry-run", false, "check everything and print the paths, but write nothing")
	f.BoolVar(&flags.again, "again", false, "write a bundle even where an earlier version of the program wrote the same content")
	f.BoolVar(&flags.asJSON, "json", false, "print what was written as JSON")
	return c
}

// formatHelp lists the formats, one per line.
func formatHelp() string {
	var b strings.Builder
	for _, f := range formats.All() {
		fmt.Fprintf(&b, "  %-16s %s\n", f.Name, f.Purpose)
	}
	return b.String()
}

func importArgs(_ *cobra.Command, args []string) error {
	known := false
	var names []string
	for _, f := range formats.All() {
		known = known || len(args) > 0 && f.Name == args[0]
		names = append(names, f.Name)
	}
	switch {
	case len(args) == 0:
		return exit.WithHint(exit.Usagef("name a format and the files to import"), "the formats are "+strings.Join(names, ", "))
	case !known:
		return exit.WithHint(exit.Usagef("unknown format %q", args[0]), "the formats are "+strings.Join(names, ", "))
	case len(args) == 1:
		return exit.Usagef("name the files to import")
	}
	return nil
}

func completeImport(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var names []string
	for _, f := range formats.All() {
		names = append(names, f.Name+"\t"+f.Purpose)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func runImport(c *cobra.Command, format string, paths []string, flags importFlags) error {
	meta, err := store.ReadMetadata(flags.metadata)
	if err != nil {
		return importer.PrintFaults(c.ErrOrStderr(), err, " in the metadata")
	}
	opt := ingest.Options{Engine: enginePin("import/" + format), KeepFiles: flags.keepRaw}
	if opt.Contract, opt.ContractRevision, err = importContract(meta); err != nil {
		return err
	}
	inputs, err := importer.ReadInputs(c.Context(), format, paths)
	if err != nil {
		return err
	}
	bundles, err := formats.Import(format, inputs, meta, opt)
	if err != nil {
		return importer.PrintFaults(c.ErrOrStderr(), err, "")
	}
	known, err := platforms()
	if err != nil {
		return err
	}
	if err := importer.Check(c.ErrOrStderr(), bundles, meta, known, time.Now()); err != nil {
		return err
	}
	out := flags.out
	if out == "" {
		out = store.DefaultFolder()
	}
	plan, err := importer.PlanWrites(out, bundles, inputs, flags.again)
	if err != nil {
		return err
	}
	importer.Warn(c.ErrOrStderr(), opt.Engine, flags.keepRaw)
	if !flags.dryRun {
		if err := plan.Write(c.Context()); err != nil {
			return err
		}
	}
	if flags.asJSON {
		return printJSON(c.OutOrStdout(), plan.Report(flags.dryRun))
	}
	return plan.Print(c.OutOrStdout(), c.ErrOrStderr())
}

// importContract returns the contract that the metadata names and its revision.
func importContract(meta ingest.Metadata) (*contract.Contract, string, error) {
	if meta.Contract == "" {
		return nil, "", nil
	}
	list, err := contracts()
	if err != nil {
		return nil, "", err
	}
	var known []string
	for _, k := range list {
		known = append(known, k.Version)
		if k.Version != meta.Contract {
			continue
		}
		pin, err := contractPin(k)
		if err != nil {
			return nil, "", err
		}
		return k, pin.Revision, nil
	}
	return nil, "", exit.WithHint(fmt.Errorf("%s: contract: there is no contract %q", meta.File, meta.Contract), "known are "+strings.Join(known, ", "))
}
