package vllmbench

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/ingest/scan"
	"example.org/arena/results/metric"
	"example.org/arena/results/privacy"
)

const blockHint = "give the JSON that --save-result writes, or the whole block from \"Serving Benchmark Result\" to its last line of ====="

var (
	// BlockStart finds the first line of a printed block.
	BlockStart   = regexp.MustCompile(`={3,}\s*Serving Benchmark Result\s*={3,}`)
	blockEnd     = regexp.MustCompile(`^={20,}$`)
	blockSection = regexp.MustCompile(`^-{3,}.*-{3,}$`)
	blockLine    = regexp.MustCompile(`^([A-Za-z][^:]{0,70}):\s*(.*)$`)
	// blockNumber is a number as Python prints it. What follows after it may be
	// anything but more of a number: an emoji, a remark.
	blockNumber = regexp.MustCompile(`^([-+]?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)([^0-9].*)?$`)
	blockStat   = regexp.MustCompile(`^(mean|median|std|min|max|p[0-9]+(?:\.[0-9]+)?) (ttft|tpot|itl|e2el|e2e latency) \(ms\)$`)
	blockPlace  = regexp.MustCompile(`^position ([0-9]+)$`)
)

// blockValues maps the printed names of single values to their metric and to
// the key that the JSON has for them.
var blockValues = map[string]struct {
	metric metric.Key
	key    string
}{
	"benchmark duration (s)":               {metric.Duration, "duration"},
	"request throughput (req/s)":           {metric.RequestRate, "request_throughput"},
	"request goodput (req/s)":              {metric.Goodput, "request_goodput"},
	"output token throughput (tok/s)":      {metric.Output, "output_throughput"},
	"total token throughput (tok/s)":       {metric.Total, "total_token_throughput"},
	"peak output token throughput (tok/s)": {metric.Peak, "max_output_tokens_per_s"},
	"peak concurrent requests":             {metric.PeakConcurrency, "max_concurrent_requests"},
}

// blockCounts are the printed names of counts.
var blockCounts = map[string]func(b *Builder, line int, name string, v int64){
	"successful requests": func(b *Builder, line int, name string, v int64) {
		setCount(b, line, name, &b.requests().Completed, v)
	},
	"failed requests": func(b *Builder, line int, name string, v int64) {
		setCount(b, line, name, &b.requests().Failed, v)
	},
	"total input tokens": func(b *Builder, line int, name string, v int64) {
		setCount(b, line, name, &b.tokens().Input, v)
	},
	"total generated tokens": func(b *Builder, line int, name string, v int64) {
		setCount(b, line, name, &b.tokens().Output, v)
	},
	"maximum request concurrency": func(b *Builder, line int, name string, v int64) { b.cap(line, name, v) },
	"max request concurrency":     func(b *Builder, line int, name string, v int64) { b.cap(line, name, v) },
	"drafts":                      func(b *Builder, _ int, _ string, v int64) { b.draft().Drafts = v },
	"draft tokens":                func(b *Builder, _ int, _ string, v int64) { b.draft().DraftTokens = v },
	"accepted tokens":             func(b *Builder, _ int, _ string, v int64) { b.draft().AcceptedTokens = v },
}

// cap stores the limit on requests in flight.
func (b *Builder) cap(line int, name string, v int64) {
	if have := b.res.Cell.MaxConcurrency; have != 0 && int64(have) != v {
		b.f.Add(line, name, "", "is given twice: %d and %d", have, v)
		return
	}
	b.res.Cell.MaxConcurrency = int(v)
}

// A preamble is what the tool prints before its block: the command that was
// typed, and settings in full precision.
type preamble struct {
	argv       []string
	rate       *bundle.Rate
	burstiness *bundle.Rate
}

// parseBlocks reads every printed block of a text.
func parseBlocks(data []byte, f *scan.Faults) []Result {
	var out []Result
	var before preamble
	var b *Builder
	closeBlock := func(whole bool) {
		if b != nil {
			out = append(out, b.finishBlock(before, whole))
		}
		b, before = nil, preamble{}
	}
	lines := scan.Lines(data, f)
	for i, l := range lines {
		text := trimFrame(l.Text)
		switch {
		case BlockStart.MatchString(text):
			if b != nil {
				closeBlock(false)
			}
			b = NewBuilder(f, l.No)
		case b == nil:
			before.read(text, lines[i:])
		case blockEnd.MatchString(text):
			closeBlock(true)
		default:
			b.blockLine(l.No, text)
		}
	}
	closeBlock(false)
	if len(out) == 0 && len(f.List) == 0 {
		f.Add(0, "", blockHint, "holds no result of vllm bench serve: neither JSON nor a printed block")
	}
	return out
}

// trimFrame removes what stands around a line in a quotation, a code block, a
// table drawn with lines or the log of a container.
func trimFrame(s string) string {
	s = strings.Trim(s, " \t>`│|┃║")
	if name, rest, ok := strings.Cut(s, " | "); ok && !strings.ContainsAny(strings.TrimSpace(name), ": ") {
		s = strings.TrimSpace(rest)
	}
	return s
}

// read takes in one line before a block.
func (p *preamble) read(text string, rest []scan.Line) {
	name, value, ok := strings.Cut(text, ":")
	if argv := commandLine(text, rest); argv != nil {
		p.argv = argv
		return
	}
	if !ok {
		return
	}
	word, _, _ := strings.Cut(strings.TrimSpace(value), " ")
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "traffic request rate":
		p.rate = rateOf(word)
	case "burstiness factor":
		p.burstiness = rateOf(word)
	}
}

// rateOf reads a rate that may be "inf", or nil.
func rateOf(word string) *bundle.Rate {
	if v, ok := scan.NotFinite(word); ok && math.IsInf(v, 1) {
		return new(bundle.Rate(v))
	}
	v, err := strconv.ParseFloat(word, 64)
	if err != nil || !(v > 0) {
		return nil
	}
	return new(bundle.Rate(v))
}

// toolCommand marks a line as a command of one of the tools.
var toolCommand = regexp.MustCompile(`\bvllm bench serve\b|\bsglang\.bench_serving\b|\bbench_serving\.py\b|\bbenchmark_serving\.py\b`)

// commandLine reads the command that starts a line: with or without a prompt,
// in quotes or not, continued over several lines or not. It returns nil when
// the line is none, or is one that only a shell could read.
func commandLine(text string, rest []scan.Line) []string {
	if !toolCommand.MatchString(text) || strings.Contains(text, "Namespace(") {
		return nil
	}
	for i := 1; strings.HasSuffix(text, `\`) && i < len(rest); i++ {
		text = strings.TrimSuffix(text, `\`) + " " + strings.TrimSpace(rest[i].Text)
	}
	text = strings.TrimLeft(text, "$# ")
	argv, err := contract.SplitCommand(text)
	if err == nil && len(argv) == 1 {
		argv, err = contract.SplitCommand(argv[0]) // the whole line stood in quotes
	}
	if err != nil || len(argv) < 2 {
		return nil
	}
	return privacy.CleanArgv(argv)
}

// blockLine reads one line of a block.
func (b *Builder) blockLine(line int, text string) {
	parts := blockLine.FindStringSubmatch(text)
	if parts == nil || blockSection.MatchString(text) {
		return
	}
	name := strings.Join(strings.Fields(strings.ToLower(parts[1])), " ")
	value := strings.TrimSpace(parts[2])
	if b.blockWord(name, value) {
		return
	}
	known := b.knows(name)
	number := blockNumber.FindStringSubmatch(value)
	switch {
	case number == nil && known:
		b.missingOrFault(line, parts[1], value)
		return
	case number == nil:
		return // a line of the tool's log between the lines of the block
	case known && ambiguous(number[2]):
		b.f.Add(line, parts[1], blockHint, "cannot tell which number %q is", value)
		return
	}
	v, err := strconv.ParseFloat(number[1], 64)
	if err != nil || math.IsInf(v, 0) {
		b.f.Add(line, parts[1], blockHint, "%q is not a number", number[1])
		return
	}
	b.blockNumber(line, name, number[1], v)
}

// knows reports whether a name is one that the tools print.
func (b *Builder) knows(name string) bool {
	_, value := blockValues[name]
	_, count := blockCounts[name]
	switch name {
	case "request rate configured (rps)", "acceptance rate (%)", "acceptance length", "accept length":
		return true
	}
	return value || count || blockStat.MatchString(name) || blockPlace.MatchString(name)
}

// ambiguous reports whether what follows a number could belong to it: a
// thousands separator, a decimal comma, a unit that scales it.
func ambiguous(rest string) bool {
	if rest == "" {
		return false
	}
	c := rest[0]
	return c == ',' || c == '.' || c == '\'' || c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' ||
		len(rest) > 1 && c == ' ' && scan.IsDigit(rune(rest[1]))
}

// blockWord reads the lines whose value is a word. It reports whether the line
// was one of them.
func (b *Builder) blockWord(name, value string) bool {
	word, _, _ := strings.Cut(value, " ")
	switch name {
	case "backend":
		b.res.Backend = word
		if strings.HasPrefix(word, "sglang") {
			b.res.Tool.Name = sglangTool
		}
		return true
	case "traffic request rate":
		b.res.Tool.Name = sglangTool
		b.res.Cell.RequestRate = rateOf(word)
		return true
	case "request rate configured (rps)":
		if r := rateOf(word); r != nil {
			b.res.Cell.RequestRate = r
			return true
		}
	}
	return false
}

// missingOrFault reads a known line without a number: a value that the tool
// could not compute is missing.
func (b *Builder) missingOrFault(line int, name, value string) {
	word, _, _ := strings.Cut(value, " ")
	if _, ok := scan.NotFinite(word); ok {
		b.infinite = append(b.infinite, scan.Printable(name))
		return
	}
	if scan.IsMissing(scan.CleanCell(word)) || strings.EqualFold(value, "not set") {
		return
	}
	b.f.Add(line, name, blockHint, "want a number, found %q", value)
}

// blockNumber stores the number of one line.
func (b *Builder) blockNumber(line int, name, text string, v float64) {
	if parts := blockStat.FindStringSubmatch(name); parts != nil {
		b.stat(line, name, parts[1], strings.ReplaceAll(parts[2], " ", "_"), v)
		return
	}
	if value, ok := blockValues[name]; ok {
		b.known, b.statistic = b.known+1, b.statistic+1
		b.set(line, name, &b.figure(value.metric, value.key).Value, v)
		return
	}
	if store, ok := blockCounts[name]; ok {
		b.known++
		if v < 0 || v != math.Trunc(v) || v > 1<<53 {
			b.f.Add(line, name, "", "want a count, found %s", text)
			return
		}
		store(b, line, name, int64(v))
		return
	}
	b.blockSpeculation(line, name, text, v)
}

// blockSpeculation stores what is printed about speculative decoding, and keeps
// every other number as it is.
func (b *Builder) blockSpeculation(line int, name, text string, v float64) {
	switch {
	case name == "acceptance rate (%)":
		b.percent["acceptance"] = text
	case name == "acceptance length" || name == "accept length":
		b.acceptedTokens(line, name, v)
	case blockPlace.MatchString(name):
		place, _ := strconv.Atoi(blockPlace.FindStringSubmatch(name)[1])
		ratio, err := percentRatio(text)
		if err != nil || ratio < 0 || ratio > 1 || place != len(b.draft().PerPosition) {
			b.f.Add(line, name, "", "want a percentage for each position in turn, found %s", text)
			return
		}
		b.draft().PerPosition = append(b.draft().PerPosition, ratio)
	default:
		b.keepNumber(name, v)
	}
}

// finishBlock checks and returns a block. The preamble states the rate in full;
// the block rounds it.
func (b *Builder) finishBlock(p preamble, whole bool) Result {
	b.res.Printed = true
	b.res.Argv = p.argv
	if b.statistic == 0 && b.res.Cell.Requests == nil {
		b.f.Add(b.line, "", blockHint, "the block holds no figure")
	}
	cell := &b.res.Cell
	if p.rate != nil && (cell.RequestRate == nil || scan.CloseAt(float64(*p.rate), float64(*cell.RequestRate), 2)) {
		cell.RequestRate = p.rate
	}
	cell.Burstiness = p.burstiness
	b.acceptance(b.line, "Acceptance rate (%)", 0.5e-4+1e-9)
	if !whole {
		cell.Notes = append(cell.Notes, bundle.NewNote(bundle.NoteBlockNotClosed))
	}
	return b.finish()
}
