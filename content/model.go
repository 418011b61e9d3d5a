package content

import (
	"example.org/arena/results/facts"
	"example.org/arena/results/tomlfile"
)

// readModel reads a file of models/. The model's ID is the name of the file, so
// it stays empty here.
func readModel(t *tomlfile.Table) facts.Model {
	t.Need("name", "vendor", "checkpoint")
	m := facts.Model{
		Name:         t.Str("name"),
		Vendor:       t.Str("vendor"),
		TotalParams:  number(t, "total_params"),
		ActiveParams: number(t, "active_params"),
		Architecture: textFact(t, "architecture", checkArchitecture),
		Experts:      readExperts(t),
		Layers:       whole(t, "layers"),
		KVLayers:     whole(t, "kv_layers"),
		LayerKinds:   readLayerGroups(t),
		Context:      whole(t, "context"),
		Licence:      textFact(t, "licence", checkName),
		Released:     textFact(t, "released", checkMonth),
		Checkpoints:  readCheckpoints(t),
		Note:         words(t, "note"),
	}
	checkName(t, "name", m.Name)
	checkName(t, "vendor", m.Vendor)
	m.Quality = readQuality(t, m)
	checkModel(t, m)
	t.Done()
	return m
}

func checkArchitecture(t *tomlfile.Table, key, s string) {
	checkOneOf(t, key, s, "dense", "moe")
}

func checkMonth(t *tomlfile.Table, key, s string) {
	checkDate(t, key, s, "2006-01-02", "2006-01")
}

// checkModel compares facts that bound each other.
func checkModel(t *tomlfile.Table, m facts.Model) {
	if m.TotalParams != nil && m.ActiveParams != nil && m.ActiveParams.Value > m.TotalParams.Value {
		t.Fault("active_params.value", "more active parameters than parameters")
	}
	if m.Layers == nil {
		return
	}
	if m.KVLayers != nil && m.KVLayers.Value > m.Layers.Value {
		t.Fault("kv_layers.value", "more layers with a cache than layers")
	}
	sum := 0
	for _, g := range m.LayerKinds {
		sum += g.Count
	}
	if float64(sum) > m.Layers.Value {
		t.Fault(tomlfile.Element("layer_group", len(m.LayerKinds)-1), "the groups have %d layers, the model %v", sum, m.Layers.Value)
	}
}

func readExperts(t *tomlfile.Table) *facts.Experts {
	sub := optional(t, "experts")
	if sub == nil {
		return nil
	}
	sub.Need("total", "active")
	e := &facts.Experts{
		Total:  checkCount(sub, "total", sub.Integer("total")),
		Active: checkCount(sub, "active", sub.Integer("active")),
		Shared: checkCount(sub, "shared", sub.Integer("shared")),
		Source: sub.Str("source"),
	}
	checkSource(sub, "source", e.Source)
	if e.Active > e.Total {
		sub.Fault("active", "more active experts than experts")
	}
	sub.Done()
	return e
}

func readLayerGroups(t *tomlfile.Table) []facts.LayerGroup {
	var groups []facts.LayerGroup
	for _, sub := range t.Subs("layer_group") {
		sub.Need("kind")
		g := facts.LayerGroup{
			Kind:         facts.LayerKind(sub.Str("kind")),
			Name:         sub.Str("name"),
			Count:        checkCount(sub, "count", sub.Integer("count")),
			KVHeads:      checkCount(sub, "kv_heads", sub.Integer("kv_heads")),
			HeadDim:      checkCount(sub, "head_dim", sub.Integer("head_dim")),
			Window:       checkCount(sub, "window", sub.Integer("window")),
			LatentValues: checkCount(sub, "latent_values", sub.Integer("latent_values")),
		}
		checkOneOf(sub, "kind", g.Kind, facts.LayerKinds...)
		checkName(sub, "name", g.Name)
		g.Source, g.Status, g.Note = provenance(sub)
		sub.Done()
		groups = append(groups, g)
	}
	return groups
}

func readCheckpoints(t *tomlfile.Table) []facts.Checkpoint {
	var checkpoints []facts.Checkpoint
	bases := 0
	for _, sub := range t.Subs("checkpoint") {
		sub.Need("id")
		cp := facts.Checkpoint{
			ID:        sub.Str("id"),
			Precision: sub.Str("precision"),
			Base:      sub.Boolean("base"),
			Bytes:     number(sub, "bytes"),
			Note:      words(sub, "note"),
		}
		checkModelID(sub, "id", cp.ID)
		checkOneOf(sub, "precision", cp.Precision, precisions()...)
		if cp.Base {
			bases++
		}
		sub.Done()
		checkpoints = append(checkpoints, cp)
	}
	if len(checkpoints) > 0 && bases != 1 {
		t.Fault(tomlfile.Element("checkpoint", 0), "%d checkpoints are the base; want exactly one", bases)
	}
	return checkpoints
}

func precisions() []string {
	var names []string
	for _, f := range facts.Formats {
		names = append(names, f.Precision)
	}
	return names
}
