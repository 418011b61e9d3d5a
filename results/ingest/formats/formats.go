// Package formats is the one table of the formats that can be imported, and says
// which of them a contract's own tools write.
//
// It reads nothing itself: each format is a package below results/ingest, and one
// row here.
package formats

import (
	"fmt"
	"strings"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/concurrencycsv"
	"example.org/arena/results/ingest/llamabenchy"
	"example.org/arena/results/ingest/sparksuite"
	"example.org/arena/results/ingest/vllmbench"
)

// A Format is a kind of input that can be imported.
type Format struct {
	Name    string
	Purpose string // one line for the help
	Folder  bool   // it is one folder and all below it, instead of files
	read    func(inputs []ingest.Input, meta ingest.Metadata, opt ingest.Options) ([]*bundle.Bundle, error)
}

// All lists the formats, in the order in which the help shows them.
func All() []Format {
	return []Format{
		{sparksuite.Format, "folders of the eleven tests with meta.json, one bundle each", true, sparksuite.Import},
		{llamabenchy.Format, "tables, logs, CSV, JSON and progress streams of llama-benchy", false, llamabenchy.Import},
		{vllmbench.Format, "JSON, JSON lines and printed blocks of vllm bench serve and SGLang", false, vllmbench.Import},
		{concurrencycsv.Format, "CSV with a mean and percentiles per concurrency", false, concurrencycsv.Import},
	}
}

// Named returns the format of that name. The error lists those that there are.
func Named(name string) (Format, error) {
	var names []string
	for _, f := range All() {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return Format{}, fmt.Errorf("unknown format %q\nhint: the formats are %s", name, strings.Join(names, ", "))
}

// Import converts inputs of the named format. The bundles are in the order of
// their inputs. The error lists every fault that was found.
func Import(format string, inputs []ingest.Input, meta ingest.Metadata, opt ingest.Options) ([]*bundle.Bundle, error) {
	f, err := Named(format)
	if err != nil {
		return nil, err
	}
	return f.read(inputs, meta, opt)
}
