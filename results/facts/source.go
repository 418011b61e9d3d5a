package facts

import (
	"maps"
	"slices"
)

// UsualSource is the source of most facts about a model, so that a page can name it
// once for all of them; empty when no two facts share one. Of two that are named as
// often it is the first in the alphabet.
func (m *Model) UsualSource() string {
	count := map[string]int{}
	for _, n := range []*Number{m.TotalParams, m.ActiveParams, m.Layers, m.Context} {
		if n != nil {
			count[n.Source]++
		}
	}
	for _, x := range []*Text{m.Architecture, m.Licence, m.Released} {
		if x != nil {
			count[x.Source]++
		}
	}
	for _, g := range m.LayerKinds {
		if g.KVHeads > 0 {
			count[g.Source]++
		}
	}
	usual, most := "", 1
	for _, source := range slices.Sorted(maps.Keys(count)) {
		if n := count[source]; n > most && source != "" {
			usual, most = source, n
		}
	}
	return usual
}
