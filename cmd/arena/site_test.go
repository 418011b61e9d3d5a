package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"example.org/arena/cmd/arena/exit"
	"example.org/arena/cmd/arena/publish"
	"example.org/arena/results/bundle"
	"example.org/arena/templates"
	"github.com/rogpeppe/go-internal/testscript"
)

// haveCharts reports whether make has built the chart library.
func haveCharts() bool {
	_, err := fs.Stat(templates.FS, "dist/echarts.js")
	return err == nil
}

func scriptCondition(name string) (bool, error) {
	if name == "charts" {
		return haveCharts(), nil
	}
	return false, fmt.Errorf("unknown condition %q", name)
}

func scriptSimulated(ts *testscript.TestScript, _ bool, args []string) {
	data, err := os.ReadFile(ts.MkAbs("example.json"))
	ts.Check(err)
	data, place, err := exampleOf(data, func(b *bundle.Bundle) {
		b.Kind, b.Source, b.Engine.Runner = bundle.Simulated, nil, "native"
		b.Model.ID, b.Profile = "Example/Simulated", "sim"
	})
	ts.Check(err)
	name := ts.MkAbs(args[0] + "/" + place)
	ts.Check(os.MkdirAll(filepath.Dir(name), 0o755))
	ts.Check(os.WriteFile(name, data, 0o644))
}

// exampleOf returns the bytes and the place of a changed bundle.
func exampleOf(data []byte, change func(*bundle.Bundle)) ([]byte, string, error) {
	b, err := bundle.Decode("example.json", data)
	if err != nil {
		return nil, "", err
	}
	list, err := contracts()
	if err != nil {
		return nil, "", err
	}
	for _, k := range list {
		if k.Version == b.Contract.Version {
			b.Contract.SHA256 = k.Digest
		}
	}
	change(b)
	if data, err = bundle.Encode(b); err != nil {
		return nil, "", err
	}
	place, err := bundle.Path(b, data)
	return data, place, err
}

// addExample writes a bundle with this credit below dir and returns its file.
func addExample(t *testing.T, dir, credit string) string {
	t.Helper()
	data, err := os.ReadFile("../../results/bundle/testdata/example.json")
	must(t, err)
	data, place, err := exampleOf(data, func(b *bundle.Bundle) {
		b.Credit, b.Profile = credit, strings.ToLower(credit)
	})
	must(t, err)
	name := filepath.Join(dir, filepath.FromSlash(place))
	must(t, os.MkdirAll(filepath.Dir(name), 0o755))
	must(t, os.WriteFile(name, data, 0o644))
	return name
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A program without the chart library says so before anything else.
func TestNoChartLibrary(t *testing.T) {
	t.Parallel()
	_, err := newSiteMaker(siteFlags{}, fstest.MapFS{"dist/placeholder.txt": {}}, newProgress(io.Discard))
	var b bytes.Buffer
	exit.Print(&b, err)
	const want = "arena: the chart library is not in this program\n" +
		"hint: in the checkout, make build makes a program that has it (it needs Node.js)\n"
	if b.String() != want || exit.Code(err) != exit.Failure {
		t.Errorf("got %q and %d, want %q and %d", b.String(), exit.Code(err), want, exit.Failure)
	}
}

func TestBaseURL(t *testing.T) {
	t.Parallel()
	for address, ok := range map[string]bool{
		"https://arena.example.org":       true,
		"https://arena.example.org/":      true,
		"http://127.0.0.1:8080":           true,
		"":                                false,
		"arena.example.org":               false,
		"//arena.example.org":             false,
		"ftp://arena.example.org":         false,
		"https://":                        false,
		"https://arena.example.org/a":     false,
		"https://arena.example.org?":      false,
		"https://arena.example.org/#x":    false,
		"https://user@arena.example.org/": false,
		"https://arena example.org":       false,
	} {
		if err := checkBaseURL(address); (err == nil) != ok {
			t.Errorf("%q: %v", address, err)
		}
	}
}

func TestSiteSize(t *testing.T) {
	t.Parallel()
	s := sizeOf(publish.Manifest{
		{Path: "data/raw.gz", Size: 2},
		{Path: "data/x.json", Size: 4},
		{Path: "en/index.html", Size: 1},
		{Path: "index.html", Size: 8},
		{Path: "index.html.br", Size: 3},
		{Path: "index.html.gz", Size: 4},
	})
	s.hash = ""
	if want := (siteSize{pages: 2, files: 4, plain: 15, brotli: 10}); s != want {
		t.Errorf("got %+v, want %+v", s, want)
	}
	if s := sizeOf(publish.Manifest{{Path: "index.html", Size: 1}}); s.brotli != 0 {
		t.Errorf("without copies: %+v", s)
	}
}

// An interrupted build leaves the old site, and ends as interrupted.
func TestBuildInterrupted(t *testing.T) {
	t.Parallel()
	if !haveCharts() {
		t.Skip("the chart library has not been built")
	}
	dir := t.TempDir()
	addExample(t, dir+"/results", "Ada")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs bytes.Buffer
	code := run(ctx, []string{"build", "--results", dir + "/results", "--out", dir + "/public"}, nil, &out, &errs)
	if want := "arena: interrupted, " + dir + "/public is as it was: context canceled\n"; code != exit.Interrupted || out.Len() > 0 || !strings.HasSuffix(errs.String(), want) {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, &out, &errs)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
		t.Errorf("left behind: %v, %v", list, err)
	}
}

// The counts of a live progress replace each other on one line.
func TestProgress(t *testing.T) {
	t.Parallel()
	for live, want := range map[bool]string{
		false: "making pages\n",
		true:  "\r\x1b[Kmaking pages, 3 drawings, 1 compressed file\n",
	} {
		var b bytes.Buffer
		p := newProgress(&b)
		p.live = live
		must(t, p.showPhase("making pages", func() error {
			p.drawn.Add(3)
			p.packed.Add(1)
			return nil
		}))
		if got := b.String(); !strings.HasSuffix(got, want) || !live && got != want {
			t.Errorf("live %v: %q, want %q", live, got, want)
		}
	}
	if newProgress(io.Discard).live {
		t.Error("a discarded progress is live")
	}
}

// A program under test runs beside the test, which reads what it says.
type program struct {
	t              *testing.T
	stdout, stderr *bufio.Scanner
	stop           context.CancelFunc
	code           chan int
}

func start(t *testing.T, args ...string) *program {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	outR, outW := io.Pipe()
	errR, errW := io.Pipe()
	p := &program{t, bufio.NewScanner(outR), bufio.NewScanner(errR), cancel, make(chan int, 1)}
	go func() {
		code := run(ctx, args, nil, outW, errW)
		outW.Close()
		errW.Close()
		p.code <- code
	}()
	return p
}

// line waits for the next line.
func (p *program) line(s *bufio.Scanner) string {
	p.t.Helper()
	if !s.Scan() {
		p.t.Fatalf("the program says no more: %v", s.Err())
	}
	return s.Text()
}

// end interrupts the program and checks its exit code.
func (p *program) end(want int) {
	p.t.Helper()
	p.stop()
	go io.Copy(io.Discard, scannerReader{p.stderr})
	select {
	case code := <-p.code:
		if code != want {
			p.t.Errorf("the program ends with %d, want %d", code, want)
		}
	case <-time.After(time.Minute):
		p.t.Fatal("the program does not end")
	}
}

// A scannerReader reads what is left in a scanner.
type scannerReader struct{ s *bufio.Scanner }

func (r scannerReader) Read([]byte) (int, error) {
	if !r.s.Scan() {
		return 0, io.EOF
	}
	return 0, nil
}

func get(t *testing.T, url string) (int, http.Header, string) {
	t.Helper()
	res, err := http.Get(url)
	must(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	must(t, err)
	return res.StatusCode, res.Header, string(body)
}

func TestServe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{".arena-site": "arena-site 1\n", "index.html": "hello", "404.html": "nothing"} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	for addr, host := range map[string]string{"127.0.0.1:0": "127.0.0.1", ":0": "localhost"} {
		p := start(t, "serve", "--dir", dir, "--addr", addr)
		url := p.line(p.stdout)
		if !strings.HasPrefix(url, "http://"+host+":") || !strings.HasSuffix(url, "/") {
			t.Fatalf("%s is served at %q", addr, url)
		}
		url = strings.Replace(url, "localhost", "127.0.0.1", 1)
		if code, header, body := get(t, url); code != 200 || body != "hello" || header.Get("Content-Security-Policy") == "" {
			t.Errorf("answer %d %q %v", code, body, header)
		}
		if code, _, body := get(t, url+"x/"); code != 404 || body != "nothing" {
			t.Errorf("answer %d %q", code, body)
		}
		p.end(exit.OK)
	}
}

// A watched site follows its sources, and stays when they are at fault.
func TestServeWatching(t *testing.T) {
	t.Parallel()
	if !haveCharts() {
		t.Skip("the chart library has not been built")
	}
	dir := t.TempDir()
	results, public := dir+"/results", dir+"/public"
	addExample(t, results, "Ada")
	p := start(t, "serve", "--watch", "--results", results, "--dir", public, "--addr", "127.0.0.1:0", "--no-reports", "--no-compress")
	url := p.line(p.stdout)
	built := func() {
		t.Helper()
		if line := p.line(p.stderr); !strings.HasPrefix(line, "built ") {
			t.Fatalf("the program says %q", line)
		}
	}
	model := func(profile string, want int) {
		t.Helper()
		if code, _, _ := get(t, url+"en/models/Example--Model-8B-NVFP4/"+profile+"/"); code != want {
			t.Errorf("the page of %s answers %d, want %d", profile, code, want)
		}
	}
	built()
	model("ada", 200)
	model("grace", 404)

	grace := addExample(t, results, "Grace")
	built()
	model("grace", 200)

	must(t, os.WriteFile(grace, []byte("{}\n"), 0o644))
	if line := p.line(p.stderr); !strings.HasPrefix(line, "arena: "+grace+":1: ") {
		t.Errorf("the program says %q", line)
	}
	if line := p.line(p.stderr); line != public+" is as it was" {
		t.Errorf("the program says %q", line)
	}
	model("grace", 200)

	must(t, os.Remove(grace))
	built()
	model("grace", 404)
	model("ada", 200)
	p.end(exit.OK)
}

// BenchmarkBuild makes the whole site from the published results: cold, and as the
// next build with a cache does. It reports the memory that was taken from the
// system in all.
func BenchmarkBuild(b *testing.B) {
	const results = "../../results/bundles"
	if _, err := os.Stat(results); err != nil {
		b.Skip("there are no published results")
	}
	if !haveCharts() {
		b.Skip("the chart library has not been built")
	}
	build := func(b *testing.B, cache string) {
		flags := siteFlags{results: []string{results}, cache: cache, jobs: 2, noReports: true}
		must(b, flags.settle())
		m, err := newSiteMaker(flags, templates.FS, newProgress(io.Discard))
		must(b, err)
		defer m.close()
		size, err := m.publish(b.Context(), filepath.Join(b.TempDir(), "public"))
		must(b, err)
		b.ReportMetric(float64(size.pages), "pages")
		b.ReportMetric(float64(size.plain)/1e6, "MB-site")
		b.ReportMetric(float64(m.progress.drawn.Load()), "drawings")
	}
	b.Run("cold", func(b *testing.B) {
		for b.Loop() {
			build(b, b.TempDir())
		}
		reportPeak(b)
	})
	b.Run("warm", func(b *testing.B) {
		cache := b.TempDir()
		build(b, cache)
		for b.Loop() {
			build(b, cache)
		}
	})
}

// reportPeak reports the most memory that the process has had so far, where the
// system tells.
func reportPeak(b *testing.B) {
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return
	}
	for line := range strings.Lines(string(data)) {
		var kib float64
		if n, _ := fmt.Sscanf(line, "VmHWM: %f kB", &kib); n == 1 {
			b.ReportMetric(kib*1024/1e6, "MB-peak")
		}
	}
}
