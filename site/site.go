// Package site turns bundles and content into the files of the trilingual site.
// It is a function of its input: it opens no file and no socket, reads no clock
// and no environment, and gives the same bytes for the same input, however many
// jobs it runs at a time.
package site

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"sync"
	"time"

	"github.com/tdewolff/minify/v2"

	"example.org/arena/content"
	"example.org/arena/i18n"
	"example.org/arena/results/bundle"
	"example.org/arena/site/chart"
	"example.org/arena/site/dataset"
	"example.org/arena/site/page"
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
	Compress      func(data []byte, quality int) (br, gz []byte, err error) // Brotli at the quality, and Gzip; nil for no compressed files
}

// A builder makes one site.
type builder struct {
	in       Input
	site     *page.Site
	tree     *Tree
	render   *render.Renderer
	minifier *minify.M
	assets   render.Assets
	routes   []page.Route
	schemas  map[string][]byte
	charts   sync.Map // path in the tree → data of an interactive chart
}

// Build makes the whole site. Its error lists every fault of every page, or is
// tomlfile.Faults with what is wrong in the content's reports, such as a bundle
// that is not there.
func Build(ctx context.Context, in Input) (*Tree, error) {
	in.Jobs = max(in.Jobs, 1)
	b := &builder{in: in, tree: &Tree{}, minifier: newMinifier(), schemas: maps.Clone(in.Schemas)}
	maps.Copy(b.schemas, dataset.Schemas())
	var err error
	if b.render, err = render.New(in.Templates); err != nil {
		return nil, err
	}
	if b.assets, err = b.addAssets(); err != nil {
		return nil, err
	}
	if b.site, err = page.New(b.pageInput()); err != nil {
		return nil, err
	}
	if err := b.checkReports(); err != nil {
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
	if err := errors.Join(b.tree.Err(), b.catalogFaults(), b.check(ctx)); err != nil {
		return nil, err
	}
	if in.Compress != nil {
		if err := b.compressTree(ctx); err != nil {
			return nil, err
		}
	}
	return b.tree, nil
}

// pageInput gathers what pages are made from.
func (b *builder) pageInput() page.Input {
	out := page.Input{Content: b.in.Content, Schemas: sortedKeys(b.schemas), Date: b.in.Date}
	for _, item := range b.in.Items {
		out.Bundles = append(out.Bundles, page.Bundle{ID: bundle.ID(item.Data), Path: item.Path, Bundle: item.Bundle})
	}
	return out
}

// catalogFaults fails the build for every catalog key that was missing or misused.
func (b *builder) catalogFaults() error {
	var errs []error
	for _, f := range b.in.Catalogs.Faults() {
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
	for range min(b.in.Jobs, n) {
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
