package ingest

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest/scan"
	"example.org/arena/results/privacy"
	"example.org/arena/results/tomlfile"
)

// Assemble returns a bundle of the named format with everything that metadata and options say, and
// with the record of the files that were read. Tests are still missing.
func Assemble(format string, meta Metadata, opt Options, inputs []Input) *bundle.Bundle {
	opt.Engine.Runner = "import/" + format
	source := meta.Source
	source.Tools = slices.Clone(source.Tools)
	source.Files = RecordFiles(inputs, opt.KeepFiles)
	b := &bundle.Bundle{
		Format:    bundle.Format,
		Kind:      bundle.Import,
		StartedAt: meta.StartedAt,
		Platform:  meta.Platform,
		Profile:   meta.Profile,
		Licence:   meta.Licence,
		Credit:    meta.Credit,
		Engine:    opt.Engine,
		Source:    &source,
		Model:     meta.Model,
		Server:    meta.Server,
		Host:      meta.Host,
		Notes:     slices.Clone(meta.Notes),
	}
	if meta.Draft != nil {
		draft := *meta.Draft
		b.Draft = &draft
	}
	if opt.Contract != nil {
		b.Contract = &bundle.ContractPin{Version: opt.Contract.Version, SHA256: opt.Contract.Digest, Revision: opt.ContractRevision}
	}
	b.Server.Argv = slices.Clone(b.Server.Argv)
	b.Server.Env = SortedSettings(b.Server.Env)
	b.Server.Settings = SortedSettings(b.Server.Settings)
	return b
}

// RecordFiles lists files by name, size and SHA-256, sorted by name.
func RecordFiles(inputs []Input, kept bool) []bundle.File {
	var files []bundle.File
	for _, in := range inputs {
		sum := sha256.Sum256(in.Data)
		files = append(files, bundle.File{
			Name: privacy.Clean(in.Name), SHA256: hex.EncodeToString(sum[:]), Bytes: int64(len(in.Data)), Kept: kept,
		})
	}
	slices.SortFunc(files, func(a, b bundle.File) int { return strings.Compare(a.Name, b.Name) })
	return files
}

// SortedSettings returns a copy of list, sorted by name.
func SortedSettings(list []bundle.Setting) []bundle.Setting {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b bundle.Setting) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// AddTool records a tool once.
func AddTool(tools []bundle.Tool, tool bundle.Tool) []bundle.Tool {
	if tool.Name == "" || slices.Contains(tools, tool) {
		return tools
	}
	return append(tools, tool)
}

// UTC writes a time as bundles do.
func UTC(t time.Time) string {
	return t.UTC().Format(time.RFC3339)
}

// A requirement is something that a bundle cannot do without.
type requirement struct {
	table   string // of the metadata file, empty for its top
	example string
	missing func(b *bundle.Bundle) bool
}

// requirements lists them in the order in which a metadata file states them.
var requirements = []requirement{
	{"", `platform = "dgx-spark"`, func(b *bundle.Bundle) bool { return b.Platform == "" }},
	{"", `profile = "bf16" # name of the configuration`, func(b *bundle.Bundle) bool { return b.Profile == "" }},
	{"", `licence = "CC-BY-4.0" # SPDX identifier, or "none stated"`, func(b *bundle.Bundle) bool { return b.Licence == "" }},
	{"", `credit = "NAME, https://…" # whom to name when the data are used`, func(b *bundle.Bundle) bool { return b.Credit == "" }},
	{
		"", `started_at = "2026-08-14T10:15:00Z" # or zone = "UTC", the time zone of the times in the files`,
		func(b *bundle.Bundle) bool { return b.StartedAt == "" },
	},
	{"model", `id = "ORG/MODEL"`, func(b *bundle.Bundle) bool { return b.Model.ID == "" }},
	{"server", `name = "vllm"`, func(b *bundle.Bundle) bool { return b.Server.Name == "" }},
	{"source", `url = "https://…" # or title = "…"`, func(b *bundle.Bundle) bool {
		return b.Source == nil || b.Source.URL == "" && b.Source.Title == ""
	}},
}

// MissingMetadata returns one fault, which names exactly what neither the inputs
// nor the metadata say, with an example to copy, or none. More lists further
// missing lines of the metadata file.
func MissingMetadata(b *bundle.Bundle, name string, more ...string) tomlfile.Faults {
	byTable := map[string][]string{"": more}
	for _, r := range requirements {
		if r.missing(b) {
			byTable[r.table] = append(byTable[r.table], r.example)
		}
	}
	var keys []string
	var example strings.Builder
	for _, table := range []string{"", "model", "server", "source"} {
		if lines := byTable[table]; len(lines) > 0 {
			if table != "" {
				example.WriteString("\n[" + table + "]")
				table += "."
			}
			for _, line := range lines {
				key, _, _ := strings.Cut(line, " = ")
				keys = append(keys, table+key)
				example.WriteString("\n" + line)
			}
		}
	}
	if len(keys) == 0 {
		return nil
	}
	return tomlfile.Faults{{
		File:    name,
		Message: "neither the files nor the metadata say: " + strings.Join(keys, ", "),
		Hint:    "write a file like this one and pass it with --metadata FILE.toml" + strings.ReplaceAll(example.String(), "\n", "\n    "),
	}}
}

// FinishBundle orders what was collected and reports what would keep the bundle
// from being valid, or must not be published. Name stands for the inputs in messages.
func FinishBundle(b *bundle.Bundle, name string) tomlfile.Faults {
	if b.Source != nil && len(b.Source.Tools) == 0 {
		b.Source.Tools = nil
	}
	out := privateFaults(b, name)
	for _, f := range scan.AppendFaults(nil, name, bundle.Validate(b)) {
		out = append(out, tomlfile.Fault{File: name, Key: f.Key, Message: f.Message})
	}
	return out
}

// Agree returns the value that two statements of the same thing share. One that
// is empty says nothing. When both speak and differ, the fault shows both.
func Agree(f *scan.Faults, key, said, where, other, otherWhere string) string {
	switch {
	case said == "":
		return other
	case other == "" || other == said:
		return said
	}
	f.Add(0, key, "", "%s says %q, but %s says %q", where, said, otherWhere, other)
	return said
}
