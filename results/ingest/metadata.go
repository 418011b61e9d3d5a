package ingest

import (
	"path"
	"time"

	"example.org/arena/results/bundle"
)

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

// ForFolder returns the metadata of one folder.
func (m Metadata) ForFolder(name string) Metadata {
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
