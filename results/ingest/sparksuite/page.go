package sparksuite

import (
	"path"
	"regexp"
	"strings"
	"time"

	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/scan"
	"example.org/arena/results/privacy"
)

// A page is the .md file of a test. What it does not say is zero.
type page struct {
	in        ingest.Input
	generated string // local time at which the page was written, right after the test
	tool      string // "llama" or "vllm"
	argv      []string
	stopped   string // why a sweep ended early, in the page's words
}

// pageField matches "**Name:** value".
var pageField = regexp.MustCompile(`^\*\*([A-Za-z]+):\*\*\s*(.*?)\s*$`)

// pageStop matches the quotation in which a page says that a sweep was cut off.
var pageStop = regexp.MustCompile(`^>\s*\*\*(Sweep [^*]{1,200}?)\*\*`)

// readPage reads what stands around the results, and compares it with meta.json
// as far as it says the same things.
func (s *suite) readPage(in ingest.Input) *page {
	page := &page{in: in}
	f := scan.Faults{File: in.Name}
	fence := 0 // lines into the first code block
	done := false
	for _, l := range scan.Lines(in.Data, &f) {
		text := strings.TrimSpace(l.Text)
		switch {
		case strings.HasPrefix(text, "```"):
			done = done || fence > 0
			fence = 1
		case fence > 0 && !done:
			s.pageCommand(page, &f, l.No, text)
		case pageStop.MatchString(text):
			page.stopped = privacy.Clean(pageStop.FindStringSubmatch(text)[1])
		default:
			if m := pageField.FindStringSubmatch(text); m != nil {
				s.pageField(page, &f, l.No, m[1], m[2])
			}
		}
	}
	s.f.List = append(s.f.List, f.List...)
	return page
}

// pageCommand reads the recorded command.
func (s *suite) pageCommand(page *page, f *scan.Faults, line int, text string) {
	if text == "" {
		return
	}
	argv, err := contract.SplitCommand(text)
	if err != nil {
		f.Add(line, "", "", "the command cannot be read: %v", err)
		return
	}
	page.argv = append(page.argv, argv...)
}

// pageField reads one of the fields at the head.
func (s *suite) pageField(page *page, f *scan.Faults, line int, name, value string) {
	switch name {
	case "Generated":
		page.generated = value
	case "Profile", "Profiel":
		if s.info.profile != "" && value != s.info.profile {
			f.Add(line, name, "", "is %q, but meta.json says %q", value, s.info.profile)
		}
	case "Model":
		if s.info.model != "" && value != s.info.model {
			f.Add(line, name, "", "is %q, but meta.json says %q", value, s.info.model)
		}
	case "Hardware":
		if s.info.hardware != "" && value != s.info.hardware {
			s.noteOnce(bundle.NoteTextDiffers, "what", "hardware", "first", privacy.Clean(s.info.hardware), "second", privacy.Clean(value))
		}
	case "Tool":
		page.tool = value
	}
}

// noteOnce records a note that many files give rise to.
func (s *suite) noteOnce(code string, pairs ...string) {
	n := bundle.NewNote(code, pairs...)
	for _, have := range s.b.Notes {
		if have.Code == n.Code && len(have.Args) == len(n.Args) {
			same := true
			for i := range n.Args {
				same = same && have.Args[i] == n.Args[i]
			}
			if same {
				return
			}
		}
	}
	s.b.Notes = append(s.b.Notes, n)
}

// pageTimeLayout is how pages and logs write local times.
const pageTimeLayout = "2006-01-02 15:04:05"

// writtenAt returns when the page was written, right after its test ended.
func (s *suite) writtenAt(page *page) (time.Time, bool) {
	if page == nil || page.generated == "" || s.zone == nil {
		return time.Time{}, false
	}
	t, err := time.ParseInLocation(pageTimeLayout, page.generated, s.zone)
	if err != nil {
		s.fault(path.Base(page.in.Name), 0, "Generated", "want a time like 2026-08-14 11:51:54, found %q", page.generated)
		page.generated = ""
		return time.Time{}, false
	}
	return t, true
}
