package simserver

import "math/rand/v2"

// drafts guesses tokens ahead for one request. Its draws depend on the seed and
// the request's number alone.
type drafts struct {
	length     int
	acceptance []float64
	random     *rand.Rand
}

func newDrafts(o *Options, seed uint64, seq int) drafts {
	if o.Draft == 0 {
		return drafts{}
	}
	return drafts{length: o.Draft, acceptance: o.Acceptance, random: draws(seed, streamDrafts, seq)}
}

// accepted draws how many of the guesses of one step hold: guess i counts only if
// those before it held.
func (d *drafts) accepted() int {
	for i := range d.length {
		p := d.acceptance[min(i, len(d.acceptance)-1)]
		if d.random.Float64() >= p {
			return i
		}
	}
	return d.length
}
