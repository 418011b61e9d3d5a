package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"example.org/arena/loadgen/child"
	"example.org/arena/loadgen/simserver"
)

// serveArgument makes this program the server: an argument that no person gives.
const serveArgument = "-serve-simulated"

// A timing is when the simulated server sends.
type timing struct{ ttft, itl time.Duration }

// serve runs a simulated server until its input ends.
func serve(in io.Reader, out io.Writer, args []string) (err error) {
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	config := simserver.Default()
	flags.DurationVar(&config.Request.TTFT, "ttft", 0, "")
	flags.DurationVar(&config.Request.ITL, "itl", 0, "")
	log := flags.String("log", "", "")
	if err := flags.Parse(args); err != nil {
		return err
	}
	file, err := os.Create(*log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	config.LogTo, config.LogKeep, config.Precise = file, 0, true
	s, err := simserver.New(config)
	if err != nil {
		return err
	}
	l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- s.Serve(l) }()
	fmt.Fprintf(out, "http://%s\n", l.Addr())
	if _, err := io.Copy(io.Discard, in); err != nil {
		return err
	}
	err = s.Close()
	if serveErr := <-done; !errors.Is(serveErr, simserver.ErrClosed) {
		err = errors.Join(err, serveErr)
	}
	return err
}

// A simulated is a simulated server in a process of its own, which keeps a log.
type simulated struct {
	process  *child.Server
	dir, log string
}

// start starts a server.
func start(ctx context.Context, t timing) (*simulated, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "accuracy-")
	if err != nil {
		return nil, err
	}
	s := &simulated{dir: dir, log: filepath.Join(dir, "sim.jsonl")}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), program, serveArgument, "-ttft", t.ttft.String(), "-itl", t.itl.String(), "-log", s.log)
	cmd.Stderr = os.Stderr
	s.process, err = child.Start(cmd)
	return s, err
}

// end stops the server and reads its log.
func (s *simulated) end() (simserver.LogHeader, []simserver.Record, error) {
	if err := s.process.Stop(); err != nil {
		return simserver.LogHeader{}, nil, err
	}
	data, err := os.ReadFile(s.log)
	if err := errors.Join(err, os.RemoveAll(s.dir)); err != nil {
		return simserver.LogHeader{}, nil, err
	}
	return simserver.ReadLog(s.log, bytes.NewReader(data))
}
