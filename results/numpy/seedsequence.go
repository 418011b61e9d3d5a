package numpy

// poolSize is the number of words that a seed is spread over.
const poolSize = 4

// A hasher is the multiplicative hash of numpy's SeedSequence. Its constant
// changes with every word.
type hasher struct{ constant, multiplier uint32 }

func (h *hasher) hash(word uint32) uint32 {
	word ^= h.constant
	h.constant *= h.multiplier
	word *= h.constant
	return word ^ word>>16
}

func mix(x, y uint32) uint32 {
	m := 0xca01f9dd*x - 0x4973f715*y
	return m ^ m>>16
}

// seedPool spreads a seed as numpy.random.SeedSequence(seed) does.
func seedPool(seed uint64) [poolSize]uint32 {
	entropy := [poolSize]uint32{uint32(seed), uint32(seed >> 32)} // the rest hashes as zero
	h := hasher{constant: 0x43b0d7e5, multiplier: 0x931e8875}
	var pool [poolSize]uint32
	for i, word := range entropy {
		pool[i] = h.hash(word)
	}
	for from := range pool {
		for to := range pool {
			if from != to {
				pool[to] = mix(pool[to], h.hash(pool[from]))
			}
		}
	}
	return pool
}

// generateState returns the first n words of SeedSequence.generate_state with
// 64-bit words.
func generateState(pool [poolSize]uint32, n int) []uint64 {
	h := hasher{constant: 0x8b51f9dd, multiplier: 0x58f38ded}
	state := make([]uint64, n)
	for i := range state {
		low := h.hash(pool[2*i%poolSize])
		high := h.hash(pool[(2*i+1)%poolSize])
		state[i] = uint64(high)<<32 | uint64(low)
	}
	return state
}
