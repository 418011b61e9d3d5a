package main

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"example.org/arena/cmd/arena/exit"
	"example.org/arena/cmd/arena/store"
	"github.com/spf13/pflag"
)

// siteFlags say what a site is made from and how. arena build and arena serve
// --watch share them.
type siteFlags struct {
	results    []string
	content    string
	baseURL    string
	date       string
	simulated  bool
	noReports  bool
	cache      string
	jobs       int
	noCompress bool
}

func (f *siteFlags) register(set *pflag.FlagSet) {
	set.StringArrayVar(&f.results, "results", nil, "folder of bundles; may be repeated (default results/bundles of the checkout)")
	set.StringVar(&f.content, "content", "", "folder of texts, contracts and facts (default: those inside the program)")
	set.StringVar(&f.baseURL, "base-url", "", "address the site is served at (default: the one in the content)")
	set.StringVar(&f.date, "date", "", "date of the site, YYYY-MM-DD or RFC 3339 (default: the time of the newest bundle)")
	set.BoolVar(&f.simulated, "include-simulated", false, "show simulated bundles too, marked as such")
	set.BoolVar(&f.noReports, "no-reports", false, "make no reports: their bundles are not among the results")
	set.StringVar(&f.cache, "cache", "", "folder that keeps charts, pages and compressed files for the next build")
	set.IntVar(&f.jobs, "jobs", runtime.GOMAXPROCS(0), "pages and charts made at a time")
	set.BoolVar(&f.noCompress, "no-compress", false, "write no .br and .gz files")
}

// settle checks the flags and fills in the folder of bundles. What depends on
// files is checked where they are read.
func (f *siteFlags) settle() error {
	if len(f.results) == 0 {
		dir, err := store.CheckoutBundles()
		if err != nil {
			return exit.WithHint(exit.Usagef("there is no results/bundles here or in a folder above"),
				"name a folder of bundles with --results")
		}
		f.results = []string{dir}
	}
	if f.jobs < 1 {
		return exit.Usagef("--jobs %d is less than one", f.jobs)
	}
	if _, err := f.day(); err != nil {
		return err
	}
	if f.baseURL != "" {
		if err := checkBaseURL(f.baseURL); err != nil {
			return exit.Usagef("--base-url %s %w", f.baseURL, err)
		}
		f.baseURL = strings.TrimSuffix(f.baseURL, "/")
	}
	if f.content != "" {
		if info, err := os.Stat(f.content); err != nil || !info.IsDir() {
			return fmt.Errorf("--content %s is not a folder", f.content)
		}
	}
	return nil
}

// day returns the date that was asked for, zero when none was.
func (f *siteFlags) day() (time.Time, error) {
	if f.date == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		if t, err := time.Parse(layout, f.date); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, exit.Usagef("--date %q is neither YYYY-MM-DD nor a time in RFC 3339", f.date)
}

// checkBaseURL reports what keeps an address from being that of a site. Links
// within the site begin at the root of its host, so it cannot lie below a path.
func checkBaseURL(s string) error {
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return errors.New("is not an address like https://arena.example.org")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.ForceQuery:
		return errors.New("has more than a scheme and a host")
	case u.Path != "" && u.Path != "/":
		return errors.New("has a path: the site must lie at the root of its host")
	}
	return nil
}

// checkOut refuses a folder that lies in one that the site is made from: the
// next build would read what this one wrote.
func (f *siteFlags) checkOut(out string) error {
	for _, dir := range append([]string{f.content}, f.results...) {
		if dir == "" {
			continue
		}
		from, err := filepath.Abs(dir)
		if err != nil {
			return err
		}
		to, err := filepath.Abs(out)
		if err != nil {
			return err
		}
		if rel, err := filepath.Rel(from, to); err == nil && filepath.IsLocal(rel) {
			return exit.Usagef("the site cannot be written to %s: it is made from what lies in %s", out, dir)
		}
	}
	return nil
}
