// Package site turns bundles and content into the files of the trilingual site.
// It is a function of its input: it opens no file and no socket, reads no clock
// and no environment, and gives the same bytes for the same input, however many
// jobs it runs at a time, and whatever its cache holds.
//
// A file is written as soon as it is made. Of each bundle only what boards and lists
// show is held in memory; the page of a bundle reads it again.
package site

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"strings"
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

// An Item is a bundle: what the site holds of it, and its file.
type Item struct {
	page.Bundle
	Read func() ([]byte, error) // reads the file
}

// Output takes the files of a site. It is used by several goroutines at a time.
type Output interface {
	// Put writes the file at a slash-separated path, once.
	Put(path string, data []byte) error
	// Keep reports whether a file with this SHA-256 and size was there before and
	// stays: it need not be put.
	Keep(path string, sum [sha256.Size]byte, size int64) bool
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
	Jobs          int                                                       // parts made at a time, at least one
	Compress      func(data []byte, quality int) (br, gz []byte, err error) // Brotli at the quality, and Gzip; nil for no compressed files
	Output        Output

	// Cache keeps what was made for the next build; nil for none. Version names what
	// it depends on beside bundles: program, templates, words and content.
	Cache   Cache
	Version string
}

// A Cache keeps values by key. It is used by several goroutines at a time, and may
// forget: what is lost is made again.
type Cache interface {
	Get(key string) (value []byte, ok bool)
	Put(key string, value []byte)
	Use(key string) // the value is still of use, without being read
}

// A builder makes one site.
type builder struct {
	in       Input
	site     *page.Site
	render   *render.Renderer
	minifier *minify.M
	assets   render.Assets
	routes   []page.Route
	schemas  map[string][]byte
	items    map[string]Item // by id
	printers map[i18n.Lang]*i18n.Printer
	checker  *checker
}

// Build makes the whole site. Its error lists every fault of every page, or holds
// tomlfile.Faults with what is wrong in the content's reports, such as a bundle that
// is not there; the files that the output has by then must not be published.
func Build(ctx context.Context, in Input) error {
	in.Jobs = max(in.Jobs, 1)
	b := &builder{in: in, minifier: newMinifier(), schemas: maps.Clone(in.Schemas), items: map[string]Item{}, checker: newChecker(in.BaseURL), printers: map[i18n.Lang]*i18n.Printer{}}
	for _, l := range i18n.Langs {
		b.printers[l] = in.Catalogs.Printer(l)
	}
	maps.Copy(b.schemas, dataset.Schemas())
	var err error
	if b.render, err = render.New(in.Templates); err != nil {
		return err
	}
	// Pages need the names of the assets.
	if err := b.addPart(ctx, part{name: "assets", make: b.makeAssets}); err != nil {
		return err
	}
	if b.site, err = page.New(b.pageInput()); err != nil {
		return err
	}
	parts := b.parts()
	err = b.each(ctx, len(parts), func(i int) error { return b.addPart(ctx, parts[i]) })
	if err != nil {
		return err
	}
	return errors.Join(b.catalogFaults(), b.checker.err())
}

// pageInput gathers what pages are made from.
func (b *builder) pageInput() page.Input {
	out := page.Input{Content: b.in.Content, Open: b.open, Schemas: sortedKeys(b.schemas), Date: b.in.Date}
	for _, item := range b.in.Items {
		b.items[item.Summary.ID] = item
		out.Bundles = append(out.Bundles, item.Bundle)
	}
	return out
}

// open reads a bundle again.
func (b *builder) open(id string) (*bundle.Bundle, error) {
	item := b.items[id]
	data, err := item.read()
	if err != nil {
		return nil, err
	}
	return bundle.DecodeAgain(item.Summary.Path, data)
}

// read reads the file of a bundle, which must be what it was.
func (item Item) read() ([]byte, error) {
	data, err := item.Read()
	if err == nil && bundle.ID(data) != item.Summary.ID {
		err = fmt.Errorf("%s changed while the site was made", item.Summary.Path)
	}
	return data, err
}

// parts lists everything that is made after the assets.
func (b *builder) parts() []part {
	all := b.everything()
	parts := b.pageParts(all)
	for _, item := range b.in.Items {
		parts = append(parts, b.bundlePart(item))
	}
	return append(parts,
		part{name: "front pages", make: b.makeFrontPages},
		part{name: "leaderboard files", inputs: all, make: b.makeLeaderboard},
		part{name: "feeds", inputs: all, make: b.makeFeeds},
		part{name: "other files", make: b.makeOthers},
	)
}

// everything are the inputs of a part that may show any bundle.
func (b *builder) everything() []string {
	all := []string{b.in.Date.UTC().Format(time.RFC3339)}
	for _, item := range b.in.Items {
		all = append(all, item.Summary.ID, item.Summary.Path)
	}
	sum := sha256.Sum256([]byte(strings.Join(all, "\n")))
	return []string{string(sum[:])}
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
