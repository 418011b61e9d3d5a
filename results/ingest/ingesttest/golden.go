// Package ingesttest has what the tests of the formats share: fixtures, metadata,
// contracts and figures as text.
package ingesttest

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/scan"
)

// CorpusFolder returns a folder of the corpus of real inputs, which is not part
// of the repository. Without it the test is skipped.
func CorpusFolder(t *testing.T, name string) string {
	t.Helper()
	root := os.Getenv("ARENA_CORPUS")
	if root == "" {
		t.Skip("ARENA_CORPUS does not name the corpus of real inputs: this test reads nothing")
	}
	return filepath.Join(root, name)
}

// Fixture reads a file of testdata as an input.
func Fixture(t testing.TB, name string) ingest.Input {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return ingest.Input{Name: filepath.Base(name), Data: data}
}

// GlobFiles lists files and fails when there are none.
func GlobFiles(t testing.TB, pattern string) []string {
	t.Helper()
	all, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, f := range all {
		if !strings.HasSuffix(f, ".golden") {
			files = append(files, f)
		}
	}
	if len(files) == 0 {
		t.Fatalf("no file matches %s", pattern)
	}
	return files
}

// CompareGolden compares got with a golden file, or writes it when UPDATE_GOLDEN
// is set.
func CompareGolden(t *testing.T, file, got string) {
	t.Helper()
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (UPDATE_GOLDEN=1 rewrites it); got:\n%s", file, got)
	}
}

// CellDump writes a cell and its figures as text.
func CellDump(c bundle.Cell) string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %s", cellLabel(c))
	if c.Runs > 0 {
		fmt.Fprintf(&b, ", %d runs", c.Runs)
	}
	if q := c.Requests; q != nil {
		fmt.Fprintf(&b, ", requests planned %s completed %s failed %s", countText(q.Planned), countText(q.Completed), countText(q.Failed))
	}
	if k := c.Tokens; k != nil {
		fmt.Fprintf(&b, ", tokens in %s out %s", countText(k.Input), countText(k.Output))
	}
	if c.Error != "" {
		fmt.Fprintf(&b, ", error %q", c.Error)
	}
	if len(c.Notes) > 0 {
		fmt.Fprintf(&b, ", notes %v", c.Notes)
	}
	b.WriteString("\n")
	for _, fig := range c.Reported {
		fmt.Fprintf(&b, "    %s = %s %s", fig.Metric, fig.Name, fig.Unit)
		for _, part := range []struct {
			name  string
			value *float64
		}{{"value", fig.Value}, {"mean", fig.Mean}, {"std", fig.Std}, {"median", fig.Median}, {"min", fig.Min}, {"max", fig.Max}} {
			if part.value != nil {
				fmt.Fprintf(&b, " %s %s", part.name, scan.Shortest(*part.value))
			}
		}
		if fig.StdKind != "" {
			fmt.Fprintf(&b, " (%s)", fig.StdKind)
		}
		if fig.N > 0 {
			fmt.Fprintf(&b, " n %d", fig.N)
		}
		for _, p := range fig.Percentiles {
			fmt.Fprintf(&b, " p%s %s", scan.Shortest(p.P), scan.Shortest(p.Value))
		}
		if len(fig.Values) > 0 {
			fmt.Fprintf(&b, " values %v", fig.Values)
		}
		if fig.Approximate {
			b.WriteString(" approximate")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// cellLabel writes the sizes of a cell as llama-benchy labels its rows.
func cellLabel(c bundle.Cell) string {
	size := func(n int) string {
		if n == 0 {
			return "?"
		}
		return strconv.Itoa(n)
	}
	s := fmt.Sprintf("pp%s tg%s @ d%d (c%d)", size(c.PromptTokens), size(c.OutputTokens), c.DepthTokens, c.Concurrency)
	if c.Phase != "" {
		s = c.Phase + " of " + s
	}
	return s
}

// NumberText writes a number that may be missing.
func NumberText(v *float64) string {
	if v == nil {
		return ""
	}
	return scan.Shortest(*v)
}

func countText[T int | int64](n *T) string {
	if n == nil {
		return "?"
	}
	return strconv.FormatInt(int64(*n), 10)
}

// CorpusFiles returns the files of the corpus that match a pattern. It skips the test
// when there is no corpus.
func CorpusFiles(t *testing.T, pattern string) []string {
	t.Helper()
	root := os.Getenv("ARENA_CORPUS")
	if root == "" {
		t.Skip("SKIPPED: set ARENA_CORPUS to the folder of the corpus to run this test")
	}
	files, err := filepath.Glob(filepath.Join(root, pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files match %s: %v", pattern, err)
	}
	return files
}
