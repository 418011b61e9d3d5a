//go:build unix

package main

import (
	"bytes"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"example.org/arena/cmd/arena/exit"
	"example.org/arena/loadgen/simserver"
	"example.org/arena/results/bundle"
)

// ran is what a run of the program left.
type ran struct {
	code           int
	stdout, stderr string
}

// arena runs the program in a folder.
func arena(t *testing.T, dir string, env []string, args ...string) ran {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "arena", args...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, append(os.Environ(), env...), &out, &errs
	err := cmd.Run()
	if cmd.ProcessState == nil || !cmd.ProcessState.Exited() {
		t.Fatalf("arena %q: %v\n%s", args, err, errs.String())
	}
	return ran{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// shortContract is the path of the contract of these tests.
func shortContract(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs("testdata/bench/short.toml")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestBenchKeepsSecrets: a key from the environment opens the server, and neither it
// nor the certificate's file nor the server's address is anywhere afterwards.
func TestBenchKeepsSecrets(t *testing.T) {
	t.Parallel()
	const key = "sk-planted-0123456789abcdef"
	behind, err := url.Parse(serveSimulated(t))
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(behind)
	proxy.FlushInterval = -1
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+key {
			http.Error(w, `{"error":{"message":"wrong key `+r.Header.Get("Authorization")+`"}}`, http.StatusUnauthorized)
			return
		}
		// The server answers as soon as it has the request, and net/http's own proxy
		// can break while it still reads its end.
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	dir := t.TempDir()
	ca := filepath.Join(dir, "planted-authority.pem")
	if err := os.WriteFile(ca, pemOf(server.Certificate()), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{
		"bench", "--base-url", server.URL, "--served-model-name", simserver.Prefix + "fixed", "--contract", shortContract(t),
		"--only", "chat", "--no-calibration", "--progress", "json",
	}

	got := arena(t, dir, []string{"PLANTED=" + key}, append(args, "--api-key-env", "PLANTED")...)
	if got.code != exit.Failure || !strings.Contains(got.stderr, "certificate is not trusted") || !strings.Contains(got.stderr, "hint: name the file of its certificate authority with --ca") {
		t.Errorf("without the authority: %+v", got)
	}
	got = arena(t, dir, nil, append(args, "--ca", ca)...)
	if got.code != exit.Failure || !strings.Contains(got.stderr, "hint: name the environment variable that holds the key with --api-key-env") {
		t.Errorf("without a key: %+v", got)
	}
	got = arena(t, dir, nil, append(args, "--ca", ca, "--api-key-env", "PLANTED_ELSEWHERE")...)
	if got.code != exit.Usage || !strings.Contains(got.stderr, "the environment has no variable PLANTED_ELSEWHERE") {
		t.Errorf("with a variable that is not there: %+v", got)
	}
	got = arena(t, dir, []string{"PLANTED=" + key}, append(args, "--ca", ca, "--api-key-env", "PLANTED")...)
	if got.code != exit.OK && got.code != exit.Invalid {
		t.Fatalf("with both: %+v", got)
	}
	everything := got.stdout + got.stderr
	for _, path := range filesBelow(t, dir) {
		if path == filepath.Base(ca) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, path))
		if err != nil {
			t.Fatal(err)
		}
		everything += path + string(data)
	}
	host, _ := os.Hostname()
	for _, planted := range []string{key, "planted-authority", server.Listener.Addr().String(), dir, host, "PLANTED"} {
		if planted != "" && strings.Contains(everything, planted) {
			t.Errorf("%q is in what the run left", planted)
		}
	}
	for line := range strings.Lines(got.stderr) {
		var object map[string]any
		if strings.HasPrefix(line, "{") && json.Unmarshal([]byte(line), &object) != nil {
			t.Errorf("no JSON: %s", line)
		}
	}
}

// TestBenchRefuses: what keeps a run from succeeding is said before it begins, with
// what to change.
func TestBenchRefuses(t *testing.T) {
	t.Parallel()
	sim, small := serveSimulated(t), serveConfigured(t, func(c *simserver.Config) { c.MaxModelLen = 8192 })
	silent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) }))
	t.Cleanup(silent.Close)
	two := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"data":[{"id":"a"},{"id":"b"}]}`)
	}))
	t.Cleanup(two.Close)
	rude := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "\x1b[31m bad gateway", http.StatusServiceUnavailable)
	}))
	t.Cleanup(rude.Close)
	files := t.TempDir()
	bad, odd := filepath.Join(files, "bad.toml"), filepath.Join(files, "odd.toml")
	for file, text := range map[string]string{
		bad: "no_such_key = \"dgx-spark\"\n",
		odd: "platform = \"dgx-spark\"\nprofile = \"x\"\ncredit = \"Me\"\n[model]\nid = \"Org/Model\"\nrevision = \"main\"\nquantisation = \"../x\"\n",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	short := shortContract(t)
	fixed := simserver.Prefix + "fixed"
	for name, c := range map[string]struct {
		args []string
		code int
		says []string
	}{
		"nothing stated":       {[]string{"--base-url", sim}, exit.Usage, []string{"--model ORG/MODEL", "--platform dgx-spark", "--credit NAME", "docs/measuring.md"}},
		"no such test":         {[]string{"--only", "chess"}, exit.Usage, []string{`has no test "chess"`, "rate-sweep"}},
		"no such contract":     {[]string{"--contract", "v77"}, exit.Usage, []string{"v77", "v3"}},
		"bad model":            {[]string{"--model", "../x"}, exit.Usage, []string{"--model"}},
		"bad runner":           {[]string{"--runner", "magic"}, exit.Usage, []string{"want native, tools or both"}},
		"bad progress":         {[]string{"--progress", "magic"}, exit.Usage, []string{"want auto, plain, json or none"}},
		"finish without a run": {[]string{"--finish"}, exit.Usage, []string{"--resume"}},
		"nothing to resume":    {[]string{"--resume", "--out", "elsewhere"}, exit.Usage, []string{"no journal below elsewhere"}},
		"no such metadata":     {[]string{"--metadata", "none.toml"}, exit.Usage, []string{"none.toml"}},
		"no such file":         {[]string{"--served-model-name", fixed, "--sharegpt", "none.json"}, exit.Usage, []string{"none.json"}},
		"no server":            {[]string{"--served-model-name", fixed, "--base-url", "http://127.0.0.1:1", "--contract", short}, exit.Failure, []string{"the server does not answer", "hint: start the server"}},
		"no OpenAI":            {[]string{"--served-model-name", fixed, "--base-url", silent.URL, "--contract", short}, exit.Failure, []string{"no OpenAI-compatible server", "404", "hint: look at --base-url"}},
		"several models":       {[]string{"--served-model-name", simserver.Prefix + "c", "--base-url", two.URL, "--contract", short}, exit.Failure, []string{`it serves "a", "b"`, "--served-model-name"}},
		"short context":        {[]string{"--served-model-name", fixed, "--base-url", small, "--contract", "v3", "--only", "concurrency-stress"}, exit.Failure, []string{"25256 tokens", "--max-model-len"}},
		"not simulated":        {[]string{"--base-url", sim, "--model", "Org/Model", "--platform", "dgx-spark", "--profile", "x", "--credit", "Me", "--contract", short}, exit.Usage, []string{"tried out on the simulated server only"}},
		"no such platform":     {[]string{"--base-url", sim, "--model", "Org/Model", "--platform", "dgx-spork", "--profile", "x", "--credit", "Me"}, exit.Usage, []string{`there is no platform "dgx-spork"; known are dgx-b300, dgx-spark`}},
		"no command":           {[]string{"--runner", "tools", "--only", "chat"}, exit.Usage, []string{"prescribes no command for chat", "contract v2"}},
		"metadata":             {[]string{"--metadata", bad, "--dry-run"}, exit.Usage, []string{"bad.toml:1: no_such_key: unknown key", "bad.toml"}},
		"words":                {[]string{"--metadata", odd}, exit.Usage, []string{`model.revision: "main" is not 40 lower-case hex digits`, `model.quantisation: "../x"`}},
		"a word too many":      {[]string{"chat"}, exit.Usage, []string{`"chat" belongs to no flag`}},
		"an empty journal":     {[]string{"--resume="}, exit.Usage, []string{"names no journal"}},
		"a journal apart":      {[]string{"--resume", "there.journal"}, exit.Failure, []string{"there.journal"}},
		"hostile":              {[]string{"--served-model-name", fixed, "--base-url", rude.URL, "--contract", short}, exit.Failure, []string{"503", "\ufffd[31m"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			got := arena(t, dir, nil, append([]string{"bench", "--no-calibration", "--progress", "none"}, c.args...)...)
			if got.code != c.code || got.stdout != "" {
				t.Errorf("code %d, want %d; stdout %q\n%s", got.code, c.code, got.stdout, got.stderr)
			}
			for _, text := range c.says {
				if !strings.Contains(got.stderr, text) {
					t.Errorf("want %q in\n%s", text, got.stderr)
				}
			}
			if left := filesBelow(t, dir); len(left) > 0 {
				t.Errorf("left behind: %q", left)
			}
		})
	}
}

// TestBenchFinishes: what an interrupted run has is written when nothing more is to
// be measured, and the code says that the contract is not kept.
func TestBenchFinishes(t *testing.T) {
	t.Parallel()
	url, dir := serveSimulated(t), t.TempDir()
	args := []string{
		"bench", "--base-url", url, "--served-model-name", simserver.Prefix + "fixed", "--contract", shortContract(t),
		"--no-calibration", "--progress", "plain",
	}
	cmd := exec.CommandContext(t.Context(), "arena", args...)
	cmd.Dir = dir
	errs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	seen := ""
	buffer := make([]byte, 4096)
	for !strings.Contains(seen, "c3 done") { // the second cell is kept
		n, err := errs.Read(buffer)
		if seen += string(buffer[:n]); err != nil {
			t.Fatalf("%v\n%s", err, seen)
		}
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	rest, _ := io.ReadAll(errs)
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exit.Interrupted || !strings.Contains(string(rest), "--resume=") {
		t.Fatalf("code %d\n%s", code, rest)
	}
	got := arena(t, dir, nil, "bench", "--resume", "--finish", "--contract", shortContract(t))
	if got.code != exit.Breaks && got.code != exit.Invalid || !strings.Contains(got.stderr, "chat                 stopped early (interrupted)") {
		t.Errorf("%+v", got)
	}
	if left := filesBelow(t, dir); len(left) != 1 || !strings.HasSuffix(left[0], ".json") {
		t.Errorf("left: %q", left)
	}
}

func pemOf(c *x509.Certificate) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw})
}

// TestBenchTools: the whole of v2 by its own commands, through tools that print what
// the real ones print, into one bundle with their outputs beside it.
func TestBenchTools(t *testing.T) {
	t.Parallel()
	url, dir, tools := serveSimulated(t), t.TempDir(), t.TempDir()
	env := []string{"TOOLSTEST_DIR=" + tools}
	args := []string{"bench", "--base-url", url, "--served-model-name", simserver.Prefix + "fixed", "--contract", "v2", "--runner", "tools", "--progress", "plain"}
	got := arena(t, dir, env, args...)
	if got.code != exit.OK {
		t.Fatalf("%+v", got)
	}
	log, err := os.ReadFile(filepath.Join(tools, "log"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(log), `"uvx"`) + strings.Count(string(log), `"vllm","bench","serve"`); n != 16 {
		t.Errorf("%d commands were run, want 16", n)
	}
	path := filepath.Join(dir, strings.TrimSpace(got.stdout))
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b, faults := bundle.Check(path, data)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	k, err := contractNamed("v2")
	if err != nil {
		t.Fatal(err)
	}
	if b.Engine.Runner != "tools" || len(b.Tests) != len(k.Tests) {
		t.Fatalf("runner %s, %d tests", b.Engine.Runner, len(b.Tests))
	}
	for i, test := range b.Tests {
		want := k.Tests[i]
		if test.Slug != want.Slug || len(test.Cells) != len(want.Cells()) || test.Tool == nil || test.Tool.Version == "" || test.Stopped != nil {
			t.Errorf("%s: %d of %d cells, tool %+v, stopped %+v", test.Slug, len(test.Cells), len(want.Cells()), test.Tool, test.Stopped)
		}
		if (test.Command == nil) != (want.Slug == "rate-sweep") {
			t.Errorf("%s: command %v", test.Slug, test.Command)
		}
		for _, f := range test.Files {
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), "raw", f.SHA256+".gz")); err != nil {
				t.Errorf("%s: %v", test.Slug, err)
			}
		}
		if len(test.Files) == 0 {
			t.Errorf("%s: no output was kept", test.Slug)
		}
		for j := range test.Cells {
			if len(test.Cells[j].Reported) == 0 {
				t.Errorf("%s: cell %d has no figures", test.Slug, j)
			}
		}
	}
}

// TestBenchBoth: one test by its tool and natively, side by side.
func TestBenchBoth(t *testing.T) {
	t.Parallel()
	url, dir := serveSimulated(t), t.TempDir()
	args := []string{"bench", "--base-url", url, "--served-model-name", simserver.Prefix + "fixed", "--contract", "v2", "--runner", "both", "--progress", "none"}
	got := arena(t, dir, []string{"TOOLSTEST_DIR=" + t.TempDir()}, append(args, "--only", "long-output")...)
	if got.code != exit.OK {
		t.Fatalf("%+v", got)
	}
	for _, text := range []string{"long-output, 256 + 4096 tokens, concurrency 10", "llama-benchy 0.4.0", "native", "ratio"} {
		if !strings.Contains(got.stdout, text) {
			t.Errorf("want %q in\n%s", text, got.stdout)
		}
	}
	if lines := strings.Count(got.stdout, "mean"); lines < 9 || strings.Count(got.stdout, "–") > lines {
		t.Errorf("little to compare:\n%s", got.stdout)
	}
	if left := filesBelow(t, dir); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	if got := arena(t, dir, nil, args...); got.code != exit.Usage || !strings.Contains(got.stderr, "name it with --only") {
		t.Errorf("without a test: %+v", got)
	}
}
