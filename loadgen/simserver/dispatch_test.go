package simserver

import (
	"errors"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/nettest"
)

// noteTask notes when it ran, and may move itself.
type noteTask struct {
	entry
	ran  func(t *noteTask, now Offset)
	want Offset
}

func (t *noteTask) slot() *entry   { return &t.entry }
func (t *noteTask) run(now Offset) { t.ran(t, now) }

// Tasks run at their moments, in the order of moments and of arrival, whoever adds
// them.
func TestDispatcher(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		d := newDispatcher(func() Offset { return time.Since(begin) }, newTimerWaiter())
		go d.loop()
		defer d.close()
		random := rand.New(rand.NewPCG(1, 2))
		var ran []Offset
		var wg sync.WaitGroup
		const n = 500
		for range n {
			due := Offset(random.IntN(100)) * time.Millisecond
			task := &noteTask{want: due}
			task.ran = func(task *noteTask, now Offset) {
				if now != task.want {
					t.Errorf("task of %v ran at %v", task.want, now)
				}
				ran = append(ran, now)
			}
			wg.Go(func() {
				d.add(task, due+time.Hour)
				d.add(task, due)             // earlier: moved
				d.add(task, due+time.Minute) // later: stays
			})
		}
		wg.Wait()
		<-time.After(2 * time.Hour)
		synctest.Wait()
		if len(ran) != n || !slices.IsSorted(ran) {
			t.Errorf("%d tasks ran, in order: %t", len(ran), slices.IsSorted(ran))
		}
		order := []int{}
		for i := range 50 {
			d.add(&noteTask{ran: func(*noteTask, Offset) { order = append(order, i) }}, 3*time.Hour)
		}
		<-time.After(time.Hour)
		synctest.Wait()
		if len(order) != 50 || !slices.IsSorted(order) {
			t.Errorf("tasks of one moment ran as %v", order)
		}
	})
}

// No wake-up is lost: goroutines add a task at a time, and the next one only when
// it has run, so that the dispatcher goes to sleep for ever again and again.
func TestEveryTaskWakes(t *testing.T) {
	t.Parallel()
	for _, precise := range []bool{false, true} {
		w, err := newWaiter(precise)
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		d := newDispatcher(func() Offset { return time.Since(begin) }, w)
		go d.loop()
		var wg sync.WaitGroup
		for i := range 4 {
			wg.Go(func() {
				ran := make(chan struct{}, 1)
				task := &noteTask{ran: func(*noteTask, Offset) { ran <- struct{}{} }}
				random := rand.New(rand.NewPCG(uint64(i), 3))
				for range 2000 {
					d.add(task, d.clock()+Offset(random.IntN(20))*time.Microsecond)
					select {
					case <-ran:
					case <-time.After(30 * time.Second):
						t.Errorf("precise %t: a task never ran", precise)
						return
					}
				}
			})
		}
		wg.Wait()
		d.close()
	}
}

// Both waiters wait as long as they are told, and end when they are rung.
func TestWaiters(t *testing.T) {
	t.Parallel()
	for _, precise := range []bool{false, true} {
		done := make(chan struct{})
		go func() { // it may keep its thread
			defer close(done)
			w, err := newWaiter(precise)
			if err != nil {
				t.Error(err)
				return
			}
			begin := time.Now()
			for time.Since(begin) < 2*time.Millisecond {
				w.wait(2*time.Millisecond - time.Since(begin))
			}
			go w.ring()
			w.wait(-1)
			w.ring()
			w.wait(time.Hour)
			w.close()
			w.ring() // too late, and harmless
			if took := time.Since(begin); took > time.Minute {
				t.Errorf("precise %t: took %v", precise, took)
			}
		}()
		<-done
	}
}

// A connection in memory is as good as any.
func TestMemConn(t *testing.T) {
	t.Parallel()
	nettest.TestConn(t, func() (net.Conn, net.Conn, func(), error) {
		a, b := newMemConns()
		return a, b, func() { a.Close(); b.Close() }, nil
	})
}

func TestMemConnReset(t *testing.T) {
	t.Parallel()
	a, b := newMemConns()
	a.Write([]byte("x"))
	a.reset()
	buf := make([]byte, 8)
	if n, err := b.Read(buf); n != 1 || err != nil {
		t.Errorf("what was sent before: %d, %v", n, err)
	}
	if _, err := b.Read(buf); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("then %v", err)
	}
	if _, err := b.Write(buf); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("write: %v", err)
	}
	if _, err := a.Read(buf); !errors.Is(err, net.ErrClosed) {
		t.Errorf("own read: %v", err)
	}
}
