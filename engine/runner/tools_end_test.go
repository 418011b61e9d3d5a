package runner

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

func TestToolsInterrupted(t *testing.T) {
	t.Parallel()
	c := contractV2(t)
	for _, k := range []struct{ mode, slug string }{{"hang", "chat"}, {"deaf", "chat"}, {"hang", "sharegpt"}} {
		dir := t.TempDir()
		ctx, cancel := context.WithCancel(t.Context())
		var hanging atomic.Int32
		tools := &Tools{Names: toolNames, Grace: 200 * time.Millisecond, Exec: throughFakeTool(k.mode, dir)}
		progress := func(line string) {
			want := int32(1)
			if k.mode == "deaf" {
				want = 2 // parent and child
			}
			if line == "hanging" && hanging.Add(1) == want {
				cancel()
			}
		}
		start := time.Now()
		run, err := tools.Run(ctx, c, testNamed(t, c, k.slug), 0, progress)
		cancel()
		var e *ToolError
		if !errors.As(err, &e) || e.Fault != ToolInterrupted || !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "is lost") {
			t.Errorf("%s %s: %v", k.mode, k.slug, err)
		}
		if run == nil || len(run.Files) == 0 || len(run.Test.Cells[0].Reported) > 0 {
			t.Errorf("%s %s: %+v", k.mode, k.slug, run)
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s %s: took %v to end", k.mode, k.slug, took)
		}
		if k.mode == "deaf" {
			checkGone(t, filepath.Join(dir, "child"))
		}
		if k.slug == "sharegpt" {
			all := calls(t, dir)
			last := all[len(all)-1].Argv
			if last[3] != "python3" || last[6] != "end" || !slices.Equal(last[7:], c.Commands(testNamed(t, c, k.slug), toolNames)[0].Argv[4:]) {
				t.Errorf("ended the tool in its container with %q", last)
			}
		}
	}
}

// checkGone checks that the process with the id in a file has ended.
func checkGone(t *testing.T, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := os.FindProcess(numbers([]string{string(data)})[0])
	if err != nil {
		return
	}
	gone(t, p)
}

// gone waits until a process has ended. One that nobody reaps yet counts.
func gone(t *testing.T, p *os.Process) {
	t.Helper()
	for range 1000 {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Pid))
		if err == nil && bytes.Contains(status, []byte("State:\tZ")) || p.Signal(syscall.Signal(0)) != nil {
			return
		}
		<-time.After(5 * time.Millisecond)
	}
	t.Errorf("process %d goes on", p.Pid)
}

// The script ends the processes with our arguments, deaf or not, and no others.
func TestToolsEndScript(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3: the script that ends a tool in its container is not tested")
	}
	mark := filepath.Join(t.TempDir(), "result.json") // unique on this machine
	start := func(script string, argv ...string) *exec.Cmd {
		cmd := exec.Command(python, append([]string{"-c", script + "; print('up', flush=True); time.sleep(60)"}, argv...)...)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
		if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	ours := start("import time", "bench", "serve", "--result-filename", mark)
	other := start("import time", "bench", "serve", "--result-filename", mark+"2")
	for _, step := range []struct {
		mode string
		code int
	}{{"find", foundCode}, {"end", 0}, {"find", 0}} {
		cmd := exec.Command(python, "-c", endScript, step.mode, "bench", "serve", "--result-filename", mark)
		if out, err := cmd.CombinedOutput(); cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != step.code {
			t.Errorf("%s: %v %s, want exit code %d", step.mode, err, out, step.code)
		}
	}
	gone(t, ours.Process)
	if err := other.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("a process with other arguments was ended: %v", err)
	}
}
