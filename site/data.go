package site

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"example.org/arena/site/dataset"
	"example.org/arena/site/page"
)

// Files for programs. Keys are in English and name their unit; numbers have a
// decimal point, whatever the language of a page.

// chartFolder holds the data of interactive charts.
const chartFolder = "data/charts/"

// bundlePart is a bundle's own file.
func (b *builder) bundlePart(item Item) part {
	file := item.Summary.BundleFile()
	return part{
		name: file, inputs: []string{item.Summary.ID}, plain: true,
		make: func(_ context.Context, to *files) error {
			data, err := item.read()
			if err != nil {
				return err
			}
			return to.add(file, data)
		},
	}
}

// makeOthers makes the files that depend on no bundle, or on no more than their
// addresses.
func (b *builder) makeOthers(_ context.Context, to *files) error {
	for _, c := range b.in.Content.Contracts {
		if err := to.add(page.ContractFile(c.Version), b.in.ContractFiles[c.Version]); err != nil {
			return err
		}
	}
	for _, name := range sortedKeys(b.schemas) {
		if err := to.add(page.SchemaFile(name), b.schemas[name]); err != nil {
			return err
		}
	}
	if err := to.add("_headers", headersFile()); err != nil {
		return err
	}
	return b.makeSitemap(to)
}

// makeLeaderboard makes the boards as JSON and CSV.
func (b *builder) makeLeaderboard(_ context.Context, to *files) error {
	boards := dataset.LeaderboardOf(&b.site.Boards, b.in.Date.UTC().Format(time.DateOnly))
	return to.addDocument(boards, boards.Table(), page.LeaderboardJSON, page.LeaderboardCSV)
}

// addDocument adds a document and the same as a table.
func (to *files) addDocument(document any, rows [][]string, jsonFile, csvFile string) error {
	data, err := encodeJSON(document)
	if err != nil {
		return err
	}
	table, err := encodeCSV(rows)
	if err != nil {
		return err
	}
	if err := to.add(jsonFile, data); err != nil {
		return err
	}
	return to.add(csvFile, table)
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
