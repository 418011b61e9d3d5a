package facts

import "testing"

func TestUsualSource(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name  string
		model Model
		want  string
	}{
		{"nothing known", Model{}, ""},
		{"no two share one", Model{Layers: &Number{Source: "b"}, Licence: &Text{Source: "a"}}, ""},
		{"the most frequent", Model{Layers: &Number{Source: "b"}, Context: &Number{Source: "a"}, Licence: &Text{Source: "b"}}, "b"},
		{"the first of two", Model{
			Layers: &Number{Source: "b"}, Context: &Number{Source: "b"}, Licence: &Text{Source: "a"},
			LayerKinds: []LayerGroup{{KVHeads: 8, Source: "a"}},
		}, "a"},
		{"only layers with heads", Model{LayerKinds: []LayerGroup{{Source: "a"}, {Source: "a"}}}, ""},
		{"facts without a source", Model{Layers: &Number{}, Context: &Number{}}, ""},
	}
	for _, c := range cases {
		if got := c.model.UsualSource(); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
