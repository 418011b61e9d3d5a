package method

import (
	"fmt"

	"example.org/arena/content"
	"example.org/arena/results/contract"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// test makes the card of one test.
func (w writer) test(t contract.Test, errata *contract.Errata) (render.MethodTest, error) {
	out := render.MethodTest{
		ID: "test-" + t.Slug, Number: format.TestNumber(t.Number), Name: format.TestName(w.p, t.Slug),
		Loop: w.p.T("loop." + string(t.Loop()) + ".name"), Tool: w.p.T("tool." + string(t.Tool()) + ".name"),
		Parameters: w.parameters(t),
	}
	if errata != nil {
		for _, e := range errata.For(t.Slug) {
			out.Errata = append(out.Errata, w.erratum(e))
		}
	}
	html, err := w.prose(content.Benchmarks, w.versioned(content.Benchmarks, t.Slug), w.benchmarkValues(t))
	if err != nil {
		return out, err
	}
	out.Text = html
	commands := w.contract.Commands(t, contract.Names{})
	out.CommandLabel = w.p.N("method.command.show", len(commands))
	for i, c := range commands {
		out.Commands = append(out.Commands, render.Command{
			ID: fmt.Sprintf("command-%s-%d", t.Slug, i+1), Kind: w.p.T("method.command.kind"), Note: c.Comment, Text: c.Shell(),
		})
	}
	return out, nil
}
