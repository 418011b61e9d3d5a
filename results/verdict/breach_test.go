package verdict

import (
	"reflect"
	"testing"

	"example.org/arena/results/audit"
	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
)

// A run breaks its contract by what is missing, by what failed and by a load that
// was another one, each said once.
func TestBreaches(t *testing.T) {
	t.Parallel()
	chat := []bundle.Cell{closed(1024, 1024, 1, fig(metric.Decode, 40, 1)), closed(1024, 1024, 10, fig(metric.Decode, 40, 1))}
	stopped := func(reason string) []bundle.Test {
		return []bundle.Test{{Slug: "rate-sweep", Cells: sweep(100, 200), Stopped: &bundle.Stop{Reason: reason}}}
	}
	failing := []bundle.Cell{arriving(1.5, 198, 102, single(metric.Output, 1))}
	brief := func(r Run) []string {
		var out []string
		for _, b := range r.Breaches() {
			out = append(out, b.Test+" "+string(b.Kind)+" "+string(b.Code))
		}
		return out
	}
	for _, c := range []struct {
		name  string
		tests []bundle.Test
		want  []string
	}{
		{"what was asked for is there", []bundle.Test{{Slug: "chat", Cells: chat}}, nil},
		{"nothing measured", []bundle.Test{{Slug: "chat"}}, []string{"chat no_data "}},
		{"one cell", []bundle.Test{{Slug: "chat", Cells: chat[:1]}}, []string{"chat cells "}},
		{"stopped by errors", stopped(bundle.StopErrors), []string{"rate-sweep cells "}},
		{"stopped at the server's limit", stopped(bundle.StopSaturated), nil},
		{"too many failed", []bundle.Test{{Slug: "monday-peak", Cells: failing}}, []string{"monday-peak requests "}},
	} {
		equal(t, c.name, brief(Of(&bundle.Bundle{Tests: c.tests}, testContract(t), nil, nil)), c.want)
	}
	r := Run{Findings: []audit.Finding{
		{Code: audit.ShortOutput, Severity: audit.Warning, Test: "office-baseline"},
		{Code: audit.ShortOutput, Severity: audit.Error, Test: "chat", Cell: 0},
		{Code: audit.ShortOutput, Severity: audit.Error, Test: "chat", Cell: 1},
		{Code: audit.ZeroTTFT, Severity: audit.Error, Test: "chat"},
	}}
	equal(t, "findings", brief(r), []string{"chat finding short_output"})
	if r.Invalid() != nil {
		t.Error("a run whose client kept up is not valid")
	}
	r.Findings = append(r.Findings, audit.Finding{Code: audit.ClientSaturated, Severity: audit.Error, Test: "chat"})
	if f := r.Invalid(); f == nil || !reflect.DeepEqual(*f, r.Findings[4]) {
		t.Errorf("the run is not valid by %v", f)
	}
}
