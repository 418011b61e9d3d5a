package bench

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"example.org/arena/engine"
	"example.org/arena/loadgen/openai"
	"example.org/arena/loadgen/simserver"
	"example.org/arena/results/bundle"
)

// calibrate checks the load generator against a simulated server, this program
// again in a process of its own.
func (j *job) calibrate(ctx context.Context, streams int) (bundle.Calibration, error) {
	dir, err := os.MkdirTemp("", "arena-calibration-")
	if err != nil {
		return bundle.Calibration{}, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // what stays is small, and below the system's folder for it
	program, err := j.program.Executable()
	if err != nil {
		return bundle.Calibration{}, err
	}
	sim, err := launchSim(ctx, program, filepath.Join(dir, "sim.jsonl"))
	if err != nil {
		return bundle.Calibration{}, err
	}
	return engine.Simulated{Client: openai.Options{BaseURL: sim.url}, End: sim.end}.Calibrate(ctx, streams)
}

// A simChild is a simulated server in a process of its own.
type simChild struct {
	cmd      *exec.Cmd
	hold     io.Closer // it ends when this is closed, or when this program is gone
	url, log string
	errs     bytes.Buffer
}

func launchSim(ctx context.Context, program, log string) (_ *simChild, err error) {
	s := &simChild{log: log}
	timing := fmt.Sprintf("ttft_ms=%d,itl_ms=%d", engine.CalibrationTTFT.Milliseconds(), engine.CalibrationITL.Milliseconds())
	s.cmd = exec.CommandContext(context.WithoutCancel(ctx), program, "sim", "--child", "--addr", "127.0.0.1:0", "--log", log, "--set", timing)
	s.cmd.Stderr = &s.errs
	s.cmd.WaitDelay = 5 * time.Second
	apart(s.cmd) // Ctrl-C is for this program, which ends the other itself
	if s.hold, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		_ = s.cmd.Process.Kill()
		return nil, fmt.Errorf("start the simulated server: %w: %s", errors.Join(err, s.cmd.Wait()), s.errs.String())
	}
	s.url = strings.TrimSpace(line)
	return s, nil
}

// end ends the server and reads what it noted.
func (s *simChild) end() ([]simserver.Record, error) {
	if err := errors.Join(s.hold.Close(), s.cmd.Wait()); err != nil {
		return nil, fmt.Errorf("end the simulated server: %w: %s", err, s.errs.String())
	}
	data, err := os.ReadFile(s.log)
	if err != nil {
		return nil, err
	}
	_, records, err := simserver.ReadLog(s.log, bytes.NewReader(data))
	return records, err
}
