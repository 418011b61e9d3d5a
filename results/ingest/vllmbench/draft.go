package vllmbench

import (
	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest/scan"
	"example.org/arena/results/privacy"
)

// SpeculativeConfig reads vLLM's speculative configuration.
func SpeculativeConfig(m scan.Member, f *scan.Faults) *bundle.Draft {
	if scan.ValueSize(string(m.Value)) == 0 || m.Value.Kind() != '{' {
		f.Add(m.Line, m.Key, "", "--speculative-config wants a JSON object, found %s", scan.Shown(m.Value))
		return nil
	}
	var d bundle.Draft
	b := NewBuilder(f, m.Line)
	for _, c := range scan.MembersOf(m, f) {
		switch c.Key {
		case "method":
			b.Text(c, &d.Method)
		case "model":
			b.Text(c, &d.Model)
		case "num_speculative_tokens":
			b.natural(c, &d.TokensPerStep)
		}
	}
	d.Model = privacy.Clean(d.Model)
	return &d
}
