package model

import (
	"fmt"

	"example.org/arena/results/contract"
	"example.org/arena/results/verdict"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// commands shows the command of a test: as recorded, or reconstructed from the
// contract and the metadata of the run.
func (w writer) commands(s *verdict.Test) []render.Command {
	if s.Test != nil && s.Test.Command != nil {
		return []render.Command{{
			ID:   "command-" + s.Slug,
			Kind: w.p.T("model.command.recorded"),
			Note: w.deviations(s),
			Text: format.Shell(s.Test.Command.Argv),
		}}
	}
	if s.Spec == nil || w.conf.Board.Contract == nil {
		return nil
	}
	b := w.run.Bundle
	var out []render.Command
	for i, c := range w.conf.Board.Contract.Commands(*s.Spec, contract.Names{Model: b.Model.ID, ServedName: b.Model.ServedName}) {
		out = append(out, render.Command{
			ID:   fmt.Sprintf("command-%s-%d", s.Slug, i+1),
			Kind: w.p.T("model.command.reconstructed"),
			Note: c.Comment,
			Text: c.Shell(),
		})
	}
	return out
}

// deviations says in which parameters a recorded command differs from the
// contract's.
func (w writer) deviations(s *verdict.Test) string {
	if s.Spec == nil || w.conf.Board.Contract == nil {
		return ""
	}
	var parts []string
	for _, d := range w.conf.Board.Contract.Deviations(*s.Spec, s.Test.Command.Argv) {
		switch d.Kind {
		case contract.Extra:
			parts = append(parts, w.p.T("model.deviation.extra", "parameter", d.Parameter))
		case contract.Missing:
			parts = append(parts, w.p.T("model.deviation.missing", "parameter", d.Parameter))
		default:
			parts = append(parts, w.p.T("model.deviation.changed", "parameter", d.Parameter, "contract", d.Contract, "recorded", d.Recorded))
		}
	}
	if len(parts) == 0 {
		return w.p.T("model.command.as_contract")
	}
	return w.p.T("model.command.deviates", "list", w.p.List(parts...))
}
