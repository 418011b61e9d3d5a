package content

import (
	"path"

	"example.org/arena/results/facts"
	"example.org/arena/results/tomlfile"
)

// models reads the models, each named by its slug. A checkpoint belongs to one
// model only.
func (l *loader) models() []facts.Model {
	var all []facts.Model
	owner := map[string]string{} // of a checkpoint
	for _, name := range l.list(modelsDir, ".toml") {
		file := path.Join(modelsDir, name+".toml")
		t := l.table(file)
		if t == nil {
			continue
		}
		m := readModel(t)
		m.ID = name
		l.checkFileName(file, name)
		for i, cp := range m.Checkpoints {
			if other, ok := owner[cp.ID]; ok {
				t.Fault(tomlfile.Element("checkpoint", i)+".id", "%q is a checkpoint of %s already", cp.ID, other)
			}
			owner[cp.ID] = name
		}
		all = append(all, m)
	}
	return all
}

// platforms reads the platforms, each named by its slug.
func (l *loader) platforms() []facts.Platform {
	var all []facts.Platform
	for _, name := range l.list(platformsDir, ".toml") {
		file := path.Join(platformsDir, name+".toml")
		t := l.table(file)
		if t == nil {
			continue
		}
		p := readPlatform(t)
		p.ID = name
		l.checkFileName(file, name)
		all = append(all, p)
	}
	return all
}

func (l *loader) publishers() []facts.Publisher {
	if t := l.table(publishersFile); t != nil {
		return readPublishers(t)
	}
	return nil
}

// attribute gives each figure the attribution that its publisher asks for. Who
// is neither the model's vendor nor a known publisher is a fault, unless the
// list of publishers is at fault itself.
func (l *loader) attribute(c facts.Catalog) {
	if t := l.tables[publishersFile]; t == nil || t.Err() != nil {
		return
	}
	for _, m := range c.Models {
		for i, q := range m.Quality {
			if p, ok := c.Publisher(q.By); ok && q.Attribution == "" {
				m.Quality[i].Attribution = p.Attribution
			}
		}
		for _, t := range l.tables[path.Join(modelsDir, m.ID+".toml")].Subs("quality") {
			by := t.Str("by")
			if _, ok := c.Publisher(by); !ok && by != m.Vendor && by != "" {
				t.Fault("by", "%q is neither the vendor nor in %s", by, publishersFile)
			}
		}
	}
}
