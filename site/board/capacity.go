package board

// A Compliance says which limits one concurrency meets. Nil means that what it
// would follow from was not reported.
type Compliance struct {
	Concurrency int
	TTFTP90     *bool // p90 of TTFT within its limit
	TTFTMean    *bool
	SpeedMean   *bool // mean speed within its limit
	SpeedP90    *bool // p90 of speed: passes when one request in ten is fast enough
	SpeedSlow   *bool // SlowSpeed within the limit: passes when nine in ten are
	// SlowSpeed is output tokens / p90 of latency, in tokens per second: nine of
	// ten requests took at most that latency, so they were at least this fast. It
	// needs requests of equal length.
	SlowSpeed *float64
}

// Compliances checks the limits at each concurrency.
func (curve LoadCurve) Compliances(slo SLO) []Compliance {
	var out []Compliance
	for _, p := range curve.Points {
		c := Compliance{
			Concurrency: p.Concurrency,
			TTFTP90:     atMost(p.TTFT.P90, slo.TTFTMS),
			TTFTMean:    atMost(p.TTFT.Mean, slo.TTFTMS),
			SpeedMean:   atLeast(p.Speed.Mean, slo.Speed),
			SpeedP90:    atLeast(p.Speed.P90, slo.Speed),
		}
		if l := p.Latency.P90; l != nil && *l > 0 {
			c.SlowSpeed = new(float64(slo.OutputTokens) / *l)
		}
		c.SpeedSlow = atLeast(c.SlowSpeed, slo.Speed)
		out = append(out, c)
	}
	return out
}

func atMost(v *float64, limit float64) *bool {
	if v == nil {
		return nil
	}
	return new(*v <= limit)
}

func atLeast(v *float64, limit float64) *bool {
	if v == nil {
		return nil
	}
	return new(*v >= limit)
}

// A Basis says which statistics are held against the limits.
type Basis string

// The bases.
const (
	BasisP90  Basis = "p90"  // p90 of TTFT and p90 of speed, the latter being the good tail
	BasisMean Basis = "mean" // means of both
	BasisSlow Basis = "slow" // p90 of TTFT and the speed that nine of ten requests reach
)

// meets reports whether both limits are known to be met.
func (c Compliance) meets(b Basis) bool {
	ttft, speed := c.TTFTP90, c.SpeedP90
	switch b {
	case BasisP90:
	case BasisMean:
		ttft, speed = c.TTFTMean, c.SpeedMean
	case BasisSlow:
		speed = c.SpeedSlow
	}
	return ttft != nil && *ttft && speed != nil && *speed
}

// Users is how many users a deployment carries, by Little's law: a user thinks,
// then occupies one slot for the latency of a request, and so on.
type Users struct {
	Basis       Basis
	Known       bool    // false when not even the lowest concurrency meets the limits
	Concurrency int     // highest of the contiguous prefix that meets them
	Highest     bool    // no higher concurrency was measured: the users are at least this many
	LatencyS    float64 // mean latency there
	Users       float64 // Concurrency × (1 + think time / latency)
}

// UsersOf returns how many users the deployment carries on a basis.
func (curve LoadCurve) UsersOf(b Basis, slo SLO) Users {
	out := Users{Basis: b}
	for i, c := range curve.Compliances(slo) {
		latency := curve.Points[i].Latency.Mean
		if !c.meets(b) || latency == nil || *latency <= 0 {
			break
		}
		out.Known, out.Concurrency, out.LatencyS = true, c.Concurrency, *latency
		out.Highest = i == len(curve.Points)-1
	}
	if out.Known {
		out.Users = float64(out.Concurrency) * (1 + slo.ThinkS/out.LatencyS)
	}
	return out
}
