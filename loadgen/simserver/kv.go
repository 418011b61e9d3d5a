package simserver

// A block holds the keys and values of BlockTokens tokens.
type block struct {
	hash   uint64 // of all tokens up to its last, once it is full and known
	known  bool
	refs   int    // requests that use it
	before *block // among the idle blocks
	after  *block
}

// A blockPool is the KV cache. A block that no request uses keeps its content
// until its place is needed; the one unused for longest goes first.
type blockPool struct {
	total int // capacity in blocks
	used  int // with refs
	idle  int // without refs, but known
	known map[uint64]*block
	ring  block // of the idle blocks: after it the one unused for longest
}

func newBlockPool(total int) *blockPool {
	p := &blockPool{total: total, known: map[uint64]*block{}}
	p.ring.before, p.ring.after = &p.ring, &p.ring
	return p
}

// take returns an empty block, or nil when all are in use.
func (p *blockPool) take() *block {
	if p.used+p.idle == p.total {
		if p.idle == 0 {
			return nil
		}
		oldest := p.ring.after
		p.unlink(oldest)
		delete(p.known, oldest.hash)
	}
	p.used++
	return &block{refs: 1}
}

// room returns how many blocks can be taken.
func (p *blockPool) room() int { return p.total - p.used }

// share returns the block with the given content and counts its user, or nil.
func (p *blockPool) share(hash uint64) *block {
	b := p.known[hash]
	if b == nil {
		return nil
	}
	if b.refs == 0 {
		p.unlink(b)
		p.used++
	}
	b.refs++
	return b
}

// name makes a full block known by its content. A second block with the same
// content stays unknown.
func (p *blockPool) name(b *block, hash uint64) {
	if b.known || p.known[hash] != nil {
		return
	}
	b.known, b.hash = true, hash
	p.known[hash] = b
}

// release gives a block back.
func (p *blockPool) release(b *block) {
	b.refs--
	if b.refs > 0 {
		return
	}
	p.used--
	if b.known {
		p.idle++
		last := p.ring.before
		last.after, b.before = b, last
		b.after, p.ring.before = &p.ring, b
	}
}

// unlink removes b from the idle blocks.
func (p *blockPool) unlink(b *block) {
	b.before.after, b.after.before = b.after, b.before
	b.before, b.after = nil, nil
	p.idle--
}

// blockHash returns the hash of a block that follows one with hash before.
func blockHash(before uint64, ids []int32) uint64 {
	h := mix(before ^ 0x9e3779b97f4a7c15)
	for _, id := range ids {
		h = mix(h ^ uint64(uint32(id)))
	}
	return h
}

// forget drops the content of idle blocks.
func (p *blockPool) forget() {
	for p.idle > 0 {
		oldest := p.ring.after
		p.unlink(oldest)
		delete(p.known, oldest.hash)
	}
}
