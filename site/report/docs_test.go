package report

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestDocsNameEverything compares docs/reports.md with what there is: writers of
// reports have nothing else to go by.
func TestDocsNameEverything(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../docs/reports.md")
	if err != nil {
		t.Fatal(err)
	}
	before, after, ok := strings.Cut(string(data), "\n## Figures\n")
	if !ok {
		t.Fatal("docs/reports.md has no part about figures")
	}
	_, before, _ = strings.Cut(before, "\n## Blocks\n")
	row := regexp.MustCompile("(?m)^\\| `([^`]+)`")
	named := func(text string) []string {
		var out []string
		for _, m := range row.FindAllStringSubmatch(text, -1) {
			out = append(out, m[1])
		}
		slices.Sort(out)
		return out
	}
	if got, want := named(before), slices.Sorted(maps.Keys(blocks)); !slices.Equal(got, want) {
		t.Errorf("blocks in the docs %v\nin the code %v", got, want)
	}
	var want []string
	for name, f := range figures {
		want = append(want, strings.Trim(f.usage(name), "{}"))
	}
	slices.Sort(want)
	if got := named(after); !slices.Equal(got, want) {
		t.Errorf("figures in the docs\n%s\nin the code\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
