package bench

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"example.org/arena/engine"
	"example.org/arena/loadgen/child"
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
	log := filepath.Join(dir, "sim.jsonl")
	timing := fmt.Sprintf("ttft_ms=%d,itl_ms=%d", engine.CalibrationTTFT.Milliseconds(), engine.CalibrationITL.Milliseconds())
	sim, err := child.Start(exec.CommandContext(context.WithoutCancel(ctx), program, "sim", "--child", "--addr", "127.0.0.1:0", "--log", log, "--set", timing))
	if err != nil {
		return bundle.Calibration{}, fmt.Errorf("simulated server: %w", err)
	}
	end := func() ([]simserver.Record, error) { return endSimulated(sim, log) }
	return engine.Simulated{Client: openai.Options{BaseURL: sim.URL}, End: end}.Calibrate(ctx, streams)
}

// endSimulated ends a simulated server and reads what it noted.
func endSimulated(sim *child.Server, log string) ([]simserver.Record, error) {
	if err := sim.Stop(); err != nil {
		return nil, fmt.Errorf("simulated server: %w", err)
	}
	data, err := os.ReadFile(log)
	if err != nil {
		return nil, err
	}
	_, records, err := simserver.ReadLog(log, bytes.NewReader(data))
	return records, err
}
