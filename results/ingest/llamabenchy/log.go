package llamabenchy

import (
	"path"
	"regexp"
	"strconv"
	"strings"

	"example.org/arena/results/contract"
	"example.org/arena/results/ingest/scan"
	"example.org/arena/results/privacy"
)

// A log is what the lines around a report say about its run.
type log struct {
	line          int // of the first line that says something
	version       string
	date          string
	footDate      string
	model         string
	mode          string
	latencyMS     string // plain number
	fallback      string
	corpusTokens  int
	argv          []string
	tokenCount    string // how the tool counts generated tokens
	savedTo       string // file that the tool wrote the report into
	plan          []plannedCell
	measuring     bool // inside a measured batch
	prefixCaching bool
	loading       bool // the current test has a context load
	current       int  // index of the planned cell whose batches run
}

// A logPattern is a line of the log and what it means. The patterns are not
// anchored at the left: log collectors put times and names before a line.
type logPattern struct {
	match *regexp.Regexp
	read  func(b *log, line int, m []string, f *scan.Faults)
}

var logPatterns = []logPattern{
	{regexp.MustCompile(`Benchmarking model: (.+) at (https?://\S+)\s*$`), func(b *log, line int, m []string, f *scan.Faults) {
		b.state(&b.model, "model", line, m[1], f)
	}},
	{regexp.MustCompile(`Falling back to '([^']+)' tokenizer`), func(b *log, _ int, m []string, _ *scan.Faults) {
		b.fallback = m[1]
	}},
	{regexp.MustCompile(`Total tokens available in text corpus: (\d+)`), func(b *log, _ int, m []string, _ *scan.Faults) {
		b.corpusTokens = countOf(m[1])
	}},
	{regexp.MustCompile(`Average latency \((\w+)\): ([\d.,]+) ms`), func(b *log, line int, m []string, f *scan.Faults) {
		b.setMode(line, m[1], f)
		plain, err := scan.ReadNumber(m[2], scan.MarkOf(m[2]))
		if err != nil {
			f.Add(line, "latency", scan.MarkHint, "%v", err)
			return
		}
		b.latencyMS = plain
	}},
	{regexp.MustCompile(`Skipping latency measurement \(assuming 0 ms\)`), func(b *log, line int, _ []string, f *scan.Faults) {
		b.setMode(line, "none", f)
		b.latencyMS = "0"
	}},
	{regexp.MustCompile(`using stream usage token count`), func(b *log, _ int, _ []string, _ *scan.Faults) {
		b.tokenCount = "usage"
	}},
	{regexp.MustCompile(`using local tokenization`), func(b *log, _ int, _ []string, _ *scan.Faults) {
		b.tokenCount = "local_tokenization"
	}},
	{regexp.MustCompile(`Running test: pp=(\d+), tg=(\d+), depth=(\d+), concurrency=(\d+)`), func(b *log, _ int, m []string, _ *scan.Faults) {
		b.startTest(m[1:])
	}},
	{regexp.MustCompile(`Warmup \((?:(?:Context Load|Inference), )?batch size \d+\)`), func(b *log, _ int, _ []string, _ *scan.Faults) {
		b.measuring = false
	}},
	{regexp.MustCompile(`Run (\d+)/(\d+) \((?:(Context Load|Inference), )?batch size \d+\)`), func(b *log, _ int, m []string, _ *scan.Faults) {
		b.startBatch(m[1], m[2], m[3] == "Context Load")
	}},
	{regexp.MustCompile(`(?:^|\s)(HTTP \d{3}: .*)`), func(b *log, _ int, m []string, _ *scan.Faults) { b.fail(m[1]) }},
	{regexp.MustCompile(`(Error during run: .*)`), func(b *log, _ int, m []string, _ *scan.Faults) { b.fail(m[1]) }},
	{regexp.MustCompile(`Saving results to (.+) in [A-Z]+ format`), func(b *log, _ int, m []string, _ *scan.Faults) {
		b.savedTo = m[1]
	}},
}

// take reads one line of the log.
func (b *log) take(l scan.Line, f *scan.Faults) {
	for _, p := range logPatterns {
		if m := p.match.FindStringSubmatch(l.Text); m != nil {
			if b.line == 0 {
				b.line = l.No
			}
			p.read(b, l.No, m, f)
			return
		}
	}
}

// state records something that the log may say more than once.
func (b *log) state(at *string, what string, line int, value string, f *scan.Faults) {
	if *at != "" && *at != value {
		f.Add(line, what, "import the runs one by one", "the run is said to have %q and %q", *at, value)
		return
	}
	*at = value
}

func (b *log) setMode(line int, mode string, f *scan.Faults) {
	b.state(&b.mode, "latency mode", line, mode, f)
}

func (b *log) setVersion(line int, version string, f *scan.Faults) {
	b.state(&b.version, "version", line, version, f)
}

// startTest opens a planned cell.
func (b *log) startTest(numbers []string) {
	var n [4]int
	for i, s := range numbers {
		n[i] = countOf(s)
	}
	if n[3] == 0 {
		return // not a line of the tool
	}
	b.plan = append(b.plan, plannedCell{key: cellKey{prompt: n[0], output: n[1], depth: n[2], concurrency: n[3]}})
	b.current, b.measuring, b.loading = len(b.plan)-1, false, false
}

// startBatch counts a measured batch. The context load of a prefix-caching run
// is a cell of its own, before the one that uses the context.
func (b *log) startBatch(index, of string, context bool) {
	if len(b.plan) == 0 {
		return
	}
	last := len(b.plan) - 1
	b.current = last
	if context {
		b.prefixCaching = true
		if !b.loading {
			key := b.plan[last].key
			key.context = true
			b.plan = append(b.plan[:last], plannedCell{key: key}, b.plan[last])
			b.loading = true
		}
		b.current = len(b.plan) - 2
	}
	p := &b.plan[b.current]
	p.done, p.runs = countOf(index), countOf(of)
	b.measuring = true
}

// countOf reads a count, or 0 when it is none.
func countOf(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > scan.MaxCount {
		return 0
	}
	return n
}

// fail counts a failed request of a measured batch. One of a warm-up is only
// remembered, since it may be why no batch was measured.
func (b *log) fail(text string) {
	if len(b.plan) == 0 {
		return
	}
	p := &b.plan[b.current]
	if p.err == "" || b.measuring && p.failed == 0 {
		p.err = privacy.Clean(text)
	}
	if b.measuring {
		p.failed++
	}
}

var benchyCommand = regexp.MustCompile(`\bllama-benchy(?:==\S+)?\s+(?:\S+\s+)*?--`)

// commandOf returns the command that started the tool, where a line shows it, or
// nil.
func commandOf(text string) []string {
	if !benchyCommand.MatchString(text) || !strings.Contains(text, "--base-url") && !strings.Contains(text, "--model") {
		return nil
	}
	text = strings.Trim(strings.TrimSpace(text), "`")
	argv, err := contract.SplitCommand(strings.TrimLeft(text, "$#> "))
	if err != nil || len(argv) < 3 {
		return nil
	}
	return privacy.CleanArgv(argv)
}

// pinnedVersion returns the version that a command asks for, as in
// "uvx llama-benchy==0.4.0".
func pinnedVersion(argv []string) string {
	for _, word := range argv {
		if name, version, ok := strings.Cut(path.Base(word), "=="); ok && name == Tool {
			return version
		}
	}
	return ""
}

// planFromCommand lists the cells that a command asks for, in the order in which
// the tool measures them. It returns nil when the command is unclear.
func planFromCommand(argv []string) []plannedCell {
	if len(argv) == 0 {
		return nil
	}
	lists := map[string][]int{"--pp": {2048}, "--tg": {32}, "--depth": {0}, "--concurrency": {1}}
	prefix := false
	for i, word := range argv {
		prefix = prefix || word == "--enable-prefix-caching"
		flag, tied, _ := strings.Cut(word, "=")
		if _, ok := lists[flag]; ok {
			lists[flag] = countList(flag, tied, argv[i+1:])
			continue
		}
		for full := range lists {
			if len(flag) > 2 && strings.HasPrefix(full, flag) {
				return nil // an abbreviation, which the tool would complete
			}
		}
	}
	size := 1
	for _, list := range lists {
		if size *= len(list); size > maxPlan {
			return nil
		}
	}
	var plan []plannedCell
	for _, depth := range lists["--depth"] {
		for _, prompt := range lists["--pp"] {
			for _, output := range lists["--tg"] {
				for _, concurrency := range lists["--concurrency"] {
					key := cellKey{prompt: prompt, output: output, depth: depth, concurrency: concurrency}
					if prefix && depth > 0 {
						load := key
						load.context = true
						plan = append(plan, plannedCell{key: load})
					}
					plan = append(plan, plannedCell{key: key})
				}
			}
		}
	}
	return plan
}

// countList reads the numbers after a flag, or the one tied to it with "=".
func countList(flag, tied string, words []string) []int {
	if tied != "" {
		words = []string{tied}
	}
	var list []int
	for _, w := range words {
		n, err := strconv.Atoi(w)
		if err != nil || n < 0 || n > scan.MaxCount || n == 0 && flag == "--concurrency" {
			break
		}
		list = append(list, n)
	}
	return list
}

// maxPlan bounds the cells of a command; a longer list is not a benchmark.
const maxPlan = 10000
