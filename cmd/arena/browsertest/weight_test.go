//go:build browser

package browsertest

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"example.org/arena/i18n"
)

// What pages may weigh, in bytes as sent to a reader who takes Brotli.
const (
	boardBudget   = 30_000 // 40 rows or fewer
	scriptBudget  = 5_000  // of it
	styleBudget   = 8_000  // of it
	modelBudget   = 45_000 // with its pictures
	libraryBudget = 190_000
)

// Pages and what they load by themselves stay within their budgets.
func TestWeights(t *testing.T) {
	v := browse(t, desktop)
	for _, c := range []struct {
		kind   string
		budget int64
	}{{"board", boardBudget}, {"preset", boardBudget}, {"model", modelBudget}} {
		p := largest(t, c.kind)
		for _, lang := range i18n.Langs {
			address := p.in(lang)
			v.open(address)
			v.settle()
			v.want(`performance.getEntriesByType("navigation")[0].encodedBodySize`, fmt.Sprint(size(t, address+"index.html")))
			sent := v.sent(t)
			total := sum(sent, "")
			t.Logf("%s: %d bytes, of them %d of scripts and %d of styles", address, total, sum(sent, ".js"), sum(sent, ".css"))
			over(t, address, total, c.budget)
			over(t, address+": scripts", sum(sent, ".js"), scriptBudget)
			over(t, address+": styles", sum(sent, ".css"), styleBudget)
			v.clean(address)
		}
	}
	libraries, err := filepath.Glob(filepath.Join(bench.folder, "assets", "echarts.*.js"))
	if err != nil || len(libraries) != 1 {
		t.Fatalf("chart libraries: %v, %v", libraries, err)
	}
	over(t, "the chart library", size(t, strings.TrimPrefix(libraries[0], bench.folder)), libraryBudget)
}

func over(t *testing.T, what string, got, budget int64) {
	t.Helper()
	if got > budget {
		t.Errorf("%s weighs %d bytes, %d more than its budget", what, got, got-budget)
	}
}

// sent returns the sizes of the files that the page has asked for, and forgets
// about them.
func (v *visit) sent(t *testing.T) map[string]int64 {
	t.Helper()
	v.mu.Lock()
	defer v.mu.Unlock()
	files := map[string]int64{}
	for _, r := range v.requests {
		u, err := url.Parse(r)
		check(t, err)
		if u.Scheme == "data" {
			continue
		}
		name := u.Path
		if strings.HasSuffix(name, "/") {
			name += "index.html"
		}
		files[name] = size(t, name)
	}
	v.requests = nil
	return files
}

// size is the size of a file of the site as it is sent.
func size(t *testing.T, name string) int64 {
	t.Helper()
	file := filepath.Join(bench.folder, filepath.FromSlash(name))
	info, err := os.Stat(file + ".br")
	if errors.Is(err, fs.ErrNotExist) {
		info, err = os.Stat(file)
	}
	check(t, err)
	return info.Size()
}

// sum adds the sizes of the files that have this text in their names.
func sum(files map[string]int64, text string) int64 {
	var total int64
	for name, n := range files {
		if strings.Contains(path.Base(name), text) {
			total += n
		}
	}
	return total
}
