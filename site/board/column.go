package board

import (
	"slices"
	"strconv"
	"strings"

	"example.org/arena/results/audit"
	"example.org/arena/results/contract"
	"example.org/arena/results/metric"
)

// A Column is a quantity that a board shows for every row: one statistic of one
// metric in one cell of one test. Parameters that are zero do not choose: a test
// with one cell needs none.
type Column struct {
	ID           string // "one_user", "capacity_5000", "rag-8k/decode_tok_per_s"
	Test         string // slug
	Metric       metric.Key
	Statistic    Statistic
	PromptTokens int     // closed loop
	Concurrency  int     // closed loop
	RequestRate  float64 // open loop with several rungs, requests per second
	LimitMS      int     // capacities only: limit on p95 TTFT
}

// The ids of the columns that every board has, beside those of each test.
const (
	ColumnOneUser     = "one_user"      // decode speed of one request, alone on the server
	ColumnManyUsers   = "many_users"    // decode throughput at the highest concurrency of chat
	ColumnTTFT        = "ttft"          // median TTFT of the office baseline
	ColumnTTFTTail    = "ttft_tail"     // p95 TTFT of the office baseline
	ColumnTTFTOneUser = "ttft_one_user" // mean TTFT of chat at concurrency 1
)

// The tests that the general columns come from.
const (
	testChat   = "chat"
	testOffice = "office-baseline"
)

// CapacityColumn returns the id of the capacity column for a limit in ms.
func CapacityColumn(limitMS int) string { return "capacity_" + strconv.Itoa(limitMS) }

// Columns returns the columns of a contract's board: first the general ones,
// then for each test, in the order of the contract, the quantities that answer
// its question.
//
// The column of a test's quantity has the id "<slug>/<metric>", with the
// percentile behind it where the test asks for several ("sharegpt/ttft_ms/p95").
// Of a closed loop it shows the longest prompt: rates of the whole server at the
// highest concurrency, everything else, which one user feels, at the lowest.
func Columns(c *contract.Contract) []Column {
	out := []Column{
		{ID: ColumnOneUser, Test: testChat, Metric: metric.DecodeRequest, Statistic: Mean, Concurrency: 1},
		{ID: ColumnManyUsers, Test: testChat, Metric: metric.Decode, Statistic: Mean, Concurrency: highestConcurrency(c)},
		{ID: ColumnTTFT, Test: testOffice, Metric: metric.TTFT, Statistic: P50},
		{ID: ColumnTTFTTail, Test: testOffice, Metric: metric.TTFT, Statistic: P95},
		{ID: ColumnTTFTOneUser, Test: testChat, Metric: metric.TTFT, Statistic: Mean, Concurrency: 1},
	}
	for i := range c.Tests {
		if t := &c.Tests[i]; sweeps(t) {
			out = append(out, capacityColumns(t, c.TTFTLimits)...)
		}
	}
	for i := range c.Tests {
		if t := &c.Tests[i]; !sweeps(t) {
			out = append(out, headline(t)...)
		}
	}
	return out
}

// highestConcurrency returns that of chat, 0 when the contract has no such test.
func highestConcurrency(c *contract.Contract) int {
	if t, ok := c.Test(testChat); ok && t.ClosedLoop != nil && len(t.ClosedLoop.Concurrency) > 0 {
		return slices.Max(t.ClosedLoop.Concurrency)
	}
	return 0
}

// sweeps reports whether the test looks for a capacity.
func sweeps(t *contract.Test) bool {
	return t.OpenLoop != nil && slices.Contains(t.Primary, metric.Capacity)
}

func capacityColumns(t *contract.Test, limits []int) []Column {
	var out []Column
	for _, limit := range limits {
		out = append(out, Column{ID: CapacityColumn(limit), Test: t.Slug, Metric: metric.Capacity, LimitMS: limit})
	}
	return out
}

// headline returns the columns of the quantities that answer the test's question.
func headline(t *contract.Test) []Column {
	var out []Column
	for _, key := range t.Primary {
		col := Column{ID: t.Slug + "/" + string(key), Test: t.Slug, Metric: key}
		if t.ClosedLoop != nil {
			out = append(out, closedColumn(col, t.ClosedLoop))
			continue
		}
		out = append(out, openColumns(col, t)...)
	}
	return out
}

func closedColumn(col Column, l *contract.ClosedLoop) Column {
	col.Statistic = Mean
	if len(l.PromptTokens) > 0 {
		col.PromptTokens = slices.Max(l.PromptTokens)
	}
	if len(l.Concurrency) == 0 {
		return col
	}
	col.Concurrency = slices.Min(l.Concurrency)
	switch col.Metric {
	case metric.Decode, metric.Prefill, metric.Output, metric.Total, metric.Peak, metric.RequestRate:
		col.Concurrency = slices.Max(l.Concurrency)
	}
	return col
}

func openColumns(col Column, t *contract.Test) []Column {
	switch col.Metric {
	case metric.TTFT:
		var out []Column
		for _, p := range t.TTFTPercentiles {
			next := col
			next.Statistic = Statistic("p" + strconv.Itoa(p))
			next.ID += "/" + string(next.Statistic)
			out = append(out, next)
		}
		return out
	case metric.TPOT, metric.ITL, metric.E2E, metric.DecodeRequest, metric.OutputRequest:
		col.Statistic = P50
	}
	return []Column{col}
}

// Column returns the column with the given id, or the first whose id goes on
// after it with a slash, and whether there is one.
func (b *Board) Column(id string) (Column, bool) {
	for _, exact := range []bool{true, false} {
		for _, c := range b.Columns {
			if c.ID == id || !exact && strings.HasPrefix(c.ID, id+"/") {
				return c, true
			}
		}
	}
	return Column{}, false
}

// Value returns the row's value in any column, of the board or made up.
func (b *Board) Value(r *Row, col Column) Value {
	at := Place{Test: col.Test, Cell: -1, LimitMS: col.LimitMS}
	if b.Contract == nil {
		return unknown(col.Metric, col.Statistic, at, NoContract)
	}
	if s := r.Test(col.Test); s != nil {
		return s.value(col, r.Findings)
	}
	return unknown(col.Metric, col.Statistic, at, NotInContract)
}

// Test returns the status of a test, or nil when neither contract nor bundle has
// it.
func (r *Row) Test(slug string) *TestStatus {
	for i := range r.Tests {
		if r.Tests[i].Slug == slug {
			return &r.Tests[i]
		}
	}
	return nil
}

// value returns the value of a column in the test.
func (s *TestStatus) value(col Column, findings []audit.Finding) Value {
	at := Place{Test: s.Slug, Cell: -1, LimitMS: col.LimitMS}
	if s.Spec == nil {
		return unknown(col.Metric, col.Statistic, at, NotInContract)
	}
	if col.Metric == metric.Capacity {
		return s.capacity(col.LimitMS, findings)
	}
	place := s.cellOf(col)
	switch {
	case place < 0:
		return unknown(col.Metric, col.Statistic, at, NotInContract)
	case s.Completeness == contract.NoData:
		return unknown(col.Metric, col.Statistic, at, NoData)
	case s.Cells[place] < 0:
		return unknown(col.Metric, col.Statistic, at, NotMeasured)
	}
	return s.withholding(CellValue(s.Test, s.Cells[place], col.Metric, col.Statistic, findings))
}

// cellOf returns the place among the contract's cells that the column shows: of
// those that fit, the one with the longest prompt and, then, the highest load.
func (s *TestStatus) cellOf(col Column) int {
	best := -1
	cells := s.Spec.Cells()
	for i, c := range cells {
		fits := (col.PromptTokens == 0 || col.PromptTokens == c.PromptTokens) &&
			(col.Concurrency == 0 || col.Concurrency == c.Concurrency) &&
			(col.RequestRate == 0 || col.RequestRate == c.RequestRate)
		if fits && (best < 0 || heavier(c, cells[best])) {
			best = i
		}
	}
	return best
}

func heavier(a, b contract.Cell) bool {
	if a.PromptTokens != b.PromptTokens {
		return a.PromptTokens > b.PromptTokens
	}
	return a.Concurrency > b.Concurrency || a.Concurrency == b.Concurrency && a.RequestRate > b.RequestRate
}

// withholding adds why the whole test does not count to a value of it.
func (s *TestStatus) withholding(v Value) Value {
	if !v.Known && v.Missing != NoRung {
		return v
	}
	for _, r := range s.Reasons {
		said := slices.ContainsFunc(v.Excluded, func(have Reason) bool {
			return r.Code == ReasonBelowThreshold && have.Code == string(audit.SuccessBelowThreshold)
		})
		if !said {
			v.Excluded = append(v.Excluded, r)
		}
	}
	return v
}
