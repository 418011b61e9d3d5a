package bundle

import (
	"errors"
	"math"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// A Rate is a number that may be infinite: JSON has no infinity, so it is
// written as the string "inf".
type Rate float64

// MarshalJSONTo writes r as a JSON number, or as "inf".
func (r Rate) MarshalJSONTo(enc *jsontext.Encoder) error {
	if math.IsInf(float64(r), 1) {
		return enc.WriteToken(jsontext.String("inf"))
	}
	return enc.WriteToken(jsontext.Float(float64(r)))
}

// UnmarshalJSONFrom reads a JSON number or the string "inf".
func (r *Rate) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	v, err := dec.ReadValue()
	if err != nil {
		return err
	}
	if string(v) == `"inf"` {
		*r = Rate(math.Inf(1))
		return nil
	}
	f, err := strconv.ParseFloat(string(v), 64)
	if err != nil {
		return errors.New(`want a number or "inf"`)
	}
	*r = Rate(f)
	return nil
}
