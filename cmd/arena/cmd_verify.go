package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"example.org/arena/cmd/arena/exit"
	"example.org/arena/cmd/arena/store"
	"example.org/arena/cmd/arena/terminal"
	"example.org/arena/cmd/arena/verify"
	"example.org/arena/content"
	"example.org/arena/i18n"
	"example.org/arena/results/bundle"
	"example.org/arena/results/tomlfile"
	"github.com/spf13/cobra"
)

func newVerify() *cobra.Command {
	var base string
	var asJSON bool
	c := &cobra.Command{
		Use:   "verify [PATH…]",
		Short: "Check bundles: bytes, names, pins, and that published ones are unchanged",
		Long: "Verify checks bundles, and folders of bundles: that every byte is where the\n" +
			"format puts it, that the name holds the SHA-256 and the folders are those that\n" +
			"the content names, that platform and contract are known, that the pinned\n" +
			"revisions are in the history of the repository, that raw files are there, and\n" +
			"that nothing else lies between them. Without a path it checks the checkout: results/bundles, and\n" +
			"what people write in content, where retractions and suggestions must name\n" +
			"published bundles.\n\n" +
			"With --base it also checks that every file under results/bundles is what it was\n" +
			"where HEAD left that revision: published results are only ever added.",
		Example: "  arena verify\n" +
			"  arena verify --base origin/main\n" +
			"  arena verify --json some/bundle.json",
		Annotations:       exits(exit.OK, exit.Failure, exit.Usage, exit.Interrupted),
		ValidArgsFunction: completeFiles,
		RunE: func(c *cobra.Command, args []string) error {
			var texts string // the folder of what people write; empty when paths were named
			if len(args) == 0 {
				root, err := store.CheckoutRoot()
				if err != nil {
					return exit.WithHint(exit.Usagef("verify: %w", err), "name the bundles to check")
				}
				args = []string{filepath.Join(root, "results", "bundles")}
				texts = filepath.Join(root, "content")
			}
			list, err := contracts()
			if err != nil {
				return err
			}
			words, err := i18n.Load(i18n.FS)
			if err != nil {
				return err
			}
			published := content.Published{}
			o := verify.Options{
				Paths: args, Base: base, Contracts: map[string]string{}, Env: os.Environ(),
				KnownNote: func(code string) bool { return words.Printer(i18n.EN).Has("note." + code) },
				Seen:      noteStart(published),
			}
			if o.Platforms, err = platforms(); err != nil {
				return err
			}
			for _, k := range list {
				o.Contracts[k.Version] = k.Digest
			}
			report, err := verify.Run(c.Context(), o)
			if err != nil {
				return fmt.Errorf("verify: %w", err)
			}
			if texts != "" {
				written, err := contentFaults(texts, published, time.Now())
				if err != nil {
					return err
				}
				report.Faults = append(report.Faults, written...)
			}
			report.OK = len(report.Faults) == 0
			show := printReport
			if asJSON {
				show = func(w io.Writer, r bundle.Report) error { return printJSON(w, r) }
			}
			if err := show(c.OutOrStdout(), report); err != nil {
				return err
			}
			if !report.OK {
				return fmt.Errorf("verify: %s", terminal.Counted(len(report.Faults), "fault"))
			}
			return nil
		},
	}
	c.Flags().StringVar(&base, "base", "", "Git revision since which published bundles must be unchanged")
	c.Flags().BoolVar(&asJSON, "json", false, "print a report as JSON")
	return c
}

// noteStart returns a function that adds a bundle to those that are published.
func noteStart(published content.Published) func(string, *bundle.Bundle) {
	return func(id string, b *bundle.Bundle) {
		var start time.Time
		if b != nil {
			// A time of the wrong form is a fault already and stays zero.
			start, _ = time.Parse(time.RFC3339Nano, b.StartedAt)
		}
		published[id] = start
	}
}

// contentFaults checks what people write: contracts, models, suggestions and the
// rest, and that what names a bundle names a published one.
func contentFaults(dir string, published content.Published, now time.Time) ([]tomlfile.Fault, error) {
	fsys := os.DirFS(dir)
	_, err := content.Load(fsys)
	var out []tomlfile.Fault
	for _, err := range []error{err, content.CheckPublished(fsys, published, now)} {
		var faults tomlfile.Faults
		if err != nil && !errors.As(err, &faults) {
			return nil, fmt.Errorf("verify: %w", err)
		}
		for _, f := range faults {
			out = append(out, tomlfile.Fault{File: filepath.Join(dir, filepath.FromSlash(f.File)), Line: f.Line, Key: f.Key, Code: "content", Message: f.Message})
		}
	}
	return out, nil
}

// printReport writes a report as text: a line per finding, and a summary.
func printReport(w io.Writer, r bundle.Report) error {
	var b strings.Builder
	for _, f := range r.Faults {
		fmt.Fprintf(&b, "%s [%s]\n", f.Error(), f.Code)
	}
	for _, f := range r.Warnings {
		fmt.Fprintf(&b, "warning: %s\n", f.Error())
	}
	fmt.Fprintf(&b, "%s checked, %s", terminal.Counted(r.Checked, "bundle"), terminal.Counted(len(r.Faults), "fault"))
	if n := len(r.Warnings); n > 0 {
		fmt.Fprintf(&b, ", %s", terminal.Counted(n, "warning"))
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}

// completeFiles completes arguments with names of files.
func completeFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}
