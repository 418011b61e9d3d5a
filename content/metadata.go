package content

import (
	"path"
	"strings"
	"time"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest"
	"example.org/arena/results/privacy"
	"example.org/arena/results/tomlfile"
)

// importsDir holds the metadata of the imports that the project publishes.
const importsDir = "imports"

// ParseMetadata reads a metadata file: what the files of an import do not say.
// The error is tomlfile.Faults. Every key is optional; docs/importing.md explains
// them all.
func ParseMetadata(file string, data []byte) (ingest.Metadata, error) {
	m, err := parse(file, data, readMetadata)
	m.File = file
	return m, err
}

func readMetadata(t *tomlfile.Table) ingest.Metadata {
	m := readStatements(t)
	for _, sub := range t.Subs("tests") {
		m.Tests = append(m.Tests, readTestMetadata(sub))
	}
	for _, sub := range t.Subs("folders") {
		sub.Need("path")
		f := ingest.FolderMetadata{Path: public(sub, "path"), Metadata: readStatements(sub)}
		for _, key := range []string{"contract", "test", "prompt_tokens", "output_tokens", "rounds"} {
			if sub.Has(key) {
				sub.Fault(key, "belongs at the top of the file: it is the same for every folder")
			}
		}
		sub.Done()
		m.Folders = append(m.Folders, f)
	}
	t.Done()
	return m
}

// readStatements reads what may be said of a whole import, or of one folder.
func readStatements(t *tomlfile.Table) ingest.Metadata {
	m := ingest.Metadata{
		Platform:     public(t, "platform"),
		Profile:      public(t, "profile"),
		Licence:      public(t, "licence"),
		Credit:       public(t, "credit"),
		Contract:     public(t, "contract"),
		Test:         public(t, "test"),
		PromptTokens: checkCount(t, "prompt_tokens", t.Integer("prompt_tokens")),
		OutputTokens: checkCount(t, "output_tokens", t.Integer("output_tokens")),
		Rounds:       checkCount(t, "rounds", t.Integer("rounds")),
		Model:        readModelPin(t),
		Draft:        readDraft(t),
		Server:       readServer(t),
		Host:         readHost(t),
		Source:       readSource(t),
		Tool:         readTool(t),
	}
	checkSlug(t, "platform", m.Platform)
	checkSlug(t, "profile", m.Profile)
	checkSlug(t, "contract", m.Contract)
	checkSlug(t, "test", m.Test)
	if t.Has("credit") && (strings.TrimSpace(m.Credit) == "" || strings.ContainsFunc(m.Credit, invisible)) {
		t.Fault("credit", "is empty, or has line breaks or invisible characters")
	}
	m.Zone = readZone(t)
	m.StartedAt, m.Notes = readStart(t)
	return m
}

// startLayouts are the forms in which a start may be stated, from a moment to a
// month.
var startLayouts = []string{time.RFC3339, time.DateOnly, "2006-01"}

// readStart reads when the first test began. A source may know no more than the
// day or the month: the bundle then carries its first moment, and a note.
func readStart(t *tomlfile.Table) (string, []bundle.Note) {
	text := public(t, "started_at")
	if !t.Has("started_at") {
		return "", nil
	}
	for _, layout := range startLayouts {
		at, err := time.Parse(layout, text)
		if err != nil {
			continue
		}
		start := at.UTC().Format(time.RFC3339)
		if layout == time.RFC3339 {
			return start, nil
		}
		return start, []bundle.Note{bundle.NewNote(bundle.NoteTimePrecision, "stated", text)}
	}
	t.Fault("started_at", "%q is neither a time like 2026-08-14T10:15:00Z nor a day like 2026-08-14 nor a month like 2026-08", text)
	return "", nil
}

// readZone reads the time zone of times that files state without one.
func readZone(t *tomlfile.Table) *time.Location {
	text := public(t, "zone")
	if !t.Has("zone") {
		return nil
	}
	if text == "UTC" || text == "Z" {
		return time.UTC
	}
	at, err := time.Parse("-07:00", text)
	if err != nil {
		t.Fault("zone", "%q is neither UTC nor an offset like +02:00", text)
		return nil
	}
	_, seconds := at.Zone()
	return time.FixedZone("", seconds)
}

func readModelPin(t *tomlfile.Table) bundle.Model {
	sub := t.Sub("model")
	defer sub.Done()
	m := bundle.Model{
		ID:           public(sub, "id"),
		Revision:     public(sub, "revision"),
		Quantisation: public(sub, "quantisation"),
		Licence:      public(sub, "licence"),
		ServedName:   public(sub, "served_name"),
	}
	checkModelID(sub, "id", m.ID)
	return m
}

func readDraft(t *tomlfile.Table) *bundle.Draft {
	if !t.Has("draft") {
		return nil
	}
	sub := t.Sub("draft")
	defer sub.Done()
	sub.Need("method")
	d := &bundle.Draft{
		Method:        public(sub, "method"),
		Model:         public(sub, "model"),
		Revision:      public(sub, "revision"),
		TokensPerStep: checkCount(sub, "tokens_per_step", sub.Integer("tokens_per_step")),
	}
	checkModelID(sub, "model", d.Model)
	return d
}

func readServer(t *tomlfile.Table) bundle.Server {
	sub := t.Sub("server")
	defer sub.Done()
	s := bundle.Server{
		Name:                  public(sub, "name"),
		Version:               publicVersion(sub, "version"),
		Image:                 public(sub, "image"),
		ImageDigest:           public(sub, "image_digest"),
		Argv:                  readArgv(sub, "argv"),
		Env:                   readSettings(sub, "env"),
		Settings:              readSettings(sub, "settings"),
		PrefixCachingVerified: public(sub, "prefix_caching_verified"),
	}
	if sub.Has("prefix_caching") {
		on := sub.Boolean("prefix_caching")
		s.PrefixCaching = &on
	}
	return s
}

// readArgv reads a command. What must not be published is refused, since the
// person who writes the file can still leave it out.
func readArgv(t *tomlfile.Table, key string) []string {
	argv := t.Strs(key)
	if word, found := privacy.LeakingArgument(argv); found {
		t.Fault(key, "%q holds something private: a key, a home folder or an address", word)
	}
	return argv
}

// readSettings reads a list of NAME=VALUE.
func readSettings(t *tomlfile.Table, key string) []bundle.Setting {
	var list []bundle.Setting
	for _, text := range t.Strs(key) {
		name, value, ok := strings.Cut(text, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		switch {
		case !ok || name == "":
			t.Fault(key, "%q is not of the form NAME=VALUE", text)
		case privacy.SecretName(name):
			t.Fault(key, "%s is a secret and never belongs in a result", name)
		case privacy.Leaks(value):
			t.Fault(key, "%q holds something private: a key, a home folder or an address", text)
		default:
			list = append(list, bundle.Setting{Name: name, Value: value})
		}
	}
	return list
}

func readHost(t *tomlfile.Table) bundle.Host {
	sub := t.Sub("host")
	defer sub.Done()
	h := bundle.Host{
		Description: public(sub, "description"),
		GPU:         public(sub, "gpu"),
		GPUs:        checkCount(sub, "gpus", sub.Integer("gpus")),
		Driver:      publicVersion(sub, "driver"),
		VBIOS:       publicVersion(sub, "vbios"),
		CUDA:        publicVersion(sub, "cuda"),
		OS:          publicVersion(sub, "os"),
		Kernel:      publicVersion(sub, "kernel"),
		MemoryBytes: sub.Integer("memory_bytes"),
	}
	if sub.Has("memory_bytes") && h.MemoryBytes <= 0 {
		sub.Fault("memory_bytes", "want a positive whole number")
	}
	return h
}

func readSource(t *tomlfile.Table) bundle.Source {
	sub := t.Sub("source")
	defer sub.Done()
	s := bundle.Source{
		URL:         public(sub, "url"),
		Revision:    public(sub, "revision"),
		Path:        public(sub, "path"),
		Title:       public(sub, "title"),
		RetrievedAt: public(sub, "retrieved_at"),
		Conversion:  public(sub, "conversion"),
	}
	checkURL(sub, "url", s.URL)
	checkDate(sub, "retrieved_at", s.RetrievedAt, time.DateOnly)
	return s
}

func readTool(t *tomlfile.Table) bundle.Tool {
	if !t.Has("tool") {
		return bundle.Tool{}
	}
	sub := t.Sub("tool")
	defer sub.Done()
	sub.Need("name")
	return bundle.Tool{Name: public(sub, "name"), Version: publicVersion(sub, "version")}
}

func readTestMetadata(t *tomlfile.Table) ingest.TestMetadata {
	t.Need("file", "slug")
	defer t.Done()
	m := ingest.TestMetadata{
		File:         public(t, "file"),
		Table:        checkCount(t, "table", t.Integer("table")),
		Slug:         public(t, "slug"),
		StartedAt:    public(t, "started_at"),
		Argv:         readArgv(t, "argv"),
		PromptTokens: checkCount(t, "prompt_tokens", t.Integer("prompt_tokens")),
		OutputTokens: checkCount(t, "output_tokens", t.Integer("output_tokens")),
	}
	checkSlug(t, "slug", m.Slug)
	if at, err := time.Parse(time.RFC3339, m.StartedAt); err == nil {
		m.StartedAt = at.UTC().Format(time.RFC3339)
	} else if t.Has("started_at") {
		t.Fault("started_at", "%q is not a time like 2026-08-14T10:15:00Z", m.StartedAt)
	}
	return m
}

// public reads a text of the file and refuses what must not be published: every
// text goes through here or publicVersion, since all of them end up in a bundle.
func public(t *tomlfile.Table, key string) string {
	return checkPublic(t, key, privacy.Leaks)
}

// publicVersion is public for versions, whose numbers may look like an address.
func publicVersion(t *tomlfile.Table, key string) string {
	return checkPublic(t, key, privacy.LeaksVersion)
}

func checkPublic(t *tomlfile.Table, key string, private func(string) bool) string {
	s := t.Str(key)
	if t.Sound(key) && private(s) {
		t.Fault(key, "%q holds something private: a key, a home folder or an address", s)
	}
	return s
}

// imports checks the metadata of the published imports, when the tree has them:
// only a checkout does.
func (l *loader) imports() {
	for _, name := range l.list(importsDir, ".toml") {
		file := path.Join(importsDir, name+".toml")
		l.checkFileName(file, name)
		if data, ok := l.read(file); ok {
			_, err := ParseMetadata(file, data)
			l.fail(file, err)
		}
	}
}
