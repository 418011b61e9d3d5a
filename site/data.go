package site

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"example.org/arena/results/bundle"
	"example.org/arena/site/dataset"
	"example.org/arena/site/page"
)

// Files for programs. Keys are in English and name their unit; numbers have a
// decimal point, whatever the language of a page.

// chartFolder holds the data of interactive charts.
const chartFolder = "data/charts/"

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
	for _, c := range b.site.Configurations {
		if err := b.addRun(c); err != nil {
			return err
		}
	}
	for i, item := range b.in.Items {
		b.tree.add(b.site.Summaries[i].BundleFile(), item.Data)
	}
	for _, c := range b.in.Content.Contracts {
		b.tree.add(page.ContractFile(c.Version), b.in.ContractFiles[c.Version])
	}
	for name, schema := range b.schemas {
		b.tree.add(page.SchemaFile(name), schema)
	}
	if err := b.addLeaderboard(); err != nil {
		return err
	}
	return b.addFeeds()
}

// addRun adds a configuration's figures and findings as JSON and CSV.
func (b *builder) addRun(c *page.Configuration) error {
	run, err := b.site.Run(c)
	if err != nil {
		return err
	}
	document := dataset.RunOf(c.Row, run)
	return b.addDocument(document, document.Table(), c.RunFile(".json"), c.RunFile(".csv"))
}

// addLeaderboard adds the boards as JSON and CSV.
func (b *builder) addLeaderboard() error {
	boards := dataset.LeaderboardOf(&b.site.Boards, b.in.Date.UTC().Format(time.DateOnly))
	return b.addDocument(boards, boards.Table(), page.LeaderboardJSON, page.LeaderboardCSV)
}

// addDocument adds a document and the same as a table.
func (b *builder) addDocument(document any, rows [][]string, jsonFile, csvFile string) error {
	data, err := encodeJSON(document)
	if err != nil {
		return err
	}
	table, err := encodeCSV(rows)
	if err != nil {
		return err
	}
	b.tree.add(jsonFile, data)
	b.tree.add(csvFile, table)
	return nil
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
