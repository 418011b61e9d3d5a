package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"example.org/arena/cmd/arena/verify"
	"example.org/arena/results/bundle"
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
			"the content names, that the contract is known, that the pinned revisions are in\n" +
			"the history of the repository, that raw files are there, and that nothing else\n" +
			"lies between them. Without a path it checks results/bundles of the checkout.\n\n" +
			"With --base it also checks that every file under results/bundles is what it was\n" +
			"where HEAD left that revision: published results are only ever added.",
		Example: "  arena verify\n" +
			"  arena verify --base origin/main\n" +
			"  arena verify --json some/bundle.json",
		Annotations:       exits(exitOK, exitFailure, exitUsage, exitInterrupted),
		ValidArgsFunction: completeFiles,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				dir, err := checkoutBundles()
				if err != nil {
					return err
				}
				args = []string{dir}
			}
			list, err := contracts()
			if err != nil {
				return err
			}
			o := verify.Options{Paths: args, Base: base, Contracts: map[string]string{}, Env: os.Environ()}
			for _, k := range list {
				o.Contracts[k.Version] = k.Digest
			}
			report, err := verify.Run(c.Context(), o)
			if err != nil {
				return fmt.Errorf("verify: %w", err)
			}
			show := printReport
			if asJSON {
				show = func(w io.Writer, r bundle.Report) error { return printJSON(w, r) }
			}
			if err := show(c.OutOrStdout(), report); err != nil {
				return err
			}
			if !report.OK {
				return fmt.Errorf("verify: %s", counted(len(report.Faults), "fault"))
			}
			return nil
		},
	}
	c.Flags().StringVar(&base, "base", "", "Git revision since which published bundles must be unchanged")
	c.Flags().BoolVar(&asJSON, "json", false, "print a report as JSON")
	return c
}

// checkoutBundles returns the folder results/bundles of the checkout that holds
// the working folder, as seen from there.
func checkoutBundles() (string, error) {
	folder := filepath.Join("results", "bundles")
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := here; ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(filepath.Join(dir, folder)); err == nil && info.IsDir() {
			return filepath.Rel(here, filepath.Join(dir, folder))
		}
		if dir == filepath.Dir(dir) {
			return "", withHint(withCode(exitUsage, errors.New("verify: there is no results/bundles here or in a folder above")),
				"name the bundles to check")
		}
	}
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
	fmt.Fprintf(&b, "%s checked, %s", counted(r.Checked, "bundle"), counted(len(r.Faults), "fault"))
	if n := len(r.Warnings); n > 0 {
		fmt.Fprintf(&b, ", %s", counted(n, "warning"))
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}

// counted returns "1 bundle", "2 bundles".
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// completeFiles completes arguments with names of files.
func completeFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}
