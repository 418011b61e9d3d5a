package format

import (
	"example.org/arena/i18n"
	"example.org/arena/results/audit"
	"example.org/arena/results/verdict"
	"example.org/arena/site/render"
)

// Reason says why something does not rank. Codes of the audit share their words
// with the finding.
func Reason(p *i18n.Printer, r verdict.Reason) string {
	if key := "reason." + r.Code; p.Has(key) {
		return p.T(key, arguments(r.Args)...)
	}
	return p.T("finding."+r.Code+".text", arguments(r.Args)...)
}

// Finding writes a remark of the audit.
func Finding(p *i18n.Printer, f audit.Finding) render.Finding {
	return render.Finding{
		Class: string(f.Severity),
		Name:  p.T("term.finding", "severity", string(f.Severity), "name", p.T("finding."+string(f.Code)+".name")),
		Text:  p.T("finding."+string(f.Code)+".text", arguments(f.Args)...),
	}
}

// Findings writes several remarks. The same remark about several places is
// written once.
func Findings(p *i18n.Printer, all []audit.Finding) []render.Finding {
	var out []render.Finding
	seen := map[render.Finding]bool{}
	for _, f := range all {
		if r := Finding(p, f); !seen[r] {
			seen[r] = true
			out = append(out, r)
		}
	}
	return out
}

// arguments turns the numbers and names of a finding into name, value pairs.
func arguments(args []audit.Arg) []any {
	var out []any
	for _, a := range args {
		if a.Text != "" {
			out = append(out, a.Name, a.Text)
		} else {
			out = append(out, a.Name, i18n.Amount{Value: a.Number, Unit: string(a.Unit)})
		}
	}
	return out
}
