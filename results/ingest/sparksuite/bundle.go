package sparksuite

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/scan"
	"example.org/arena/results/privacy"
	"example.org/arena/results/tomlfile"
)

// A suite is the making of a bundle from one folder.
type suite struct {
	folder folder
	meta   ingest.Metadata
	opt    ingest.Options
	f      scan.Faults // of the folder; entries name the file that they concern
	b      *bundle.Bundle
	info   info
	log    runnerLog
	zone   *time.Location // of the machine that ran the tests
	client *time.Location // of the container that ran vllm bench serve
	read   map[string]bool
	tests  []*test
}

// A test is one test of the folder, with its files.
type test struct {
	number    int
	slug      string
	page      *page // the .md file
	log       *ingest.Input
	result    *ingest.Input // the .json file
	telemetry *ingest.Input
	rungs     []ingest.Input // of a sweep, in the order of their rates
	contract  *contract.Test
	begun     []time.Time // when its results began, as far as they say
}

func newSuite(folder folder, meta ingest.Metadata, opt ingest.Options) *suite {
	meta.File = cmp.Or(meta.File, "the metadata")
	return &suite{folder: folder, meta: meta, opt: opt, f: scan.Faults{File: folder.label()}, read: map[string]bool{}}
}

// bundle reads the whole folder.
func (s *suite) bundle() (*bundle.Bundle, tomlfile.Faults) {
	s.b = ingest.Assemble(Format, s.meta, s.opt, nil)
	s.readInfo()
	s.collect()
	s.readRunnerLog()
	s.findClientZone()
	for _, t := range s.tests {
		s.test(t)
	}
	s.sanity()
	s.sessions()
	s.finish()
	if len(s.f.List) > 0 {
		return nil, s.f.List
	}
	if faults := ingest.FinishBundle(s.b, s.folder.label()); len(faults) > 0 {
		return nil, faults
	}
	return s.b, nil
}

// fault records a fault of one file of the folder.
func (s *suite) fault(file string, line int, key, format string, args ...any) {
	f := scan.Faults{File: path.Join(s.folder.name, file)}
	f.Add(line, key, "", format, args...)
	s.f.List = append(s.f.List, f.List...)
}

// take returns a file of the folder and marks it as read.
func (s *suite) take(name string) (ingest.Input, bool) {
	in, ok := s.folder.files[name]
	if ok {
		s.read[name] = true
	}
	return in, ok
}

// note records a note about the whole folder.
func (s *suite) note(code string, pairs ...string) {
	s.b.Notes = append(s.b.Notes, bundle.NewNote(code, pairs...))
}

// collect sorts the files into tests.
func (s *suite) collect() {
	byNumber := map[int]*test{}
	for _, in := range s.folder.inputs {
		base := path.Base(in.Name)
		m := testFile.FindStringSubmatch(base)
		if m == nil {
			continue
		}
		number, _ := strconv.Atoi(m[1])
		t := byNumber[number]
		if t == nil {
			t = &test{number: number}
			byNumber[number] = t
			s.tests = append(s.tests, t)
		}
		s.take(base)
		if m[2] == "telemetry" && m[4] == "csv" {
			t.telemetry = &in
			continue
		}
		if t.slug != "" && t.slug != m[2] {
			s.fault(base, 0, "", "belongs to test %02d, which other files name %q", number, t.slug)
			continue
		}
		t.slug = m[2]
		s.file(t, in, m[3], m[4])
	}
	s.tests = slices.DeleteFunc(s.tests, func(t *test) bool { return !s.named(t) })
	slices.SortFunc(s.tests, func(a, b *test) int { return a.number - b.number })
}

// file puts one file of a test in its place.
func (s *suite) file(t *test, in ingest.Input, rate, kind string) {
	switch {
	case rate != "" && kind == "json":
		t.rungs = append(t.rungs, in)
		slices.SortFunc(t.rungs, func(a, b ingest.Input) int { return compareRates(a.Name, b.Name) })
	case kind == "json":
		t.result = &in
	case kind == "log":
		t.log = &in
	case kind == "md":
		t.page = s.readPage(in)
	}
}

// compareRates orders the files of a sweep by the rates in their names.
func compareRates(a, b string) int {
	rate := func(name string) float64 {
		m := testFile.FindStringSubmatch(path.Base(name))
		v, _ := strconv.ParseFloat(m[3], 64)
		return v
	}
	switch x, y := rate(a), rate(b); {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return strings.Compare(a, b)
}

// named checks the number and name of a test against the contract.
func (s *suite) named(t *test) bool {
	if t.slug == "" { // telemetry of a test that left nothing else
		s.note(bundle.NoteTelemetryOnly, "test", strconv.Itoa(t.number))
		return false
	}
	if s.opt.Contract == nil {
		return true
	}
	for i := range s.opt.Contract.Tests {
		if c := &s.opt.Contract.Tests[i]; c.Number == t.number && c.Slug == t.slug {
			t.contract = c
			return true
		}
	}
	for _, c := range s.opt.Contract.Tests {
		switch {
		case c.Number == t.number:
			s.fault("", 0, "", "test %02d is named %q, but test %d of contract %s is %q", t.number, t.slug, c.Number, s.opt.Contract.Version, c.Slug)
			return false
		case c.Slug == t.slug:
			s.fault("", 0, "", "test %q has the number %02d, but contract %s gives it %02d", t.slug, t.number, s.opt.Contract.Version, c.Number)
			return false
		}
	}
	s.fault("", 0, "", "contract %s has no test %02d %q", s.opt.Contract.Version, t.number, t.slug)
	return false
}

// test reads one test into the bundle.
func (s *suite) test(t *test) {
	out := bundle.Test{Slug: t.slug}
	if t.page != nil && len(t.page.argv) > 0 {
		out.Command = &bundle.Command{Argv: privacy.CleanArgv(t.page.argv)}
	}
	switch s.kind(t) {
	case closedKind:
		s.closedLoop(t, &out)
	case sweepKind:
		s.sweep(t, &out)
	default:
		s.openLoop(t, &out)
	}
	s.checkContract(t, &out)
	s.telemetry(t, &out)
	if out.Tool != nil {
		s.b.Source.Tools = ingest.AddTool(s.b.Source.Tools, *out.Tool)
	}
	s.b.Tests = append(s.b.Tests, out)
}

// A layout says how the figures of a test are stored.
type layout int

const (
	openKind   layout = iota // one result of vllm bench serve
	closedKind               // a table of llama-benchy
	sweepKind                // a summary and a result per rate
)

// kind tells the kinds apart: as the contract says, else by the files.
func (s *suite) kind(t *test) layout {
	switch {
	case t.contract != nil && t.contract.Closed():
		return closedKind
	case t.contract != nil && t.contract.Sweeps(), len(t.rungs) > 0:
		return sweepKind
	case t.contract != nil:
		return openKind
	case t.page != nil && t.page.tool == "llama", t.page == nil && t.result == nil && t.log != nil:
		return closedKind
	case t.result != nil && isSummary(*t.result):
		return sweepKind
	}
	return openKind
}

// finish settles what depends on all tests.
func (s *suite) finish() {
	b := s.b
	if b.StartedAt == "" {
		for _, t := range b.Tests {
			if t.StartedAt != "" && (b.StartedAt == "" || t.StartedAt < b.StartedAt) {
				b.StartedAt = t.StartedAt
			}
		}
	}
	var used []ingest.Input
	var unread []string
	for _, in := range s.folder.inputs {
		base := path.Base(in.Name)
		if s.read[base] {
			used = append(used, ingest.Input{Name: base, Data: in.Data})
		} else {
			unread = append(unread, scan.Printable(privacy.Clean(base)))
		}
	}
	b.Source.Files = ingest.RecordFiles(used, s.opt.KeepFiles)
	if len(unread) > 0 {
		s.note(bundle.NoteFilesNotRead, "files", strings.Join(unread, " "))
	}
	s.otherSession()
	if len(s.f.List) == 0 {
		s.f.List = ingest.MissingMetadata(b, s.folder.label())
	}
}

// sanity takes in the model's answer to a simple question. The raw answer may be
// cut off: it is kept as text and never parsed.
func (s *suite) sanity() {
	var out bundle.Sanity
	if in, ok := s.take("_sanity.txt"); ok {
		out.Answer = plainText(in.Data)
	} else {
		out.Answer = plainText([]byte(s.log.answer))
	}
	if in, ok := s.take("_sanity-raw.json"); ok {
		out.Raw = plainText(in.Data)
	}
	if out != (bundle.Sanity{}) {
		s.b.Sanity = &out
	}
}

// plainText returns a text that can be stored: valid UTF-8 without private
// parts and without the line ends after it.
func plainText(data []byte) string {
	text := strings.ToValidUTF8(string(data), "\ufffd")
	return privacy.Clean(strings.TrimRight(text, "\r\n"))
}
