// Package method makes the pages about the benchmark's method: one for each version
// of the contract, and one that lists the versions.
//
// The page of a version depends on the contracts, their errata and the texts about
// them; the list depends on the contracts and on the versions that the summaries of
// the bundles name. Neither reads a bundle.
package method

import (
	"html/template"
	"strconv"

	"example.org/arena/content"
	"example.org/arena/i18n"
	"example.org/arena/results/contract"
	"example.org/arena/site/format"
	"example.org/arena/site/page"
	"example.org/arena/site/render"
)

// Page makes the page of one version of the contract.
func Page(s *page.Site, c *contract.Contract, p *i18n.Printer) (*render.Page, error) {
	body, err := writer{site: s, contract: c, p: p}.body()
	if err != nil {
		return nil, err
	}
	return &render.Page{
		Template:    "method",
		Title:       p.T("method.title", "version", c.Version),
		Description: p.T("method.description", "version", c.Version, "tests", len(c.Tests)),
		Crumbs: []render.Link{
			{Label: p.T("common.nav.method"), URL: page.RouteMethod.URL(p.Lang())},
			{Label: p.T("method.index.contract", "version", c.Version)},
		},
		Body: body,
	}, nil
}

// A writer writes the page of one contract in one language.
type writer struct {
	site     *page.Site
	contract *contract.Contract
	p        *i18n.Printer
}

func (w writer) body() (render.Method, error) {
	body := render.Method{
		Heading:    w.p.T("method.heading"),
		Lead:       w.p.T("method.lead", "version", w.contract.Version, "tests", len(w.contract.Tests)),
		TestsTitle: w.p.N("method.tests.title", len(w.contract.Tests)),
		Overview:   w.overview(),
		Changes:    w.changes(),
		Metrics:    w.metrics(),
		Facts:      w.terms(),
	}
	for _, c := range w.site.Contracts() {
		n := render.NavLink{Link: render.Link{Label: w.p.T("method.index.contract", "version", c.Version), URL: page.VersionRoute(c.Version).URL(w.p.Lang())}}
		if c == w.contract {
			n.Current = "page"
		}
		body.Versions = append(body.Versions, n)
	}
	for _, part := range []struct {
		name string
		into *template.HTML
	}{{"method-intro", &body.Intro}, {"method-counts", &body.Counts}, {"method-reproduce", &body.Reproduce}} {
		html, err := w.prose(content.Pages, w.versioned(content.Pages, part.name), w.values())
		if err != nil {
			return body, err
		}
		*part.into = html
	}
	var err error
	if body.ChangesText, err = w.changesText(); err != nil {
		return body, err
	}
	errata := w.site.Content.ErrataOf(w.contract.Version)
	if errata != nil {
		for _, e := range errata.List {
			body.Errata = append(body.Errata, w.erratum(e))
		}
	}
	for _, t := range w.contract.Tests {
		section, err := w.test(t, errata)
		if err != nil {
			return body, err
		}
		body.Tests = append(body.Tests, section)
	}
	return body, nil
}

// erratum writes what is wrong with the contract.
func (w writer) erratum(e contract.Erratum) string {
	args := []any{}
	for _, p := range e.Params {
		if n, err := strconv.ParseFloat(p.Value, 64); p.Number && err == nil {
			args = append(args, p.Name, n)
		} else {
			args = append(args, p.Name, p.Value)
		}
	}
	return w.p.T("erratum."+e.Code+".text", args...)
}

// terms lists what holds for the whole contract.
func (w writer) terms() []render.Term {
	t := format.NewTerms(w.p)
	date := w.p.T("method.date", "date", w.contract.Date)
	note := ""
	if !w.contract.DateStated {
		note = w.p.T("method.facts.date_not_stated")
	}
	t.Add("method.facts.date", render.Value{Text: date, Note: note})
	t.Text("method.facts.seed", strconv.FormatInt(w.contract.Seed, 10))
	if w.contract.SuccessThreshold > 0 {
		t.Text("method.facts.threshold", w.p.Percent(w.contract.SuccessThreshold, 0))
	}
	if len(w.contract.TTFTLimits) > 0 {
		t.Text("method.facts.limits", w.p.List(w.limits()...))
	}
	t.Add("method.facts.file", render.Value{Text: "SHA-256 " + w.contract.Digest, Code: true, URL: "/" + page.ContractFile(w.contract.Version)})
	return t.List
}
