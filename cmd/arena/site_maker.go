package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"example.org/arena/cmd/arena/cache"
	"example.org/arena/cmd/arena/exit"
	"example.org/arena/cmd/arena/gather"
	"example.org/arena/cmd/arena/publish"
	"example.org/arena/cmd/arena/terminal"
	"example.org/arena/content"
	"example.org/arena/i18n"
	"example.org/arena/results/bundle"
	"example.org/arena/results/tomlfile"
	"example.org/arena/site"
	"example.org/arena/site/chart"
	"example.org/arena/site/page"
	"example.org/arena/site/report"
)

// A siteMaker makes sites from the same flags, one after the other. Between them
// it keeps the drawing engines and what they drew.
type siteMaker struct {
	flags     siteFlags
	templates fs.FS
	look      string // digest of the templates, whose chart library is not among the sources
	echarts   []byte
	charts    *chart.Renderer
	values    cache.Values
	folder    *cache.Folder // nil without --cache
	pages     *cache.Folder // of the newest site; nil without --cache
	progress  *progress
}

// newSiteMaker opens what all sites need. The flags have been settled.
func newSiteMaker(flags siteFlags, templates fs.FS, p *progress) (*siteMaker, error) {
	m := &siteMaker{flags: flags, templates: templates, values: chart.NewMemory(), progress: p}
	dist, err := fs.Sub(templates, "dist")
	if err != nil {
		return nil, err
	}
	library, err := chart.OpenBundle(dist)
	if errors.Is(err, chart.ErrNoECharts) {
		return nil, exit.WithHint(errors.New("the chart library is not in this program"),
			"in the checkout, make build makes a program that has it (it needs Node.js)")
	}
	if err != nil {
		return nil, err
	}
	if m.echarts, err = fs.ReadFile(dist, "echarts.js"); err != nil {
		return nil, err
	}
	if m.look, err = digest(templates); err != nil {
		return nil, err
	}
	if flags.cache != "" {
		if m.folder, err = cache.Open(flags.cache, fingerprint()); err != nil {
			return nil, fmt.Errorf("open cache: %w", err)
		}
		m.values = m.folder
	}
	m.charts, err = chart.New(chart.Config{Bundle: library, Jobs: flags.jobs, Cache: tallied{m.values, p}})
	return m, err
}

// tallied counts what is put into a cache: the charts that had to be drawn.
type tallied struct {
	cache.Values
	progress *progress
}

func (c tallied) Put(key string, value []byte) {
	c.progress.drawn.Add(1)
	c.Values.Put(key, value)
}

func (m *siteMaker) close() error { return m.charts.Close() }

// cacheFault returns what went wrong with the cache, which makes no site worse.
func (m *siteMaker) cacheFault() error {
	if m.folder == nil {
		return nil
	}
	if m.pages == nil {
		return m.folder.Err()
	}
	return errors.Join(m.folder.Err(), m.pages.Err())
}

// input reads everything that the site is made from. Its error lists the faults of
// content and bundles alike.
func (m *siteMaker) input(ctx context.Context) (site.Input, error) {
	in := site.Input{
		Templates: m.templates,
		Charts:    m.charts,
		ECharts:   m.echarts,
		Schemas:   map[string][]byte{"bundle.schema.json": bundle.Schema(), "verify.schema.json": bundle.ReportSchema()},
		Jobs:      m.flags.jobs,
	}
	if !m.flags.noCompress {
		in.Compress = m.compressor()
	}
	m.progress.printLine("reading %s", strings.Join(m.flags.results, ", "))
	source, wrong := readContent(m.flags.content)
	in.Content, in.ContractFiles = source.content, source.contracts
	if wrong == nil && m.flags.noReports {
		in.Content.Reports = nil
	}
	m.openPages(&in, source)
	var unread error
	in.Items, unread = m.items(ctx, &in)
	if err := ctx.Err(); err != nil {
		return in, err
	}
	if err := errors.Join(wrong, unread); err != nil {
		return in, err
	}
	var err error
	if in.Catalogs, err = i18n.Load(i18n.FS); err != nil {
		return in, err
	}
	if in.BaseURL = m.flags.baseURL; in.BaseURL == "" {
		in.BaseURL = in.Content.Site.BaseURL
	}
	in.Date, err = m.date(in.Items)
	return in, err
}

// openPages opens the cache of pages, where there is to be one and the program
// knows what it is itself.
func (m *siteMaker) openPages(in *site.Input, source sources) {
	code := codeDigest()
	if m.folder == nil || code == "" || source.digest == "" {
		return
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{fingerprint(), code, m.look, source.digest, fmt.Sprint(m.flags.noReports)}, "\n")))
	in.Version = hex.EncodeToString(sum[:])
	m.pages = cache.OpenVersion(filepath.Join(m.flags.cache, "pages"), in.Version)
	in.Cache = m.pages
}

// publish makes the site and puts it in the place of dir.
func (m *siteMaker) publish(ctx context.Context, dir string) (siteSize, error) {
	in, err := m.input(ctx)
	if err != nil {
		return siteSize{}, err
	}
	var made publish.Manifest
	err = m.progress.showPhase("making pages from "+terminal.Counted(len(in.Items), "bundle"), func() (err error) {
		made, err = publish.Replace(ctx, dir, func(s *publish.Site) error {
			in.Output = s
			return ofReports(m.flags.content, site.Build(ctx, in))
		})
		return err
	})
	if err != nil {
		return siteSize{}, err
	}
	if m.pages != nil {
		m.pages.Sweep()
	}
	return sizeOf(made), nil
}

// compressor compresses through the cache, and counts.
func (m *siteMaker) compressor() func([]byte, int) (br, gz []byte, err error) {
	compress := cache.Compressor(m.values)
	return func(data []byte, quality int) (br, gz []byte, err error) {
		m.progress.packed.Add(1)
		return compress(data, quality)
	}
}

// items reads the bundles, without the simulated ones unless they are asked for.
func (m *siteMaker) items(ctx context.Context, in *site.Input) ([]site.Item, error) {
	r := gather.Reader{Jobs: m.flags.jobs, Cache: in.Cache, Version: in.Version}
	if in.Content != nil {
		r.Rules = page.RulesOf(in.Content)
	}
	all, err := r.Folders(ctx, m.flags.results)
	if err != nil || m.flags.simulated {
		return all, err
	}
	var items []site.Item
	for _, item := range all {
		if item.Summary.Kind != bundle.Simulated {
			items = append(items, item)
		}
	}
	left := terminal.Counted(len(all)-len(items), "simulated bundle")
	switch {
	case len(items) == 0:
		return nil, exit.WithHint(fmt.Errorf("there is nothing to show but %s", left), "--include-simulated shows them")
	case len(items) < len(all):
		m.progress.printLine("leaving out %s; --include-simulated shows them", left)
	}
	return items, nil
}

// date returns the date of the site: the one asked for, else the newest bundle's.
func (m *siteMaker) date(items []site.Item) (time.Time, error) {
	day, err := m.flags.day()
	if err != nil || !day.IsZero() {
		return day, err
	}
	for _, item := range items {
		t, err := time.Parse(time.RFC3339Nano, item.Summary.StartedAt)
		if err != nil {
			return time.Time{}, err
		}
		if t.After(day) {
			day = t
		}
	}
	return day.UTC(), nil
}

// Sources are what people wrote.
type sources struct {
	content   *content.Content
	contracts map[string][]byte // the contracts' own bytes, by version
	digest    string            // of every file
}

// readContent reads the content of a folder, or that inside the program when dir
// is empty. It looks at the files before and after: a digest of others than were read
// would give later builds pages of this one.
func readContent(dir string) (sources, error) {
	var fsys fs.FS = content.FS
	if dir != "" {
		fsys = os.DirFS(dir)
	}
	before, err := digest(fsys)
	if err != nil {
		return sources{}, err
	}
	c, err := content.Load(fsys)
	if err != nil {
		return sources{}, inFolder(dir, err)
	}
	s := sources{content: c, contracts: map[string][]byte{}}
	for _, k := range c.Contracts {
		data, err := fs.ReadFile(fsys, k.File)
		if err != nil {
			return sources{}, err
		}
		s.contracts[k.Version] = data
	}
	s.digest, err = digest(fsys)
	if err == nil && s.digest != before {
		return sources{}, fmt.Errorf("%s changed while it was read", dir)
	}
	return s, err
}

// digest returns the SHA-256 of all files of a tree and their names.
func digest(fsys fs.FS) (string, error) {
	h := sha256.New()
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(fsys, name)
		fmt.Fprintf(h, "%s %d\n", name, len(data))
		h.Write(data)
		return err
	})
	return hex.EncodeToString(h.Sum(nil)), err
}

// ofReports names the files of what is wrong with reports as seen from the
// current folder, and says how to do without bundles that are not there.
func ofReports(dir string, err error) error {
	var faults tomlfile.Faults
	if !errors.As(err, &faults) {
		return err
	}
	err = inFolder(dir, err)
	if slices.ContainsFunc(faults, func(f tomlfile.Fault) bool { return f.Key == report.Deployment }) {
		return exit.WithHint(err, "--no-reports makes the site without its reports")
	}
	return err
}

// inFolder names the files of faults as seen from the current folder.
func inFolder(dir string, err error) error {
	var faults tomlfile.Faults
	if !errors.As(err, &faults) {
		return err
	}
	named := make(tomlfile.Faults, len(faults))
	for i, f := range faults {
		f.File = filepath.Join(dir, filepath.FromSlash(f.File))
		named[i] = f
	}
	return named
}

// fingerprint names what drawings and compressed files depend on beside their
// input: the versions of Go and of every library.
func fingerprint() string {
	var b strings.Builder
	fmt.Fprintln(&b, runtime.Version(), runtime.GOARCH)
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			if d.Replace != nil {
				d = d.Replace
			}
			fmt.Fprintln(&b, d.Path, d.Version, d.Sum)
		}
	}
	return b.String()
}
