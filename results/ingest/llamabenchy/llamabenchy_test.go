package llamabenchy

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/ingesttest"
	"example.org/arena/results/ingest/scan"
)

// TestLlamaBenchyFiles reads every file of testdata and compares
// what was understood, or the message, with the golden file beside it.
func TestLlamaBenchyFiles(t *testing.T) {
	t.Parallel()
	files := ingesttest.GlobFiles(t, "testdata/*.[mtcj]*")
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := understood(Parse(ingest.Input{Name: filepath.Base(file), Data: data}))
			ingesttest.CompareGolden(t, file+".golden", got)
			if refused := strings.HasPrefix(filepath.Base(file), "refused-"); refused != strings.HasPrefix(got, "refused\n") {
				t.Errorf("refused: %v, want %v", !refused, refused)
			}
		})
	}
}

// understood writes down everything that was read, or the faults.
func understood(parsed *File, err error) string {
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
	line("start", scan.Shortest(r.StartUnix))
	line("latency mode", r.LatencyMode)
	line("latency ms", ingesttest.NumberText(r.LatencyMS))
	line("fallback", r.TokenizerFallback)
	line("corpus tokens", strconv.Itoa(r.CorpusTokens))
	line("argv", fmt.Sprintf("%q", r.Argv))
	line("runs", strconv.Itoa(r.Runs))
	line("prefix caching", strconv.FormatBool(r.PrefixCaching))
	line("status", r.Status)
	line("settings", fmt.Sprint(r.Settings))
	line("notes", fmt.Sprint(r.Notes))
	for _, c := range r.Cells {
		b.WriteString(ingesttest.CellDump(c))
	}
	return b.String()
}
