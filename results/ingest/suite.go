package ingest

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"example.org/arena/results/bundle"
	"example.org/arena/results/tomlfile"
)

// importSuite makes one bundle of every folder that holds a meta.json. Such a
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
func importSuite(inputs []Input, meta Metadata, opt Options) ([]*bundle.Bundle, error) {
	var faults tomlfile.Faults
	var out []*bundle.Bundle
	folders := suiteFolders(inputs)
	for _, folder := range folders {
		if _, ok := folder.files["meta.json"]; !ok {
			faults = append(faults, tomlfile.Fault{File: folder.label(), Message: "holds tests, but no meta.json",
				Hint: "import the files of llama-benchy and vllm bench serve one by one: arena import llama-benchy, arena import vllm-bench"})
			continue
		}
		s := newSuite(folder, meta.forFolder(folder.name), opt)
		if b, err := s.bundle(); err != nil {
			faults = append(faults, err...)
		} else {
			out = append(out, b)
		}
	}
	for _, name := range meta.unusedFolders(folders) {
		faults = append(faults, tomlfile.Fault{File: meta.File, Key: "folders", Message: "no folder " + name + " with a meta.json was imported",
			Hint: "paths are relative to the folder that is imported"})
	}
	if len(faults) > 0 {
		return nil, faults
	}
	if len(out) == 0 {
		return nil, tomlfile.Faults{{File: inputNames(inputs), Message: "no folder holds a meta.json", Hint: "a suite is a tree of folders, each with a meta.json and files such as 01-chat.md"}}
	}
	return out, nil
}

// A suiteFolder is one folder of a suite.
type suiteFolder struct {
	name   string // relative to the imported folder, empty for that folder itself
	files  map[string]Input
	inputs []Input // in the order of their names
}

// label names the folder in messages.
func (s suiteFolder) label() string {
	if s.name == "" {
		return "the folder"
	}
	return s.name
}

// testFile matches the files of a test.
var testFile = regexp.MustCompile(`^([0-9]{2})-([a-z0-9]+(?:-[a-z0-9]+)*?)(?:-([0-9]+\.[0-9]+))?\.(md|log|json|csv)$`)

// suiteFolders groups inputs by folder, sorted by name. A folder counts when it
// holds a meta.json or files of a test.
func suiteFolders(inputs []Input) []suiteFolder {
	byName := map[string]*suiteFolder{}
	var names []string
	for _, in := range inputs {
		dir, base := path.Split(in.Name)
		dir = strings.TrimSuffix(dir, "/")
		if byName[dir] == nil {
			byName[dir] = &suiteFolder{name: dir, files: map[string]Input{}}
			names = append(names, dir)
		}
		byName[dir].files[base] = in
		byName[dir].inputs = append(byName[dir].inputs, in)
	}
	slices.Sort(names)
	var out []suiteFolder
	for _, name := range names {
		f := byName[name]
		slices.SortFunc(f.inputs, func(a, b Input) int { return strings.Compare(a.Name, b.Name) })
		_, hasMeta := f.files["meta.json"]
		if hasMeta || slices.ContainsFunc(f.inputs, func(in Input) bool { return testFile.MatchString(path.Base(in.Name)) }) {
			out = append(out, *f)
		}
	}
	return out
}

// forFolder returns the metadata of one folder.
func (m Metadata) forFolder(name string) Metadata {
	out := m
	out.Source.Path = path.Join(m.Source.Path, name)
	for _, f := range m.Folders {
		if path.Clean(f.Path) == path.Clean(name) {
			out = out.overlaid(f.Metadata)
		}
	}
	out.Folders = nil
	return out
}

// unusedFolders names the folders that the metadata speaks of and that were not
// imported.
func (m Metadata) unusedFolders(have []suiteFolder) []string {
	var out []string
	for _, f := range m.Folders {
		if !slices.ContainsFunc(have, func(s suiteFolder) bool { return path.Clean(s.name) == path.Clean(f.Path) }) {
			out = append(out, f.Path)
		}
	}
	return out
}

// overlaid returns m with what o states in its place.
func (m Metadata) overlaid(o Metadata) Metadata {
	set(&m.Platform, o.Platform)
	set(&m.Profile, o.Profile)
	set(&m.Licence, o.Licence)
	set(&m.Credit, o.Credit)
	if o.StartedAt != "" {
		m.StartedAt, m.Notes = o.StartedAt, o.Notes
	}
	set(&m.Zone, o.Zone)
	set(&m.Draft, o.Draft)
	set(&m.Tool, o.Tool)
	set(&m.Model.ID, o.Model.ID)
	set(&m.Model.Revision, o.Model.Revision)
	set(&m.Model.Quantisation, o.Model.Quantisation)
	set(&m.Model.Licence, o.Model.Licence)
	set(&m.Model.ServedName, o.Model.ServedName)
	set(&m.Source.URL, o.Source.URL)
	set(&m.Source.Revision, o.Source.Revision)
	set(&m.Source.Path, o.Source.Path)
	set(&m.Source.Title, o.Source.Title)
	set(&m.Source.RetrievedAt, o.Source.RetrievedAt)
	set(&m.Source.Conversion, o.Source.Conversion)
	m.Server = overlaidServer(m.Server, o.Server)
	m.Host = overlaidHost(m.Host, o.Host)
	return m
}

func overlaidServer(s, o bundle.Server) bundle.Server {
	set(&s.Name, o.Name)
	set(&s.Version, o.Version)
	set(&s.Image, o.Image)
	set(&s.ImageDigest, o.ImageDigest)
	set(&s.PrefixCaching, o.PrefixCaching)
	set(&s.PrefixCachingVerified, o.PrefixCachingVerified)
	if len(o.Argv) > 0 {
		s.Argv = o.Argv
	}
	if len(o.Env) > 0 {
		s.Env = o.Env
	}
	if len(o.Settings) > 0 {
		s.Settings = o.Settings
	}
	return s
}

func overlaidHost(h, o bundle.Host) bundle.Host {
	set(&h.Description, o.Description)
	set(&h.GPU, o.GPU)
	set(&h.GPUs, o.GPUs)
	set(&h.Driver, o.Driver)
	set(&h.VBIOS, o.VBIOS)
	set(&h.CUDA, o.CUDA)
	set(&h.OS, o.OS)
	set(&h.Kernel, o.Kernel)
	set(&h.MemoryBytes, o.MemoryBytes)
	return h
}

// set stores value at at, unless it is zero.
func set[T comparable](at *T, value T) {
	var zero T
	if value != zero {
		*at = value
	}
}
