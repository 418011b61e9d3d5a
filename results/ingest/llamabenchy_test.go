package ingest

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"example.org/arena/results/bundle"
)

// TestLlamaBenchyFiles reads every file of testdata/llama-benchy and compares
// what was understood, or the message, with the golden file beside it.
func TestLlamaBenchyFiles(t *testing.T) {
	t.Parallel()
	files := globFiles(t, "testdata/llama-benchy/*.[mtcj]*")
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := understood(ParseLlamaBenchy(Input{Name: filepath.Base(file), Data: data}))
			compareGolden(t, file+".golden", got)
			if refused := strings.HasPrefix(filepath.Base(file), "refused-"); refused != strings.HasPrefix(got, "refused\n") {
				t.Errorf("refused: %v, want %v", !refused, refused)
			}
		})
	}
}

// globFiles lists files and fails when there are none.
func globFiles(t testing.TB, pattern string) []string {
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

// compareGolden compares got with a golden file, or writes it when UPDATE_GOLDEN
// is set.
func compareGolden(t *testing.T, file, got string) {
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

// understood writes down everything that was read, or the faults.
func understood(parsed *LlamaBenchy, err error) string {
	if err != nil {
		return "refused\n" + err.Error() + "\n"
	}
	var b strings.Builder
	for _, r := range parsed.Reports {
		b.WriteString(reportText(r))
	}
	return b.String()
}

func reportText(r Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "report at line %d: %s %s, model %q\n", r.Line, r.Tool.Name, r.Tool.Version, r.Model)
	line := func(name, value string) {
		if value != "" && value != "0" && value != "false" && value != "[]" {
			fmt.Fprintf(&b, "  %s: %s\n", name, value)
		}
	}
	line("date", r.Date)
	line("end", r.EndDate)
	line("start", shortest(r.StartUnix))
	line("latency mode", r.LatencyMode)
	line("latency ms", numberText(r.LatencyMS))
	line("fallback", r.TokenizerFallback)
	line("corpus tokens", strconv.Itoa(r.CorpusTokens))
	line("argv", fmt.Sprintf("%q", r.Argv))
	line("runs", strconv.Itoa(r.Runs))
	line("prefix caching", strconv.FormatBool(r.PrefixCaching))
	line("status", r.Status)
	line("settings", fmt.Sprint(r.Settings))
	line("notes", fmt.Sprint(r.Notes))
	for _, c := range r.Cells {
		b.WriteString(cellDump(c))
	}
	return b.String()
}

func cellDump(c bundle.Cell) string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %s", keyOf(c))
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
				fmt.Fprintf(&b, " %s %s", part.name, shortest(*part.value))
			}
		}
		if fig.StdKind != "" {
			fmt.Fprintf(&b, " (%s)", fig.StdKind)
		}
		if fig.N > 0 {
			fmt.Fprintf(&b, " n %d", fig.N)
		}
		for _, p := range fig.Percentiles {
			fmt.Fprintf(&b, " p%s %s", shortest(p.P), shortest(p.Value))
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

func numberText(v *float64) string {
	if v == nil {
		return ""
	}
	return shortest(*v)
}

func countText[T int | int64](n *T) string {
	if n == nil {
		return "?"
	}
	return strconv.FormatInt(int64(*n), 10)
}
