package main

import (
	"github.com/spf13/cobra"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:         "version",
		Short:       "Print what this program was built from",
		Args:        cobra.NoArgs,
		Annotations: exits(exitOK, exitUsage),
		RunE: func(c *cobra.Command, _ []string) error {
			c.Println(readBuild().version)
			return nil
		},
	}
}
