package ingest

import "example.org/arena/results/bundle"

// ParseConcurrencyCSV reads a table with one row per concurrency.
func ParseConcurrencyCSV(in Input) ([]bundle.Cell, error) {
	var f faultList
	f.file = in.Name
	f.add(0, "", "", "not a CSV table")
	return nil, f.err()
}

func importConcurrencyCSV(inputs []Input, meta Metadata, opt Options) ([]*bundle.Bundle, error) {
	return nil, nil
}
