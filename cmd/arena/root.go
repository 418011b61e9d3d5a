package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"example.org/arena/cmd/arena/exit"
	"github.com/spf13/cobra"
)

// run runs the program and returns its exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	started := false
	root := newRoot()
	wrap(root, func(c *cobra.Command) {
		work := c.RunE
		c.RunE = func(c *cobra.Command, args []string) error {
			started = true
			return work(c, args)
		}
	})
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exit.OK
	}
	if !started {
		// The library itself refused flags or arguments.
		err = exit.WithCode(exit.Usage, err)
	}
	exit.Print(stderr, err)
	return exit.Code(err)
}

// newRoot returns the whole command line. A command's constructor takes no
// arguments: what it needs it has from its flags, from cmd.Context and from
// cmd.InOrStdin, OutOrStdout and ErrOrStderr.
func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "arena",
		Short: "Benchmarks of served language models",
		Long: "Arena measures how fast machines serve language models, keeps the measurements\n" +
			"in files that never change, and builds the site that shows them.",
		Example: "  arena verify\n" +
			"  arena show results/bundles/PLATFORM/ORG--MODEL/PROFILE/FILE.json",
		Annotations:       exits(exit.OK, exit.Failure, exit.Usage, exit.Breaks, exit.Invalid, exit.Interrupted),
		Args:              noSuchCommand,
		RunE:              func(c *cobra.Command, _ []string) error { return c.Help() },
		SilenceUsage:      true,
		SilenceErrors:     true,
		DisableAutoGenTag: true,
		Version:           readBuild().version,

		SuggestionsMinimumDistance: 2,
	}
	root.AddCommand(
		newBench(),
		newBuild(),
		newCommand(),
		newImport(),
		newServe(),
		newShow(),
		newSim(),
		newVerify(),
		newVersion(),
	)
	help := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		help(c, args)
		printExits(c)
	})
	return root
}

// wrap calls f for every command that does something.
func wrap(c *cobra.Command, f func(*cobra.Command)) {
	if c.RunE != nil {
		f(c)
	}
	for _, sub := range c.Commands() {
		wrap(sub, f)
	}
}

// noSuchCommand refuses arguments of the root, and suggests what they may mean.
func noSuchCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	err := exit.Usagef("unknown command %q", args[0])
	if like := c.SuggestionsFor(args[0]); len(like) > 0 {
		return exit.WithHint(err, "did you mean "+strings.Join(like, " or ")+"?")
	}
	return exit.WithHint(err, "arena help lists the commands")
}

// exits is the annotation that names the exit codes of a command; its help shows
// them.
func exits(codes ...int) map[string]string {
	words := make([]string, len(codes))
	for i, code := range codes {
		words[i] = strconv.Itoa(code)
	}
	return map[string]string{"exits": strings.Join(words, " ")}
}

// printExits writes the exit codes of a command below its help.
func printExits(c *cobra.Command) {
	words := strings.Fields(c.Annotations["exits"])
	if len(words) == 0 {
		return
	}
	out := c.OutOrStdout()
	fmt.Fprintf(out, "\nExit codes:\n")
	for _, w := range words {
		code, _ := strconv.Atoi(w)
		fmt.Fprintf(out, "  %-3d  %s\n", code, exit.Meaning(code))
	}
}
