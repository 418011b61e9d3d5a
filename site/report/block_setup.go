package report

import (
	"cmp"
	"slices"
	"strings"

	"example.org/arena/content"
	"example.org/arena/results/audit"
	"example.org/arena/site/board"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// deploymentsBlock shows which server each deployment is, and its draft model
// where there is one.
func (w *writer) deploymentsBlock(b content.ReportBlock) ([]render.Block, error) {
	t := &render.Table{
		Caption: w.caption(b, "report.deployments.caption"),
		Head: []render.Head{
			{Label: w.p.T("report.sources.configuration")},
			{Label: w.p.T("model.setup.server")},
			{Label: w.p.T("model.setup.speculation")},
			{Label: w.p.T("report.deployments.draft")},
			{Label: w.p.T("model.setup.draft_tokens"), Numeric: true},
		},
	}
	none := format.NotReported(w.p)
	for _, d := range w.all {
		r := d.run.Verdict.Bundle
		row := []render.Cell{{Text: d.name, URL: d.run.Page}, {Text: r.Server.Name + " · " + r.Server.Image}, {Text: none}, {Text: none}, {Text: none, Class: "n"}}
		if draft := r.Draft; draft != nil {
			row[2].Text, row[3] = draft.Method, render.Cell{Text: draft.Model, URL: format.HuggingFace(draft.Model)}
			if draft.TokensPerStep > 0 {
				row[4].Text = w.p.Integer(int64(draft.TokensPerStep))
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return []render.Block{{Table: t}}, nil
}

// commandsBlock shows how each server was started, as recorded.
func (w *writer) commandsBlock(content.ReportBlock) ([]render.Block, error) {
	var out []render.Block
	for _, d := range w.all {
		c := format.ServerCommand(w.p, d.run.Verdict.Bundle.Server.Argv)
		if c == nil {
			continue
		}
		c.ID, c.Summary = "server-"+d.id, w.p.T("report.commands.summary", "deployment", d.name)
		out = append(out, render.Block{Command: c})
	}
	return out, nil
}

// settingsBlock shows in which settings the servers and machines differ, and
// which they share.
func (w *writer) settingsBlock(b content.ReportBlock) ([]render.Block, error) {
	differ := &render.Table{Caption: w.caption(b, "report.settings.caption"), Head: w.columns(w.p.T("report.settings.setting"), render.Head{})}
	same := &render.Table{
		Caption: w.p.T("report.settings.same"),
		Head:    []render.Head{{Label: w.p.T("report.settings.setting")}, {Label: w.p.T("model.table.value")}},
	}
	lists := make([][]board.Setting, len(w.all))
	var names []board.Setting // without their values
	for i, d := range w.all {
		lists[i] = board.Settings(d.run.Verdict.Bundle)
		for _, s := range lists[i] {
			stated := s.Value != ""
			if s.Value = ""; stated && !slices.Contains(names, s) {
				names = append(names, s)
			}
		}
	}
	for _, name := range names {
		values := make([]string, len(w.all))
		for i := range w.all {
			values[i] = valueOf(lists[i], name)
		}
		first := render.Cell{Text: w.settingName(name)}
		if !slices.ContainsFunc(values, func(v string) bool { return !board.SameSetting(v, values[0]) }) {
			same.Rows = append(same.Rows, []render.Cell{first, {Text: w.settingValue(name, values[0])}})
			continue
		}
		row := []render.Cell{first}
		for _, v := range values {
			row = append(row, render.Cell{Text: w.settingValue(name, v)})
		}
		differ.Rows = append(differ.Rows, row)
	}
	var out []render.Block
	for _, t := range []*render.Table{differ, same} {
		if len(t.Rows) > 0 {
			out = append(out, render.Block{Table: t})
		}
	}
	return out, nil
}

func valueOf(list []board.Setting, name board.Setting) string {
	for _, s := range list {
		if s.Kind == name.Kind && s.Name == name.Name {
			return s.Value
		}
	}
	return ""
}

// settingName is the name of a setting: as programs know it, or in words where
// it is no setting of a program.
func (w *writer) settingName(s board.Setting) string {
	if s.Worded() {
		return w.p.T("report.settings.name." + s.Name)
	}
	return s.Name
}

func (w *writer) settingValue(s board.Setting, v string) string {
	switch {
	case v == "":
		return w.p.T("report.settings.unset")
	case s.Kind == board.SettingVersion && s.Name == "quantisation":
		return format.Precision(v)
	}
	return v
}

// findingsBlock shows what the audit found, and in which tests of which
// deployment.
func (w *writer) findingsBlock(b content.ReportBlock) ([]render.Block, error) {
	t := &render.Table{Caption: w.caption(b, "report.findings.caption"), Head: w.columns(w.p.T("report.findings.finding"), render.Head{})}
	var all []audit.Finding // one per code
	for _, d := range w.all {
		for _, f := range d.run.Verdict.Findings {
			if !slices.ContainsFunc(all, func(have audit.Finding) bool { return have.Code == f.Code }) {
				all = append(all, f)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b audit.Finding) int { return cmp.Compare(weight(b.Severity), weight(a.Severity)) })
	for _, f := range all {
		row := []render.Cell{{Text: format.Finding(w.p, f).Name}}
		for _, d := range w.all {
			row = append(row, render.Cell{Text: w.foundIn(d, f.Code)})
		}
		t.Rows = append(t.Rows, row)
	}
	if len(t.Rows) == 0 {
		return nil, nil
	}
	return []render.Block{{Table: t}}, nil
}

// weight orders severities.
func weight(s audit.Severity) int {
	return slices.Index([]audit.Severity{audit.Info, audit.Warning, audit.Error}, s)
}

// foundIn names the tests in which a deployment has a finding.
func (w *writer) foundIn(d *deployment, code audit.Code) string {
	var tests []string
	for _, f := range d.run.Verdict.Findings {
		if f.Code != code {
			continue
		}
		name := w.p.T("report.findings.whole")
		if f.Test != "" {
			name = format.TestName(w.p, f.Test)
		}
		if !slices.Contains(tests, name) {
			tests = append(tests, name)
		}
	}
	if len(tests) == 0 {
		return w.p.T("report.findings.none")
	}
	return strings.Join(tests, " · ")
}
