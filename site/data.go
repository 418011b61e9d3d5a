package site

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/site/board"
	"example.org/arena/site/dataset"
)

// Files for programs. Keys are in English and name their unit; numbers have a
// decimal point, whatever the language of a page.

// The folders of the data files.
const (
	bundleFolder = "data/bundles/"
	runFolder    = "data/runs/"
	chartFolder  = "data/charts/"
	schemaFolder = "data/schema/"

	leaderboardJSON = "data/leaderboard.json"
	leaderboardCSV  = "data/leaderboard.csv"
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
	return runFolder + c.Key.Platform + "/" + c.slug + ext
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
		b.tree.add(bundleFile(item, &board.Row{Entry: board.Entry{ID: bundle.ID(item.Data)}}), item.Data)
	}
	for _, c := range b.Content.Contracts {
		b.tree.add(contractFile(c), b.ContractFiles[c.Version])
	}
	for name, schema := range b.schemas {
		b.tree.add(schemaFolder+name, schema)
	}
	if err := b.addLeaderboard(); err != nil {
		return err
	}
	return b.addFeeds()
}

// addRun adds a configuration's figures and findings as JSON and CSV.
func (b *builder) addRun(c configuration) error {
	run := dataset.RunOf(c.row)
	return b.addDocument(run, run.Table(), runFile(c, ".json"), runFile(c, ".csv"))
}

// addLeaderboard adds the boards as JSON and CSV.
func (b *builder) addLeaderboard() error {
	boards := dataset.LeaderboardOf(&b.set, b.Date.UTC().Format(time.DateOnly))
	return b.addDocument(boards, boards.Table(), leaderboardJSON, leaderboardCSV)
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
