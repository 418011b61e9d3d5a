package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// compare lets Hugo build as many pages as the site in public has, each with as
// many bytes, from Markdown tables, and prints its line of the table.
func (b *bench) compare(ctx context.Context, n int, work, public string) error {
	hugo, err := b.install(ctx)
	if err != nil {
		return err
	}
	project := filepath.Join(work, "hugo")
	if err := os.RemoveAll(project); err != nil {
		return err
	}
	if err := writeProject(project, public); err != nil {
		return err
	}
	out := filepath.Join(project, "public")
	u, err := b.time(ctx, []string{hugo, "--quiet", "--minify", "--source", project, "--destination", out})
	if err != nil {
		return err
	}
	return b.row(n, "Hugo "+strings.TrimPrefix(b.hugo, "v")+", pages of the same weight", u, out)
}

// install builds Hugo from its Go module, once.
func (b *bench) install(ctx context.Context) (string, error) {
	bin := filepath.Join(b.dir, "bin")
	hugo := filepath.Join(bin, "hugo")
	if _, err := os.Stat(hugo); err == nil {
		return hugo, nil
	}
	cmd := exec.CommandContext(ctx, "go", "install", "github.com/gohugoio/hugo@"+b.hugo)
	cmd.Env = append(os.Environ(), "GOBIN="+bin, "CGO_ENABLED=0", "GOFLAGS=")
	if text, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("install Hugo: %w\n%s", err, text)
	}
	return hugo, nil
}

const (
	config = "baseURL = 'https://example.org/'\ntitle = 'Pages of the same weight'\ndisableKinds = ['taxonomy', 'term', 'rss', 'sitemap']\n"
	layout = "<!doctype html><html lang=en><head><meta charset=utf-8><title>{{ .Title }}</title></head>\n" +
		"<body><nav>{{ range first 10 site.RegularPages }}<a href=\"{{ .RelPermalink }}\">{{ .Title }}</a> {{ end }}</nav>\n" +
		"<main><h1>{{ .Title }}</h1>{{ .Content }}</main></body></html>\n"
	row = "| c = 16 | 355.2 ± 12.5 | 1,024 | 95 ms | not measured |\n"
)

// writeProject writes a page of Markdown for each HTML page below public, such
// that what Hugo makes of it weighs as much.
func writeProject(project, public string) error {
	const heavier = 2.2 // a row of the table in HTML over the same in Markdown
	files := map[string]string{"hugo.toml": config, "layouts/_default/single.html": layout, "layouts/_default/list.html": layout}
	for name, text := range files {
		if err := put(filepath.Join(project, filepath.FromSlash(name)), text); err != nil {
			return err
		}
	}
	page := 0
	return filepath.WalkDir(public, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".html" {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		page++
		rows := int(float64(info.Size()) / heavier / float64(len(row)))
		text := fmt.Sprintf("+++\ntitle = 'Configuration %d'\n+++\n\n| where | speed | tokens | TTFT | status |\n|---|--:|--:|--:|---|\n%s", page, strings.Repeat(row, rows))
		return put(filepath.Join(project, "content", fmt.Sprintf("page-%06d.md", page)), text)
	})
}

func put(file, text string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o644)
}
