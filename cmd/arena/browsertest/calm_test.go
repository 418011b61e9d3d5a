//go:build browser

package browsertest

import (
	"fmt"
	"sync"
	"testing"

	"example.org/arena/i18n"
	"github.com/go-rod/rod/lib/proto"
)

// Nothing on a page jumps when its scripts run, however late they come: they are
// held back until the page has been painted without them.
func TestNothingJumps(t *testing.T) {
	for _, s := range []screen{desktop, phone} {
		v := browse(t, s)
		check(t, proto.NetworkSetCacheDisabled{CacheDisabled: true}.Call(v.tab))
		scripts := holdScripts(t, v)
		for _, p := range append(samples(t), place{path: "no/such/page/"}) {
			for _, lang := range i18n.Langs {
				address := p.in(lang)
				scripts.hold()
				var still float64
				v.load(address, func() error {
					if err := v.page.Navigate(bench.origin + address); err != nil {
						return err
					}
					v.evalTo(&still, painted)
					if scripts.release() == 0 {
						t.Errorf("%s: no script was held back", address)
					}
					return nil
				})
				v.calm(s.String()+" "+address, still)
			}
		}
	}
}

// painted waits until the whole page has been read and painted, and is the time of
// that, in ms.
const painted = `(async () => {
	if (document.readyState === "loading") await new Promise((done) => document.addEventListener("readystatechange", done, { once: true }));
	await new Promise((done) => new PerformanceObserver(done).observe({ type: "paint", buffered: true }));
	await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
	return performance.now();
})()`

// A gate holds back the scripts of a page.
type gate struct {
	v    *visit
	mu   sync.Mutex
	open bool
	held []proto.FetchRequestID
}

func holdScripts(t *testing.T, v *visit) *gate {
	t.Helper()
	g := &gate{v: v}
	go v.tab.EachEvent(func(e *proto.FetchRequestPaused) {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.held = append(g.held, e.RequestID)
		if g.open {
			g.let()
		}
	})()
	check(t, proto.FetchEnable{Patterns: []*proto.FetchRequestPattern{{URLPattern: "*.js"}}}.Call(v.tab))
	return g
}

func (g *gate) hold() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open = false
}

// release lets all scripts through, and says how many were waiting.
func (g *gate) release() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open = true
	n := len(g.held)
	g.let()
	return n
}

func (g *gate) let() {
	for _, id := range g.held {
		proto.FetchContinueRequest{RequestID: id}.Call(g.v.tab)
	}
	g.held = nil
}

// calm fails when something on the page has jumped since a time.
func (v *visit) calm(what string, since float64) {
	v.t.Helper()
	var shifts []string
	v.evalTo(&shifts, fmt.Sprintf(`new Promise((done) => {
		const all = [];
		const name = (n) => n ? (n.nodeName.toLowerCase() + "." + (n.className ?? "")) : "?";
		const add = (list) => list.filter((e) => e.startTime > %f).forEach((e) =>
			all.push(e.value.toFixed(4) + " " + [...new Set(e.sources.map((s) => name(s.node)))].join(" ")));
		const observer = new PerformanceObserver((l) => add(l.getEntries()));
		observer.observe({ type: "layout-shift", buffered: true });
		requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => { add(observer.takeRecords()); done(all); })));
	})`, since))
	for _, shift := range shifts {
		v.t.Errorf("%s: jumps by %s", what, shift)
	}
}
