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

// MarshalJSONTo writes r as a JSON number, or as "inf". It refuses NaN and minus
// infinity.
func (r Rate) MarshalJSONTo(enc *jsontext.Encoder) error {
	f := float64(r)
	switch {
	case math.IsInf(f, 1):
		return enc.WriteToken(jsontext.String("inf"))
	case math.IsNaN(f) || math.IsInf(f, -1):
		return errors.New("a rate is a number or plus infinity")
	}
	return enc.WriteToken(jsontext.Float(f))
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
	if v.Kind() != '0' {
		return errors.New(`want a number or "inf"`)
	}
	f, err := strconv.ParseFloat(string(v), 64)
	if err != nil {
		return errors.New("the number is out of range")
	}
	*r = Rate(f)
	return nil
}
