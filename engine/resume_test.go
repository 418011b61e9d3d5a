package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"example.org/arena/loadgen/simserver"
	"example.org/arena/results/bundle"
)

// asked is what a bundle says was asked for: two runs of one plan agree in it,
// whatever the server made of them.
func asked(b *bundle.Bundle) any {
	type cell struct {
		ID               bundle.Cell
		Prompt, Output   []int64
		Repetition, Turn []int
	}
	var all []cell
	for _, t := range b.Tests {
		for _, c := range t.Cells {
			point := bundle.Cell{
				PromptTokens: c.PromptTokens, OutputTokens: c.OutputTokens, Concurrency: c.Concurrency,
				RequestRate: c.RequestRate, MaxConcurrency: c.MaxConcurrency, Runs: c.Runs,
			}
			all = append(all, cell{point, c.Records.AskedPromptTokens, c.Records.AskedOutputTokens, c.Records.Repetition, c.Records.Turn})
		}
	}
	return all
}

// readJournal reads a journal from its file.
func readJournal(path string) (*Journal, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return DecodeJournal(path, data)
}

// TestInterrupted: a run that is interrupted waits for the answers under way, keeps
// what is complete, and goes on where it was.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := planOf(t, "v3", "chat", "office-baseline")
		whole := newBed(t, p, nil)
		defer whole.server.Close()
		want := whole.run(t.Context(), t)

		b := newBed(t, p, nil)
		defer b.server.Close()
		ctx, cancel := context.WithCancelCause(t.Context())
		why := errors.New("enough")
		b.options.Observe = func(e Event) {
			b.events = append(b.events, e)
			if e.Kind == CellStarted && e.CellNumber == 3 {
				time.AfterFunc(30*time.Second, func() { cancel(why) })
			}
		}
		began := time.Now()
		_, err := b.try(ctx)
		if !errors.Is(err, why) {
			t.Fatalf("got %v", err)
		}
		if took := time.Since(began); took > 10*time.Minute {
			t.Errorf("ended after %s", took)
		}
		old, err := readJournal(b.options.Journal)
		if err != nil || len(old.Units) != 2 {
			t.Fatalf("%d units, %v", len(old.Units), err)
		}
		half, err := old.Interrupted(p)
		if err != nil || len(half.Tests) != 1 || half.Tests[0].Stopped.Reason != bundle.StopInterrupted || len(half.Tests[0].Cells) != 2 {
			t.Errorf("what there is: %+v, %v", half, err)
		}

		b.options.Resume, b.options.Observe = old, func(e Event) { b.events = append(b.events, e) }
		b.events = nil
		got := b.run(t.Context(), t)
		if !reflect.DeepEqual(asked(got), asked(want)) {
			t.Error("the run that was continued asked for something else")
		}
		started := 0
		for _, e := range b.events {
			if e.Kind == CellStarted {
				started++
			}
		}
		if started != 2 {
			t.Errorf("%d cells were measured after the interruption, want 2", started)
		}
	})
}

// TestServerDies: what a dying server gives is no measurement, and the run can be
// continued with a server like it.
func TestServerDies(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := planOf(t, "v3", "chat")
		b := newBed(t, p, nil)
		b.options.Observe = func(e Event) {
			if e.Kind == CellStarted && e.CellNumber == 2 {
				time.AfterFunc(30*time.Second, func() { b.server.Close() })
			}
		}
		if _, err := b.try(t.Context()); !errors.Is(err, ErrServerGone) {
			t.Fatalf("got %v", err)
		}
		again := newBed(t, p, nil)
		defer again.server.Close()
		again.options.Journal = b.options.Journal
		var err error
		if again.options.Resume, err = readJournal(b.options.Journal); err != nil || len(again.options.Resume.Units) != 1 {
			t.Fatal(err)
		}
		out := again.run(t.Context(), t)
		if test := out.Tests[0]; len(test.Cells) != 3 || test.Stopped != nil {
			t.Errorf("%d cells, stopped %+v", len(test.Cells), test.Stopped)
		}
	})
}

// TestResumeRefuses: a run is continued as it was begun, or not at all, and what
// changed is named.
func TestResumeRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		config func(*simserver.Config)
		edit   func(*Options)
		says   string
	}{
		"another model":    {func(c *simserver.Config) { c.Model = simserver.Prefix + "other" }, nil, "facts.model.served_name was arena-sim/fixed and is arena-sim/other"},
		"another length":   {func(c *simserver.Config) { c.MaxModelLen = 50_000 }, nil, "found.max_tokens was 131072 and is 50000"},
		"another program":  {nil, func(o *Options) { o.Stated.Engine.Version = "v9" }, "facts.engine.version was v0 and is v9"},
		"another platform": {nil, func(o *Options) { o.Stated.Platform = "toaster" }, "facts.platform was simulated and is toaster"},
		"another limit":    {nil, func(o *Options) { o.TestLimit = time.Hour }, "limits.test_s was not known and is 3600"},
		"another server":   {func(c *simserver.Config) { c.Version = "v2" }, nil, "facts.server.version"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := planOf(t, "v3", "chat")
				b := newBed(t, p, nil)
				b.options.Observe = func(e Event) {
					if e.Kind == CellStarted && e.CellNumber == 2 {
						b.server.Close()
					}
				}
				if _, err := b.try(t.Context()); err == nil {
					t.Fatal("no error")
				}
				before, err := os.ReadFile(b.options.Journal)
				if err != nil {
					t.Fatal(err)
				}
				again := newBed(t, p, c.config)
				defer again.server.Close()
				again.options.Journal = b.options.Journal
				if c.edit != nil {
					c.edit(&again.options)
				}
				if again.options.Resume, err = readJournal(b.options.Journal); err != nil {
					t.Fatal(err)
				}
				_, err = again.try(t.Context())
				refusal, ok := errors.AsType[*Refusal](err)
				if !ok || refusal.Code != "run_changed" || !strings.Contains(err.Error(), c.says) {
					t.Errorf("got %v, want %q in it", err, c.says)
				}
				if after, err := os.ReadFile(b.options.Journal); err != nil || string(after) != string(before) {
					t.Errorf("the journal was changed: %v", err)
				}
			})
		})
	}
}

// TestChanged: what is different each time a server is looked at has not changed,
// and what it says has.
func TestChanged(t *testing.T) {
	t.Parallel()
	start := func(cached bool, how, answer string) Start {
		return Start{Facts: bundle.Bundle{
			Server: bundle.Server{PrefixCaching: &cached, PrefixCachingVerified: how},
			Sanity: &bundle.Sanity{Answer: answer},
			Notes:  []bundle.Note{{Code: how}},
		}}
	}
	before := start(false, "a repeated prompt took 52.7ms to its first token, and 90.9ms before", "Paris")
	for name, c := range map[string]struct {
		now  Start
		want []string
	}{
		"other times":  {start(false, "a repeated prompt took 92.9ms to its first token, and 102ms before", "Paris."), nil},
		"with a cache": {start(true, "a repeated prompt took 9ms to its first token, and 102ms before", "Paris"), []string{"facts.server.prefix_caching was false and is true"}},
	} {
		if got, err := before.Changed(c.now); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %q, %v, want %q", name, got, err, c.want)
		}
	}
}

// TestDamagedJournals: a last line that is cut off costs the cell that it was
// about; anything else is refused, with its line.
func TestDamagedJournals(t *testing.T) {
	t.Parallel()
	var data []byte
	synctest.Test(t, func(t *testing.T) {
		b := newBed(t, planOf(t, "v3", "chat"), nil)
		defer b.server.Close()
		b.run(t.Context(), t)
		var err error
		if data, err = os.ReadFile(b.options.Journal); err != nil {
			t.Fatal(err)
		}
	})
	lines := strings.SplitAfter(strings.TrimSuffix(string(data), "\n"), "\n")
	if len(lines) != 4 {
		t.Fatalf("%d lines", len(lines))
	}
	whole := func(j *Journal, err error) (int, error) {
		if err != nil {
			return 0, err
		}
		return len(j.Units), nil
	}
	for cut := len(lines[0]); cut < len(data); cut += 1 + len(data)/500 {
		n, err := whole(DecodeJournal("x.journal", data[:cut]))
		if complete := strings.Count(string(data[:cut]), "\n") - 1; err != nil || n != complete {
			t.Fatalf("cut at %d of %d: %d units, want %d, %v", cut, len(data), n, complete, err)
		}
	}
	for name, c := range map[string]struct{ text, says string }{
		"nothing":            {"", "x.journal:1: no first line"},
		"half a first line":  {lines[0][:50], "x.journal:1: no first line"},
		"no journal":         {"# notes\nmore\n", "x.journal:1: a line whose checksum is wrong, and other lines follow"},
		"a changed digit":    {lines[0] + strings.Replace(lines[1], `"planned":6`, `"planned":7`, 1) + lines[2], "x.journal:2: a line whose checksum is wrong"},
		"a line twice":       {lines[0] + lines[1] + lines[1], "x.journal:3: chat/1024/1024/c1 stands twice"},
		"another version":    {resealed(t, lines[0], `"arena_journal":1`, `"arena_journal":2`), "x.journal:1: a journal of format 2"},
		"a key from outside": {resealed(t, lines[0], `"salt":`, `"pepper":1,"salt":`), `x.journal:1:`},
	} {
		if _, err := DecodeJournal("x.journal", []byte(c.text)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v, want %q", name, err, c.says)
		}
	}
}

// resealed changes a line and gives it the checksum of what it says then.
func resealed(t *testing.T, line, old, replacement string) string {
	t.Helper()
	text, _, _ := strings.Cut(line, "\t")
	if !strings.Contains(text, old) {
		t.Fatalf("no %s in the line", old)
	}
	return string(withChecksum([]byte(strings.Replace(text, old, replacement, 1))))
}

// TestJournalIsExclusive: neither a second run nor a second continuation touches a
// journal in use.
func TestJournalIsExclusive(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "run.journal")
	j, err := createJournal(path, Start{Format: journalFormat})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := createJournal(path, Start{Format: journalFormat}); refusalCode(err) != "journal_exists" {
		t.Errorf("created again: %v", err)
	}
	old, err := readJournal(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := continueJournal(old); refusalCode(err) != "journal_in_use" {
		t.Errorf("continued while it is written: %v", err)
	}
	j.close()
	again, err := continueJournal(old)
	if err != nil {
		t.Fatal(err)
	}
	again.close()
}

func refusalCode(err error) string {
	if r, ok := errors.AsType[*Refusal](err); ok {
		return r.Code
	}
	return ""
}

// A fullDisk takes so many bytes more, and no other.
type fullDisk struct {
	store
	left int
}

func (f *fullDisk) Write(p []byte) (int, error) {
	n := min(len(p), f.left)
	f.left -= n
	written, err := f.store.Write(p[:n])
	if err == nil && n < len(p) {
		err = syscall.ENOSPC
	}
	return written, err
}

// TestFullDisk: a disk that is full costs the cell that could not be kept.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := planOf(t, "v3", "chat")
		b := newBed(t, p, nil)
		defer b.server.Close()
		r, err := New(t.Context(), b.options)
		if err != nil {
			t.Fatal(err)
		}
		r.journal.file = &fullDisk{r.journal.file, 4000}
		err = r.Measure(t.Context())
		r.Close()
		if !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("got %v", err)
		}
		data, err := os.ReadFile(b.options.Journal)
		if err != nil || data[len(data)-1] != '\n' {
			t.Errorf("the journal ends with half a line, %v", err)
		}
		if b.options.Resume, err = readJournal(b.options.Journal); err != nil || len(b.options.Resume.Units) != 1 {
			t.Fatalf("%d units, %v", len(b.options.Resume.Units), err)
		}
		if out := b.run(t.Context(), t); len(out.Tests[0].Cells) != 3 || out.Tests[0].Stopped != nil {
			t.Errorf("%d cells after the disk had room again", len(out.Tests[0].Cells))
		}
	})
}

// FuzzJournal: whatever a file holds, it is a journal or an error that names its
// line.
func FuzzJournal(f *testing.F) {
	start, err := seal(Start{Format: journalFormat, Contract: "v3", Salt: "s"})
	if err != nil {
		f.Fatal(err)
	}
	unit, err := seal(entry{Unit: &Unit{Test: "chat", ID: "chat/1", Began: "2026-11-29T12:00:00Z"}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(append(start, unit...))
	f.Add(append(append(start, unit...), unit[:9]...))
	f.Add(start[:len(start)-1])
	f.Add([]byte("{}\t00000000\n"))
	f.Add([]byte("\n\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		j, err := DecodeJournal("x.journal", data)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "x.journal:") {
				t.Errorf("%v names no line", err)
			}
			return
		}
		if j.size > int64(len(data)) || j.Start.Format != journalFormat {
			t.Errorf("%+v of %d bytes", j, len(data))
		}
	})
}
