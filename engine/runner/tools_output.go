package runner

import (
	"bytes"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/privacy"
)

// mostOutput bounds what is kept of one stream of a tool, in bytes. A whole test
// prints less than a hundredth of it.
const mostOutput = 64 << 20

// A capture keeps what a process prints on one stream, and shows its lines.
type capture struct {
	mu   *sync.Mutex // shared by the streams, so that lines come one at a time
	line func(line string)
	data bytes.Buffer
	rest []byte // of a line that has not ended
	over bool   // more was printed than is kept
}

func (c *capture) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if room := mostOutput - c.data.Len(); room < len(p) {
		c.data.Write(p[:room])
		c.over = true
	} else {
		c.data.Write(p)
	}
	c.rest = append(c.rest, p...)
	for {
		i := bytes.IndexAny(c.rest, "\r\n")
		if i < 0 {
			break
		}
		c.line(string(c.rest[:i]))
		c.rest = c.rest[i+1:]
	}
	if len(c.rest) > 1<<16 {
		c.rest = c.rest[:0] // no line for people
	}
	return len(p), nil
}

// A scrubber takes out of texts what must not be kept.
type scrubber struct {
	key   string         // replaced wherever it stands; empty when it is short
	words *regexp.Regexp // nil when there are none
}

// newScrubber takes out the key, the machine of the server and other words.
func (x *Tools) newScrubber() scrubber {
	var list []string
	add := func(word string) {
		if word != "" {
			list = append(list, regexp.QuoteMeta(word))
		}
	}
	add(x.APIKey)
	if u, err := url.Parse(x.BaseURL); err == nil && !loopback(u.Hostname()) {
		if u.Port() != "" {
			add(u.Host) // with its port: the name alone may be any word
		}
		if strings.ContainsAny(u.Hostname(), ".:") {
			add(u.Hostname())
		}
	}
	for _, word := range x.Private {
		add(word)
	}
	var s scrubber
	if len(x.APIKey) >= 8 {
		s.key = x.APIKey
	}
	if len(list) == 0 {
		return s
	}
	// Whole words only: a short one would tear others apart.
	s.words = regexp.MustCompile(`(^|[^0-9A-Za-z_.-])(?:` + strings.Join(list, "|") + `)($|[^0-9A-Za-z_-])`)
	return s
}

func loopback(host string) bool {
	return host == "" || host == "localhost" || host == "::1" || host == "0.0.0.0" || strings.HasPrefix(host, "127.")
}

// clean returns a text that may be kept and shown.
func (s scrubber) clean(text string) string {
	if s.key != "" {
		text = strings.ReplaceAll(text, s.key, "(removed)")
	}
	if s.words != nil {
		for range 2 { // a match eats what stands between it and the next
			text = s.words.ReplaceAllString(text, "${1}(removed)${2}")
		}
	}
	return privacy.CleanOutput(text)
}

// A stopwatch notes when llama-benchy begins each cell.
type stopwatch struct {
	cells []contract.Cell
	at    []time.Time
	end   time.Time
}

var benchyCell = regexp.MustCompile(`^Running test: pp=(\d+), tg=(\d+), depth=(\d+), concurrency=(\d+)$`)

// read notes the time at which a line was printed that begins a cell or ends the last.
func (w *stopwatch) read(line string, now time.Time) {
	if m := benchyCell.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
		n := numbers(m[1:])
		w.cells = append(w.cells, contract.Cell{PromptTokens: n[0], OutputTokens: n[1], DepthTokens: n[2], Concurrency: n[3]})
		w.at = append(w.at, now)
	}
	if strings.HasPrefix(line, "Printing results") && w.end.IsZero() {
		w.end = now
	}
}

// times adds to each cell when it began and ended.
func (w *stopwatch) times(cells []bundle.Cell) {
	for i := range cells {
		c := &cells[i]
		for j, seen := range w.cells {
			end := w.end
			if j+1 < len(w.at) {
				end = w.at[j+1]
			}
			if c.Phase == "" && !end.IsZero() && seen == (contract.Cell{
				PromptTokens: c.PromptTokens, OutputTokens: c.OutputTokens, DepthTokens: c.DepthTokens, Concurrency: c.Concurrency,
			}) {
				c.StartedAt, c.EndedAt = utc(w.at[j]), utc(end)
			}
		}
	}
}

func utc(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// store writes the files into the work folder.
func (x *Tools) store(files []RawFile) error {
	if x.Dir == "" {
		return nil
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(x.Dir, f.Name), f.Data, 0o600); err != nil {
			return err
		}
	}
	return nil
}
