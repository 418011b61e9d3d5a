package site

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"path"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/site/board"
)

// Files for programs. Keys are in English and name their unit; numbers have a
// decimal point, whatever the language of a page.

// The folders of the data files.
const (
	bundleFolder = "data/bundles/"
	runFolder    = "data/runs/"
	chartFolder  = "data/charts/"
	schemaFolder = "data/schema/"
)

// bundleFile is the path of a bundle in the tree.
func bundleFile(item Item, r *board.Row) string {
	if item.Path != "" {
		return bundleFolder + item.Path
	}
	return bundleFolder + "unpublished/" + r.ID + ".json"
}

// runFile is the path of a configuration's figures in the tree.
func runFile(c configuration, ext string) string {
	return runFolder + c.Key.Platform + "/" + path.Dir(path.Dir(string(c.route) + "x"))[len("models/"):] + "/" + c.Key.Profile + ext
}

// contractFile is the path of a contract in the tree.
func contractFile(c *contract.Contract) string { return "data/contracts/" + c.Version + ".toml" }

// chartData adds the data of an interactive chart under a name that holds its
// hash, once for all pages that show the same chart, and returns its address.
func (b *builder) chartData(option []byte) string {
	file := chartFolder + bundle.ID(option)[:16] + ".json"
	b.charts.Store(file, option)
	return "/" + file
}

// addData adds every file that is not a page.
func (b *builder) addData() error {
	b.charts.Range(func(file, option any) bool {
		b.tree.add(file.(string), option.([]byte))
		return true
	})
	for _, c := range b.configs {
		if err := b.addRun(c); err != nil {
			return err
		}
	}
	for _, item := range b.Items {
		b.tree.add(bundleFile(item, &board.Row{ID: bundle.ID(item.Data)}), item.Data)
	}
	for _, c := range b.Content.Contracts {
		b.tree.add(contractFile(c), b.ContractFiles[c.Version])
	}
	for name, schema := range b.Schemas {
		b.tree.add(schemaFolder+name, schema)
	}
	if err := b.addLeaderboard(); err != nil {
		return err
	}
	return b.addFeeds()
}

// A figure is one value in the files for programs.
type figure struct {
	Test         string   `json:"test"`
	PromptTokens int      `json:"prompt_tokens,omitzero"`
	OutputTokens int      `json:"output_tokens,omitzero"`
	DepthTokens  int      `json:"depth_tokens,omitzero"`
	Concurrency  int      `json:"concurrency,omitzero"`
	RequestRate  *float64 `json:"request_rate_per_s,omitzero"`
	Metric       string   `json:"metric"`
	Statistic    string   `json:"statistic"`
	Unit         string   `json:"unit"`
	Value        float64  `json:"value"`
	Std          *float64 `json:"std,omitzero"`
	N            int      `json:"n,omitzero"`
	Excluded     []string `json:"excluded,omitempty"` // codes of what keeps the value out of rankings
}

// A runDocument is a configuration's figures and findings.
type runDocument struct {
	Bundle   string       `json:"bundle"`
	Platform string       `json:"platform"`
	Model    string       `json:"model"`
	Profile  string       `json:"profile"`
	Contract string       `json:"contract,omitzero"`
	Date     string       `json:"date"`
	Kind     string       `json:"kind"`
	Licence  string       `json:"licence"`
	Credit   string       `json:"credit"`
	Tests    []testRecord `json:"tests"`
	Figures  []figure     `json:"figures"`
	Findings []finding    `json:"findings"`
}

type testRecord struct {
	Test         string   `json:"test"`
	Completeness string   `json:"completeness"`
	Counts       bool     `json:"counts"`
	Planned      int      `json:"cells_planned"`
	Measured     int      `json:"cells_measured"`
	Reasons      []string `json:"reasons,omitempty"`
}

type finding struct {
	Test     string         `json:"test,omitzero"`
	Cell     int            `json:"cell"`
	Code     string         `json:"code"`
	Severity string         `json:"severity"`
	Args     map[string]any `json:"args"`
}

// addRun adds a configuration's figures as JSON and CSV.
func (b *builder) addRun(c configuration) error {
	r := c.row
	doc := runDocument{
		Bundle: r.ID, Platform: c.Key.Platform, Model: c.Key.Model, Profile: c.Key.Profile, Date: r.Date,
		Kind: string(r.Bundle.Kind), Licence: r.Bundle.Licence, Credit: r.Bundle.Credit,
		Tests: []testRecord{}, Figures: []figure{}, Findings: []finding{},
	}
	if r.Bundle.Contract != nil {
		doc.Contract = r.Bundle.Contract.Version
	}
	for i := range r.Tests {
		s := &r.Tests[i]
		t := testRecord{Test: s.Slug, Completeness: string(s.Completeness), Counts: s.Counts, Planned: s.Planned, Measured: s.Measured}
		for _, reason := range s.Reasons {
			t.Reasons = append(t.Reasons, reason.Code)
		}
		doc.Tests = append(doc.Tests, t)
		doc.Figures = append(doc.Figures, figuresOf(r, s)...)
	}
	for _, f := range r.Findings {
		args := map[string]any{}
		for _, a := range f.Args {
			if a.Text != "" {
				args[a.Name] = a.Text
			} else if !math.IsInf(a.Number, 0) && !math.IsNaN(a.Number) {
				args[a.Name] = a.Number
			}
		}
		doc.Findings = append(doc.Findings, finding{f.Test, f.Cell, string(f.Code), string(f.Severity), args})
	}
	data, err := encodeJSON(doc)
	if err != nil {
		return err
	}
	b.tree.add(runFile(c, ".json"), data)
	table, err := csvOf(doc)
	if err != nil {
		return err
	}
	b.tree.add(runFile(c, ".csv"), table)
	return nil
}

// figuresOf lists every reported statistic of a test.
func figuresOf(r *board.Row, s *board.TestStatus) []figure {
	var out []figure
	if s.Test == nil {
		return nil
	}
	for i := range s.Test.Cells {
		cell := &s.Test.Cells[i]
		for _, reported := range cell.Reported {
			for _, st := range statisticsOf(reported) {
				v := board.CellValue(s.Test, i, reported.Metric, st, r.Findings)
				if !v.Known {
					continue
				}
				f := figure{
					Test: s.Slug, PromptTokens: cell.PromptTokens, OutputTokens: cell.OutputTokens, DepthTokens: cell.DepthTokens,
					Concurrency: cell.Concurrency, Metric: string(v.Metric), Statistic: string(st), Unit: string(v.Unit), Value: v.Number, N: v.N,
				}
				if cell.RequestRate != nil && !math.IsInf(float64(*cell.RequestRate), 0) {
					f.RequestRate = pointer(float64(*cell.RequestRate))
				}
				if v.Spread != nil {
					f.Std = pointer(v.Spread.Number)
				}
				for _, reason := range v.Excluded {
					f.Excluded = append(f.Excluded, reason.Code)
				}
				out = append(out, f)
			}
		}
	}
	return out
}

// statisticsOf lists the statistics that a figure has.
func statisticsOf(f bundle.Figure) []board.Statistic {
	var out []board.Statistic
	if f.Value != nil {
		out = append(out, board.Single)
	}
	if f.Mean != nil {
		out = append(out, board.Mean)
	}
	for _, s := range []board.Statistic{board.P50, board.P90, board.P95, board.P99} {
		p, _ := strconv.ParseFloat(string(s[1:]), 64)
		if _, ok := f.Percentile(p); ok {
			out = append(out, s)
		}
	}
	return out
}

func csvOf(doc runDocument) ([]byte, error) {
	rows := [][]string{{"platform", "model", "profile", "test", "prompt_tokens", "output_tokens", "depth_tokens", "concurrency", "request_rate_per_s", "metric", "statistic", "unit", "value", "std", "n", "bundle"}}
	for _, f := range doc.Figures {
		rows = append(rows, []string{
			doc.Platform, doc.Model, doc.Profile, f.Test, count(f.PromptTokens), count(f.OutputTokens), count(f.DepthTokens),
			count(f.Concurrency), decimal(f.RequestRate), f.Metric, f.Statistic, f.Unit, decimal(&f.Value), decimal(f.Std), count(f.N), doc.Bundle,
		})
	}
	return encodeCSV(rows)
}

// count writes a number of which zero means that there is none.
func count(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func decimal(x *float64) string {
	if x == nil {
		return ""
	}
	return strconv.FormatFloat(*x, 'f', -1, 64)
}

func encodeJSON(v any) ([]byte, error) {
	data, err := json.Marshal(v, json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		return nil, fmt.Errorf("encode data file: %w", err)
	}
	return append(data, '\n'), nil
}

func encodeCSV(rows [][]string) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.WriteAll(rows); err != nil {
		return nil, fmt.Errorf("encode csv: %w", err)
	}
	return b.Bytes(), nil
}

// A leaderboardDocument is every board with its rows.
type leaderboardDocument struct {
	Date   string        `json:"date"`
	Boards []boardRecord `json:"boards"`
}

type boardRecord struct {
	Contract string      `json:"contract,omitzero"`
	Platform string      `json:"platform"`
	Kind     string      `json:"kind"`
	Source   string      `json:"source,omitzero"`
	Ranked   bool        `json:"ranked"`
	Rows     []rowRecord `json:"rows"`
}

type rowRecord struct {
	Rank    int           `json:"rank,omitzero"`
	Bundle  string        `json:"bundle"`
	Model   string        `json:"model"`
	Profile string        `json:"profile"`
	Date    string        `json:"date"`
	Values  []valueRecord `json:"values"`
}

type valueRecord struct {
	Column    string   `json:"column"`
	Metric    string   `json:"metric"`
	Statistic string   `json:"statistic,omitzero"`
	Unit      string   `json:"unit"`
	Value     *float64 `json:"value"` // null when unknown, see missing
	Std       *float64 `json:"std,omitzero"`
	AtLeast   bool     `json:"at_least,omitzero"`
	Missing   string   `json:"missing,omitzero"`
	Excluded  []string `json:"excluded,omitempty"`
}

// addLeaderboard adds the boards as JSON and CSV.
func (b *builder) addLeaderboard() error {
	doc := leaderboardDocument{Date: b.Date.UTC().Format("2006-01-02"), Boards: []boardRecord{}}
	rows := [][]string{{"contract", "platform", "kind", "source", "rank", "model", "profile", "date", "column", "metric", "statistic", "unit", "value", "std", "missing", "bundle"}}
	for i := range b.set.Boards {
		bd := &b.set.Boards[i]
		rec := boardRecord{Contract: bd.Key.Contract, Platform: bd.Key.Platform, Kind: string(bd.Kind), Source: bd.Key.Source, Ranked: bd.Ranked, Rows: []rowRecord{}}
		for j := range bd.Rows {
			r := &bd.Rows[j]
			row := rowRecord{Rank: r.Rank, Bundle: r.ID, Model: r.Config.Model, Profile: r.Config.Profile, Date: r.Date, Values: []valueRecord{}}
			for _, col := range bd.Columns {
				v := valueOf(col, bd.Value(r, col))
				row.Values = append(row.Values, v)
				rows = append(rows, []string{
					rec.Contract, rec.Platform, rec.Kind, rec.Source, count(r.Rank), row.Model, row.Profile, row.Date,
					v.Column, v.Metric, v.Statistic, v.Unit, decimal(v.Value), decimal(v.Std), v.Missing, row.Bundle,
				})
			}
			rec.Rows = append(rec.Rows, row)
		}
		doc.Boards = append(doc.Boards, rec)
	}
	data, err := encodeJSON(doc)
	if err != nil {
		return err
	}
	table, err := encodeCSV(rows)
	if err != nil {
		return err
	}
	b.tree.add("data/leaderboard.json", data)
	b.tree.add("data/leaderboard.csv", table)
	return nil
}

func valueOf(col board.Column, v board.Value) valueRecord {
	out := valueRecord{Column: col.ID, Metric: string(col.Metric), Statistic: string(col.Statistic), Unit: string(v.Unit), Missing: string(v.Missing), AtLeast: v.Bound == board.AtLeast}
	if v.Known {
		out.Value = pointer(v.Number)
		if v.Spread != nil {
			out.Std = pointer(v.Spread.Number)
		}
	}
	for _, r := range v.Excluded {
		out.Excluded = append(out.Excluded, r.Code)
	}
	return out
}
