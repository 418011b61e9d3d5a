package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/arena/cmd/arena/exit"
	"example.org/arena/loadgen/simserver"
)

// startSim runs arena sim and returns its address, and a function that ends it and
// returns its exit code and what it said.
func startSim(t *testing.T, args ...string) (string, func() (int, string)) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out, stdout := io.Pipe()
	var stderr bytes.Buffer
	code := make(chan int, 1)
	go func() {
		defer stdout.Close()
		code <- run(ctx, append([]string{"sim", "--addr", "127.0.0.1:0"}, args...), nil, stdout, &stderr)
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		cancel()
		<-code
		t.Fatalf("%v: %s", err, &stderr)
	}
	go io.Copy(io.Discard, out)
	return strings.TrimSpace(line), func() (int, string) {
		cancel()
		return <-code, stderr.String()
	}
}

// A run of the whole command: an answer over a socket, the log, the summary.
func TestSim(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "sent.jsonl")
	address, end := startSim(t, "--log", log, "--set", "ttft_ms=2,itl_ms=1", "--set", "tokens=5")
	r, err := http.Post(address+"/v1/chat/completions", "application/json", strings.NewReader(`{"messages":[{"role":"user","content":"hello"}],"stream":true}`))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(r.Body)
	r.Body.Close()
	if got := strings.Count(string(body), `"content":" `); err != nil || got != 5 {
		t.Errorf("%d tokens, %v:\n%s", got, err, body)
	}
	http.DefaultClient.CloseIdleConnections()
	code, said := end()
	if code != exit.OK || !strings.HasPrefix(said, "served 1 request, 7 events; sent late by ") {
		t.Errorf("ended with %d: %s", code, said)
	}
	file, err := os.Open(log)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	header, records, err := simserver.ReadLog(log, file)
	if err != nil || len(records) != 1 || records[0].Outcome != simserver.Complete || records[0].Tokens != 5 || header.Version != readBuild().version {
		t.Errorf("log: %+v, %+v, %v", header, records, err)
	}
	for _, e := range records[0].Events {
		if e.Sent < e.Due {
			t.Errorf("an event due at %v was sent at %v", e.Due, e.Sent)
		}
	}
}

// The example profiles are good, and mean what they say.
func TestSimProfiles(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../docs/sim/*.toml")
	if err != nil || len(files) < 3 {
		t.Fatalf("found %d profiles, %v", len(files), err)
	}
	got := map[string]string{}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		c, err := readSimProfile(name, data)
		if err != nil {
			t.Error(err)
		}
		text := fmt.Sprintf("%s %d %d", c.Model, c.Seed, c.MaxModelLen)
		if c.Engine != nil {
			text += fmt.Sprintf(" %+v", *c.Engine)
		}
		got[filepath.Base(name)] = fmt.Sprintf("%s %v %v %v %d", text, c.Request.Draft, c.Request.Acceptance, c.Faults, c.Request.Reasoning)
	}
	for name, want := range map[string]string{
		"engine.toml":      "arena-sim/engine 0 32768 {PrefillRate:8000 Steps:[{Batch:1 Time:12ms} {Batch:8 Time:14ms} {Batch:32 Time:22ms} {Batch:64 Time:36ms}] DraftTime:0s MaxSeqs:64 MaxTokens:2048 KVTokens:65536 BlockTokens:16 PrefixCache:true} 0 [] [] 0",
		"speculative.toml": "arena-sim/speculative 0 131072 {PrefillRate:8000 Steps:[{Batch:1 Time:15ms} {Batch:64 Time:30ms}] DraftTime:3ms MaxSeqs:256 MaxTokens:2048 KVTokens:1048576 BlockTokens:16 PrefixCache:true} 3 [0.8 0.65 0.5] [] 16",
		"faulty.toml":      "arena-sim/faulty 7 131072 0 [] [{{status 0 503   0s} 0.05 []} {{reset 3 0   0s} 0.05 []} {{error 10 0  error 0s} 0.05 []} {{truncate 5 0   0s} 0 [0 10 20]}] 0",
	} {
		if got[name] != want {
			t.Errorf("%s is\n%s, want\n%s", name, got[name], want)
		}
	}
}
