package content

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"example.org/arena/results/facts"
	"example.org/arena/results/tomlfile"
)

// Files and folders of the tree.
const (
	siteFile       = "site.toml"
	presetsFile    = "presets.toml"
	publishersFile = "publishers.toml"

	contractsDir   = "contracts"
	errataDir      = "errata"
	modelsDir      = "models"
	platformsDir   = "platforms"
	suggestionsDir = "suggestions"
	retractionsDir = "retractions"
)

// Load reads and checks the whole tree. The error is tomlfile.Faults: every
// fault of every file, by file and line.
func Load(fsys fs.FS) (*Content, error) {
	l := &loader{fsys: fsys, tables: map[string]*tomlfile.Table{}}
	c := &Content{
		Contracts: l.contracts(),
		Catalog: facts.Catalog{
			Models:     l.models(),
			Platforms:  l.platforms(),
			Publishers: l.publishers(),
		},
		Suggestions: l.suggestions(),
		Retractions: l.retractions(),
		texts:       l.texts(),
	}
	c.Reports = l.reports(maps.Clone(c.texts[Reports]))
	c.Errata = l.errata(c)
	c.Site = l.site(c)
	c.Presets = l.presets(c)
	l.attribute(c.Catalog)
	l.imports()
	l.checkTree()
	if err := l.err(); err != nil {
		return nil, err
	}
	return c, nil
}

// A loader reads files and collects their faults. The tables stay open until
// the end, so that faults between files have lines as well.
type loader struct {
	fsys   fs.FS
	faults tomlfile.Faults
	tables map[string]*tomlfile.Table // by file
}

// fault notes a fault of a file as a whole.
func (l *loader) fault(file, message string) {
	l.faults = append(l.faults, tomlfile.Fault{File: file, Message: message})
}

// fail notes the faults of a reader.
func (l *loader) fail(file string, err error) {
	var faults tomlfile.Faults
	switch {
	case errors.As(err, &faults):
		l.faults = append(l.faults, faults...)
	case err != nil:
		l.fault(file, err.Error())
	}
}

// read returns the bytes of a file, and whether it could be read.
func (l *loader) read(file string) ([]byte, bool) {
	data, err := fs.ReadFile(l.fsys, file)
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		err = pathErr.Err
	}
	if err != nil {
		l.fault(file, "read: "+err.Error())
		return nil, false
	}
	return data, true
}

// table opens a file, nil when it cannot be read or is not TOML.
func (l *loader) table(file string) *tomlfile.Table {
	data, ok := l.read(file)
	if !ok {
		return nil
	}
	t, err := decode(file, data)
	if err != nil {
		l.fail(file, err)
		return nil
	}
	l.tables[file] = t
	return t
}

// list returns the names of a folder's files, without the extension. Files with
// one of the other extensions are passed over. A folder that is not there has
// none: version control does not keep empty ones.
func (l *loader) list(dir, ext string, others ...string) []string {
	entries, err := fs.ReadDir(l.fsys, dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.fault(dir, err.Error())
	}
	var names []string
	for _, e := range entries {
		switch {
		case e.Name() == ".gitkeep":
		case !e.IsDir() && slices.Contains(others, path.Ext(e.Name())):
		case e.IsDir() || path.Ext(e.Name()) != ext:
			l.fault(path.Join(dir, e.Name()), "does not belong here: want files that end in "+ext)
		default:
			names = append(names, strings.TrimSuffix(e.Name(), ext))
		}
	}
	return names
}

// err returns all faults by file and line, or nil.
func (l *loader) err() error {
	faults := slices.Clone(l.faults)
	for _, t := range l.tables {
		if more, ok := errors.AsType[tomlfile.Faults](t.Err()); ok {
			faults = append(faults, more...)
		}
	}
	if len(faults) == 0 {
		return nil
	}
	slices.SortStableFunc(faults, func(a, b tomlfile.Fault) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return faults
}

// checkFileName wants a slug.
func (l *loader) checkFileName(file, name string) {
	if !slug.MatchString(name) {
		l.fault(file, "is not named by a slug: want lower-case letters, digits, dots, dashes and underscores")
	}
}

// checkTree wants nothing in the tree that nobody reads. Code lies beside the
// files that it embeds and is passed over, as are hidden files.
func (l *loader) checkTree() {
	known := []string{
		siteFile, presetsFile, publishersFile, contractsDir, errataDir, modelsDir,
		platformsDir, suggestionsDir, retractionsDir, importsDir, "testdata",
	}
	for _, s := range Sections {
		known = append(known, string(s))
	}
	entries, err := fs.ReadDir(l.fsys, ".")
	if err != nil {
		l.fault(".", err.Error())
	}
	for _, e := range entries {
		name := e.Name()
		if path.Ext(name) == ".go" || strings.HasPrefix(name, ".") || slices.Contains(known, name) {
			continue
		}
		l.fault(name, "does not belong here")
	}
}
