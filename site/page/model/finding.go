package model

import (
	"strings"

	"example.org/arena/results/audit"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// findingsAbout returns the findings about a test, or about the bundle for "".
func (w writer) findingsAbout(slug string) []audit.Finding {
	var out []audit.Finding
	for _, f := range w.run.Findings {
		if f.Test == slug {
			out = append(out, f)
		}
	}
	return out
}

// bySeverity parts the findings that weigh on a number from those that only help
// to read it.
func bySeverity(all []audit.Finding) (weighty, remarks []audit.Finding) {
	for _, f := range all {
		if f.Severity == audit.Info {
			remarks = append(remarks, f)
		} else {
			weighty = append(weighty, f)
		}
	}
	return weighty, remarks
}

// findingsAt writes the findings of a test: each code once, at the first point
// where it was found, with the number of further ones.
func (w writer) findingsAt(all []audit.Finding) []render.Finding {
	var out []render.Finding
	index := map[audit.Code]int{}
	more := map[audit.Code]int{}
	for _, f := range all {
		if _, seen := index[f.Code]; seen {
			more[f.Code]++
			continue
		}
		index[f.Code] = len(out)
		r := format.Finding(w.p, f)
		if f.Cell != audit.WholeTest {
			r.Text = w.p.T("model.finding.at", "place", format.Point(w.p, f.At), "text", r.Text)
		}
		out = append(out, r)
	}
	for code, n := range more {
		r := &out[index[code]]
		r.Text += " " + w.p.N("model.finding.more", n)
	}
	return out
}

// shorten refers to the first test where a remark would repeat one in full.
func (w writer) shorten(tests []render.Test) {
	first := map[render.Finding]string{}
	for _, t := range tests {
		for _, list := range [][]render.Finding{t.Findings, t.Remarks} {
			for i, f := range list {
				if at, seen := first[f]; seen {
					list[i].Text = w.p.T("model.finding.see", "test", at)
				} else {
					first[f] = strings.TrimSpace(t.Number + " " + t.Name)
				}
			}
		}
	}
}
