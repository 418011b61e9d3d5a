package sparksuite

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/scan"
	"example.org/arena/results/ingest/vllmbench"
)

// A runnerLog is what _runner.log tells: when tests began, in which session, and
// what went wrong on the way.
type runnerLog struct {
	starts []runnerStart
	failed map[string]string // what could not be fetched, by file name: the log's words
	answer string            // the answer to the sanity question
}

// A runnerStart is the start of a test.
type runnerStart struct {
	number  int
	at      time.Time
	session time.Time // when the session began
}

var (
	runnerTime    = regexp.MustCompile(`^\[([0-9]{2}:[0-9]{2}:[0-9]{2})\] ?(.*)$`)
	runnerSession = regexp.MustCompile(`nieuwe sessie ([0-9T:+Z-]{20,25})`)
	runnerTest    = regexp.MustCompile(`── START ([0-9]{2}) ──`)
	runnerFailed  = regexp.MustCompile(`(kon ([0-9]{2}-[a-z0-9.-]+\.json) niet ophalen)`)
	runnerAnswer  = regexp.MustCompile(`SANITY: OK, model antwoordt: (.*)$`)
)

// readRunnerLog reads _runner.log. Its lines carry a time of day without a date:
// the day is that of the session's own line, or of meta.json when the log has
// one session only, and moves on when the clock passes midnight. A session
// before the first dated one stays undated.
func (s *suite) readRunnerLog() {
	in, ok := s.take("_runner.log")
	if !ok {
		return
	}
	f := scan.Faults{File: in.Name}
	lines := scan.Lines(in.Data, &f)
	s.f.List = append(s.f.List, f.List...)
	s.log.failed = map[string]string{}
	clock := runnerClock{zone: s.zone}
	if oneSession(lines) {
		clock.begin(s.info.generatedAt)
	}
	for _, l := range lines {
		if m := runnerSession.FindStringSubmatch(l.Text); m != nil {
			t, err := time.Parse(time.RFC3339, m[1])
			if err != nil {
				s.fault("_runner.log", l.No, "", "want a time like 2026-08-09T10:17:29+02:00, found %q", m[1])
				return
			}
			clock.begin(t)
			continue
		}
		if m := runnerTime.FindStringSubmatch(strings.TrimSpace(l.Text)); m != nil {
			s.runnerLine(&clock, m[1], m[2])
		}
	}
}

// oneSession reports whether a log has no dated session and starts no test
// twice: then all of it belongs to the session that wrote meta.json.
func oneSession(lines []scan.Line) bool {
	seen := map[string]bool{}
	for _, l := range lines {
		m := runnerTest.FindString(l.Text)
		if runnerSession.MatchString(l.Text) || m != "" && seen[m] {
			return false
		}
		seen[m] = true
	}
	return true
}

// runnerLine takes in one line with a time of day.
func (s *suite) runnerLine(clock *runnerClock, at, text string) {
	t, dated := clock.at(at)
	if m := runnerTest.FindStringSubmatch(text); m != nil && dated {
		s.log.starts = append(s.log.starts, runnerStart{atoi(m[1]), t, clock.session})
	}
	if m := runnerFailed.FindStringSubmatch(text); m != nil {
		s.log.failed[m[2]] = m[1]
	}
	if m := runnerAnswer.FindStringSubmatch(text); m != nil {
		s.log.answer = strings.TrimSpace(m[1])
	}
}

func atoi(text string) int {
	n := 0
	for _, c := range text {
		n = 10*n + int(c-'0')
	}
	return n
}

// A runnerClock turns times of day into times.
type runnerClock struct {
	zone    *time.Location
	session time.Time
	last    time.Time
}

// begin starts a session at a known time. The first line of a session without a
// line of its own may stand a little before that time.
func (c *runnerClock) begin(t time.Time) {
	if t.IsZero() || c.zone == nil {
		return
	}
	c.session = t
	c.last = t.Add(-10 * time.Minute)
}

// at returns the time of a line, and whether its day is known.
func (c *runnerClock) at(clock string) (time.Time, bool) {
	if c.last.IsZero() {
		return time.Time{}, false
	}
	day := c.last.In(c.zone)
	t, err := time.ParseInLocation(pageTimeLayout, day.Format(time.DateOnly)+" "+clock, c.zone)
	if err != nil {
		return time.Time{}, false
	}
	if t.Before(c.last) {
		t = t.AddDate(0, 0, 1)
	}
	c.last = t
	return t, true
}

// startOf returns when the runner began a test, given that it was under way at
// by, or ended after after; either may be zero. It is the last start before by.
func (s *suite) startOf(number int, by time.Time) (runnerStart, bool) {
	var found runnerStart
	for _, r := range s.log.starts {
		if r.number == number && (by.IsZero() || !r.at.After(by)) && r.at.After(found.at) {
			found = r
		}
	}
	return found, !found.at.IsZero()
}

// How far a page may be written after the result of its test.
const (
	pageBefore = 5 * time.Second // clocks of one machine, rounded to seconds
	pageAfter  = 2 * time.Minute // the tool prints, the container is left, files are copied
)

// findClientZone finds the time zone of vllm bench serve, which writes the end
// of a run without one: the page of the same test was written right after it, in
// a zone that is known. All tests must prove the same offset.
func (s *suite) findClientZone() {
	var proven []string
	var offset time.Duration
	for _, t := range s.tests {
		written, ok := s.writtenAt(t.page)
		if !ok || t.result == nil {
			continue
		}
		ended, ok := endedAsUTC(*t.result)
		if !ok {
			continue
		}
		found, ok := offsetBetween(ended, written)
		switch file := path.Base(t.result.Name); {
		case !ok:
			s.fault(file, 0, "date", "is %s, which is not the time of %s, %s, in any time zone",
				ended.Format(pageTimeLayout), path.Base(t.page.in.Name), written.UTC().Format(time.RFC3339))
		case len(proven) > 0 && found != offset:
			s.fault(file, 0, "date", "is in the time zone UTC%s, but those of %s are in UTC%s",
				offsetText(found), strings.Join(proven, ", "), offsetText(offset))
		default:
			offset = found
			proven = append(proven, t.slug)
		}
	}
	if len(proven) == 0 {
		s.client = s.meta.Zone
		return
	}
	s.client = time.FixedZone("", int(offset/time.Second))
	s.note(bundle.NoteClientZone, "offset", offsetText(offset), "tests", strings.Join(proven, " "))
}

// endedAsUTC reads the end of a result as if it were in UTC.
func endedAsUTC(in ingest.Input) (time.Time, bool) {
	var f scan.Faults
	for _, o := range scan.Objects(in.Data, &f) {
		v := o.Find("date")
		if v == nil || v.Kind() != '"' {
			continue
		}
		t, err := time.Parse(vllmbench.DateLayout, scan.Unquote(v))
		return t, err == nil
	}
	return time.Time{}, false
}

// offsetBetween returns the offset from UTC, a multiple of a quarter of an hour,
// that makes a time which was read as UTC the one at which its page was written,
// give or take how long that takes.
func offsetBetween(ended, written time.Time) (time.Duration, bool) {
	const step = 15 * time.Minute
	offset := ended.Add(pageAfter / 2).Sub(written).Round(step)
	lag := written.Add(offset).Sub(ended)
	return offset, lag >= -pageBefore && lag <= pageAfter && offset.Abs() <= 14*time.Hour
}

// offsetText writes an offset from UTC as "+02:00".
func offsetText(d time.Duration) string {
	sign := '+'
	if d < 0 {
		sign, d = '-', -d
	}
	return fmt.Sprintf("%c%02d:%02d", sign, int(d.Hours()), int(d.Minutes())%60)
}

// sessions notes when the tests of a folder were run in more than one session:
// what meta.json says of the server was true in one of them.
func (s *suite) sessions() {
	tests := map[time.Time][]string{}
	var order []time.Time
	for _, t := range s.tests {
		start, ok := s.startOf(t.number, lastOf(t.begun))
		if !ok {
			continue
		}
		if tests[start.session] == nil {
			order = append(order, start.session)
		}
		tests[start.session] = append(tests[start.session], t.slug)
	}
	if len(order) < 2 {
		return
	}
	slices.SortFunc(order, time.Time.Compare)
	n := bundle.NewNote(bundle.NoteSeveralSessions)
	for _, at := range order {
		n.Args = append(n.Args, bundle.Setting{Name: ingest.UTC(at), Value: strings.Join(tests[at], " ")})
	}
	s.b.Notes = append(s.b.Notes, n)
}

func lastOf(times []time.Time) time.Time {
	if len(times) == 0 {
		return time.Time{}
	}
	return slices.MaxFunc(times, time.Time.Compare)
}

// otherSession notes that meta.json was written long before or after the first
// test began.
func (s *suite) otherSession() {
	first, err := time.Parse(time.RFC3339, s.b.StartedAt)
	if err != nil || s.info.generatedAt.IsZero() {
		return
	}
	if s.info.generatedAt.Sub(first).Abs() > 30*time.Minute {
		s.note(bundle.NoteMetaOtherTime, "generated_at", ingest.UTC(s.info.generatedAt), "first_test", s.b.StartedAt)
	}
}
