package numpy

// mtWords is the number of words in the state of the Mersenne Twister.
const mtWords = 624

// A twister is MT19937, the generator behind numpy.random.seed and behind
// Python's own random module. The two differ in how they seed it.
type twister struct {
	state [mtWords]uint32
	next  int // word of state that the next output comes from; mtWords when all are used
}

// seedWord fills the state from one word.
func (t *twister) seedWord(seed uint32) {
	t.state[0] = seed
	for i := uint32(1); i < mtWords; i++ {
		before := t.state[i-1]
		t.state[i] = 1812433253*(before^before>>30) + i
	}
	t.next = mtWords
}

// seedWords fills the state from at least one word.
func (t *twister) seedWords(key []uint32) {
	t.seedWord(19650218)
	at := 1
	move := func() {
		if at++; at == mtWords {
			t.state[0], at = t.state[mtWords-1], 1
		}
	}
	spread := func(multiplier uint32) uint32 {
		before := t.state[at-1]
		return t.state[at] ^ (before^before>>30)*multiplier
	}
	for i := range max(mtWords, len(key)) {
		j := i % len(key)
		t.state[at] = spread(1664525) + key[j] + uint32(j)
		move()
	}
	for range mtWords - 1 {
		t.state[at] = spread(1566083941) - uint32(at)
		move()
	}
	t.state[0] = 1 << 31
}

func (t *twister) refill() {
	for i := range t.state {
		y := t.state[i]&(1<<31) | t.state[(i+1)%mtWords]&(1<<31-1)
		t.state[i] = t.state[(i+397)%mtWords] ^ y>>1 ^ (y&1)*0x9908b0df
	}
	t.next = 0
}

func (t *twister) uint32() uint32 {
	if t.next == mtWords {
		t.refill()
	}
	y := t.state[t.next]
	t.next++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

// float64 returns a multiple of 2⁻⁵³ in [0,1).
func (t *twister) float64() float64 {
	high, low := uint64(t.uint32()>>5), uint64(t.uint32()>>6)
	return float64(high<<26|low) / (1 << 53)
}
