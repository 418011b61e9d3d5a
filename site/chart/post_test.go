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
			`<text x="-25" y="-6" transform="translate(25 16)" fill="#5c5c5c" font-size="11" font-weight="bold" dy="0.35em">a &amp; b</text>`,
		},
		{
			"text of the common size", `<text text-anchor="end" style="font-size:12px" transform="translate(17 198.6667)">5</text>`,
			`<text text-anchor="end" transform="translate(17 198.6667)">5</text>`,
		},
		{
			"marker", `<path d="M1 0A1 1 0 1 1 1 -0.1" transform="matrix(3.5,0,0,3.5,61.826,278.7093)" fill="#0072b2" ecmeta_series_index="3" class="zr0-cls-1" pointer-events="visible"></path>`,
			`<path d="M1 0A1 1 0 1 1 1 -0.1" transform="matrix(3.5,0,0,3.5,61.826,278.7093)" fill="#0072b2"/>`,
		},
		{
			"straight line", `<path d="M1 1L2 2" fill="#000" stroke="#e2e2e0"/>`, `<path d="M1 1L2 2" fill="none" stroke="#e2e2e0"/>`,
		},
		{
			"band", `<polygon points="1,2 3.04,4 5,-6" fill="#0072b2" fill-opacity="0.14"></polygon>`,
			`<polygon points="1,2 3.04,4 5,-6" fill="#0072b2" fill-opacity="0.14"/>`,
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
