package numpy

import "math/bits"

// A Generator is the stream of numpy.random.default_rng(seed): PCG64 with XSL-RR
// output. It is not safe for concurrent use.
type Generator struct {
	state, increment uint128
	half             uint32 // upper half of the last 64-bit output
	hasHalf          bool
}

type uint128 struct{ high, low uint64 }

// pcgMultiplier is the multiplier of the 128-bit generator.
var pcgMultiplier = uint128{0x2360ed051fc65da4, 0x4385df649fccf645}

// NewGenerator returns numpy.random.default_rng(seed).
func NewGenerator(seed uint64) *Generator {
	s := generateState(seedPool(seed), 4)
	g := &Generator{increment: uint128{s[2]<<1 | s[3]>>63, s[3]<<1 | 1}}
	g.step()
	g.state = g.state.plus(uint128{s[0], s[1]})
	g.step()
	return g
}

func (a uint128) plus(b uint128) uint128 {
	low, carry := bits.Add64(a.low, b.low, 0)
	high, _ := bits.Add64(a.high, b.high, carry)
	return uint128{high, low}
}

func (a uint128) times(b uint128) uint128 {
	high, low := bits.Mul64(a.low, b.low)
	return uint128{high + a.high*b.low + a.low*b.high, low}
}

func (g *Generator) step() {
	g.state = g.state.times(pcgMultiplier).plus(g.increment)
}

// Uint64 returns the next 64 bits. It leaves a half that Uint32 kept in place.
func (g *Generator) Uint64() uint64 {
	g.step()
	return bits.RotateLeft64(g.state.high^g.state.low, -int(g.state.high>>58))
}

// Uint32 returns the next 32 bits: the lower half of a 64-bit output, then, on
// the next call, its upper half.
func (g *Generator) Uint32() uint32 {
	if g.hasHalf {
		g.hasHalf = false
		return g.half
	}
	n := g.Uint64()
	g.half, g.hasHalf = uint32(n>>32), true
	return uint32(n)
}

// Integers returns n integers as Generator.integers(low, high, size=n) draws
// them: uniform, at least low and less than high. It returns nil when high does
// not exceed low or n is not positive.
func (g *Generator) Integers(low, high int64, n int) []int64 {
	if high <= low || n <= 0 {
		return nil
	}
	span := uint64(high) - uint64(low) - 1 // largest offset from low
	out := make([]int64, n)
	for i := range out {
		out[i] = int64(uint64(low) + g.offset(span))
	}
	return out
}

// offset returns a uniform integer in [0,span]. A span of zero draws nothing.
func (g *Generator) offset(span uint64) uint64 {
	switch {
	case span == 0:
		return 0
	case span < 1<<32-1:
		return uint64(g.bounded32(uint32(span) + 1))
	case span == 1<<32-1:
		return uint64(g.Uint32())
	case span == 1<<64-1:
		return g.Uint64()
	}
	return g.bounded64(span + 1)
}

// bounded32 returns a uniform integer below n by Lemire's method: the upper half
// of a product, redrawn where the lower half would favour some values.
func (g *Generator) bounded32(n uint32) uint32 {
	product := uint64(g.Uint32()) * uint64(n)
	if uint32(product) < n {
		for threshold := -n % n; uint32(product) < threshold; {
			product = uint64(g.Uint32()) * uint64(n)
		}
	}
	return uint32(product >> 32)
}

func (g *Generator) bounded64(n uint64) uint64 {
	high, low := bits.Mul64(g.Uint64(), n)
	if low < n {
		for threshold := -n % n; low < threshold; {
			high, low = bits.Mul64(g.Uint64(), n)
		}
	}
	return high
}
