package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.org/arena/content"
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/ingest"
	"example.org/arena/results/tomlfile"
	"github.com/spf13/cobra"
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
		Annotations:       exits(exitOK, exitFailure, exitUsage, exitInterrupted),
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
	for _, f := range ingest.Formats() {
		fmt.Fprintf(&b, "  %-16s %s\n", f.Name, f.Purpose)
	}
	return b.String()
}

func importArgs(_ *cobra.Command, args []string) error {
	known := false
	var names []string
	for _, f := range ingest.Formats() {
		known = known || len(args) > 0 && f.Name == args[0]
		names = append(names, f.Name)
	}
	switch {
	case len(args) == 0:
		return withHint(usagef("name a format and the files to import"), "the formats are "+strings.Join(names, ", "))
	case !known:
		return withHint(usagef("unknown format %q", args[0]), "the formats are "+strings.Join(names, ", "))
	case len(args) == 1:
		return usagef("name the files to import")
	}
	return nil
}

func completeImport(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var names []string
	for _, f := range ingest.Formats() {
		names = append(names, f.Name+"\t"+f.Purpose)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func runImport(c *cobra.Command, format string, paths []string, flags importFlags) error {
	meta, err := readMetadataFile(flags.metadata)
	if err != nil {
		return reportFaults(c.ErrOrStderr(), err)
	}
	opt := ingest.Options{Engine: enginePin("import/" + format), KeepFiles: flags.keepRaw}
	if opt.Contract, opt.ContractRevision, err = importContract(meta); err != nil {
		return err
	}
	inputs, err := readInputs(c.Context(), format, paths)
	if err != nil {
		return err
	}
	bundles, err := ingest.Import(format, inputs, meta, opt)
	if err != nil {
		return reportFaults(c.ErrOrStderr(), err)
	}
	if err := checkImported(c.ErrOrStderr(), bundles, meta, time.Now()); err != nil {
		return err
	}
	out := flags.out
	if out == "" {
		out = defaultOut()
	}
	plan, err := planWrites(out, bundles, inputs, flags.again)
	if err != nil {
		return err
	}
	warnImport(c.ErrOrStderr(), opt.Engine, flags.keepRaw)
	if !flags.dryRun {
		if err := plan.write(c.Context()); err != nil {
			return err
		}
	}
	if flags.asJSON {
		return printJSON(c.OutOrStdout(), plan.report(flags.dryRun))
	}
	return plan.print(c.OutOrStdout(), c.ErrOrStderr())
}

// checkImported judges what needs the platforms and a clock: it refuses a platform
// without a file and warns of a start to come, since the clock may be wrong.
func checkImported(w io.Writer, bundles []*bundle.Bundle, meta ingest.Metadata, now time.Time) error {
	known, err := platforms()
	if err != nil {
		return err
	}
	where := cmp.Or(meta.File, "the metadata")
	for _, b := range bundles {
		if !slices.Contains(known, b.Platform) {
			return withHint(fmt.Errorf("import: %s: platform: there is no platform %q", where, b.Platform),
				"known are "+strings.Join(known, ", ")+"; a new one is a file in content/platforms")
		}
		if start, err := time.Parse(time.RFC3339, b.StartedAt); err == nil && start.After(now.Add(clockSlack)) {
			fmt.Fprintf(w, "arena: warning: the measurement of %s starts at %s, but now it is %s\n", b.Model.ID, b.StartedAt, now.UTC().Format(time.RFC3339))
		}
	}
	return nil
}

// clockSlack is how far a clock may be behind the one that timed a measurement.
const clockSlack = time.Hour

// platforms returns the ids of the platforms inside the program, sorted.
func platforms() ([]string, error) {
	files, err := fs.Glob(content.FS, "platforms/*.toml")
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("read platforms: this program was built without any: %w", cmp.Or(err, fs.ErrNotExist))
	}
	for i, file := range files {
		files[i] = strings.TrimSuffix(path.Base(file), ".toml")
	}
	slices.Sort(files)
	return files, nil
}

// readMetadataFile reads the metadata, which may be absent.
func readMetadataFile(file string) (ingest.Metadata, error) {
	if file == "" {
		return ingest.Metadata{}, nil
	}
	data, err := readRegular(file)
	if err != nil {
		return ingest.Metadata{}, withCode(exitUsage, fmt.Errorf("read metadata: %w", err))
	}
	return content.ParseMetadata(filepath.ToSlash(file), data)
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
		pin, err := contractPin(k.Version, k.Digest)
		if err != nil {
			return nil, "", err
		}
		return k, pin.Revision, nil
	}
	return nil, "", withHint(fmt.Errorf("%s: contract: there is no contract %q", meta.File, meta.Contract), "known are "+strings.Join(known, ", "))
}

// reportFaults prints each fault of a user's files as it is, with its hint, and
// returns how many there were. Other errors pass.
func reportFaults(w io.Writer, err error) error {
	var faults ingest.Faults
	var inFile tomlfile.Faults
	switch {
	case errors.As(err, &faults):
		fmt.Fprintln(w, faults.Error())
		return fmt.Errorf("import: %s; nothing was written", counted(len(faults), "fault"))
	case errors.As(err, &inFile):
		fmt.Fprintln(w, inFile.Error())
		return fmt.Errorf("import: %s in the metadata; nothing was written", counted(len(inFile), "fault"))
	}
	return err
}

// warnImport says what keeps the bundles from being published.
func warnImport(w io.Writer, engine bundle.EnginePin, raw bool) {
	switch {
	case engine.Revision == "":
		fmt.Fprintln(w, "arena: warning: this program was built without its revision: its bundles cannot be published")
	case engine.Dirty:
		fmt.Fprintln(w, "arena: warning: this program was built from a changed tree: its bundles cannot be published")
	}
	if raw {
		fmt.Fprintln(w, "arena: warning: raw files are kept as they are: look for private paths and names before you publish them")
	}
}

// defaultOut returns the folder of the checkout's bundles, else this one. A
// checkout without any bundle has no such folder yet: it is known by its
// contracts.
func defaultOut() string {
	if dir, err := checkoutBundles(); err == nil {
		return dir
	}
	here, err := os.Getwd()
	if err != nil {
		return "."
	}
	for dir := here; ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(filepath.Join(dir, "content", "contracts")); err == nil && info.IsDir() {
			if rel, err := filepath.Rel(here, filepath.Join(dir, "results", "bundles")); err == nil {
				return rel
			}
		}
		if dir == filepath.Dir(dir) {
			return "."
		}
	}
}

// canceled reports whether the user has stopped the program.
func canceled(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("import: %w", err)
	}
	return nil
}
