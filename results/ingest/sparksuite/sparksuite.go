// Package sparksuite reads the folders of the suite "dgx-spark-benchmarks": eleven
// tests of one configuration each, with meta.json, a page, a log and the results of
// llama-benchy and vllm bench serve.
//
// It reads the tools' files with their own packages and compares what the folder
// says twice. A run of a contract by this program is no suite.
package sparksuite

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest"
	"example.org/arena/results/tomlfile"
)

// Format is the name under which such folders are imported.
const Format = "suite"

// Import makes one bundle of every folder that holds a meta.json. Such a
// folder is one configuration of one model:
//
//	meta.json            model, server and machine
//	NN-SLUG.md           the command of test NN, and a copy of its results
//	NN-SLUG.log          output of llama-benchy
//	NN-SLUG.json         result of vllm bench serve, or the summary of a sweep
//	NN-SLUG-RATE.json    result at one rate of a sweep
//	NN-telemetry.csv     samples of the GPU
//	_sanity.txt, _sanity-raw.json, _runner.log
//
// Any of them may be missing, save meta.json.
func Import(inputs []ingest.Input, meta ingest.Metadata, opt ingest.Options) ([]*bundle.Bundle, error) {
	var faults tomlfile.Faults
	var out []*bundle.Bundle
	folders := foldersOf(inputs)
	for _, folder := range folders {
		if _, ok := folder.files["meta.json"]; !ok {
			faults = append(faults, tomlfile.Fault{
				File: folder.label(), Message: "holds tests, but no meta.json",
				Hint: "import the files of llama-benchy and vllm bench serve one by one: arena import llama-benchy, arena import vllm-bench",
			})
			continue
		}
		s := newSuite(folder, meta.ForFolder(folder.name), opt)
		if b, err := s.bundle(); err != nil {
			faults = append(faults, err...)
		} else {
			out = append(out, b)
		}
	}
	for _, name := range unusedFolders(meta, folders) {
		faults = append(faults, tomlfile.Fault{
			File: meta.File, Key: "folders", Message: "no folder " + name + " with a meta.json was imported",
			Hint: "paths are relative to the folder that is imported",
		})
	}
	if len(faults) > 0 {
		return nil, faults
	}
	if len(out) == 0 {
		return nil, tomlfile.Faults{{File: ingest.InputNames(inputs), Message: "no folder holds a meta.json", Hint: "a suite is a tree of folders, each with a meta.json and files such as 01-chat.md"}}
	}
	return out, nil
}

// A folder is one folder of a suite.
type folder struct {
	name   string // relative to the imported folder, empty for that folder itself
	files  map[string]ingest.Input
	inputs []ingest.Input // in the order of their names
}

// label names the folder in messages.
func (s folder) label() string {
	if s.name == "" {
		return "the folder"
	}
	return s.name
}

// testFile matches the files of a test.
var testFile = regexp.MustCompile(`^([0-9]{2})-([a-z0-9]+(?:-[a-z0-9]+)*?)(?:-([0-9]+\.[0-9]+))?\.(md|log|json|csv)$`)

// foldersOf groups inputs by folder, sorted by name. A folder counts when it
// holds a meta.json or files of a test.
func foldersOf(inputs []ingest.Input) []folder {
	byName := map[string]*folder{}
	var names []string
	for _, in := range inputs {
		dir, base := path.Split(in.Name)
		dir = strings.TrimSuffix(dir, "/")
		if byName[dir] == nil {
			byName[dir] = &folder{name: dir, files: map[string]ingest.Input{}}
			names = append(names, dir)
		}
		byName[dir].files[base] = in
		byName[dir].inputs = append(byName[dir].inputs, in)
	}
	slices.Sort(names)
	var out []folder
	for _, name := range names {
		f := byName[name]
		slices.SortFunc(f.inputs, func(a, b ingest.Input) int { return strings.Compare(a.Name, b.Name) })
		_, hasMeta := f.files["meta.json"]
		if hasMeta || slices.ContainsFunc(f.inputs, func(in ingest.Input) bool { return testFile.MatchString(path.Base(in.Name)) }) {
			out = append(out, *f)
		}
	}
	return out
}

// unusedFolders names the folders that the metadata speaks of and that were not
// imported.
func unusedFolders(m ingest.Metadata, have []folder) []string {
	var out []string
	for _, f := range m.Folders {
		if !slices.ContainsFunc(have, func(s folder) bool { return path.Clean(s.name) == path.Clean(f.Path) }) {
			out = append(out, f.Path)
		}
	}
	return out
}
