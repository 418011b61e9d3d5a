// Package ingest turns the output of other benchmark tools into bundles. There
// is one file (or family of files) per format and one table of Formats.
//
// The importers copy, they do not judge: a figure keeps the value and the name
// that its source gives it, what a source does not say stays unset, and what
// looks odd becomes a note that travels with the number. What no input says and
// a bundle needs (platform, profile, model, licence, …) comes from Metadata and is never
// guessed. Where the same thing is said twice and differently, an error shows
// both. A text that could be read in two ways is refused, with a hint.
//
// The package reads bytes and returns values: it opens no files and reads no
// clock. Units are those of the metric table: milliseconds, tokens per second.
package ingest

import (
	"fmt"
	"strings"
	"time"

	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/tomlfile"
)

// An Input is one file as it was found. Name is its path relative to the folder
// that is imported; it serves messages, the record of sources, and, in a suite,
// tells what the file is.
type Input struct {
	Name string
	Data []byte
}

// A Format is a kind of input that can be imported.
type Format struct {
	Name    string
	Purpose string // one line for the help
	read    func(inputs []Input, meta Metadata, opt Options) ([]*bundle.Bundle, error)
}

// Formats lists the formats, in the order in which the help shows them.
func Formats() []Format {
	return []Format{
		{"suite", "folders of the eleven tests with meta.json, one bundle each", importSuite},
		{"llama-benchy", "tables, logs, CSV, JSON and progress streams of llama-benchy", importLlamaBenchy},
		{"vllm-bench", "JSON, JSON lines and printed blocks of vllm bench serve and SGLang", importVLLMBench},
		{"concurrency-csv", "CSV with a mean and percentiles per concurrency", importConcurrencyCSV},
	}
}

// Metadata is what the inputs do not say, as stated by the person who imports.
// The zero value of a field means "not stated".
type Metadata struct {
	File string // where the statements stand, for messages

	Platform string // id of the platform
	Profile  string // name of the configuration
	Licence  string // SPDX identifier, or bundle.NoLicence
	Credit   string
	Contract string // version of the contract that was followed, empty for none

	Model  bundle.Model
	Draft  *bundle.Draft
	Server bundle.Server
	Host   bundle.Host
	Source bundle.Source // URL, revision, title, path, retrieval date; the importer adds tools and files
	Tool   bundle.Tool   // the program that measured, where the input does not say

	StartedAt string         // RFC 3339; of the first test, where the input does not say
	Zone      *time.Location // of times that the input states without one; nil when unknown

	Test         string // slug of the test, where all inputs belong to one
	Tests        []TestMetadata
	PromptTokens int // per request, where the input does not say
	OutputTokens int // per request, where the input does not say
	Rounds       int // measured batches per concurrency, where the input does not say

	Folders []FolderMetadata // suites: what is said of one folder alone
	Notes   []bundle.Note    // about the statements themselves, copied into the bundle
}

// FolderMetadata is what is said of one folder of a suite. What it leaves unset
// is as the metadata around it says.
type FolderMetadata struct {
	Path string // of the folder, relative to the imported one, with forward slashes
	Metadata
}

// TestMetadata ties a file, or one table of a file, to a test. When any is
// given, tables that none of them names are left out, and a note says so.
type TestMetadata struct {
	File         string // name of the input, or its last element
	Table        int    // position of the table in the file, from 1; 0 for every table
	Slug         string
	StartedAt    string   // RFC 3339
	Argv         []string // the command, where the source states it elsewhere
	PromptTokens int
	OutputTokens int
}

// Options is what the calling program knows and no input says.
type Options struct {
	Engine           bundle.EnginePin   // Runner is set by Import
	Contract         *contract.Contract // the contract that Metadata names, nil for none
	ContractRevision string             // Git revision that last touched it
	KeepFiles        bool               // the caller stores the raw bytes beside the bundle
}

// Import converts inputs of the named format. The bundles are in the order of
// their inputs. The error lists every fault that was found.
func Import(format string, inputs []Input, meta Metadata, opt Options) ([]*bundle.Bundle, error) {
	for _, f := range Formats() {
		if f.Name != format {
			continue
		}
		opt.Engine.Runner = "import/" + format
		return f.read(inputs, meta, opt)
	}
	return nil, fmt.Errorf("unknown format %q\nhint: the formats are %s", format, formatNames())
}

func formatNames() string {
	var names []string
	for _, f := range Formats() {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

// faultList collects the faults of one file.
type faultList struct {
	file string
	list tomlfile.Faults
}

// add records a fault. The hint may be empty.
func (f *faultList) add(line int, key, hint, format string, args ...any) {
	f.list = append(f.list, tomlfile.Fault{File: f.file, Line: line, Key: key, Hint: hint, Message: fmt.Sprintf(format, args...)})
}

// err returns the faults, or nil when there are none.
func (f *faultList) err() error { return f.list.Err() }

// note builds a note from a code and pairs of names and values.
func note(code string, pairs ...string) bundle.Note {
	n := bundle.Note{Code: code}
	for i := 0; i+1 < len(pairs); i += 2 {
		n.Args = append(n.Args, bundle.Setting{Name: pairs[i], Value: pairs[i+1]})
	}
	return n
}
