package board

import "example.org/arena/results/facts"

// memoryOf returns what the weights take of the platform's memory: as published,
// else as many bytes as the parameters take in their precision. It stays unknown
// when neither is known.
func memoryOf(m *facts.Model, cp *facts.Checkpoint, p *facts.Platform) Memory {
	var out Memory
	if p != nil {
		out.Usable = p.Memory
	}
	if m == nil || cp == nil {
		return out
	}
	out.WeightBytes, out.Known = m.WeightBytes(*cp)
	out.Weights = cp.Bytes
	out.Nominal = out.Known && cp.Bytes == nil
	return out
}

// qualityOf returns the figure to show in each dimension.
func qualityOf(m *facts.Model, checkpoint string) []Quality {
	var out []Quality
	for _, d := range facts.Dimensions {
		q := Quality{Dimension: d}
		if m != nil {
			q.Figure, q.Known = m.Suggested(checkpoint, d)
			q.SameModel = q.Known && q.Figure.Checkpoint == checkpoint
		}
		out = append(out, q)
	}
	return out
}
