package numpy

import "math/bits"

// A Python is the stream of CPython's random.Random(seed), which is not numpy's.
// It is not safe for concurrent use.
type Python struct{ twister twister }

// NewPython returns random.Random(seed). Python takes the seed without its sign.
func NewPython(seed int64) *Python {
	size := uint64(seed)
	if seed < 0 {
		size = -size
	}
	key := []uint32{uint32(size)}
	if size>>32 != 0 {
		key = append(key, uint32(size>>32))
	}
	var p Python
	p.twister.seedWords(key)
	return &p
}

// Bits returns getrandbits(k) for k in [0,64]; more count as 64, less as 0.
func (p *Python) Bits(k int) uint64 {
	switch {
	case k <= 0:
		return 0
	case k <= 32:
		return uint64(p.twister.uint32() >> (32 - k))
	}
	low := uint64(p.twister.uint32())
	return low | uint64(p.twister.uint32()>>(64-min(k, 64)))<<32
}

// Below returns a uniform integer in [0,n), as randrange(n) and choice draw it.
// Below(0) is 0 and draws nothing.
func (p *Python) Below(n uint64) uint64 {
	if n == 0 {
		return 0
	}
	k := bits.Len64(n)
	r := p.Bits(k)
	for r >= n {
		r = p.Bits(k)
	}
	return r
}

// Shuffle shuffles n elements as shuffle does; swap exchanges two of them.
func (p *Python) Shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, int(p.Below(uint64(i)+1)))
	}
}
