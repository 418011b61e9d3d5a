package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"example.org/arena/cmd/arena/exit"
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"github.com/spf13/cobra"
)

func newCommand() *cobra.Command {
	var version, test string
	var names contract.Names
	c := &cobra.Command{
		Use:   "command --contract VERSION",
		Short: "Print the shell commands of a contract",
		Long: "Command prints the commands that a contract prescribes, ready for a POSIX shell,\n" +
			"bash or zsh: every test under its name as a comment, or with --test the commands\n" +
			"of one test and nothing else. Without --model and --served-model-name the\n" +
			"placeholders " + contract.ModelPlaceholder + " and " + contract.ServedNamePlaceholder + " stand for them.",
		Example: "  arena command --contract v2\n" +
			"  arena command --contract v2 --test chat --model ORG/MODEL --served-model-name NAME",
		Args:        cobra.NoArgs,
		Annotations: exits(exit.OK, exit.Failure, exit.Usage),
		RunE: func(c *cobra.Command, _ []string) error {
			k, err := contractNamed(version)
			if err != nil {
				return err
			}
			if names.Model != "" {
				if _, err := bundle.ModelSlug(names.Model); err != nil {
					return exit.Usagef("--model %w", err)
				}
			}
			if test == "" {
				return printCommands(c.OutOrStdout(), k, names)
			}
			t, ok := k.Test(test)
			if !ok {
				return exit.WithHint(exit.Usagef("contract %s has no test %q", k.Version, test), "it has "+strings.Join(k.Slugs(), ", "))
			}
			return printTest(c.OutOrStdout(), k, t, names)
		},
	}
	c.Flags().StringVar(&version, "contract", "", "version of the contract, as v2")
	c.Flags().StringVar(&test, "test", "", "the only test to print, as chat")
	c.Flags().StringVar(&names.Model, "model", "", "Hugging Face id of the model, ORG/MODEL")
	c.Flags().StringVar(&names.ServedName, "served-model-name", "", "name that the server gives the model")
	for flag, complete := range map[string]cobra.CompletionFunc{
		"contract": completeVersions,
		"test": func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return completeSlugs(version)
		},
	} {
		if err := c.RegisterFlagCompletionFunc(flag, complete); err != nil {
			panic(err) // the flags are defined above
		}
	}
	return c
}

// printCommands prints the commands of every test, with its name and, where it
// has several commands, what tells them apart.
func printCommands(w io.Writer, k *contract.Contract, names contract.Names) error {
	var b bytes.Buffer
	for i, t := range k.Tests {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "# %02d %s\n", t.Number, t.Slug)
		for j, command := range k.Commands(t, names) {
			if command.Comment != "" {
				fmt.Fprintf(&b, "%s# %s\n", blankBefore(j), command.Comment)
			}
			fmt.Fprintln(&b, command.Shell())
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// printTest prints the commands of one test.
func printTest(w io.Writer, k *contract.Contract, t contract.Test, names contract.Names) error {
	var b bytes.Buffer
	for j, command := range k.Commands(t, names) {
		fmt.Fprintf(&b, "%s%s\n", blankBefore(j), command.Shell())
	}
	_, err := w.Write(b.Bytes())
	return err
}

// blankBefore is the empty line before every command of a test but the first.
func blankBefore(i int) string {
	if i == 0 {
		return ""
	}
	return "\n"
}

func completeVersions(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	list, err := contracts()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var versions []string
	for _, k := range list {
		versions = append(versions, k.Version)
	}
	return versions, cobra.ShellCompDirectiveNoFileComp
}

// completeSlugs completes the tests of a contract, or of all where none is named.
func completeSlugs(version string) ([]string, cobra.ShellCompDirective) {
	list, err := contracts()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var found []string
	for _, k := range list {
		if version == "" || k.Version == version {
			found = append(found, k.Slugs()...)
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}
