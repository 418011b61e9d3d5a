package simserver

import "testing"

// The pool never holds more than its capacity, and forgets the block that was
// unused for longest.
func TestBlockPool(t *testing.T) {
	t.Parallel()
	p := newBlockPool(3)
	take := func(hash uint64) *block {
		t.Helper()
		b := p.take()
		if b == nil {
			t.Fatal("no block")
		}
		p.name(b, hash)
		return b
	}
	one, two, three := take(1), take(2), take(3)
	if p.take() != nil || p.room() != 0 {
		t.Error("a fourth block of three")
	}
	p.release(two)
	p.release(one)
	if p.room() != 2 || p.used != 1 || p.idle != 2 {
		t.Errorf("room %d, used %d, idle %d", p.room(), p.used, p.idle)
	}
	for want := 1; want <= 2; want++ {
		if p.share(1) != one || one.refs != want || p.used != 2 {
			t.Errorf("block 1 is not shared: %+v", one)
		}
	}
	take(4) // in the place of block 2
	if p.share(2) != nil {
		t.Error("block 2 was not forgotten")
	}
	again := p.known[3]
	if p.name(&block{}, 3); p.known[3] != again {
		t.Error("a second block took the name of the first")
	}
	p.release(one)
	if one.refs != 1 || p.used != 3 {
		t.Error("a shared block was given back by one of two")
	}
	p.release(one)
	p.release(three)
	p.forget()
	if len(p.known) != 1 || p.idle != 0 || p.room() != 2 {
		t.Errorf("known %v, idle %d, room %d", p.known, p.idle, p.room())
	}
}
