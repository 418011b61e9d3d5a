package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"time"

	"example.org/arena/cmd/arena/exit"
	"example.org/arena/cmd/arena/publish"
	"example.org/arena/cmd/arena/serve"
	"example.org/arena/cmd/arena/terminal"
	"example.org/arena/templates"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newServe() *cobra.Command {
	var flags siteFlags
	var dir, addr string
	var watch bool
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve the site on this machine, with the headers of production",
		Long: "Serve answers for a site that arena build made, as a production server does:\n" +
			"the same security headers and caching, compressed copies, error pages. It listens\n" +
			"on this machine only unless --addr says otherwise, and ends with Ctrl-C.\n\n" +
			"With --watch it builds the site into --dir at the start and whenever a bundle or\n" +
			"a file of --content changes. When that fails it says why and goes on serving the\n" +
			"site it had. The flags of arena build say what the site is made from.",
		Example: "  arena serve\n" +
			"  arena serve --dir public --addr 127.0.0.1:9000\n" +
			"  arena serve --watch --content content --cache .cache/site",
		Args:        cobra.NoArgs,
		Annotations: exits(exit.OK, exit.Failure, exit.Usage),
	}
	c.Flags().StringVar(&dir, "dir", "public", "folder of the site")
	c.Flags().StringVar(&addr, "addr", "127.0.0.1:8080", "address to listen on; port 0 takes a free one")
	c.Flags().BoolVar(&watch, "watch", false, "build the site now and whenever its sources change")
	building := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.register(building)
	c.Flags().AddFlagSet(building)
	c.RunE = func(c *cobra.Command, _ []string) error {
		if watch {
			return serveWatching(c, flags, dir, addr)
		}
		var idle error
		building.VisitAll(func(f *pflag.Flag) {
			if f.Changed {
				idle = errors.Join(idle, fmt.Errorf("--%s does nothing without --watch", f.Name))
			}
		})
		if idle != nil {
			return exit.WithCode(exit.Usage, idle)
		}
		if err := publish.IsSite(dir); err != nil {
			return exit.WithHint(err, "arena build --out DIR makes a site")
		}
		l, err := listen(c.Context(), addr)
		if err != nil {
			return err
		}
		return serveSite(c.Context(), l, dir, c.OutOrStdout(), c.ErrOrStderr())
	}
	return c
}

func listen(ctx context.Context, addr string) (net.Listener, error) {
	return new(net.ListenConfig).Listen(ctx, "tcp", addr)
}

// serveSite says where the site is and serves it until ctx ends.
func serveSite(ctx context.Context, l net.Listener, dir string, stdout, stderr io.Writer) error {
	if _, err := fmt.Fprintf(stdout, "http://%s/\n", reachable(l.Addr())); err != nil {
		return errors.Join(err, l.Close())
	}
	log := slog.New(slog.NewTextHandler(stderr, nil))
	return serve.Run(ctx, l, serve.Handler(serve.Folder(dir)), log)
}

// reachable returns an address that a browser on this machine can open.
func reachable(a net.Addr) string {
	host, port, err := net.SplitHostPort(a.String())
	if ip := net.ParseIP(host); err == nil && ip != nil && ip.IsUnspecified() {
		return net.JoinHostPort("localhost", port)
	}
	return a.String()
}

// lookEvery is the time between two looks at the sources.
const lookEvery = 500 * time.Millisecond

// serveWatching serves dir and builds the site into it as often as its sources
// change.
func serveWatching(c *cobra.Command, flags siteFlags, dir, addr string) (err error) {
	if err := flags.settle(); err != nil {
		return err
	}
	if err := checkTarget(flags, dir); err != nil {
		return err
	}
	m, err := newSiteMaker(flags, templates.FS, newProgress(io.Discard))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.close()) }()
	l, err := listen(c.Context(), addr)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(c.Context())
	ended := make(chan error, 1)
	go func() {
		defer cancel() // a server that fails ends the watch
		ended <- serveSite(ctx, l, dir, c.OutOrStdout(), c.ErrOrStderr())
	}()
	rebuild := func(ctx context.Context) { m.rebuild(ctx, dir, c.ErrOrStderr()) }
	sources := append([]string(nil), flags.results...)
	if flags.content != "" {
		sources = append(sources, flags.content)
	}
	look := func() string { return serve.Fingerprint(sources...) }
	now := look()
	rebuild(ctx)
	serve.Watch(ctx, lookEvery, now, look, rebuild)
	return <-ended
}

// rebuild publishes the site anew and says how it went. A failure leaves the site
// as it was.
func (m *siteMaker) rebuild(ctx context.Context, dir string, stderr io.Writer) {
	begun := time.Now()
	size, err := m.publish(ctx, dir)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		exit.Print(stderr, err)
		fmt.Fprintf(stderr, "%s is as it was\n", dir)
	default:
		fmt.Fprintf(stderr, "built %s in %.1f s\n", terminal.Counted(size.pages, "page"), time.Since(begun).Seconds())
	}
}
