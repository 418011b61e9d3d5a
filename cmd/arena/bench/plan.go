package bench

import (
	"fmt"
	"io"
	"strings"
	"time"

	"example.org/arena/engine"
	"example.org/arena/engine/plan"
)

// printPlan prints what a run would send.
func printPlan(w io.Writer, p *plan.Plan, runner string) error {
	var b strings.Builder
	guess := engine.Guess()
	fmt.Fprintf(&b, "contract %s, seed %d, runner %s\n\n", p.Contract.Version, p.Contract.Seed, runner)
	const row = "%-40s %9s %14s %14s %9s\n"
	fmt.Fprintf(&b, row, "test, cell", "requests", "prompt tokens", "output tokens", "about")
	line := func(name string, s plan.Size) {
		tokens := func(n int64) string {
			if n == 0 {
				return "by the file"
			}
			return fmt.Sprint(n)
		}
		fmt.Fprintf(&b, row, name, fmt.Sprint(s.Requests), tokens(s.PromptTokens), tokens(s.OutputTokens), s.Time.Round(time.Second).String())
	}
	for _, t := range p.Tests {
		name := fmt.Sprintf("%02d %s", t.Spec.Number, t.Spec.Slug)
		if len(t.Cells) > 0 && t.Cells[0].FromFile && runner == "native" {
			name += " (with --sharegpt only)"
		}
		line(name, t.Size(guess))
		for _, cell := range t.Cells {
			name := "   " + strings.TrimPrefix(cell.ID, t.Spec.Slug+"/")
			if n := len(cell.Repetitions); n > 1 {
				name += fmt.Sprintf(" ×%d", n)
			}
			line(name, cell.Size(guess))
		}
	}
	fmt.Fprintln(&b)
	line("all", p.Size(guess))
	fmt.Fprintf(&b, "\nTimes are for %.0f prompt tokens per second in all and %.0f output tokens per second of each\nrequest: they follow the server once it is measured. The longest request has %d tokens.\n", guess.Prefill, guess.Decode, p.Longest())
	_, err := io.WriteString(w, b.String())
	return err
}
