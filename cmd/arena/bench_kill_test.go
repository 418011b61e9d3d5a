//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"example.org/arena/cmd/arena/bench"
	"example.org/arena/cmd/arena/exit"
	"example.org/arena/loadgen/simserver"
	"example.org/arena/results/bundle"
)

// kills is how often a run is killed.
const kills = 100

// TestKilled: whenever a run is killed, there is no half bundle, and it can be
// continued to a complete one that asked for the same as an uninterrupted one.
func TestKilled(t *testing.T) {
	t.Parallel()
	url := serveSimulated(t)
	dir := t.TempDir()
	began := time.Now()
	want := finishRun(t, url, filepath.Join(dir, "whole"))
	whole := time.Since(began)
	random := rand.New(rand.NewPCG(1, 2))
	out, completed := filepath.Join(dir, "killed"), 0
	for n := range kills {
		cmd := benchCommand(t.Context(), url, out)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(random.Int64N(int64(whole))), func() { _ = cmd.Process.Kill() })
		err := cmd.Wait()
		timer.Stop()
		if !ended(err) && cmd.ProcessState.Exited() {
			t.Fatalf("kill %d: %v\n%s", n, err, cmd.Stderr)
		}
		for _, b := range bundlesBelow(t, out) {
			completed++
			if !reflect.DeepEqual(askedOf(b), askedOf(want)) {
				t.Fatalf("kill %d: the bundle asked for something else", n)
			}
			if err := os.RemoveAll(out); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := finishRun(t, url, out); !reflect.DeepEqual(askedOf(got), askedOf(want)) {
		t.Error("the run that was continued asked for something else")
	}
	if left := filesBelow(t, out); len(left) != 1 {
		t.Errorf("left behind: %q", left)
	}
	t.Logf("a whole run takes %s; %d runs were completed between %d kills", whole, completed, kills)
}

// serveSimulated serves a simulated model on a socket.
func serveSimulated(t *testing.T) string {
	t.Helper()
	return serveConfigured(t, func(*simserver.Config) {})
}

// serveConfigured serves a simulated model that is not like the others.
func serveConfigured(t *testing.T, edit func(*simserver.Config)) string {
	t.Helper()
	config := simserver.Default()
	config.Request.TTFT, config.Request.ITL = 2*time.Millisecond, 200*time.Microsecond
	edit(&config)
	server, err := simserver.New(config)
	if err != nil {
		t.Fatal(err)
	}
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(l) // ends with ErrClosed
	}()
	t.Cleanup(func() {
		server.Close()
		<-done
	})
	return "http://" + l.Addr().String()
}

// ended reports whether a run came to its end. On a busy machine the load generator
// may not hold the load of a server as fast as this one, which ends with a code of
// its own and a bundle that lies apart.
func ended(err error) bool {
	exited, ok := errors.AsType[*exec.ExitError](err)
	return err == nil || ok && (exited.ExitCode() == exit.Invalid || exited.ExitCode() == exit.Breaks)
}

// benchCommand returns a run of the program that writes below a folder, continued where it
// was begun.
func benchCommand(ctx context.Context, url, dir string) *exec.Cmd {
	out := filepath.Join(dir, "bundles")
	args := []string{
		"bench", "--base-url", url, "--served-model-name", simserver.Prefix + "fixed",
		"--contract", "testdata/bench/short.toml", "--out", out, "--progress", "none", "--no-calibration",
	}
	if journals, _ := filepath.Glob(filepath.Join(out, "*", "*", "*", "*"+bench.JournalSuffix)); len(journals) > 0 {
		if data, err := os.ReadFile(journals[0]); err == nil && !bytes.Contains(data, []byte("\n")) {
			_ = os.Remove(journals[0]) // killed while its first line was written
		} else {
			args = append(args, "--resume="+journals[0])
		}
	}
	cmd := exec.CommandContext(ctx, "arena", args...)
	cmd.Stderr = &bytes.Buffer{}
	return cmd
}

// finishRun runs or continues to the end.
func finishRun(t *testing.T, url, out string) *bundle.Bundle {
	t.Helper()
	cmd := benchCommand(t.Context(), url, out)
	if err := cmd.Run(); !ended(err) {
		t.Fatalf("%v\n%s", err, cmd.Stderr)
	}
	list := bundlesBelow(t, out)
	if len(list) != 1 {
		t.Fatalf("%d bundles", len(list))
	}
	return list[0]
}

// bundlesBelow reads all bundles, each of which has to be whole.
func bundlesBelow(t *testing.T, dir string) []*bundle.Bundle {
	t.Helper()
	var list []*bundle.Bundle
	for _, path := range filesBelow(t, dir) {
		if !strings.HasSuffix(path, ".json") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, path))
		if err != nil {
			t.Fatal(err)
		}
		b, faults := bundle.Check(path, data)
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		_, place, _ := strings.Cut(path, "/") // bundles, or invalid
		if err := bundle.CheckPath(place, b, data); err != nil {
			t.Fatal(err)
		}
		list = append(list, b)
	}
	return list
}

// filesBelow lists the files below a folder, with forward slashes.
func filesBelow(t *testing.T, dir string) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil && d.Type().IsRegular() {
			rel, _ := filepath.Rel(dir, path) // both begin the same way
			list = append(list, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// askedOf lists what every cell of a bundle asked for.
func askedOf(b *bundle.Bundle) []string {
	var list []string
	for _, test := range b.Tests {
		for i := range test.Cells {
			c := &test.Cells[i]
			list = append(list, fmt.Sprint(test.Slug, c.PromptTokens, c.OutputTokens, c.Concurrency, c.Runs,
				c.Records.Repetition, c.Records.Turn, c.Records.AskedPromptTokens, c.Records.AskedOutputTokens))
		}
	}
	return list
}
