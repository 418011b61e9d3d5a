package chart

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
)

// hostile are names that a contributor might try.
var hostile = []string{
	`<script>alert(1)</script>`,
	`"quotes" & 'apostrophes'`,
	`__f__alert(1)__f__`,
	`{b}{c}{a|x}`,
	`</text><image href="x" onerror="alert(1)"/>`,
	`</script><script>alert(1)</script>`,
}

// library is the built chart library. Tests that need it are skipped without it.
func library(t testing.TB) *Bundle {
	t.Helper()
	b, err := OpenBundle(os.DirFS("../../templates/dist"))
	if err != nil {
		t.Skipf("SKIPPED, NOTHING WAS TESTED: %v", err)
	}
	return b
}

func newRenderer(t testing.TB, jobs int) *Renderer {
	t.Helper()
	r, err := New(Config{Bundle: library(t), Jobs: jobs})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func render(t *testing.T, r *Renderer, id string, s Spec) Figure {
	t.Helper()
	f, err := r.Render(t.Context(), id, s)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// oneLine makes files whose diffs can be read: a line per element or value.
func oneLine(data []byte) []byte {
	return append(bytes.ReplaceAll(data, []byte("><"), []byte(">\n<")), '\n')
}

func TestGolden(t *testing.T) {
	t.Parallel()
	r := newRenderer(t, 2)
	for name, s := range sampleSpecs() {
		f := render(t, r, name, s)
		var option bytes.Buffer
		if err := json.Indent(&option, f.Option, "", " "); err != nil {
			t.Fatal(err)
		}
		for file, got := range map[string][]byte{
			name + ".wide.svg":   oneLine(f.Wide),
			name + ".narrow.svg": oneLine(f.Narrow),
			name + ".json":       append(option.Bytes(), '\n'),
		} {
			golden(t, filepath.Join("testdata", "golden", file), got)
		}
	}
	files, err := filepath.Glob("testdata/golden/*")
	if err != nil || len(files) != 3*len(sampleSpecs()) {
		t.Errorf("there are %d golden files for %d charts (%v)", len(files), len(sampleSpecs()), err)
	}
}

func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Error(err)
	} else if !bytes.Equal(got, want) {
		t.Errorf("%s differs: look at it after UPDATE_GOLDEN=1", path)
	}
}

// TestSameBytes draws everything alone and in order, then many at a time,
// backwards, twice, with caches cold, warm and damaged.
func TestSameBytes(t *testing.T) {
	t.Parallel()
	specs := sampleSpecs()
	names := []string{"bars", "concurrency", "matrix", "sweep"}
	want := map[string]Figure{}
	for _, name := range names {
		alone := newRenderer(t, 1)
		want[name] = render(t, alone, name, specs[name])
		alone.Close()
	}
	slices.Reverse(names)
	r := newRenderer(t, 3)
	all := func(state string) {
		var wg sync.WaitGroup
		for range 2 {
			for _, name := range names {
				wg.Go(func() {
					got, err := r.Render(t.Context(), name, specs[name])
					if err != nil {
						t.Error(err)
					} else if !bytes.Equal(got.Wide, want[name].Wide) || !bytes.Equal(got.Narrow, want[name].Narrow) || !bytes.Equal(got.Option, want[name].Option) {
						t.Errorf("%s differs with the cache %s", name, state)
					}
				})
			}
		}
		wg.Wait()
	}
	all("cold")
	all("warm")
	memory := r.cache.(*Memory)
	for i, key := range slices.Sorted(maps.Keys(memory.values)) {
		switch v := memory.values[key]; i % 4 {
		case 0:
			memory.values[key] = v[:len(v)/2]
		case 1:
			v[len(v)/2] ^= 1
		case 2:
			memory.values[key] = nil
		}
	}
	all("damaged")
}

func TestIDs(t *testing.T) {
	t.Parallel()
	r := newRenderer(t, 1)
	cut := sampleSweep()
	cut.Y.Max = new(4.0) // leaves the plot, so that it needs a clip and its id
	var page []byte
	for _, id := range []string{"a", "b-2"} {
		f := render(t, r, id, cut)
		page = slices.Concat(page, f.Wide, f.Narrow)
		if !bytes.Contains(f.Wide, []byte("<clipPath id=\""+id+"-w-")) {
			t.Errorf("a series that leaves the plot is not clipped: %s", f.Wide)
		}
	}
	seen := map[string]bool{}
	for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllSubmatch(page, -1) {
		if seen[string(m[1])] {
			t.Errorf("id %s occurs twice", m[1])
		}
		seen[string(m[1])] = true
	}
	if len(seen) != 16 {
		t.Errorf("there are %d ids, want a title, a description and two clips in each of four pictures", len(seen))
	}
	for _, m := range regexp.MustCompile(`url\(#([^)]*)\)|aria-labelledby="([^" ]*) ([^"]*)"`).FindAllSubmatch(page, -1) {
		for _, id := range m[1:] {
			if len(id) > 0 && !seen[string(id)] {
				t.Errorf("%s leads nowhere", id)
			}
		}
	}
	if bytes.Contains(page, []byte(idMark)) {
		t.Error("a place for an id was left open")
	}
	for _, id := range []string{"", "A", "1a", "-a", "a b", `a"`, "é"} {
		if _, err := r.Render(t.Context(), id, sampleBars()); err == nil {
			t.Errorf("the id %q was accepted", id)
		}
	}
}

// allowed is all that may stand in a picture: attributes by element.
var allowed = map[string]string{
	"svg":      "xmlns class viewBox role aria-labelledby font-size",
	"title":    "id",
	"desc":     "id",
	"defs":     "",
	"clipPath": "id",
	"g":        "clip-path",
	"path":     "d transform fill fill-opacity stroke stroke-width stroke-dasharray stroke-linecap stroke-linejoin",
	"polygon":  "points fill fill-opacity stroke stroke-width stroke-dasharray stroke-linecap stroke-linejoin",
	"text":     "x y dy transform fill fill-opacity text-anchor font-size font-weight stroke stroke-width stroke-dasharray stroke-linecap stroke-linejoin paint-order",
}

// inspect fails for anything in a picture that is not allowed, and returns its
// texts.
func inspect(t *testing.T, name string, svg []byte) []string {
	t.Helper()
	roles := roleColours()
	var texts []string
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return texts
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		switch token := token.(type) {
		case xml.CharData:
			texts = append(texts, string(token))
		case xml.StartElement:
			attrs, ok := allowed[token.Name.Local]
			if !ok {
				t.Errorf("%s: element %s", name, token.Name.Local)
			}
			for _, a := range token.Attr {
				if !slices.Contains(strings.Fields(attrs), a.Name.Local) {
					t.Errorf("%s: attribute %s of %s", name, a.Name.Local, token.Name.Local)
				}
				if (a.Name.Local == "fill" || a.Name.Local == "stroke") && a.Value != "none" && roles[a.Value] == "" {
					t.Errorf("%s: %s of no role: %s", name, a.Name.Local, a.Value)
				}
			}
		}
	}
}

func TestPicturesHoldOnlyWhatIsAllowed(t *testing.T) {
	t.Parallel()
	r := newRenderer(t, 2)
	specs := sampleSpecs()
	maps.Copy(specs, extremeSpecs())
	for name, s := range specs {
		f := render(t, r, name, s)
		inspect(t, name, f.Wide)
		inspect(t, name, f.Narrow)
	}
}

// TestHostileText puts hostile text into every place that takes text.
func TestHostileText(t *testing.T) {
	t.Parallel()
	r := newRenderer(t, 2)
	for i, h := range hostile {
		axis := Axis{Name: h, Format: func(float64) string { return h }}
		names := Axis{Name: h, Scale: Category, Categories: []string{h, h + "!"}}
		series := []Series{
			{Name: h, Slot: 0, Points: []Point{{X: 0, Y: new(1.0), Label: h, Name: h}, {X: 1, Y: new(2.0), Hi: new(3.0), Label: h}}},
			{Name: h + "?", Slot: 1, Points: []Point{{X: 0, Y: new(2.0)}}},
		}
		limits := []Limit{{Name: h, Value: 1}}
		for kind, s := range map[string]Spec{
			"line":    Line{Title: h, Description: h, X: names, Y: axis, Series: series, Limits: limits},
			"bar":     Bar{Title: h, Description: h, X: names, Y: axis, Series: series, Limits: limits},
			"scatter": Scatter{Title: h, Description: h, X: axis, Y: axis, Series: series, Limits: limits},
			"heatmap": Heatmap{
				Title: h, Description: h, RowName: h, ColumnName: h, Rows: []string{h}, Columns: []string{h},
				Cells: [][]Cell{{{State: Met, Text: h, Label: h}}}, States: map[State]string{Met: h},
			},
		} {
			f := render(t, r, "x", s)
			for _, svg := range [][]byte{f.Wide, f.Narrow} {
				texts := inspect(t, kind, svg)
				if !slices.Contains(texts, h) {
					t.Errorf("%s: hostile text %d is not in the picture as it was: %q", kind, i, texts)
				}
			}
			if bytes.ContainsAny(f.Option, "<>&") {
				t.Errorf("%s: options could end a script element: %s", kind, f.Option)
			}
			var file struct{ Title, Description string }
			if err := json.Unmarshal(f.Option, &file); err != nil || file.Title != h || file.Description != h {
				t.Errorf("%s: options say %q (%v)", kind, file, err)
			}
		}
	}
}

func TestControlCharacters(t *testing.T) {
	t.Parallel()
	s := sampleBars()
	s.X.Categories[0] = "a\x00b\nc\u2028d\xff\uffff"
	f := render(t, newRenderer(t, 1), "x", s)
	if texts := inspect(t, "bars", f.Wide); !slices.Contains(texts, "a b c d\ufffd\ufffd") {
		t.Errorf("got %q", texts)
	}
}

// TestGaps: what was not measured is no point, no bar and no zero.
func TestGaps(t *testing.T) {
	t.Parallel()
	r := newRenderer(t, 1)
	line := Line{
		Title: "t", Description: "d", X: Axis{Name: "x", Format: short}, Y: Axis{Name: "y", Format: short},
		Series: []Series{{Name: "s", Points: []Point{
			{X: 1, Y: new(5.0)}, {X: 2, Y: new(6.0)}, {X: 3}, {X: 4, Y: new(7.0)}, {X: 5, Y: new(8.0)},
		}}},
	}
	svg := string(render(t, r, "x", line).Wide)
	d := regexp.MustCompile(`d="([^"]*)" fill="none" stroke="#0072b2"`).FindStringSubmatch(svg)
	if d == nil || strings.Count(d[1], "M") != 2 || strings.Count(d[1], "L") != 2 {
		t.Errorf("want two pieces of one step each, got %q", d)
	}
	if n := strings.Count(svg, `transform="matrix(3.5,0,0,3.5,`); n != 4 {
		t.Errorf("want four markers, got %d", n)
	}
	bars := Bar{
		Title: "t", Description: "d", X: Axis{Name: "x", Scale: Category, Categories: []string{"a", "b", "c"}}, Y: Axis{Name: "y", Format: short},
		Series: []Series{{Name: "s", Points: []Point{{X: 0, Y: new(5.0)}, {X: 1}, {X: 2, Y: new(0.0)}}}},
	}
	f := render(t, r, "x", bars)
	if texts := inspect(t, "bars", f.Wide); !slices.Contains(texts, "–") {
		t.Errorf("no dash where nothing was measured: %q", texts)
	}
	if want := `[{"value":[0,5],"tip":"5"},{"value":[1,null]},{"value":[2,0],"tip":"0"}]`; !bytes.Contains(f.Option, []byte(want)) {
		t.Errorf("options lack %s: %s", want, f.Option)
	}
}

// TestLabelsAreTheCallers: every label is as the caller wrote it, in whatever
// language; the library formats nothing.
func TestLabelsAreTheCallers(t *testing.T) {
	t.Parallel()
	french := func(v float64) string {
		return map[float64]string{0: "0", 5000: "5\u202f000", 10000: "10\u202f000", 0.5: "0,5", 12.5: "12,5"}[v]
	}
	line := Line{
		Title: "t", Description: "d",
		X:      Axis{Name: "Débit (requêtes/s)", Format: french},
		Y:      Axis{Name: "Délai (ms)", Format: french},
		Series: []Series{{Name: "s", Points: []Point{{X: 0.5, Y: new(10.0)}, {X: 12.5, Y: new(9800.0)}}}},
	}
	line.Y.Ticks = []float64{0, 5000, 10000}
	texts := inspect(t, "line", render(t, newRenderer(t, 1), "x", line).Wide)
	want := []string{"t", "d", "Délai (ms)", "Débit (requêtes/s)", "0", "5\u202f000", "10\u202f000", "0,5", "12,5"}
	if !slices.Equal(texts, want) {
		t.Errorf("got  %q\nwant %q", texts, want)
	}
}

func TestDirectLabelsWhereTheyFit(t *testing.T) {
	t.Parallel()
	r := newRenderer(t, 1)
	direct := sampleConcurrency()
	if f := render(t, r, "x", direct); bytes.Contains(f.Option, []byte(`"icon"`)) || strings.Count(string(f.Wide), ">Engine A<") != 1 {
		t.Error("short names are not at the ends of their lines")
	}
	long := sampleLatency()
	var file struct {
		Wide struct {
			Option struct{ Legend []any }
		}
	}
	if err := json.Unmarshal(render(t, r, "x", long).Option, &file); err != nil || len(file.Wide.Option.Legend) != 2 {
		t.Errorf("long names are in a legend of %d (%v)", len(file.Wide.Option.Legend), err)
	}
}

func TestNoLibrary(t *testing.T) {
	t.Parallel()
	empty := fstest.MapFS{"placeholder.txt": {Data: []byte("x")}}
	if _, err := OpenBundle(empty); !errors.Is(err, ErrNoECharts) {
		t.Errorf("got %v", err)
	}
	if _, err := New(Config{}); !errors.Is(err, ErrNoECharts) {
		t.Errorf("got %v", err)
	}
	broken, err := OpenBundle(fstest.MapFS{"echarts.js": {Data: []byte("throw new Error('no')")}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := New(Config{Bundle: broken})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the seat is free again after the first failure
		if _, err := r.Render(t.Context(), "x", sampleBars()); err == nil || !strings.Contains(err.Error(), "load chart library") {
			t.Errorf("got %v", err)
		}
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

func TestStopped(t *testing.T) {
	t.Parallel()
	r := newRenderer(t, 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Render(ctx, "x", sampleBars()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	for range 2 {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := r.Render(t.Context(), "x", sampleBars()); err == nil {
		t.Error("a closed renderer draws")
	}
}
