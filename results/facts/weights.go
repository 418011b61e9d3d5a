package facts

// A Format is a way in which weights are stored.
type Format struct {
	Precision         string  // as checkpoints name it
	BytesPerParameter float64 // scales included
	Define            string  // where the figure comes from
}

// Formats lists the weight formats whose size per parameter is known. The
// figures are arithmetic on the format's definition; a real checkpoint is often
// larger, because some of its layers stay in a wider format.
var Formats = []Format{
	{"bf16", 2, "16 bits per weight"},
	{"fp8", 1, "8 bits per weight, scales per tensor or channel neglected"},
	{"nvfp4", 0.5625, "4 bits per weight and an 8-bit scale per 16 weights"},
	{"mxfp4", 0.53125, "4 bits per weight and an 8-bit scale per 32 weights"},
}

// BytesPerParameter returns the size of a parameter in the given precision, in
// bytes, and whether the precision is known.
func BytesPerParameter(precision string) (float64, bool) {
	for _, f := range Formats {
		if f.Precision == precision {
			return f.BytesPerParameter, true
		}
	}
	return 0, false
}

// WeightBytes returns the size of a checkpoint's weights in bytes: as published,
// else parameters times the size of one. It reports false when neither is known.
func (m Model) WeightBytes(cp Checkpoint) (float64, bool) {
	if cp.Bytes != nil {
		return cp.Bytes.Value, true
	}
	return nominalBytes(m.TotalParams, cp.Precision)
}

// ActiveBytes returns the bytes of weights that one token needs, as nominal
// parameters times the size of one, and whether both are known. The nominal
// count includes embeddings and encoders that are not read for every token, so
// the true figure is somewhat lower.
func (m Model) ActiveBytes(cp Checkpoint) (float64, bool) {
	return nominalBytes(m.ActiveParams, cp.Precision)
}

func nominalBytes(params *Number, precision string) (float64, bool) {
	size, ok := BytesPerParameter(precision)
	if !ok || params == nil {
		return 0, false
	}
	return params.Value * size, true
}
