//go:build unix

package hostinfo

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

const sampling = `case "$*" in *-lms*) ;; *) echo ok; exit 0 ;; esac
echo $$ > "$0.pid"
while :; do
  echo "0, 1, $(date -u '+%Y/%m/%d %H:%M:%S.%3N'), 45.5, 60, 2400, 3003, 96, [N/A], 0x0000000000000004"
  SLEEP
done
`

// A real child, whose own child holds the pipe, is gone after Stop.
func TestSamplerRealProgram(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"writes":          strings.ReplaceAll(sampling, "SLEEP", "sleep 0.02"),
		"hangs":           strings.ReplaceAll(sampling, "SLEEP", "sleep 60"),
		"ignores signals": "trap '' TERM INT\n" + strings.ReplaceAll(sampling, "SLEEP", "sleep 60 & wait"),
		"ends":            strings.ReplaceAll(sampling, "SLEEP", "exit 1"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file := filepath.Join(dir, "nvidia-smi")
			if err := os.WriteFile(file, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
				t.Fatal(err)
			}
			sys := System{
				Run: func(ctx context.Context, _ string, args ...string) ([]byte, error) {
					return runLocal(ctx, file, args...)
				},
				Start: func(ctx context.Context, _ string, args ...string) (Child, error) {
					return startLocal(ctx, file, args...)
				},
			}
			start := time.Now()
			s := StartSampler(t.Context(), sys, 10*time.Millisecond)
			deadline := time.After(20 * time.Second)
			tick := time.NewTicker(5 * time.Millisecond)
			defer tick.Stop()
			for s.Between(start.Add(-time.Second), time.Now()) == nil {
				select {
				case <-tick.C:
				case <-deadline:
					t.Fatal("no sample in 20 s")
				}
			}
			s.Stop()
			select {
			case <-s.done:
			default:
				t.Fatal("the child is not freed")
			}
			pid, err := os.ReadFile(file + ".pid")
			if err != nil {
				t.Fatal(err)
			}
			n, err := strconv.Atoi(strings.TrimSpace(string(pid)))
			if err != nil {
				t.Fatal(err)
			}
			if err := syscall.Kill(n, 0); err != syscall.ESRCH {
				t.Errorf("process %d is still there: %v", n, err)
			}
			tel := s.Between(start.Add(-time.Second), time.Now())
			if tel == nil || *tel.PowerW[0] != 45.5 || tel.MemoryUsedMB != nil {
				t.Errorf("got %s", columns(t, tel))
			}
		})
	}
}

// The end of the context ends the child.
func TestSamplerContext(t *testing.T) {
	t.Parallel()
	sys := script(t, strings.ReplaceAll(sampling, "SLEEP", "sleep 60"))
	ctx, cancel := context.WithCancel(t.Context())
	s := StartSampler(ctx, sys, time.Second)
	cancel()
	select {
	case <-s.done:
	case <-time.After(20 * time.Second):
		t.Error("the child lives on")
	}
	s.Stop()
}

// script writes a program and returns a System that runs it for nvidia-smi.
func script(t *testing.T, text string) System {
	t.Helper()
	file := filepath.Join(t.TempDir(), "nvidia-smi")
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
		t.Fatal(err)
	}
	return System{
		Run: func(ctx context.Context, name string, args ...string) ([]byte, error) {
			if name == gpuTool {
				name = file
			}
			return runLocal(ctx, name, args...)
		},
		Start: func(ctx context.Context, _ string, args ...string) (Child, error) {
			return startLocal(ctx, file, args...)
		},
	}
}

// A program that hangs, and whose children hold its output, ends with the limit.
func TestHostHangingProgram(t *testing.T) {
	t.Parallel()
	sys := script(t, "sleep 60 & sleep 60\n")
	sys.Timeout = 100 * time.Millisecond
	start := time.Now()
	got, notes := Host(t.Context(), sys)
	if got.GPU != "" || !strings.Contains(codes(notes), "gpu_tool_silent tool=nvidia-smi limit_s=0.1") {
		t.Errorf("got %+v, notes %s", got, codes(notes))
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
}

// What a program writes without end is not kept without end.
func TestHead(t *testing.T) {
	t.Parallel()
	sys := script(t, "head -c 40000000 /dev/zero; head -c 5000000 /dev/zero >&2; exit 1\n")
	out, err := sys.Run(t.Context(), gpuTool)
	if len(out) != outputSize || err == nil || len(err.Error()) > 4<<10 {
		t.Errorf("kept %d bytes and an error of %d", len(out), len(err.Error()))
	}
}

func TestHostRealProgram(t *testing.T) {
	t.Parallel()
	sys := script(t, `[ "$LC_ALL" = C ] && [ "$TZ" = UTC ] || exit 3
case "$*" in
*--query-gpu=name*) echo "NVIDIA GB10, 580.173.02, 9A.0B.2D.00.00, [N/A]" ;;
*COMPUTE*) echo "CUDA Version : 13.0" ;;
*) exit 2 ;;
esac
`)
	got, notes := Host(t.Context(), sys)
	if got.GPU != "NVIDIA GB10" || got.CUDA != "13.0" {
		t.Errorf("got %+v, notes %s", got, codes(notes))
	}
	failing := script(t, "echo broken >&2; exit 1\n")
	if _, err := failing.Run(t.Context(), gpuTool); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Errorf("a program that fails gives %v", err)
	}
	if _, err := runLocal(t.Context(), "arena-no-such-program"); !absent(err) {
		t.Errorf("a program that is not there gives %v", err)
	}
}
