package ingesttest

import (
	"errors"
	"math"
	"testing"

	"example.org/arena/results/bundle"
	"example.org/arena/results/tomlfile"
)

// CheckFaults fails unless an error is a list of faults, each with a message.
func CheckFaults(t *testing.T, err error) {
	t.Helper()
	var faults tomlfile.Faults
	if !errors.As(err, &faults) || len(faults) == 0 {
		t.Fatalf("error is %T with %d faults", err, len(faults))
	}
	for _, e := range faults {
		if e.Message == "" || e.Line < 0 {
			t.Errorf("fault is %+v", e)
		}
	}
}

// Finite reports whether v is a number.
func Finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// CheckCells fails where a cell holds what no tool can have measured.
func CheckCells(t *testing.T, cells []bundle.Cell) {
	t.Helper()
	for _, c := range cells {
		if c.Concurrency <= 0 || c.PromptTokens < 0 || c.OutputTokens < 0 || c.DepthTokens < 0 || c.Runs < 0 {
			t.Errorf("cell is %+v", c)
		}
		for _, fig := range c.Reported {
			numbers := append([]float64{}, fig.Values...)
			for _, p := range []*float64{fig.Value, fig.Mean, fig.Std, fig.Median, fig.Min, fig.Max} {
				if p != nil {
					numbers = append(numbers, *p)
				}
			}
			for _, p := range fig.Percentiles {
				numbers = append(numbers, p.P, p.Value)
			}
			if len(numbers) == 0 || fig.Name == "" || fig.Unit == "" || fig.Metric == "" || fig.N < 0 {
				t.Errorf("figure is %+v", fig)
			}
			for _, v := range numbers {
				if !Finite(v) {
					t.Errorf("%s is %v", fig.Name, v)
				}
			}
		}
	}
}
