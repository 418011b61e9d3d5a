package chart

import (
	"encoding/xml"
	"strings"
	"testing"
)

func TestFinish(t *testing.T) {
	t.Parallel()
	const open = `<svg width="640" height="330" xmlns="http://www.w3.org/2000/svg" version="1.1" viewBox="0 0 640 330">`
	const head = `<svg xmlns="http://www.w3.org/2000/svg" class="chart chart-wide" viewBox="0 0 640 330" role="img" aria-labelledby="` +
		idMark + `-w-t ` + idMark + `-w-d" font-size="12"><title id="` + idMark + `-w-t">T &lt;1&gt;</title><desc id="` + idMark + `-w-d">D &amp; d</desc>`
	for _, c := range []struct{ name, in, want string }{
		{"background and styles", `<rect width="640" height="330" fill="none"></rect><style><![CDATA[.a:hover{fill:red}]]></style>`, ``},
		{
			"what paints nothing", `<path d="M26 22l89.8 0l0 14l-89.8 0Z" fill="rgb(0,0,0)" fill-opacity="0" stroke="#b7b9be" stroke-width="0"/><path d="M1 1L2 2L3 3Z" fill="none"/>`, ``,
		},
		{
			"text", `<text dominant-baseline="central" text-anchor="start" style="font-size:11px;font-family:sans-serif;font-weight:bold;" xml:space="preserve" x="-25" y="-6" transform="translate(25 16)" fill="#5c5c5c">a &amp; b</text>`,
			`<text fill="#5c5c5c" font-size="11" font-weight="bold" x="0" y="13.9">a &amp; b</text>`,
		},
		{
			"text of the common size", `<text text-anchor="end" style="font-size:12px" transform="translate(17 198.6667)">5</text>`,
			`<text text-anchor="end" x="17" y="198.7">5</text>`,
		},
		{
			"marker", `<path d="M1 0A1 1 0 1 1 1 -0.1" transform="matrix(3.5,0,0,3.5,61.826,278.7093)" fill="#0072b2" ecmeta_series_index="3" class="zr0-cls-1" pointer-events="visible"></path>`,
			`<path d="M65.3 278.7A3.5 3.5 0 1 1 65.3 278.4" fill="#0072b2"/>`,
		},
		{
			"neighbours alike", `<path d="M1 1L2 2" fill="#000" stroke="#e2e2e0"/><path d="M3 3L4 4" fill="none" stroke="#e2e2e0"/><path d="M5 5L6 6" fill="none" stroke="#b4b4b0"/>`,
			`<path d="M1 1L2 2M3 3L4 4" fill="none" stroke="#e2e2e0"/><path d="M5 5L6 6" fill="none" stroke="#b4b4b0"/>`,
		},
		{
			"neighbours transparent", `<path d="M1 1L2 2L0 2Z" fill-opacity="0.1"/><path d="M3 3L4 4L0 4Z" fill-opacity="0.1"/>`,
			`<path d="M1 1L2 2L0 2Z" fill-opacity="0.1"/><path d="M3 3L4 4L0 4Z" fill-opacity="0.1"/>`,
		},
		{
			"band", `<polygon points="1,2 3.04,4 5,-6" fill="#0072b2" fill-opacity="0.14"></polygon>`,
			`<path d="M1 2L3 4L5-6Z" fill="#0072b2" fill-opacity="0.14"/>`,
		},
		{
			"clip", `<g clip-path="url(#zr0-c0)"><path d="M1 1L2 2L3 0"/></g><defs><clipPath id="zr0-c0"><path d="M24 27l603 0l0 258l-603 0Z" fill="#000"/></clipPath></defs>`,
			`<g clip-path="url(#` + idMark + `-w-0)"><path d="M1 1L2 2L3 0"/></g><defs><clipPath id="` + idMark + `-w-0"><path d="M24 27l603 0l0 258l-603 0Z"/></clipPath></defs>`,
		},
		{
			"clip that cuts nothing", `<g clip-path="url(#zr0-c0)"><path d="M1 1L2 2L3 0"/></g><defs><clipPath id="zr0-c0"><path d="M24 -576l603 0l0 1464l-603 0Z" fill="#000"/></clipPath></defs>`,
			`<path d="M1 1L2 2L3 0"/>`,
		},
	} {
		got, err := finish(open+c.in+"</svg>", "T <1>", "D & d", wide)
		if want := head + c.want + "</svg>"; err != nil || got != want {
			t.Errorf("%s: got (%v)\n%s\nwant\n%s", c.name, err, got, want)
		}
	}
}

func TestFinishRefuses(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`<svg>`:                        "read drawing",
		`<p/>`:                         "not one svg element",
		``:                             "not one svg element",
		`<svg><image href="x"/></svg>`: `unknown element "image"`,
		`<svg><foreignObject/></svg>`:  "unknown element",
		`<svg><path d="M1 1X"/></svg>`: "read path data",
		`<svg><path d="M1"/></svg>`:    "read path data",
		`<svg><path d="M1 1" transform="rotate(3)"/></svg>`:            "unknown",
		`<svg><path d="M1 1" transform="matrix(1,2,3,4,5,6)"/></svg>`:  "turned or stretched",
		`<svg><text transform="scale(2)">x</text></svg>`:               "turned or scaled",
		`<svg><g clip-path="url(#nowhere)"><path d="M1 1"/></g></svg>`: "not in the drawing",
		`<svg><path d="M1 1" style="nothing"/></svg>`:                  "read style",
	} {
		if _, err := finish(in, "t", "d", wide); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", in, err, want)
		}
	}
}

// FuzzFinish: whatever comes in, what goes out is well-formed and holds no
// element or attribute that runs or styles anything.
func FuzzFinish(f *testing.F) {
	f.Add(`<svg viewBox="0 0 1 1"><path d="M1 0A1 1 0 1 1 1 -0.1" transform="matrix(3.5,0,0,3.5,61.8,278.7)"/><text style="font-size:11px" x="1">a</text></svg>`)
	f.Add(`<svg><g clip-path="url(#a)"><path d="M1 1l2 2z"/></g><defs><clipPath id="a"><path d="M1-2l3 0Z"/></clipPath></defs></svg>`)
	f.Add(`<svg><polygon points="1,2 3,4"/><rect fill="none"/><style>a</style></svg>`)
	f.Fuzz(func(t *testing.T, in string) {
		out, err := finish(in, "t", "d", narrow)
		if err != nil {
			return
		}
		d := xml.NewDecoder(strings.NewReader(strings.ReplaceAll(out, idMark, "x")))
		for {
			token, err := d.Token()
			if err != nil {
				if err.Error() != "EOF" {
					t.Fatalf("%v: %q", err, out)
				}
				return
			}
			if e, ok := token.(xml.StartElement); ok {
				if allowed[e.Name.Local] == "" && e.Name.Local != "defs" {
					t.Fatalf("element %s in %q", e.Name.Local, out)
				}
				for _, a := range e.Attr {
					if !strings.Contains(" "+allowed[e.Name.Local]+" ", " "+a.Name.Local+" ") {
						t.Fatalf("attribute %s in %q", a.Name.Local, out)
					}
				}
			}
		}
	})
}
