package site

import (
	"strings"
	"testing"

	"example.org/arena/results/bundle"
)

// A page that cannot be made because of a bundle names the bundle's file.
func TestFaultOfPageNamesBundle(t *testing.T) {
	t.Parallel()
	it := item(t, func(*bundle.Bundle) {})
	// More than any chart can show; validation would have refused it.
	for i := range it.Bundle.Tests {
		for j := range it.Bundle.Tests[i].Cells {
			for k := range it.Bundle.Tests[i].Cells[j].Reported {
				f := &it.Bundle.Tests[i].Cells[j].Reported[k]
				f.Mean, f.Value = new(1e300), new(1e300)
			}
		}
	}
	_, err := Build(t.Context(), input(t, it))
	if err == nil || !strings.Contains(err.Error(), it.Path+": ") {
		t.Errorf("error = %v\nwant one that names %s", err, it.Path)
	}
}
