package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// measure times the builds of a site with n configurations.
func (b *bench) measure(ctx context.Context, n int) error {
	work := filepath.Join(b.dir, strconv.Itoa(n))
	bundles, public := filepath.Join(work, "bundles"), filepath.Join(work, "public")
	for _, dir := range []string{bundles, public} {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	cache := filepath.Join(b.dir, "cache")
	build := []string{b.arena, "build", "--results", bundles, "--out", public, "--cache", cache, "--no-compress", "--no-reports"}
	// Draw every chart once, those of the bundle to come too, and keep the charts
	// alone for the first measurement.
	if err := generate(bundles, "results/bundles", n+1); err != nil {
		return err
	}
	if _, err := b.time(ctx, build); err != nil {
		return err
	}
	if err := os.RemoveAll(bundles); err != nil {
		return err
	}
	if err := generate(bundles, "results/bundles", n); err != nil {
		return err
	}
	if err := os.RemoveAll(filepath.Join(cache, "pages")); err != nil {
		return err
	}
	if err := os.RemoveAll(public); err != nil {
		return err
	}
	steps := []struct {
		name   string
		before func() error
	}{
		{"charts cached", func() error { return nil }},
		{"nothing changed", func() error { return nil }},
		{"one bundle more", func() error { return generate(bundles, "results/bundles", n+1) }},
		{"site lost, pages cached", func() error { return os.RemoveAll(public) }},
	}
	for _, step := range steps {
		if err := step.before(); err != nil {
			return err
		}
		u, err := b.time(ctx, build)
		if err != nil {
			return err
		}
		if err := b.row(n, step.name, u, public); err != nil {
			return err
		}
	}
	if b.hugo == "" {
		return nil
	}
	return b.compare(ctx, n, work, public)
}

// A usage is what a process took.
type usage struct {
	elapsed, processor time.Duration
	memory             int64 // bytes, at most at a time
}

// time runs a program and says what it took.
func (b *bench) time(ctx context.Context, argv []string) (usage, error) {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	start := time.Now()
	text, err := cmd.CombinedOutput()
	if err != nil {
		return usage{}, fmt.Errorf("%s: %w\n%s", strings.Join(argv, " "), err, text)
	}
	u := usage{elapsed: time.Since(start), processor: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	if r, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		u.memory = r.Maxrss * 1024 // Linux counts kilobytes
	}
	return u, nil
}

// row prints one line of the table.
func (b *bench) row(n int, name string, u usage, public string) error {
	pages, size, err := weigh(public)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(b.out, "| %d | %s | %.1f | %.1f | %d | %d | %d |\n",
		n, name, u.elapsed.Seconds(), u.processor.Seconds(), u.memory/1e6, pages, size/1e6)
	return err
}

// weigh counts the pages of a site and the bytes of all its files.
func weigh(dir string) (pages int, size int64, err error) {
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		size += info.Size()
		if filepath.Ext(name) == ".html" {
			pages++
		}
		return nil
	})
	return pages, size, err
}
