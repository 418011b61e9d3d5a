package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"example.org/arena/cmd/arena/exit"
	"example.org/arena/cmd/arena/terminal"
	"example.org/arena/loadgen/simserver"
	"github.com/spf13/cobra"
)

// simGrace is how long answers under way may take when the server is ended.
const simGrace = 2 * time.Second

func newSim() *cobra.Command {
	var flags simFlags
	c := &cobra.Command{
		Use:   "sim",
		Short: "A simulated OpenAI-compatible server with known timing",
		Long: "Sim serves a model that does not exist, and knows to some ten microseconds when\n" +
			"it sends what: to calibrate load generators, to try things out, and for tests. By\n" +
			"default every answer's first token is due 50 ms after its request and the others\n" +
			"every 10 ms, 64 in all. A profile chooses other times or a simulated engine, how\n" +
			"answers look on the wire and how they fail; docs/simulated-server.md has every key.\n\n" +
			"It prints its address when it is ready, and ends with Ctrl-C. With --log it writes\n" +
			"when each request arrived, and when each event was due and was sent.",
		Example: "  arena sim\n" +
			"  arena sim --addr 127.0.0.1:0 --log sent.jsonl\n" +
			"  arena sim --profile docs/sim/engine.toml\n" +
			"  arena sim --set ttft_ms=200,itl_ms=50 --set usage=none",
		Args:        cobra.NoArgs,
		Annotations: exits(exit.OK, exit.Failure, exit.Usage),
	}
	c.Flags().StringVar(&flags.addr, "addr", "127.0.0.1:8000", "address to listen on; port 0 takes a free one")
	c.Flags().StringVar(&flags.profile, "profile", "", "`FILE` with settings (TOML)")
	c.Flags().StringArrayVar(&flags.set, "set", nil, "`KEY=VALUE` of the table request of a profile; may be repeated, and hold several with commas between them")
	c.Flags().StringVar(&flags.log, "log", "", "`FILE` to write what was sent when to, as JSON lines; must not exist")
	c.Flags().BoolVar(&flags.child, "child", false, "end with the standard input, and so with the program that holds its other end")
	_ = c.MarkFlagFilename("profile", "toml") // these flags exist
	_ = c.Flags().MarkHidden("child")
	c.RunE = func(c *cobra.Command, _ []string) error {
		config, err := flags.config()
		if err != nil {
			return err
		}
		ctx, cancel := context.WithCancel(c.Context())
		defer cancel()
		if flags.child {
			go func() {
				_, _ = io.Copy(io.Discard, c.InOrStdin()) // its end is what counts
				cancel()
			}()
		}
		return serveSim(ctx, config, flags, c.OutOrStdout(), c.ErrOrStderr())
	}
	return c
}

// simFlags are the flags of arena sim.
type simFlags struct {
	addr, profile, log string
	set                []string
	child              bool
}

// config reads the profile and the settings of the command line.
func (f simFlags) config() (simserver.Config, error) {
	config := simserver.Default()
	if f.profile != "" {
		data, err := os.ReadFile(f.profile)
		if err != nil {
			return config, err
		}
		if config, err = readSimProfile(f.profile, data); err != nil {
			return config, err
		}
	}
	for _, text := range f.set {
		if err := config.Request.Set(text); err != nil {
			return config, exit.WithCode(exit.Usage, fmt.Errorf("--set: %w", err))
		}
	}
	if problems := config.Problems(); len(problems) > 0 {
		return config, exit.WithCode(exit.Usage, fmt.Errorf("--set: %w", problems[0]))
	}
	config.Version = readBuild().version
	config.Precise = true
	config.LogKeep = 0
	return config, nil
}

// serveSim serves until ctx ends.
func serveSim(ctx context.Context, config simserver.Config, flags simFlags, stdout, stderr io.Writer) (err error) {
	if flags.log != "" {
		file, err := os.OpenFile(flags.log, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		config.LogTo = file
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", flags.addr)
	if err != nil {
		return err
	}
	s, err := simserver.New(config)
	if err != nil {
		return errors.Join(err, l.Close())
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(l) }()
	if _, err := fmt.Fprintf(stdout, "http://%s\n", reachable(l.Addr())); err != nil {
		return errors.Join(err, s.Close())
	}
	select {
	case err := <-ended:
		return errors.Join(err, s.Close())
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), simGrace)
	defer cancel()
	err = s.Shutdown(grace)
	if served := <-ended; !errors.Is(served, simserver.ErrClosed) {
		err = errors.Join(err, served)
	}
	printSimStats(stderr, s.Stats())
	return err
}

// printSimStats says what the server did, and how exact it was.
func printSimStats(w io.Writer, s simserver.Stats) {
	fmt.Fprintf(w, "served %s, %s", terminal.Counted(s.Requests, "request"), terminal.Counted(int(s.Events), "event"))
	if s.Events > 0 {
		fmt.Fprintf(w, "; sent late by %.3f ms (median), %.3f ms (p99), %.3f ms (at most)", inMS(s.LateP50), inMS(s.LateP99), inMS(s.LateMax))
	}
	fmt.Fprintln(w)
}

func inMS(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
