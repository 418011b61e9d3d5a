package runner

import (
	"regexp"
	"strings"
)

// A ToolProgress tells from the lines of a tool how far its command is. The zero
// value is one that has said nothing.
type ToolProgress struct {
	Cells       int // that the command has begun; llama-benchy measures several
	Repetition  int // batch of the cell that runs, from 1; 0 before the first and where the tool has none
	Repetitions int // batches of the cell
	Done        int // requests of the batch, or of the command where it has no batches
	Requests    int // that Done counts up to; 0 while it is not known
}

var (
	benchyBatch = regexp.MustCompile(`^Run (\d+)/(\d+) \((?:[A-Za-z ]+, )?batch size (\d+)\)`)
	tqdmBar     = regexp.MustCompile(`^\d+%\|.*\| (\d+)/(\d+) \[`)
)

// Update reads a line of the tool and reports whether it said how far the command is.
// Of a batch llama-benchy only says that it begins, so that Done stays 0 in it.
func (p *ToolProgress) Update(line string) bool {
	line = strings.TrimSpace(line)
	switch {
	case benchyCell.MatchString(line):
		*p = ToolProgress{Cells: p.Cells + 1}
	case benchyBatch.MatchString(line):
		n := numbers(benchyBatch.FindStringSubmatch(line)[1:])
		p.Repetition, p.Repetitions, p.Done, p.Requests = n[0], n[1], 0, n[2]
	case tqdmBar.MatchString(line):
		n := numbers(tqdmBar.FindStringSubmatch(line)[1:])
		p.Cells, p.Done, p.Requests = 1, n[0], n[1]
	default:
		return false
	}
	return true
}
