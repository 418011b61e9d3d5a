//go:build browser

package browsertest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/launcher/flags"
	"github.com/go-rod/rod/lib/proto"
)

func flagName(s string) flags.Flag { return flags.Flag(s) }

// A screen is what a page is looked at with.
type screen struct {
	width    int // CSS pixels
	dark     bool
	noScript bool
}

var desktop, phone = screen{width: 1280}, screen{width: 375}

func (s screen) in(dark bool) screen {
	s.dark = dark
	return s
}

func (s screen) String() string {
	scheme := "light"
	if s.dark {
		scheme = "dark"
	}
	return fmt.Sprintf("%d-%s", s.width, scheme)
}

// patience is how long any step may take. Machines that test are often busy.
const patience = 60 * time.Second

// A visit is one tab, with its own storage, and what the browser said about the
// pages in it.
type visit struct {
	t       *testing.T
	context proto.BrowserBrowserContextID
	tab     *rod.Page
	page    *rod.Page // the tab, for as long as patience lasts

	mu         sync.Mutex
	heard      *sync.Cond
	complaints []string
	requests   []string // addresses
	marks      int
	loads      int
}

// browse opens a tab with storage of its own.
func browse(t *testing.T, s screen) *visit {
	t.Helper()
	private, err := bench.browser.Incognito()
	check(t, err)
	t.Cleanup(func() {
		proto.TargetDisposeBrowserContext{BrowserContextID: private.BrowserContextID}.Call(bench.browser)
	})
	return openTab(t, private, s)
}

// beside opens another tab with the same storage and clipboard.
func (v *visit) beside() *visit {
	v.t.Helper()
	return openTab(v.t, v.tab.Browser(), desktop)
}

func openTab(t *testing.T, browser *rod.Browser, s screen) *visit {
	t.Helper()
	tab, err := browser.Page(proto.TargetCreateTarget{})
	check(t, err)
	t.Cleanup(func() { tab.Close() })
	page := tab.Timeout(patience)
	v := &visit{t: t, context: browser.BrowserContextID, tab: tab, page: page}
	v.heard = sync.NewCond(&v.mu)
	v.listen()
	scheme := "light"
	if s.dark {
		scheme = "dark"
	}
	check(t, proto.EmulationSetEmulatedMedia{Features: []*proto.EmulationMediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}}.Call(page))
	check(t, page.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: s.width, Height: 800, DeviceScaleFactor: 1}))
	if s.noScript {
		check(t, proto.EmulationSetScriptExecutionDisabled{Value: true}.Call(page))
	}
	return v
}

// listen notes what the browser complains about and asks for.
func (v *visit) listen() {
	check(v.t, proto.LogEnable{}.Call(v.page))
	check(v.t, proto.NetworkEnable{}.Call(v.page))
	wait := v.tab.EachEvent(
		func(e *proto.RuntimeConsoleAPICalled) {
			words := make([]string, len(e.Args))
			for i, a := range e.Args {
				words[i] = strings.Trim(a.Value.JSON("", "")+" "+a.Description, " ")
			}
			if e.Type == proto.RuntimeConsoleAPICalledTypeDebug && slices.Equal(words, []string{`"browsertest"`}) {
				v.note(func() { v.marks++ })
				return
			}
			v.complain("console." + string(e.Type) + " " + strings.Join(words, " "))
		},
		func(e *proto.RuntimeExceptionThrown) {
			text := e.ExceptionDetails.Text
			if x := e.ExceptionDetails.Exception; x != nil {
				text += " " + x.Description
			}
			v.complain("exception " + text)
		},
		func(e *proto.LogEntryAdded) {
			v.complain(fmt.Sprintf("%s %s: %s %s", e.Entry.Source, e.Entry.Level, e.Entry.Text, e.Entry.URL))
		},
		func(*proto.PageLoadEventFired) { v.note(func() { v.loads++ }) },
		func(e *proto.NetworkRequestWillBeSent) {
			v.note(func() { v.requests = append(v.requests, e.Request.URL) })
		},
		func(e *proto.NetworkLoadingFailed) {
			if e.Canceled { // by leaving the page
				return
			}
			v.complain("loading failed: " + e.ErrorText + " " + string(e.BlockedReason))
		},
	)
	go wait()
}

func (v *visit) note(f func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	f()
	v.heard.Broadcast()
}

func (v *visit) complain(text string) { v.note(func() { v.complaints = append(v.complaints, text) }) }

// hear waits until something was heard.
func (v *visit) hear(what string, heard func() bool) {
	v.t.Helper()
	silent := false
	late := time.AfterFunc(patience, func() { v.note(func() { silent = true }) })
	defer late.Stop()
	v.mu.Lock()
	defer v.mu.Unlock()
	for !heard() {
		if silent {
			v.t.Fatalf("the browser is silent about %s", what)
		}
		v.heard.Wait()
	}
}

// settle waits until everything that the browser said so far was heard: it says
// one more thing and waits for that.
func (v *visit) settle() {
	v.t.Helper()
	v.mu.Lock()
	want := v.marks + 1
	v.mu.Unlock()
	v.eval(`console.debug("browsertest")`)
	v.hear("the end of the news", func() bool { return v.marks >= want })
}

// load does what leads to another page and waits until all of that has run. It
// asks nothing of the page, which may not run scripts.
func (v *visit) load(what string, leave func() error) {
	v.t.Helper()
	v.mu.Lock()
	want := v.loads + 1
	v.mu.Unlock()
	v.page = v.tab.Timeout(patience)
	if err := leave(); err != nil {
		v.t.Fatalf("%s: %v", what, err)
	}
	v.hear("the load of "+what, func() bool { return v.loads >= want })
}

// open loads the page at an address that begins with a slash, and waits until all
// of it has run.
func (v *visit) open(address string) { v.openAt(bench.origin, address) }

func (v *visit) openAt(origin, address string) {
	v.t.Helper()
	v.load(address, func() error { return v.page.Navigate(origin + address) })
}

// follow clicks a link and waits for its page.
func (v *visit) follow(selector string) {
	v.t.Helper()
	v.load(selector, func() error { return v.press(selector) })
}

// clean fails for everything that the browser complained about and every request
// to another place than the site.
func (v *visit) clean(what string) {
	v.t.Helper()
	v.settle()
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, c := range v.complaints {
		v.t.Errorf("%s: %s", what, c)
	}
	for _, r := range v.requests {
		if !strings.HasPrefix(r, bench.origin+"/") && !strings.HasPrefix(r, bench.foreign+"/") && !strings.HasPrefix(r, "data:") {
			v.t.Errorf("%s: request to %s", what, r)
		}
	}
	v.complaints, v.requests = nil, nil
}

// forget drops complaints that a test expects.
func (v *visit) forget(text string) {
	v.t.Helper()
	v.settle()
	v.mu.Lock()
	defer v.mu.Unlock()
	n := len(v.complaints)
	v.complaints = slices.DeleteFunc(v.complaints, func(c string) bool { return strings.Contains(c, text) })
	if len(v.complaints) == n {
		v.t.Errorf("the browser did not say %q", text)
	}
}

// eval returns the value of a JavaScript expression as JSON.
func (v *visit) eval(expression string) string {
	v.t.Helper()
	res, err := v.page.Eval(`async () => JSON.stringify(await (` + expression + `)) ?? "null"`)
	if err != nil {
		v.t.Fatalf("%s: %v", expression, err)
	}
	return res.Value.Str()
}

// evalTo reads the value of a JavaScript expression.
func (v *visit) evalTo(to any, expression string) {
	v.t.Helper()
	if err := json.Unmarshal([]byte(v.eval(expression)), to); err != nil {
		v.t.Fatalf("%s: %v", expression, err)
	}
}

// want compares the value of a JavaScript expression with JSON.
func (v *visit) want(expression, want string) {
	v.t.Helper()
	if got := v.eval(expression); got != want {
		v.t.Errorf("%s = %s, want %s", expression, got, want)
	}
}

// await waits until a JavaScript expression is true.
func (v *visit) await(expression string) {
	v.t.Helper()
	if err := v.page.Wait(rod.Eval(`() => ` + expression)); err != nil {
		v.t.Fatalf("%s never comes true: %v", expression, err)
	}
}

func (v *visit) element(selector string) *rod.Element {
	v.t.Helper()
	e, err := v.page.Element(selector)
	if err != nil {
		v.t.Fatalf("%s: %v", selector, err)
	}
	return e
}

func (v *visit) click(selector string) {
	v.t.Helper()
	check(v.t, v.press(selector))
}

// press clicks in the middle of an element. The driver's own way waits for the
// page's scripts, which may be off.
func (v *visit) press(selector string) error {
	e := v.element(selector)
	if err := (proto.DOMScrollIntoViewIfNeeded{ObjectID: e.Object.ObjectID}).Call(v.page); err != nil {
		return fmt.Errorf("scroll to %s: %w", selector, err)
	}
	quads, err := (proto.DOMGetContentQuads{ObjectID: e.Object.ObjectID}).Call(v.page)
	if err != nil {
		return fmt.Errorf("find %s: %w", selector, err)
	}
	if len(quads.Quads) == 0 {
		return fmt.Errorf("%s is nowhere on the page", selector)
	}
	q := quads.Quads[0]
	if err := v.page.Mouse.MoveTo(proto.NewPoint((q[0]+q[4])/2, (q[1]+q[5])/2)); err != nil {
		return err
	}
	return v.page.Mouse.Click(proto.InputMouseButtonLeft, 1)
}

// unfold opens everything that is folded.
func (v *visit) unfold() {
	v.eval(`document.querySelectorAll("details").forEach((d) => (d.open = true))`)
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
