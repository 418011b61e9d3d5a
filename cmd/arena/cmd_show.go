package main

import (
	"fmt"
	"strings"

	"example.org/arena/cmd/arena/exit"
	"example.org/arena/cmd/arena/show"
	"example.org/arena/cmd/arena/store"
	"example.org/arena/results/bundle"
	"example.org/arena/results/verdict"
	"github.com/spf13/cobra"
)

func newShow() *cobra.Command {
	var test, format string
	c := &cobra.Command{
		Use:   "show BUNDLE",
		Short: "Print one bundle so that it can be read",
		Long: "Show prints a bundle: as text, as CSV with one line per number, or as JSON (the\n" +
			"bytes of the bundle, or those of one test). Of a run of Arena's own, text and CSV\n" +
			"hold the figures that follow from the requests it recorded.",
		Example: "  arena show FILE.json\n" +
			"  arena show --test rate-sweep FILE.json\n" +
			"  arena show --format csv FILE.json",
		Args:              cobra.ExactArgs(1),
		Annotations:       exits(exit.OK, exit.Failure, exit.Usage),
		ValidArgsFunction: completeFiles,
		RunE: func(c *cobra.Command, args []string) error {
			data, err := store.Read(args[0])
			if err != nil {
				return fmt.Errorf("show: %w", err)
			}
			b, err := bundle.Decode(args[0], data)
			if err != nil {
				return err
			}
			if test != "" {
				if err := keepTest(b, test); err != nil {
					return err
				}
			}
			w := c.OutOrStdout()
			switch format {
			case "text":
				return show.Text(w, b, data)
			case "csv":
				return show.CSV(w, verdict.Of(b, nil, nil, nil).Bundle)
			case "json":
				if test != "" {
					return printJSON(w, b.Tests[0])
				}
				_, err := w.Write(data)
				return err
			}
			return exit.Usagef("show: --format %q is not text, json or csv", format)
		},
	}
	c.Flags().StringVar(&test, "test", "", "slug of the only test to print")
	c.Flags().StringVar(&format, "format", "text", "text, json or csv")
	complete := cobra.FixedCompletions([]string{"text", "json", "csv"}, cobra.ShellCompDirectiveNoFileComp)
	if err := c.RegisterFlagCompletionFunc("format", complete); err != nil {
		panic(err) // the flag is defined two lines above
	}
	return c
}

// keepTest leaves one test in a bundle.
func keepTest(b *bundle.Bundle, slug string) error {
	t := b.Test(slug)
	if t == nil {
		have := make([]string, len(b.Tests))
		for i := range b.Tests {
			have[i] = b.Tests[i].Slug
		}
		return exit.WithHint(exit.Usagef("show: the bundle has no test %q", slug), "it has "+strings.Join(have, ", "))
	}
	b.Tests = []bundle.Test{*t}
	return nil
}
