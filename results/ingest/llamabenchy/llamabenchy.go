// Package llamabenchy reads the output of llama-benchy 0.1 to 0.4: tables, logs,
// CSV, JSON and progress streams, which tell of the same run with different words.
//
// A file becomes reports; reports of one test are accounts of one run and are
// merged. Times are in ms, rates in tokens per second.
package llamabenchy

import (
	"regexp"
	"strings"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/scan"
	"example.org/arena/results/privacy"
)

// File is what one file of llama-benchy output holds: a report per table,
// JSON document or progress stream, in the order of the file.
type File struct {
	Reports []Report
}

// A Report is one run of llama-benchy. What the file does not say is zero.
// Standard deviations are those of the population, as the tool computes them
// (of the sample for llama-bench), over the batches for totals and over the
// requests for everything else.
type Report struct {
	File string // name of the input
	Line int    // where the report starts, from 1

	Tool              bundle.Tool // llama-benchy, or llama-bench for tables of that shape
	Date              string      // as printed; local time of the client at the start
	EndDate           string      // as JSON has it: UTC, at the end of the run
	StartUnix         float64     // as a progress stream has it: seconds since 1970, UTC
	LatencyMode       string      // "api", "generation" or "none"
	LatencyMS         *float64    // what the tool subtracts from its first response, ms
	TokenizerFallback string      // tokenizer that was used instead of the model's, "gpt2"
	CorpusTokens      int         // tokens of the text that prompts are cut from
	Model             string      // label of the rows
	Argv              []string    // the command, where the file shows it
	Runs              int         // measured batches, where all cells have as many
	PrefixCaching     bool        // two-phase runs
	Status            string      // end of a progress stream: "ok", "interrupted", "error", or "" when it has none
	Settings          []bundle.Setting
	Cells             []bundle.Cell
	Notes             []bundle.Note

	cells         []bundle.Cell // as read; Cells adds what follows from all of it
	digits        int           // decimals of the figures
	latencyDigits int           // decimals of LatencyMS
	fromLog       bool          // only log lines: cells without figures
	planned       bool          // cells only as asked for by a command
	savedTo       string        // file into which the tool wrote the figures
}

// Parse reads any output of llama-benchy: Markdown tables with or
// without the log around them, tables with tabs or commas, JSON, and progress
// streams. It reads tables of llama-bench too, which have the same row labels.
// The error is of type Faults.
func Parse(in ingest.Input) (*File, error) {
	f := scan.Faults{File: in.Name}
	lines := scan.Lines(in.Data, &f)
	r := reader{file: in.Name, lines: lines, f: &f}
	r.read()
	out := &File{Reports: r.finish()}
	if len(out.Reports) == 0 && len(f.List) == 0 {
		r.refuse()
	}
	if err := f.Err(); err != nil {
		return nil, err
	}
	return out, nil
}

// A reader walks through a text and collects reports.
type reader struct {
	file     string
	lines    []scan.Line
	f        *scan.Faults
	runs     []*printedRun
	progress progressStream
	text     []byte // of all lines, for JSON
	offsets  []int  // of each line in text
	broken   int    // lines that looked like JSON and are none
}

// A printedRun is a log and the reports that stand in it.
type printedRun struct {
	log     log
	reports []Report
}

// run returns the run that the current line belongs to.
func (r *reader) run() *printedRun {
	if len(r.runs) == 0 {
		r.runs = append(r.runs, &printedRun{})
	}
	return r.runs[len(r.runs)-1]
}

var (
	versionPattern = regexp.MustCompile(`^\s*llama-benchy \(([^()\s]+)\)\s*$`)
	datePattern    = regexp.MustCompile(`^\s*Date: (\d{4}-\d\d-\d\d[ T][\d:]+)\s*$`)
	footPattern    = regexp.MustCompile(`^\s*date: (\d{4}-\d\d-\d\d[ T][\d:]+)(?: \| latency mode: (\w+))?\s*$`)
	buildPattern   = regexp.MustCompile(`^\W*build: ([0-9a-f]{7,40} \(\d+\))\s*$`)
)

// read goes through all lines.
func (r *reader) read() {
	for i := 0; i < len(r.lines); {
		l := r.lines[i]
		switch {
		case strings.HasPrefix(strings.TrimSpace(l.Text), "{"):
			i = r.readJSON(i)
			continue
		case versionPattern.MatchString(l.Text):
			r.readVersion(i)
		case datePattern.MatchString(l.Text):
			r.run().log.date = datePattern.FindStringSubmatch(l.Text)[1]
		case footPattern.MatchString(l.Text):
			r.readFoot(l)
		case buildPattern.MatchString(l.Text):
			r.readBuild(buildPattern.FindStringSubmatch(l.Text)[1])
		default:
			if g, cols, ok := findHeader(l); ok {
				i = r.readTable(i, g, cols)
				continue
			}
			r.checkStray(l)
			r.readLine(r.continued(i))
		}
		i++
	}
}

// readLine reads a line of the log. A command opens a run when the one before it
// has begun to say something.
func (r *reader) readLine(l scan.Line) {
	if argv := commandOf(l.Text); argv != nil {
		if run := r.run(); len(run.reports) > 0 || run.log.line > 0 {
			r.runs = append(r.runs, &printedRun{})
		}
		r.run().log.argv = argv
		return
	}
	r.run().log.take(l, r.f)
}

// continued returns line i with the lines that a backslash adds to it.
func (r *reader) continued(i int) scan.Line {
	l := r.lines[i]
	for n := 0; n < 100 && i+1 < len(r.lines); n++ {
		head, ok := strings.CutSuffix(strings.TrimSpace(l.Text), `\`)
		if !ok {
			break
		}
		i++
		l.Text = head + " " + strings.TrimSpace(r.lines[i].Text)
	}
	return l
}

// readVersion reads the line that opens and closes the tool's output. Before a
// "Date:" line it opens a run.
func (r *reader) readVersion(i int) {
	version := versionPattern.FindStringSubmatch(r.lines[i].Text)[1]
	for _, next := range r.lines[i+1 : min(i+3, len(r.lines))] {
		if run := r.run(); datePattern.MatchString(next.Text) && (len(run.reports) > 0 || run.log.line > 0) {
			r.runs = append(r.runs, &printedRun{})
		}
	}
	run := r.run()
	if run.log.line == 0 {
		run.log.line = r.lines[i].No
	}
	run.log.setVersion(r.lines[i].No, version, r.f)
}

// readFoot reads the last line of the tool's output. What follows is another run.
func (r *reader) readFoot(l scan.Line) {
	m := footPattern.FindStringSubmatch(l.Text)
	run := r.run()
	run.log.footDate = m[1]
	if m[2] != "" {
		run.log.setMode(l.No, m[2], r.f)
	}
	r.runs = append(r.runs, &printedRun{})
}

// readBuild reads the line below a table of llama-bench.
func (r *reader) readBuild(build string) {
	for i := range r.run().reports {
		rep := &r.run().reports[i]
		if rep.Tool.Name == llamaBench && rep.Tool.Version == "" {
			rep.Tool.Version = build
		}
	}
}

// finish joins each report with the log around it.
func (r *reader) finish() []Report {
	var out []Report
	for _, run := range r.runs {
		out = append(out, r.finishRun(run)...)
	}
	if rep, ok := r.progress.report(r.file, r.f); ok {
		out = append(out, rep)
	}
	for i := range out {
		out[i].settle(0, 0)
	}
	return out
}

// finishRun joins the reports of one run with its log. A log without a report
// is one of its own: of a run that failed, or that wrote its figures elsewhere.
func (r *reader) finishRun(run *printedRun) []Report {
	if pinned := pinnedVersion(run.log.argv); pinned != "" {
		run.log.setVersion(max(1, run.log.line), pinned, r.f)
	}
	if model := ingest.Argument(run.log.argv, "--model"); model != "" && !strings.Contains(model, privacy.Removed) {
		run.log.state(&run.log.model, "model", max(1, run.log.line), model, r.f)
	}
	log := run.log.report(r.file)
	if len(run.reports) == 0 {
		if len(log.cells) == 0 {
			return nil
		}
		return []Report{log}
	}
	var out []Report
	for _, rep := range run.reports {
		own := log
		switch {
		case rep.Tool.Name == llamaBench:
			out = append(out, rep)
			continue
		case len(run.reports) > 1:
			own.cells = nil // which table shows which test is not certain
		case len(own.cells) == 0:
			for _, p := range planFromCommand(own.Argv) {
				own.cells = append(own.cells, newCell(p.key))
			}
			own.planned = true
		}
		joined, err := mergeTwo(rep, own)
		if err != nil {
			r.f.List = append(r.f.List, err...)
			continue
		}
		out = append(out, joined)
	}
	return out
}
