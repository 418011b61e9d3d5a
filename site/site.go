// Package site turns bundles and content into the files of the trilingual site.
// It is a function of its input: it opens no file and no socket, reads no clock
// and no environment, and gives the same bytes for the same input, however many
// jobs it runs at a time.
package site

import (
	"context"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"sync"
	"time"

	"github.com/tdewolff/minify/v2"

	"example.org/arena/content"
	"example.org/arena/i18n"
	"example.org/arena/results/bundle"
	"example.org/arena/site/board"
	"example.org/arena/site/chart"
	"example.org/arena/site/dataset"
	"example.org/arena/site/markdown"
	"example.org/arena/site/render"
)

// An Item is a bundle with what the site needs of its file.
type Item struct {
	Path   string // below results/bundles, slash-separated; empty for a bundle from elsewhere
	Data   []byte // the file's bytes
	Bundle *bundle.Bundle
}

// Input is everything that a site is made from.
type Input struct {
	Items         []Item
	Content       *content.Content
	Catalogs      *i18n.Catalogs
	Templates     fs.FS
	Charts        *chart.Renderer
	ECharts       []byte                                                    // the chart library for browsers
	Schemas       map[string][]byte                                         // JSON Schemas by file name, "bundle.schema.json"
	ContractFiles map[string][]byte                                         // the contracts' own bytes, by version
	BaseURL       string                                                    // where the site is served, without a trailing slash
	Date          time.Time                                                 // what the site calls its date
	Jobs          int                                                       // pages made at a time, at least one
	Compress      func(data []byte, quality int) (br, gz []byte, err error) // quality is that of Brotli // Brotli and Gzip, kept or not; nil for no compressed files
}

// A builder makes one site.
type builder struct {
	Input
	tree     *Tree
	render   *render.Renderer
	markdown *markdown.Renderer
	minifier *minify.M
	assets   render.Assets
	set      board.Set
	byID     map[string]Item
	routes   []route
	configs  []configuration
	schemas  map[string][]byte
	charts   sync.Map // path in the tree → data of an interactive chart
}

// Build makes the whole site. Its error lists every fault of every page.
func Build(ctx context.Context, in Input) (*Tree, error) {
	b := &builder{Input: in, tree: &Tree{}, minifier: newMinifier(), markdown: markdown.New(), byID: map[string]Item{}}
	if b.Jobs < 1 {
		b.Jobs = 1
	}
	var err error
	if b.render, err = render.New(in.Templates); err != nil {
		return nil, err
	}
	if b.assets, err = b.addAssets(); err != nil {
		return nil, err
	}
	b.set = board.Build(b.boardInput())
	b.schemas = maps.Clone(in.Schemas)
	maps.Copy(b.schemas, dataset.Schemas())
	if b.configs, err = b.configurations(); err != nil {
		return nil, err
	}
	if err := b.addPages(ctx); err != nil {
		return nil, err
	}
	if err := b.addData(); err != nil {
		return nil, err
	}
	b.tree.add("_headers", headersFile())
	if err := b.addSitemap(); err != nil {
		return nil, err
	}
	if err := errors.Join(b.tree.Err(), b.words(), b.check(ctx)); err != nil {
		return nil, err
	}
	if in.Compress != nil {
		if err := b.compressTree(ctx); err != nil {
			return nil, err
		}
	}
	return b.tree, nil
}

// boardInput gathers what the boards are made from.
func (b *builder) boardInput() board.Input {
	in := board.Input{Contracts: b.Content.Contracts, Facts: b.Content.Catalog}
	for _, item := range b.Items {
		id := bundle.ID(item.Data)
		b.byID[id] = item
		in.Items = append(in.Items, board.Item{ID: id, Bundle: item.Bundle})
	}
	for _, r := range b.Content.Retractions {
		in.Retractions = append(in.Retractions, board.Retraction{ID: r.Bundle, Date: r.Date, Reason: r.Reason})
	}
	return in
}

// words fails the build for every catalog key that was missing or misused.
func (b *builder) words() error {
	var errs []error
	for _, f := range b.Catalogs.Faults() {
		errs = append(errs, f)
	}
	return errors.Join(errs...)
}

// each calls f for 0 … n−1, at most Jobs at a time, and returns every error in
// the order of the indices.
func (b *builder) each(ctx context.Context, n int, f func(i int) error) error {
	errs := make([]error, n)
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(b.Jobs, n) {
		wg.Go(func() {
			for i := range next {
				errs[i] = f(i)
			}
		})
	}
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
	return errors.Join(append(errs, ctx.Err())...)
}

// A pageMaker makes one page in one language.
type pageMaker struct {
	route route
	file  string // of the bundle that the page shows, below results/bundles; empty for none
	make  func(*i18n.Printer) (*render.Page, error)
}

// addPages makes every page in every language.
func (b *builder) addPages(ctx context.Context) error {
	makers := []pageMaker{
		{route: routeBoard, make: b.boardPage("")},
		{route: routeModels, make: b.modelsPage},
		{route: routeMethod, make: b.methodIndexPage},
		{route: routeReports, make: b.reportsPage},
		{route: routeSuggestions, make: b.suggestionsPage},
		{route: routeData, make: b.dataPage},
	}
	for _, p := range b.Content.Presets {
		makers = append(makers, pageMaker{route: routePreset(p.ID), make: b.boardPage(p.ID)})
	}
	for _, c := range b.Content.Contracts {
		makers = append(makers, pageMaker{route: routeVersion(c.Version), make: b.methodPage(c)})
	}
	for _, c := range b.configs {
		makers = append(makers, pageMaker{route: c.route(), file: c.item.Path, make: b.modelPage(c)})
	}
	for _, slug := range b.reports() {
		makers = append(makers, pageMaker{route: routeReport(slug), make: b.reportPage(slug)})
	}
	for _, m := range makers {
		b.routes = append(b.routes, m.route)
	}
	langs := i18n.Langs
	err := b.each(ctx, len(makers)*len(langs), func(i int) error {
		m, lang := makers[i/len(langs)], langs[i%len(langs)]
		w := b.Catalogs.Printer(lang)
		page, err := m.make(w)
		if err == nil {
			err = b.draw(ctx, page)
		}
		if err != nil {
			return m.fault(lang, err)
		}
		b.frame(page, m.route, w)
		return b.addPage(m.route.file(lang), page, w)
	})
	if err != nil {
		return err
	}
	return b.addFrontPages()
}

// fault makes the error of a page say which page it is and, where the page shows
// a bundle, the file of that.
func (m pageMaker) fault(lang i18n.Lang, err error) error {
	if m.file != "" {
		err = fmt.Errorf("%s: %w", m.file, err)
	}
	return fmt.Errorf("page /%s/%s: %w", lang, m.route, err)
}

// draw draws the charts of a page and keeps the data of their interactive
// versions.
func (b *builder) draw(ctx context.Context, page *render.Page) error {
	for _, f := range page.Figures() {
		drawn, err := b.Charts.Render(ctx, f.ID, f.Spec)
		if err != nil {
			return fmt.Errorf("draw %s: %w", f.ID, err)
		}
		// Drawn by our own code from checked specifications: labels are escaped there.
		f.Wide, f.Narrow = template.HTML(drawn.Wide), template.HTML(drawn.Narrow)
		f.Option = b.chartData(drawn.Option)
	}
	return nil
}

// addPage renders, minifies and adds a page.
func (b *builder) addPage(file string, page *render.Page, w *i18n.Printer) error {
	data, err := b.render.Render(page, w)
	if err != nil {
		return err
	}
	small, err := b.minifier.Bytes("text/html", data)
	if err != nil {
		return fmt.Errorf("minify %s: %w", file, err)
	}
	b.tree.add(file, small)
	return nil
}
