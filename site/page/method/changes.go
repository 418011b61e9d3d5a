package method

import (
	"example.org/arena/results/contract"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// changes compares the contract with the version before it, test by test.
func (w writer) changes() *render.Table {
	var before *contract.Contract
	for _, c := range w.site.Content.Contracts {
		if c == w.contract {
			break
		}
		before = c
	}
	if before == nil {
		return nil
	}
	t := &render.Table{
		Caption: w.p.T("method.changes.caption", "before", before.Version, "after", w.contract.Version),
		Head:    []render.Head{{Label: w.p.T("method.overview.test")}, {Label: before.Version}, {Label: w.contract.Version}},
	}
	old := writer{site: w.site, contract: before, p: w.p}
	for _, x := range w.contract.Tests {
		was := w.p.T("method.changes.absent")
		if y, ok := before.Test(x.Slug); ok {
			was = old.summary(y)
		}
		if now := w.summary(x); now != was {
			t.Rows = append(t.Rows, []render.Cell{{Text: format.TestName(w.p, x.Slug)}, {Text: was}, {Text: now}})
		}
	}
	for _, y := range before.Tests {
		if _, ok := w.contract.Test(y.Slug); !ok {
			t.Rows = append(t.Rows, []render.Cell{{Text: format.TestName(w.p, y.Slug)}, {Text: old.summary(y)}, {Text: w.p.T("method.changes.absent")}})
		}
	}
	return t
}

// summary writes a test's number, lengths and load in one line.
func (w writer) summary(t contract.Test) string {
	prompt, output := w.lengths(t)
	return w.p.T("method.changes.summary", "number", format.TestNumber(t.Number), "prompt", prompt, "output", output, "load", w.load(t))
}
