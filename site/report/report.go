// Package report makes the page of a report from its file, its three texts and
// the bundles that it is about. A text names blocks, which are tables and charts,
// and figures, which are numbers in a sentence; docs/reports.md lists both. What
// is particular to one report stands in its file and its texts, never here.
//
// It decides nothing about a value: its verdict says whether it is known and whether
// it counts. A figure that is unknown or excluded is a fault, since a sentence has no room
// for a mark. Faults are tomlfile.Faults and name the line of the text or the file.
//
// Times are in milliseconds unless a name says otherwise.
package report

import (
	"cmp"
	"fmt"
	"slices"

	"example.org/arena/content"
	"example.org/arena/i18n"
	"example.org/arena/results/facts"
	"example.org/arena/results/tomlfile"
	"example.org/arena/results/verdict"
	"example.org/arena/site/board"
	"example.org/arena/site/markdown"
	"example.org/arena/site/render"
)

// Deployment is the key of the fault of a deployment without a bundle.
const Deployment = "deployment"

// A Run is the measurement of a deployment, with its places on the site.
type Run struct {
	ID      string       // of the bundle
	Verdict *verdict.Run // nil when there is no bundle for the deployment
	Model   *facts.Model // nil when nothing is known about it
	Memory  board.Memory
	Page    string   // address of the configuration's page
	File    string   // address of the bundle
	Method  string   // address of the contract's page; empty without one
	Marks   []string // why the measurement no longer stands; empty when it does
}

// A Source is what the page of a report is made from.
type Source struct {
	Report  content.Report
	Runs    []Run // one per deployment of the report, in its order
	Catalog facts.Catalog
	Index   string // address of the list of reports
}

// Page makes the page in the printer's language.
func Page(p *i18n.Printer, src Source) (*render.Page, error) {
	w := newWriter(p, src)
	w.checkFile()
	blocks, toc := w.text()
	if err := w.err(); err != nil {
		return nil, err
	}
	body := render.Report{
		Heading: w.words(src.Report.Title),
		Lead:    w.words(src.Report.Lead),
		Marks:   w.marks(),
		Facts:   w.facts(),
		TOC:     toc,
		Blocks:  blocks,
		Sources: w.sources(),
	}
	return &render.Page{
		Template:    "report",
		Title:       body.Heading,
		Description: body.Lead,
		HasCharts:   true,
		Crumbs:      []render.Link{{Label: p.T("common.nav.reports"), URL: src.Index}, {Label: body.Heading}},
		Body:        body,
	}, nil
}

// A writer writes one report in one language, and collects its faults.
type writer struct {
	p        *i18n.Printer
	src      Source
	markdown *markdown.Renderer
	all      []*deployment
	faults   tomlfile.Faults
}

// A deployment is a configuration of the report with its measurement.
type deployment struct {
	id    string
	name  string
	slot  int // colour and marker on every chart
	run   Run
	curve board.LoadCurve
}

func newWriter(p *i18n.Printer, src Source) *writer {
	w := &writer{p: p, src: src, markdown: markdown.New()}
	for i, d := range src.Report.Deployments {
		if i >= len(src.Runs) || src.Runs[i].Verdict == nil {
			w.fault(src.Report.File, d.Line, Deployment, fmt.Errorf("there is no bundle of %s, %s, %s", d.Platform, d.Model, d.Profile))
			continue
		}
		run := src.Runs[i]
		w.all = append(w.all, &deployment{
			id: d.ID, name: w.words(d.Name), slot: i, run: run,
			curve: board.LoadCurveOf(board.Item{ID: run.ID, Bundle: run.Verdict.Bundle}, ""),
		})
	}
	return w
}

// words are a text of the report's file in the page's language.
func (w *writer) words(texts facts.Words) string { return texts[string(w.p.Lang())] }

func (w *writer) fault(file string, line int, key string, err error) {
	w.faults = append(w.faults, tomlfile.Fault{File: file, Line: line, Key: key, Message: err.Error()})
}

// err returns the faults by file and line, or nil.
func (w *writer) err() error {
	if len(w.faults) == 0 {
		return nil
	}
	slices.SortStableFunc(w.faults, func(a, b tomlfile.Fault) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return w.faults
}

// checkFile notes a fault for every block of the file whose kind does not exist.
func (w *writer) checkFile() {
	for _, b := range w.src.Report.Blocks {
		if _, ok := blocks[b.Kind]; !ok {
			w.fault(w.src.Report.File, b.Line, "block", fmt.Errorf("there is no block %q; there are %s", b.Kind, list(blocks)))
		}
	}
}

// deployment returns the deployment with the given id.
func (w *writer) deployment(id string) (*deployment, error) {
	for _, d := range w.all {
		if d.id == id {
			return d, nil
		}
	}
	return nil, fmt.Errorf("there is no deployment %q", id)
}

// A pair is two deployments of which one is set against the other.
type pair struct {
	id            string
	name          string
	base, variant *deployment
}

// pairs are the pairs of the report, in its order.
func (w *writer) pairs() []pair {
	var out []pair
	for _, p := range w.src.Report.Pairs {
		base, noBase := w.deployment(p.Base)
		variant, noVariant := w.deployment(p.Variant)
		if noBase == nil && noVariant == nil {
			out = append(out, pair{p.ID, w.words(p.Name), base, variant})
		}
	}
	return out
}

func (w *writer) pair(id string) (pair, error) {
	for _, p := range w.pairs() {
		if p.id == id {
			return p, nil
		}
	}
	return pair{}, fmt.Errorf("there is no pair %q", id)
}

// marks say which measurements no longer stand, and why.
func (w *writer) marks() []string {
	var out []string
	for _, d := range w.all {
		for _, text := range d.run.Marks {
			out = append(out, w.p.T("report.withdrawn", "configuration", d.run.Verdict.Bundle.Profile, "text", text))
		}
	}
	return out
}
