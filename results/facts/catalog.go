package facts

// A Catalog finds models, platforms and publishers.
type Catalog struct {
	Models     []Model     // sorted by ID
	Platforms  []Platform  // sorted by ID
	Publishers []Publisher // in the order of the file
}

// Checkpoint returns the model that has the checkpoint with the given Hugging
// Face id, and the checkpoint, or false when no model does.
func (c Catalog) Checkpoint(id string) (Model, Checkpoint, bool) {
	for _, m := range c.Models {
		for _, cp := range m.Checkpoints {
			if cp.ID == id {
				return m, cp, true
			}
		}
	}
	return Model{}, Checkpoint{}, false
}

// Model returns the model with the given slug and whether there is one.
func (c Catalog) Model(id string) (Model, bool) {
	for _, m := range c.Models {
		if m.ID == id {
			return m, true
		}
	}
	return Model{}, false
}

// Platform returns the platform with the given id and whether there is one.
func (c Catalog) Platform(id string) (Platform, bool) {
	for _, p := range c.Platforms {
		if p.ID == id {
			return p, true
		}
	}
	return Platform{}, false
}

// Publisher returns the publisher with the given name and whether there is one.
func (c Catalog) Publisher(name string) (Publisher, bool) {
	for _, p := range c.Publishers {
		if p.Name == name {
			return p, true
		}
	}
	return Publisher{}, false
}

// Base returns the checkpoint that the quality figures belong to, and whether
// the model names one.
func (m Model) Base() (Checkpoint, bool) {
	for _, cp := range m.Checkpoints {
		if cp.Base {
			return cp, true
		}
	}
	return Checkpoint{}, false
}

// Suggested returns the figure to show for a checkpoint in one dimension, and
// whether there is one. A figure of the checkpoint itself comes before that of
// another checkpoint of the model; when the returned Quality names another
// checkpoint, readers must be told on which one it was measured.
func (m Model) Suggested(checkpoint string, d Dimension) (Quality, bool) {
	var found Quality
	var ok bool
	for _, q := range m.Quality {
		if !q.Suggested || q.Dimension != d || q.Value == nil {
			continue
		}
		if q.Checkpoint == checkpoint {
			return q, true
		}
		if !ok {
			found, ok = q, true
		}
	}
	return found, ok
}
