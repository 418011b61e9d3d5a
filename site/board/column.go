package board

import (
	"slices"
	"strconv"
	"strings"

	"example.org/arena/results/contract"
	"example.org/arena/results/metric"
	"example.org/arena/results/verdict"
)

// A Column is a quantity that a board shows for every row.
type Column struct {
	ID string // "one_user", "capacity_5000", "rag-8k/decode_tok_per_s"
	verdict.Quantity
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
	chat := func(key metric.Key, concurrency int) verdict.Quantity {
		return verdict.Quantity{Test: testChat, Metric: key, Statistic: verdict.Mean, Concurrency: concurrency}
	}
	office := func(p verdict.Statistic) verdict.Quantity {
		return verdict.Quantity{Test: testOffice, Metric: metric.TTFT, Statistic: p}
	}
	out := []Column{
		{ColumnOneUser, chat(metric.DecodeRequest, 1)},
		{ColumnManyUsers, chat(metric.Decode, highestConcurrency(c))},
		{ColumnTTFT, office(verdict.P50)},
		{ColumnTTFTTail, office(verdict.P95)},
		{ColumnTTFTOneUser, chat(metric.TTFT, 1)},
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

// highestConcurrency returns the highest concurrency of the test chat, 0 when the
// contract has no such test.
func highestConcurrency(c *contract.Contract) int {
	t, _ := c.Test(testChat)
	if g, closed := t.Grid(); closed && len(g.Concurrency) > 0 {
		return slices.Max(g.Concurrency)
	}
	return 0
}

// sweeps reports whether the test looks for a capacity.
func sweeps(t *contract.Test) bool {
	return t.Open() && slices.Contains(t.Primary, metric.Capacity)
}

func capacityColumns(t *contract.Test, limits []int) []Column {
	var out []Column
	for _, limit := range limits {
		out = append(out, Column{CapacityColumn(limit), verdict.Quantity{Test: t.Slug, Metric: metric.Capacity, LimitMS: limit}})
	}
	return out
}

// headline returns the columns of the quantities that answer the test's question.
func headline(t *contract.Test) []Column {
	var out []Column
	for _, key := range t.Primary {
		col := Column{t.Slug + "/" + string(key), verdict.Quantity{Test: t.Slug, Metric: key}}
		if g, closed := t.Grid(); closed {
			out = append(out, closedColumn(col, g))
			continue
		}
		out = append(out, openColumns(col, t)...)
	}
	return out
}

func closedColumn(col Column, g contract.Grid) Column {
	col.Statistic = verdict.Mean
	if len(g.PromptTokens) > 0 {
		col.PromptTokens = slices.Max(g.PromptTokens)
	}
	if len(g.Concurrency) == 0 {
		return col
	}
	col.Concurrency = slices.Min(g.Concurrency)
	if slices.Contains(ofServer, col.Metric) {
		col.Concurrency = slices.Max(g.Concurrency)
	}
	return col
}

// ofServer are the rates of a whole server. Every other quantity one user feels.
var ofServer = []metric.Key{metric.Decode, metric.Prefill, metric.Output, metric.Total, metric.Peak, metric.RequestRate}

// ofRequest are the quantities that each request has, of which a column shows the
// median.
var ofRequest = []metric.Key{metric.TPOT, metric.ITL, metric.E2E, metric.DecodeRequest, metric.OutputRequest}

func openColumns(col Column, t *contract.Test) []Column {
	if col.Metric != metric.TTFT {
		if slices.Contains(ofRequest, col.Metric) {
			col.Statistic = verdict.P50
		}
		return []Column{col}
	}
	var out []Column
	for _, p := range t.TTFTPercentiles {
		next := col
		next.Statistic = verdict.Statistic("p" + strconv.Itoa(p))
		next.ID += "/" + string(next.Statistic)
		out = append(out, next)
	}
	return out
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

// Value returns the row's value in a column of the board.
func (b *Board) Value(r *Row, col Column) verdict.Value {
	if i := b.indexOf(col); i >= 0 && i < len(r.Values) {
		return r.Values[i]
	}
	why := verdict.NotInContract
	if b.Contract == nil {
		why = verdict.NoContract
	}
	return verdict.Unknown(col.Quantity, why)
}

// indexOf returns the place of a column, -1 when the board has no such column.
func (b *Board) indexOf(col Column) int {
	return slices.IndexFunc(b.Columns, func(c Column) bool { return c.ID == col.ID })
}
