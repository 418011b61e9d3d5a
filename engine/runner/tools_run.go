package runner

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"example.org/arena/results/ingest/formats"

	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/ingest"
	"example.org/arena/results/privacy"
)

// A toolRun is the run of one command.
type toolRun struct {
	*Tools
	test     contract.Test // with the overrides
	spec     contract.Test // as the contract has it
	n        int
	command  contract.Command
	scrub    scrubber
	watch    stopwatch
	stdout   string // scrubbed
	stderr   string
	saved    string            // the result file, scrubbed; empty when there is none
	version  string            // of vllm
	progress func(line string) // may be nil
	out      *ToolRun
}

// Run runs the n-th command of a test, from 0, and reads what it measured. When it
// fails, the error is a *ToolError, and the ToolRun beside it holds what the
// command printed; with any other error nothing was run. Progress is given what the
// command prints, line by line and scrubbed, while it runs; it may be nil.
func (x *Tools) Run(ctx context.Context, c *contract.Contract, t contract.Test, n int, progress func(line string)) (*ToolRun, error) {
	commands, err := x.Commands(c, t)
	if err != nil {
		return nil, err
	}
	if n < 0 || n >= len(commands) {
		return nil, fmt.Errorf("test %s has no command %d: it has %d", t.Slug, n, len(commands))
	}
	r := &toolRun{Tools: x, spec: t, n: n, command: commands[n], scrub: x.newScrubber(), progress: progress, out: &ToolRun{}}
	if r.test, err = x.override(t); err != nil {
		return nil, err
	}
	r.begin()
	if err := r.run(ctx); err != nil {
		r.recordFailure(err)
		return r.out, err
	}
	return r.out, nil
}

// begin fills in what is known before the command runs.
func (r *toolRun) begin() {
	r.out.Started, r.out.Exit = time.Now(), Exit{Code: -1}
	test := &r.out.Test
	test.Slug, test.StartedAt = r.test.Slug, utc(r.out.Started)
	test.Tool = &bundle.Tool{Name: string(r.test.Tool())}
	argv := slices.Clone(r.command.Argv)
	if of := containerOf(r.spec); containerOf(r.test) != of {
		argv[r.containerAt()] = ContainerPlaceholder
		test.Notes = append(test.Notes, bundle.NewNote(NoteContainerDiffers, "contract", of))
	}
	recorded := privacy.CleanArgv(argv)
	for i, word := range recorded {
		if word != argv[i] && i > 0 && argv[i-1] == "--base-url" {
			test.Notes = append(test.Notes, bundle.NewNote(NoteAddressWithheld, "placeholder", "host"))
		}
	}
	test.Command = &bundle.Command{Argv: recorded}
}

// run runs the command and reads its output.
func (r *toolRun) run(ctx context.Context) error {
	if err := r.prepare(ctx); err != nil {
		return err
	}
	var mu sync.Mutex
	stdout := &capture{mu: &mu, line: r.readLine}
	stderr := &capture{mu: &mu, line: r.readLine}
	r.out.Started = time.Now()
	r.out.Test.StartedAt = utc(r.out.Started)
	exit, err := r.exec(ctx, r.command.Argv, stdout, stderr)
	r.out.Ended, r.out.Exit = time.Now(), exit
	r.stdout, r.stderr = r.scrub.clean(stdout.data.String()), r.scrub.clean(stderr.data.String())
	if err != nil {
		return notStarted(r.test.Tool(), r.command.Argv[0], err)
	}
	if !exit.OK() {
		err := r.exitFault(ctx, exit)
		r.recordFiles()
		return err
	}
	r.fetch(context.WithoutCancel(ctx))
	r.recordFiles()
	if err := r.store(r.out.Files); err != nil {
		return &ToolError{Tool: r.test.Tool(), Fault: ToolUnreadable, Msg: fmt.Sprintf("keep its output: %v", withoutPath(err)), Hint: "the work folder is " + r.Dir, Err: err}
	}
	if stdout.over {
		return &ToolError{Tool: r.test.Tool(), Fault: ToolUnreadable, Msg: fmt.Sprintf("printed more than %d MB", mostOutput>>20)}
	}
	return r.read()
}

// readLine times a line of the tool and passes it on to the caller.
func (r *toolRun) readLine(line string) {
	r.watch.read(line, time.Now())
	if line = strings.TrimSpace(line); line != "" && r.progress != nil {
		r.progress(r.scrub.clean(line))
	}
}

// exec runs a process with the key in its environment.
func (r *toolRun) exec(ctx context.Context, argv []string, stdout, stderr *capture) (Exit, error) {
	p := Process{
		Argv: argv, Dir: r.Dir, Grace: cmp.Or(r.Grace, 15*time.Second), Stdout: stdout, Stderr: stderr,
		Env: []string{"PYTHONUNBUFFERED=1"}, // lines come when they are printed, also into a pipe
	}
	if r.APIKey != "" {
		p.Env = append(p.Env, keyVariable+"="+r.APIKey)
	}
	if r.Exec != nil {
		return r.Exec(ctx, p)
	}
	return Execute(ctx, p)
}

// exitFault says why a command ended with a code or by a signal.
func (r *toolRun) exitFault(ctx context.Context, exit Exit) error {
	said := cmp.Or(lastLine(r.stderr), lastLine(r.stdout))
	if err := ctx.Err(); err != nil {
		e := interrupted(r.test.Tool(), exit, err)
		if !r.stopInside(context.WithoutCancel(ctx)) {
			e.Hint = "the tool may still run in the container, and load the server: docker top shows it"
		}
		return e
	}
	if container := containerOf(r.test); container != "" {
		if e, ok := containerFault(r.test.Tool(), container, exit, said); ok {
			return e
		}
	}
	return r.failed(r.test.Tool(), exit, said)
}

// recordFiles lists the outputs of the command with their hashes.
func (r *toolRun) recordFiles() {
	for _, f := range []struct{ kind, data string }{{"stdout.txt", r.stdout}, {"stderr.txt", r.stderr}, {"json", r.saved}} {
		if f.data == "" {
			continue
		}
		raw := RawFile{Name: r.rawName(f.kind), Data: []byte(f.data)}
		sum := sha256.Sum256(raw.Data)
		r.out.Files = append(r.out.Files, raw)
		r.out.Test.Files = append(r.out.Test.Files, bundle.File{
			Name: raw.Name, SHA256: hex.EncodeToString(sum[:]), Bytes: int64(len(raw.Data)), Kept: true,
		})
	}
}

// rawName names a raw file of the command: "11-rate-sweep-0.1.stdout.txt".
func (r *toolRun) rawName(kind string) string {
	name := fmt.Sprintf("%02d-%s", r.test.Number, r.test.Slug)
	if rate, _, ok := strings.Cut(r.command.Comment, " "); ok {
		name += "-" + rate
	}
	return name + "." + kind
}

// read reads the figures that the command printed or saved.
func (r *toolRun) read() error {
	reading, err := formats.ReadOutput(r.test, r.n, ingest.Output{
		Printed: ingest.Input{Name: r.rawName("stdout.txt"), Data: []byte(r.stdout)},
		Saved:   ingest.Input{Name: r.rawName("json"), Data: []byte(r.saved)},
	})
	if err != nil {
		e := &ToolError{Tool: r.test.Tool(), Fault: ToolUnreadable, Exit: r.out.Exit, Msg: "read its output: " + err.Error(), Err: err}
		if r.Dir != "" {
			e.Hint = "the files lie in " + r.Dir
		}
		return e
	}
	test := &r.out.Test
	tool := reading.Tool
	tool.Version = cmp.Or(tool.Version, r.version)
	test.Tool, test.LatencyMS, test.Cells = &tool, reading.LatencyMS, reading.Cells
	test.Notes = append(test.Notes, reading.Notes...)
	if want := r.label(); reading.Model != "" && reading.Model != want {
		test.Notes = append(test.Notes, bundle.NewNote(bundle.NoteTextDiffers, "what", "model", "first", want, "second", r.scrub.clean(reading.Model)))
	}
	if r.test.Closed() {
		r.watch.times(test.Cells)
	} else {
		test.Cells[0].StartedAt, test.Cells[0].EndedAt = utc(r.out.Started), utc(r.out.Ended)
	}
	if n := len(reading.Missing); n > 0 {
		planned := 1
		if r.test.Closed() {
			planned = len(r.test.Cells())
		}
		test.Stopped = &bundle.Stop{Reason: bundle.StopErrors}
		test.Notes = append(test.Notes, bundle.NewNote(NoteCellsWithout, "measured", strconv.Itoa(planned-n), "planned", strconv.Itoa(planned)))
	}
	return nil
}

// label is the name of the model that the command makes the tool print.
func (r *toolRun) label() string {
	if r.test.Closed() {
		return cmp.Or(r.Names.ServedName, contract.ServedNamePlaceholder)
	}
	return cmp.Or(r.Names.Model, contract.ModelPlaceholder)
}

// recordFailure makes the test one of cells without figures, and says why.
func (r *toolRun) recordFailure(err error) {
	e, ok := errors.AsType[*ToolError](err)
	if !ok {
		return
	}
	if r.out.Ended.IsZero() {
		r.out.Ended = time.Now()
	}
	test := &r.out.Test
	test.Tool.Version = cmp.Or(test.Tool.Version, r.version)
	why, _, _ := strings.Cut(e.Msg, "\n")
	test.Stopped = &bundle.Stop{Reason: bundle.StopErrors, Detail: r.scrub.clean(why)}
	test.Notes = append(test.Notes, bundle.NewNote(NoteCommandFailed, "what", string(e.Fault), "exit", strconv.Itoa(e.Exit.Code)))
	cells := r.test.Cells()
	if r.test.Open() {
		cells = cells[r.n : r.n+1]
	}
	test.Cells = nil
	for _, c := range cells {
		test.Cells = append(test.Cells, r.emptyCell(c, test.Stopped.Detail))
	}
	_ = r.store(r.out.Files) // what the command itself died of matters more
}

// emptyCell is a cell without figures.
func (r *toolRun) emptyCell(c contract.Cell, why string) bundle.Cell {
	cell := bundle.Cell{PromptTokens: c.PromptTokens, OutputTokens: c.OutputTokens, DepthTokens: c.DepthTokens, Concurrency: c.Concurrency, Error: why}
	if a, open := r.test.Arrivals(); open {
		cell.RequestRate, cell.Burstiness = new(bundle.Rate(c.RequestRate)), new(bundle.Rate(a.Burstiness))
		cell.MaxConcurrency = a.MaxConcurrency
		cell.Requests = &bundle.Requests{Planned: new(c.Prompts)}
	}
	return cell
}

func numbers(texts []string) []int {
	out := make([]int, len(texts))
	for i, t := range texts {
		out[i], _ = strconv.Atoi(t) // digits only; too many of them are no cell of ours
	}
	return out
}

// resultPath is where the command saves its result in the container, or empty.
func (r *toolRun) resultPath() string {
	i := slices.Index(r.command.Argv, "--result-filename")
	k, ok := r.test.Kind.(contract.VLLMServe)
	if !ok || i < 0 || i+1 >= len(r.command.Argv) {
		return ""
	}
	return path.Join(k.ResultDir, r.command.Argv[i+1])
}
