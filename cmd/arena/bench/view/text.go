package view

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"example.org/arena/cmd/arena/terminal"
	"example.org/arena/engine"
)

// The most columns that names and messages take. Neither is trusted: a server
// chooses its words.
const (
	nameColumns    = 60
	messageColumns = 400
)

// A wording writes what is shown of a run.
type wording struct {
	hide []string
}

// credentials are a name or password in an address.
var credentials = regexp.MustCompile(`://[^/@\s]+@`)

// clean returns an untrusted text that can be shown.
func (t wording) clean(text string, columns int) string {
	for _, word := range t.hide {
		if word != "" {
			text = strings.ReplaceAll(text, word, "(removed)")
		}
	}
	return terminal.OneLine(credentials.ReplaceAllString(text, "://"), columns)
}

// line words an event, without its time.
func (t wording) line(e engine.Event) string {
	message := t.clean(e.Message, messageColumns)
	switch e.Kind {
	case engine.Preflight:
		return "check: " + message
	case engine.Warning:
		if code := t.clean(e.Code, nameColumns); code != "" {
			message += " (" + code + ")"
		}
		return "warning: " + message
	case engine.Resumed:
		return "resumed: " + message
	case engine.TestStarted:
		return joinWords(t.test(e.Place), message)
	case engine.TestDone:
		return joinWords(t.test(e.Place)+" done", message)
	case engine.CellStarted:
		return joinWords(t.cell(e.Place), message)
	case engine.CellDone:
		return joinWords(t.cell(e.Place)+" done", strings.Join(t.figures(e.Figures), ", "), message)
	case engine.CellSkipped:
		return joinWords(t.cell(e.Place)+" skipped", message)
	case engine.Written:
		return "written: " + message
	}
	return joinWords(t.clean(string(e.Kind), nameColumns), message)
}

// joinWords joins a beginning and what follows it, where there is any.
func joinWords(head string, rest ...string) string {
	for _, r := range rest {
		if r != "" {
			head += ": " + r
		}
	}
	return head
}

func (t wording) test(p engine.Place) string {
	return strings.TrimSpace(fmt.Sprintf("test %s %s", counter(p.TestNumber, p.Tests), t.clean(p.Test, nameColumns)))
}

func (t wording) cell(p engine.Place) string {
	return strings.TrimSpace(fmt.Sprintf("cell %s %s", counter(p.CellNumber, p.Cells), t.clean(p.Cell, nameColumns)))
}

func counter(n, of int) string { return fmt.Sprintf("%d/%d", n, of) }

// figures words what was measured.
func (t wording) figures(list []engine.Figure) []string {
	var out []string
	for _, f := range list {
		if math.IsNaN(f.Value) || math.IsInf(f.Value, 0) {
			continue // is missing
		}
		out = append(out, strings.TrimSpace(t.clean(f.Name, nameColumns)+" "+compact(f.Value)+" "+t.clean(f.Unit, nameColumns)))
	}
	return out
}

// compact writes a number with three significant digits, or all before the point.
func compact(v float64) string {
	switch a := math.Abs(v); {
	case a == 0:
		return "0"
	case a >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case a >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case a >= 1:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	return strconv.FormatFloat(v, 'f', 3, 64)
}

// span writes how long something takes: 45s, 12m03s, 3h05m, 4d02h.
func span(d time.Duration) string {
	s := int64(max(d, 0).Round(time.Second) / time.Second)
	switch {
	case s < 60:
		return fmt.Sprintf("%ds", s)
	case s < 3600:
		return fmt.Sprintf("%dm%02ds", s/60, s%60)
	case s < 100*3600:
		return fmt.Sprintf("%dh%02dm", s/3600, s/60%60)
	}
	return fmt.Sprintf("%dd%02dh", s/86400, s/3600%24)
}

// state words the parts of a snapshot that change from moment to moment.
func (t wording) state(s engine.Snapshot, m *meter, now time.Time) []string {
	var list []string
	if requests, tokens, ok := m.rates(s, now); ok {
		list = append(list, compact(requests)+" req/s", compact(tokens)+" tok/s")
	}
	if s.MeanTTFT > 0 {
		list = append(list, "TTFT "+compact(s.MeanTTFT.Seconds()*1000)+" ms")
	}
	if s.Failed > 0 {
		list = append(list, fmt.Sprintf("%d failed", s.Failed))
	}
	if !s.Started.IsZero() {
		list = append(list, "elapsed "+span(now.Sub(s.Started)))
	}
	if s.Remaining > 0 {
		list = append(list, "about "+span(s.Remaining)+" left")
	} else {
		list = append(list, "time left not known yet")
	}
	return list
}

// phase words what a cell is doing.
func phase(s engine.Snapshot) string {
	switch s.Phase {
	case engine.Idle:
		return ""
	case engine.Preparing:
		return "preparing prompts"
	case engine.Stopping:
		return "stopping, waiting for answers under way"
	case engine.Measuring:
		if s.Repetitions > 1 {
			return fmt.Sprintf("repetition %d of %d", max(s.Repetition, 1), s.Repetitions)
		}
		return "measuring"
	}
	return ""
}
