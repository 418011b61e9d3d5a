//go:build unix

package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.org/arena/cmd/arena/exit"
	"example.org/arena/cmd/arena/verify"
	"example.org/arena/content"
	"example.org/arena/i18n"
	"example.org/arena/loadgen/openai/llamacpptest"
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/metric"
	"example.org/arena/results/stat"
)

// TestBenchLlamaCpp runs a test of the newest contract on a real engine, from the
// address of a server to the page of the bundle. On the way it is interrupted and
// continued. No shorter contract would do: only those of the program have a revision,
// without which there is no bundle of a run that can be published.
func TestBenchLlamaCpp(t *testing.T) {
	folder := os.Getenv(llamacpptest.Variable)
	switch {
	case folder == "":
		t.Skip("NOT TESTED on a real engine: " + llamacpptest.Variable + " names no folder with node-llama-cpp; see make test-engine")
	case contractRevisions == "":
		t.Skip("NOT TESTED on a real engine: the test knows no revision of a contract; see make test-engine, in a clone with full history")
	}
	const answer = "The capital of France is Paris."
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute) // an engine that hangs ends the run, which says so
	defer cancel()
	engine, err := llamacpptest.Start(ctx, llamacpptest.Options{
		Folder: folder, Work: t.TempDir(), Sequences: 12, Context: 2304, Reuse: llamacpptest.Asked,
		Answers: map[string]string{"What is the capital of France? Answer with the name of the city.": answer},
	})
	must(t, err)
	repository := cloneHere(t)
	path := benchInterrupted(t, engine.URL, filepath.Join(repository, "results", "bundles"))
	counted, err := engine.Stop()
	must(t, err)

	data, err := os.ReadFile(path)
	must(t, err)
	b, faults := bundle.Check(filepath.Base(path), data)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	s := b.Server
	if b.Kind != bundle.Run || s.Name != "llama.cpp" || !strings.Contains(s.Version, "node-llama-cpp") || s.PrefixCaching == nil || *s.PrefixCaching || b.Model.ServedName != "tiny" {
		t.Errorf("kind %s of %+v on %+v", b.Kind, b.Model, s)
	}
	if b.Sanity == nil || b.Sanity.Answer != answer {
		t.Errorf("a simple question was answered by %+v", b.Sanity)
	}
	if len(b.Calibration) != 2 {
		t.Errorf("calibrated %d times", len(b.Calibration))
	}
	t.Run("tokens", func(t *testing.T) { countedAlike(t, b, counted) })
	t.Run("show", func(t *testing.T) {
		got := arena(t, repository, nil, "show", path)
		for _, text := range []string{"kind      run\n", "c1 6/6 ok", "c5 30/30 ok", "c10 60/60 ok", " ttft_ms ", " decode_tok_per_s "} {
			if got.code != exit.OK || !strings.Contains(got.stdout, text) {
				t.Errorf("code %d, want %q in\n%s%s", got.code, text, got.stdout, got.stderr)
			}
		}
	})
	t.Run("verify", func(t *testing.T) { verified(t, repository, path, b) })
	t.Run("pages", func(t *testing.T) { onPages(t, filepath.Dir(filepath.Dir(filepath.Dir(filepath.Dir(path)))), b) })
}

// TestBenchLlamaCppReuses: a real engine that answers a repeated prompt from what it
// has computed, and does not say so, is found out by the time that it takes.
func TestBenchLlamaCppReuses(t *testing.T) {
	folder := os.Getenv(llamacpptest.Variable)
	if folder == "" || contractRevisions == "" {
		t.Skip("NOT TESTED on a real engine; see make test-engine")
	}
	engine, err := llamacpptest.Start(t.Context(), llamacpptest.Options{Folder: folder, Work: t.TempDir(), Sequences: 1, Context: 2304, Reuse: llamacpptest.Always})
	must(t, err)
	metadata, err := filepath.Abs("testdata/bench/engine.toml")
	must(t, err)
	got := arena(t, t.TempDir(), nil, "bench", "--base-url", engine.URL, "--metadata", metadata, "--content", ourContent(t), "--contract", "v3", "--only", "chat", "--out", "out", "--progress", "plain")
	if got.code != exit.Failure || !strings.Contains(got.stderr, "the server answers repeated ones from its prefix cache: a repeated prompt took ") {
		t.Errorf("%+v", got)
	}
	counted, err := engine.Stop()
	must(t, err)
	if n := len(counted.Answers); n == 0 || counted.Answers[n-1].Prompt != 1024 || counted.Answers[n-1].Kept < 1000 {
		t.Errorf("the engine used nothing again: %+v", counted.Answers)
	}
}

// cloneHere returns a clone of this repository with its history and the contracts:
// bundles below it are held against the rules for published ones.
func cloneHere(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "clone")
	for _, args := range [][]string{
		{"clone", "--quiet", "--shared", "--no-checkout", "../..", dir},
		{"-C", dir, "checkout", "--quiet", "HEAD", "--", "content/contracts"},
	} {
		if out, err := exec.CommandContext(t.Context(), "git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	return dir
}

// benchInterrupted runs arena bench, interrupts it in its second cell, continues it
// to its end and returns the path of the bundle.
func benchInterrupted(t *testing.T, url, out string) string {
	t.Helper()
	metadata, err := filepath.Abs("testdata/bench/engine.toml")
	must(t, err)
	args := []string{"bench", "--base-url", url, "--metadata", metadata, "--content", ourContent(t), "--out", out, "--progress", "plain"}
	dir := t.TempDir()
	got := arenaInterrupted(t, dir, "/c1 done", func() { untilBusy(t, url, 100) }, append(args, "--contract", "v3", "--only", "chat")...)
	if got.code != exit.Interrupted || !strings.Contains(got.stderr, "--resume=") {
		t.Fatalf("interrupted: %+v", got)
	}
	got = arena(t, dir, nil, append(args, "--resume")...)
	t.Log(got.stderr)
	if !strings.Contains(got.stderr, "resumed: 1 of 3 cells were measured before") || !strings.Contains(got.stderr, "complete, 3 of 3 cells, 96 of 96 requests") {
		t.Error("the run was not continued, or is not complete")
	}
	switch got.code {
	case exit.OK:
	case exit.Invalid: // others are busy on this machine: then the bundle lies apart, and is a bundle all the same
		t.Log("THE LOAD GENERATOR WAS KEPT FROM ITS WORK, and the run says so")
	default:
		t.Fatalf("code %d", got.code)
	}
	if left := filesBelow(t, filepath.Dir(out)); len(left) != 1 || strings.HasPrefix(left[0], "bundles-invalid/") != (got.code == exit.Invalid) {
		t.Errorf("left: %q", left)
	}
	return strings.TrimSpace(got.stdout)
}

// untilBusy waits until an answer of the engine has so many tokens.
func untilBusy(t *testing.T, url string, tokens int) {
	t.Helper()
	for {
		_, _, body := get(t, url+"/slots")
		var slots []struct {
			Tokens int `json:"n_decoded"`
		}
		must(t, json.Unmarshal([]byte(body), &slots))
		for _, s := range slots {
			if s.Tokens >= tokens {
				return
			}
		}
	}
}

// arenaInterrupted runs the program and interrupts it once it has said something,
// and something else has happened.
func arenaInterrupted(t *testing.T, dir, after string, happened func(), args ...string) ran {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "arena", args...)
	var out bytes.Buffer
	cmd.Dir, cmd.Stdout = dir, &out
	errs, err := cmd.StderrPipe()
	must(t, err)
	must(t, cmd.Start())
	seen := ""
	buffer := make([]byte, 4096)
	for !strings.Contains(seen, after) {
		n, err := errs.Read(buffer)
		if seen += string(buffer[:n]); err != nil {
			t.Fatalf("%v\n%s", err, seen)
		}
	}
	happened()
	must(t, cmd.Process.Signal(syscall.SIGTERM))
	rest, err := io.ReadAll(errs)
	must(t, err)
	_ = cmd.Wait() // its code says it
	return ran{cmd.ProcessState.ExitCode(), out.String(), seen + string(rest)}
}

// A measuredRequest is a request of a bundle.
type measuredRequest struct {
	cell, repetition   int
	sent               int64
	prompt, completion int
	each               float64 // time per token, ns
}

// requestsOf lists the requests of the only test, in the order in which they were
// sent.
func requestsOf(t *testing.T, b *bundle.Bundle) []measuredRequest {
	t.Helper()
	var list []measuredRequest
	for i, c := range b.Tests[0].Cells {
		r := c.Records
		for j := range r.Len() {
			if r.Outcome[j] != bundle.OutcomeOK || r.PromptTokens[j] == nil || r.CompletionTokens[j] == nil {
				t.Fatalf("cell %d, request %d: %s", i, j, r.Outcome[j])
			}
			list = append(list, measuredRequest{
				i, r.Repetition[j], *r.SentUS[j], int(*r.PromptTokens[j]), int(*r.CompletionTokens[j]),
				1000 * float64(*r.LastTokenUS[j]-*r.FirstTokenUS[j]) / float64(*r.CompletionTokens[j]-1),
			})
		}
	}
	slices.SortFunc(list, func(a, b measuredRequest) int {
		return cmp.Or(a.cell-b.cell, a.repetition-b.repetition, cmp.Compare(a.sent, b.sent))
	})
	return list
}

// countedAlike holds the bundle against what the engine itself counted: tokens are
// equal in each request, and times per token as near as a busy machine lets them be.
func countedAlike(t *testing.T, b *bundle.Bundle, counted llamacpptest.Counted) {
	const tokens = 1024 // of prompts, and of answers
	var full []llamacpptest.Answer
	sum := 0
	for _, a := range counted.Answers {
		sum += a.Cells
		if a.Tokens == tokens && a.Prompt == tokens {
			full = append(full, a)
		}
		if !a.Sound() {
			t.Errorf("the engine contradicts itself: %d and %d tokens, evaluated %d, sampled %d, %d cells", a.Prompt, a.Tokens, a.Evaluated, a.Sampled, a.Cells)
		}
		if !a.Cold || a.Kept > 0 {
			t.Errorf("a request said cache_prompt false: %v; of its %d tokens %d were computed before", a.Cold, a.Prompt, a.Kept)
		}
	}
	if counted.Total != sum {
		t.Errorf("llama.cpp computed %d tokens, its answers have %d", counted.Total, sum)
	}
	slices.SortFunc(full, func(a, b llamacpptest.Answer) int { return cmp.Compare(a.Arrived, b.Arrived) })
	requests := requestsOf(t, b)
	first := b.Tests[0].Cells[0].Records.Len() // measured before the interruption, which costs the cell that it is in
	dropped := len(full) - len(requests)
	if len(requests) != 96 || dropped < 1 || dropped > b.Tests[0].Cells[1].Records.Len() {
		t.Fatalf("%d requests, and the engine gave %d answers: the interruption waits for those under way", len(requests), len(full))
	}
	full = slices.Delete(full, first, first+dropped)
	off := make([]float64, len(requests))
	for i, r := range requests {
		a := full[i]
		if r.prompt != a.Prompt || r.completion != a.Tokens {
			t.Errorf("request %d: %d and %d tokens, the engine counted %d and %d", i, r.prompt, r.completion, a.Prompt, a.Tokens)
		}
		engine := float64(a.Times[len(a.Times)-1]-a.Times[0]) / float64(len(a.Times)-1)
		off[i] = math.Abs(r.each-engine) / engine
	}
	slices.Sort(off)
	t.Logf("96 requests, %d more answers that the interruption cost; times per token off by %.2f %% (median), %.2f %% (at most)", dropped, 100*off[len(off)/2], 100*off[len(off)-1])
	if off[len(off)/2] > 0.05 {
		t.Errorf("half of the times per token are off by more than %.1f %%", 100*off[len(off)/2])
	}
}

// verified runs arena verify. The machine of the tests is no platform of ours, which
// is said, and a program from changed files is told by them; else all is as a pull
// request must have it.
func verified(t *testing.T, repository, path string, b *bundle.Bundle) {
	got := arena(t, repository, nil, "verify", "--json", path)
	var r bundle.Report
	must(t, json.Unmarshal([]byte(got.stdout), &r))
	var codes []string
	for _, f := range append(r.Faults, r.Warnings...) {
		if changed := f.Code == verify.CodeDirty || f.Code == verify.CodeContract || f.Code == verify.CodeContractRevision; changed && b.Engine.Dirty {
			continue
		}
		codes = append(codes, f.Code)
	}
	if r.Checked != 1 || !slices.Equal(codes, []string{verify.CodePlatform}) {
		t.Errorf("code %d: %s", got.code, got.stdout)
	}
}

// ourContent returns a copy of the content that also knows the machine of the tests.
func ourContent(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "content")
	must(t, os.CopyFS(dir, content.FS))
	must(t, os.WriteFile(filepath.Join(dir, "platforms", "test-machine.toml"), []byte("name = \"Test machine\"\naccelerator = \"none\"\naccelerators = 1\n"), 0o600))
	return dir
}

// onPages builds the site with the bundle, on a platform that only its content knows,
// and looks for the figures.
func onPages(t *testing.T, results string, b *bundle.Bundle) {
	if !haveCharts() {
		t.Skip("the chart library has not been built")
	}
	dir := t.TempDir()
	got := arena(t, dir, nil, "build", "--results", results, "--content", ourContent(t), "--out", "public", "--no-reports", "--no-compress")
	if got.code != exit.OK {
		t.Fatalf("%+v", got)
	}
	words, err := i18n.Load(i18n.FS)
	must(t, err)
	cell := stat.WithFigures(b).Tests[0].Cells[0]
	ttft := cell.Figure(metric.TTFT)
	for _, lang := range i18n.Langs {
		p := words.Printer(lang)
		page, err := os.ReadFile(filepath.Join(dir, "public", string(lang), "models", "Arena--Tiny-Llama", b.Profile, "index.html"))
		must(t, err)
		_, section, _ := strings.Cut(string(page), `<section class="test" id="test-chat"`)
		section, _, _ = strings.Cut(section, `<section class="test"`)
		for _, text := range []string{
			">" + p.T("status."+string(contract.Complete)+".name") + "</span>",
			`<td class="n">` + p.Number(*ttft.Mean, 0) + " ",
			">60 / 60<", "arena bench", "--contract v3", "--only chat", "--model Arena/Tiny-Llama",
		} {
			if !strings.Contains(section, text) {
				t.Errorf("%s: want %q in %s", lang, text, section)
			}
		}
		for _, text := range []string{"Test machine", b.Server.Version, b.Sanity.Answer, b.Model.Revision} {
			if !strings.Contains(string(page), text) {
				t.Errorf("%s: want %q", lang, text)
			}
		}
	}
}
