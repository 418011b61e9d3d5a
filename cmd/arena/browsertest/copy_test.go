//go:build browser

package browsertest

import (
	"fmt"
	"testing"

	"example.org/arena/i18n"
	"github.com/go-rod/rod/lib/proto"
)

// Every copy button puts exactly its command into the clipboard, and says so in
// the language of the page.
func TestCopy(t *testing.T) {
	v := browse(t, desktop)
	v.mayReadClipboard(bench.origin)
	buttons := 0
	for _, p := range samples(t) {
		for _, lang := range i18n.Langs {
			v.open(p.in(lang))
			v.unfold()
			buttons += v.copyAll(func() string { return v.eval(`navigator.clipboard.readText()`) })
			v.clean(p.in(lang))
		}
	}
	if buttons < 100 {
		t.Errorf("found %d copy buttons in all", buttons)
	}
}

// Where the browser has no clipboard interface, because the page comes over plain
// HTTP from another machine, copying works too.
func TestCopyWithoutClipboardInterface(t *testing.T) {
	p := largest(t, "method")
	reader := browse(t, desktop)
	reader.mayReadClipboard(bench.origin)
	reader.open("/")
	v := reader.beside()
	v.openAt(bench.foreign, p.in(i18n.FR))
	v.want(`[window.isSecureContext, navigator.clipboard === undefined]`, `[false,true]`)
	v.unfold()
	n := v.copyAll(func() string {
		_, err := reader.page.Activate()
		check(t, err)
		text := reader.eval(`navigator.clipboard.readText()`)
		_, err = v.page.Activate()
		check(t, err)
		return text
	})
	if n == 0 {
		t.Errorf("%s has no copy button", p.path)
	}
	// Browsers ignore one of our headers on such pages, and say so.
	v.forget("The Cross-Origin-Opener-Policy header has been ignored")
	v.clean(p.path)
}

// A copy that the browser refuses is said to have failed.
func TestCopyRefused(t *testing.T) {
	v := browse(t, desktop)
	check(t, proto.BrowserSetPermission{
		Permission: &proto.BrowserPermissionDescriptor{Name: "clipboard-write"}, Setting: proto.BrowserPermissionSettingDenied,
		Origin: bench.origin, BrowserContextID: v.context,
	}.Call(bench.browser))
	v.open(largest(t, "method").in(i18n.NL))
	v.unfold()
	v.click("button.copy")
	v.await(`(() => { const b = document.querySelector("button.copy"); return b.textContent === b.dataset.fail && b.textContent !== ""; })()`)
	v.clean("refused copy")
}

// copyAll presses every copy button of the page and compares what read returns,
// as JSON, with the command. It returns how many there are.
func (v *visit) copyAll(read func() string) int {
	v.t.Helper()
	var n int
	v.evalTo(&n, `document.querySelectorAll("button.copy").length`)
	for i := range n {
		v.eval(fmt.Sprintf(`document.querySelectorAll("button.copy").forEach((b, i) => b.toggleAttribute("data-next", i === %d))`, i))
		v.click("button.copy[data-next]")
		v.await(`(() => { const b = document.querySelector("button.copy[data-next]"); return b.textContent === b.dataset.done && b.textContent !== ""; })()`)
		want := v.eval(`document.getElementById(document.querySelector("button.copy[data-next]").dataset.copy).textContent`)
		if got := read(); got != want || len(want) < 12 {
			v.t.Errorf("button %d copies %s, want %s", i, got, want)
		}
		v.want(`document.getElementById(document.querySelector("button.copy[data-next]").dataset.copy).closest("pre").contains(document.querySelector("button.copy[data-next]"))`, "false")
	}
	return n
}

func (v *visit) mayReadClipboard(origin string) {
	v.t.Helper()
	check(v.t, proto.BrowserGrantPermissions{
		Permissions:      []proto.BrowserPermissionType{proto.BrowserPermissionTypeClipboardReadWrite, proto.BrowserPermissionTypeClipboardSanitizedWrite},
		Origin:           origin,
		BrowserContextID: v.context,
	}.Call(bench.browser))
}
