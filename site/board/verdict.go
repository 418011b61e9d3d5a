package board

import (
	"example.org/arena/results/audit"
	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
	"example.org/arena/results/verdict"
)

// The names of verdicts as pages know them.
type (
	Value      = verdict.Value
	Statistic  = verdict.Statistic
	Spread     = verdict.Spread
	Missing    = verdict.Missing
	Reason     = verdict.Reason
	TestStatus = verdict.Test
	Place      = verdict.Place
)

// The values of those names.
const (
	Single = verdict.Single
	Mean   = verdict.Mean
	P50    = verdict.P50
	P90    = verdict.P90
	P95    = verdict.P95
	P99    = verdict.P99

	AtLeast    = verdict.AtLeast
	OverRuns   = verdict.OverRuns
	NoRung     = verdict.NoRung
	NoContract = verdict.NoContract

	ReasonNoContract     = verdict.ReasonNoContract
	ReasonSuccessUnknown = verdict.ReasonSuccessUnknown
	ReasonBelowThreshold = verdict.ReasonBelowThreshold
)

// CellValue returns one statistic of one quantity of a measured cell.
func CellValue(t *bundle.Test, cell int, key metric.Key, stat Statistic, findings []audit.Finding) Value {
	return verdict.CellValue(t, cell, key, stat, findings)
}
