package format

import (
	"strconv"
	"strings"

	"example.org/arena/i18n"
	"example.org/arena/results/audit"
	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
	"example.org/arena/results/verdict"
	"example.org/arena/site/render"
)

// TestName is a test's name; a test that no contract knows keeps its slug.
func TestName(p *i18n.Printer, slug string) string {
	if key := "test." + slug + ".name"; p.Has(key) {
		return p.T(key)
	}
	return slug
}

// TestNumber writes a test's number with two digits, as the tests are known;
// empty for a test without a number.
func TestNumber(n int) string {
	switch {
	case n == 0:
		return ""
	case n < 10:
		return "0" + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}

// Point names a cell by its parameters.
func Point(p *i18n.Printer, at audit.Point) string {
	var parts []string
	if at.PromptTokens > 0 && at.RequestRate == 0 {
		parts = append(parts, p.T("model.point.prompt", "tokens", at.PromptTokens))
	}
	if at.DepthTokens > 0 {
		parts = append(parts, p.T("model.point.depth", "tokens", at.DepthTokens))
	}
	if at.Phase != "" {
		parts = append(parts, p.T("model.point.context_load"))
	}
	if at.Concurrency > 0 {
		parts = append(parts, p.T("model.point.concurrency", "concurrency", at.Concurrency))
	}
	if at.RequestRate > 0 {
		parts = append(parts, p.Rate(at.RequestRate))
	}
	if len(parts) == 0 {
		return p.T("model.point.whole")
	}
	return strings.Join(parts, ", ")
}

// Head is the header of a column of values: the quantity, the statistic and the
// unit.
func Head(p *i18n.Printer, key metric.Key, s verdict.Statistic) render.Head {
	d, _ := metric.Lookup(key)
	label := p.T("metric." + string(key) + ".short")
	if s != verdict.Mean && s != verdict.Single {
		label = p.T("model.table.statistic", "metric", label, "statistic", string(s))
	}
	return render.Head{Label: label, Unit: p.Unit(string(d.Unit)), Numeric: true, Explain: p.T("metric." + string(key) + ".text")}
}

// Licence names the licence of a bundle, or says that it states none.
func Licence(p *i18n.Printer, licence string) string {
	if licence == bundle.NoLicence {
		return p.T("data.no_licence")
	}
	return licence
}
