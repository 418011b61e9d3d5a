package engine

import "example.org/arena/results/bundle"

// appendTelemetry adds samples to those of a test, shifted by seconds. A column that one of
// the two does not have gets a null for each of its samples.
func appendTelemetry(all, more *bundle.Telemetry, shift float64) *bundle.Telemetry {
	if more == nil {
		return all
	}
	if all == nil {
		all = &bundle.Telemetry{}
	}
	had := len(all.OffsetS)
	for _, at := range more.OffsetS {
		at += shift
		if n := len(all.OffsetS); n > 0 {
			at = max(at, all.OffsetS[n-1]) // shifts are whole microseconds, offsets are not
		}
		all.OffsetS = append(all.OffsetS, at)
	}
	total := len(all.OffsetS)
	for _, c := range []struct {
		into *[]*float64
		from []*float64
	}{
		{&all.PowerW, more.PowerW},
		{&all.TemperatureC, more.TemperatureC},
		{&all.ClockMHz, more.ClockMHz},
		{&all.UtilisationPct, more.UtilisationPct},
		{&all.MemoryUsedMB, more.MemoryUsedMB},
	} {
		if len(*c.into) == 0 && len(c.from) == 0 {
			continue
		}
		column := make([]*float64, had, total)
		copy(column, *c.into)
		column = append(column, c.from...)
		*c.into = append(column, make([]*float64, total-len(column))...)
	}
	return all
}
