package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"runtime/debug"
	"strings"

	"example.org/arena/cmd/arena/exit"
	"example.org/arena/cmd/arena/publish"
	"example.org/arena/cmd/arena/terminal"
	"example.org/arena/i18n"
	"example.org/arena/templates"
	"github.com/spf13/cobra"
)

func newBuild() *cobra.Command {
	var flags siteFlags
	var out string
	c := &cobra.Command{
		Use:   "build",
		Short: "Make the site from bundles and content",
		Long: "Build makes the whole site, in three languages, from the bundles in results and\n" +
			"from the content inside the program. The same input gives the same bytes, with\n" +
			"any number of jobs, and with or without a cache.\n\n" +
			"The site is written beside the folder --out and then put in its place: the old\n" +
			"site stays until the new one is whole, also when the build fails. A folder that\n" +
			"holds anything but such a site is not replaced.",
		Example: "  arena build\n" +
			"  arena build --out public --cache .cache/site --base-url https://arena.example.org\n" +
			"  arena build --results results/bundles --results my-runs --include-simulated",
		Args:        cobra.NoArgs,
		Annotations: exits(exit.OK, exit.Failure, exit.Usage, exit.Interrupted),
		RunE: func(c *cobra.Command, _ []string) error {
			return runBuild(c, flags, out)
		},
	}
	c.Flags().StringVar(&out, "out", "public", "folder of the site")
	flags.register(c.Flags())
	return c
}

// What a build lets gather before it collects: in percent of what lives, and in bytes
// of memory from which on it collects more often.
const (
	garbagePercent = 400
	memoryAimed    = 512 << 20
)

func runBuild(c *cobra.Command, flags siteFlags, out string) (err error) {
	if err := flags.settle(); err != nil {
		return err
	}
	if err := checkTarget(flags, out); err != nil {
		return err
	}
	// A site is made of short-lived values around a few long-lived ones: collecting
	// less often saves a tenth of the time, and costs memory up to a bound.
	debug.SetGCPercent(garbagePercent)
	debug.SetMemoryLimit(memoryAimed)
	p := newProgress(c.ErrOrStderr())
	m, err := newSiteMaker(flags, templates.FS, p)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.close()) }()
	size, err := m.publish(c.Context(), out)
	if c.Context().Err() != nil && err != nil {
		return fmt.Errorf("interrupted, %s is as it was: %w", out, context.Canceled)
	}
	if err != nil {
		return err
	}
	if err := m.cacheFault(); err != nil {
		p.printLine("warning: the cache is of no use: %v", err)
	}
	return size.print(c.OutOrStdout(), out)
}

// checkTarget refuses a folder that a site cannot be written to, before the work
// of making it.
func checkTarget(flags siteFlags, out string) error {
	if out == "" {
		return exit.Usagef("the site needs a folder to be written to")
	}
	if err := flags.checkOut(out); err != nil {
		return err
	}
	if err := publish.Check(out); err != nil {
		return exit.WithHint(err, "choose a folder that is empty or does not exist")
	}
	return nil
}

// A siteSize says how large a site is. Sizes are in bytes.
type siteSize struct {
	pages  int
	files  int    // without compressed copies
	plain  int64  // of those files
	brotli int64  // of the same with every file compressed that is; 0 when none is
	hash   string // of the whole tree
}

func sizeOf(m publish.Manifest) siteSize {
	s := siteSize{hash: m.Hash()}
	sizes := map[string]int64{}
	for _, f := range m {
		sizes[f.Path] = f.Size
	}
	var saved int64
	for _, f := range m {
		ext := path.Ext(f.Path)
		plain, copied := sizes[strings.TrimSuffix(f.Path, ext)]
		switch {
		case copied && ext == ".br":
			saved += plain - f.Size
			continue
		case copied && ext == ".gz":
			continue
		case ext == ".html":
			s.pages++
		}
		s.files++
		s.plain += f.Size
	}
	if saved > 0 {
		s.brotli = s.plain - saved
	}
	return s
}

func (s siteSize) print(w io.Writer, dir string) error {
	size := megabytes(s.plain)
	if s.brotli > 0 {
		size += ", " + megabytes(s.brotli) + " as Brotli"
	}
	_, err := fmt.Fprintf(w, "%s: %s in %d languages, %s, %s\nsha256 %s\n",
		dir, terminal.Counted(s.pages, "page"), len(i18n.Langs), terminal.Counted(s.files, "file"), size, s.hash)
	return err
}

// megabytes writes a size in bytes.
func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
