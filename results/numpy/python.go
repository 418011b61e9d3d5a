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

// Float64 returns random(): uniform in [0,1).
func (p *Python) Float64() float64 { return p.twister.float64() }

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

// RandRange returns randrange(start, stop, step) and whether the range holds
// anything; an empty one draws nothing.
func (p *Python) RandRange(start, stop, step int64) (int64, bool) {
	var width, stride uint64
	switch {
	case step > 0 && start < stop:
		width, stride = uint64(stop)-uint64(start), uint64(step)
	case step < 0 && start > stop:
		width, stride = uint64(start)-uint64(stop), -uint64(step)
	default:
		return 0, false
	}
	steps := p.Below((width-1)/stride + 1)
	return int64(uint64(start) + steps*uint64(step)), true
}

// Shuffle shuffles n elements as shuffle does; swap exchanges two of them.
func (p *Python) Shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, int(p.Below(uint64(i)+1)))
	}
}

// Sample returns sample(range(n), k): k different integers of [0,n) in the order
// in which they were drawn. It returns nil when there are not k of them.
func (p *Python) Sample(n, k int) []int {
	if k < 0 || k > n {
		return nil
	}
	out := make([]int, k)
	if n <= sampleFromPool(k) {
		pool := make([]int, n)
		for i := range pool {
			pool[i] = i
		}
		for i := range out {
			j := p.Below(uint64(n - i))
			out[i] = pool[j]
			pool[j] = pool[n-i-1] // keeps the unused ones in front
		}
		return out
	}
	seen := make(map[int]bool, k)
	for i := range out {
		j := int(p.Below(uint64(n)))
		for seen[j] {
			j = int(p.Below(uint64(n)))
		}
		seen[j] = true
		out[i] = j
	}
	return out
}

// sampleFromPool returns the largest population for which sample copies it: a
// list is then smaller than a set of k elements, as CPython estimates the two.
func sampleFromPool(k int) int {
	size := 21
	if k > 5 {
		table := 1
		for table < 3*k { // Python: 4 ** ceil(log(3k, 4))
			table *= 4
		}
		size += table
	}
	return size
}
