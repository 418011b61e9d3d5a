package model

import (
	"cmp"
	"strings"

	"example.org/arena/results/bundle"
	"example.org/arena/results/stat"
	"example.org/arena/site/format"
	"example.org/arena/site/page"
	"example.org/arena/site/render"
)

// provenance lists where the numbers come from.
func (w writer) provenance() []render.Term {
	b := w.run.Bundle
	t := format.NewTerms(w.p)
	t.Text("model.provenance.measured", format.Date(w.p, w.conf.Shown().Measured))
	t.Add("model.provenance.bundle", render.Value{Text: w.conf.Shown().ID, Code: true, URL: "/" + w.conf.Shown().BundleFile()})
	if c := b.Contract; c != nil {
		t.Add("model.provenance.contract",
			render.Value{Text: c.Version, URL: w.methodURL(c.Version)},
			render.Value{Text: "SHA-256 " + c.SHA256, Code: true},
			w.revision(c.Revision, "content/contracts/"+c.Version+".toml"))
	} else {
		t.Text("model.provenance.contract", w.p.T("model.provenance.no_contract"))
	}
	t.Code("model.provenance.salt", b.Salt)
	if n, _ := w.recorded(); n > 0 {
		t.Text("model.provenance.figures", w.p.N("model.provenance.computed", n))
	}
	t.Add("model.provenance.engine",
		render.Value{Text: w.p.T("model.provenance.engine_text", "version", b.Engine.Version, "runner", b.Engine.Runner)},
		w.revision(b.Engine.Revision, ""))
	if b.Source != nil {
		w.source(t, b.Source)
	}
	t.Text("model.provenance.licence", format.Licence(w.p, b.Licence))
	t.Text("model.provenance.credit", b.Credit)
	t.Notes("model.provenance.notes", b.Notes)
	return t.List
}

// source adds where the figures of an import were taken from.
func (w writer) source(t *format.Terms, s *bundle.Source) {
	title := cmp.Or(s.Title, s.URL)
	t.Add("model.provenance.source", render.Value{Text: title, URL: format.WebAddress(s.URL)},
		render.Value{Text: s.Path, Code: true}, render.Value{Text: s.Conversion, Lang: "en"})
	t.Code("model.provenance.source_revision", s.Revision)
	var tools []string
	for _, tool := range s.Tools {
		tools = append(tools, strings.TrimSpace(tool.Name+" "+tool.Version))
	}
	t.Text("model.provenance.tools", strings.Join(tools, ", "))
	if n := len(s.Files); n > 0 {
		t.Text("model.provenance.files", w.p.N("model.provenance.files_count", n))
	}
}

// recorded counts the requests that figures of the page follow from, and says
// whether all tests with cells have such figures.
func (w writer) recorded() (requests int, all bool) {
	all = true
	for i := range w.run.Source.Tests {
		t := &w.run.Source.Tests[i]
		n, ok := stat.Recorded(t)
		requests += n
		all = all && (ok || len(t.Cells) == 0)
	}
	return requests, all
}

// methodURL is the address of a contract's page, empty for one that is not known.
func (w writer) methodURL(version string) string {
	if _, ok := w.site.Content.Contract(version); !ok {
		return ""
	}
	return page.VersionRoute(version).URL(w.p.Lang())
}

// revision links a pinned revision of the repository.
func (w writer) revision(rev, path string) render.Value {
	if rev == "" {
		return render.Value{}
	}
	return render.Value{
		Text: w.p.T("model.provenance.revision", "revision", rev[:min(12, len(rev))]),
		URL:  w.site.Content.Site.SourceURL(rev, path),
	}
}

// downloads are the files behind the page.
func (w writer) downloads() []render.Link {
	return []render.Link{
		{Label: w.p.T("model.downloads.bundle"), URL: "/" + w.conf.Shown().BundleFile()},
		{Label: w.p.T("model.downloads.json"), URL: "/" + w.conf.RunFile(".json")},
		{Label: w.p.T("model.downloads.csv"), URL: "/" + w.conf.RunFile(".csv")},
	}
}
