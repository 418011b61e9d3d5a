package main

import (
	"bufio"
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
	"strings"
	"time"

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

// A child is a server in a process of its own.
type child struct {
	URL  string
	cmd  *exec.Cmd
	stop io.Closer
	log  string
	dir  string
}

// start starts a server.
func start(ctx context.Context, t timing) (*child, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "accuracy-")
	if err != nil {
		return nil, err
	}
	c := &child{dir: dir, log: filepath.Join(dir, "sim.jsonl")}
	c.cmd = exec.CommandContext(context.WithoutCancel(ctx), program, serveArgument, "-ttft", t.ttft.String(), "-itl", t.itl.String(), "-log", c.log)
	c.cmd.Stderr = os.Stderr
	if c.stop, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start the server: %w", err), c.cmd.Wait())
	}
	c.URL = strings.TrimSpace(line)
	return c, nil
}

// end stops the server and reads its log.
func (c *child) end() (simserver.LogHeader, []simserver.Record, error) {
	if err := errors.Join(c.stop.Close(), c.cmd.Wait()); err != nil {
		return simserver.LogHeader{}, nil, fmt.Errorf("stop the server: %w", err)
	}
	data, err := os.ReadFile(c.log)
	if err := errors.Join(err, os.RemoveAll(c.dir)); err != nil {
		return simserver.LogHeader{}, nil, err
	}
	return simserver.ReadLog(c.log, bytes.NewReader(data))
}

// used returns the processor time of a server that has ended.
func (c *child) used() time.Duration {
	return c.cmd.ProcessState.UserTime() + c.cmd.ProcessState.SystemTime()
}
