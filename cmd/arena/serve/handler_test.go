package serve

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"example.org/arena/site"
)

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text), Mode: 0o644} }

// sampleSite is a site of which compressed copies say that they are some.
func sampleSite() fstest.MapFS {
	return fstest.MapFS{
		"index.html":                  file("choose"),
		"404.html":                    file("nothing here"),
		"en/index.html":               file("board"),
		"en/index.html.br":            file("board br"),
		"en/index.html.gz":            file("board gz"),
		"en/404.html":                 file("nothing here in English"),
		"en/404.html.br":              file("nothing here in English br"),
		"en/feed.xml":                 file("<feed/>"),
		"en/models/a--b/x/index.html": file("model"),
		"en/plain/index.html":         file("plain"),
		"en/plain/index.html.gz":      file("plain gz"),
		"assets/site.123.css":         file("css"),
		"assets/echarts.123.js":       file("js"),
		"assets/empty.txt":            file(""),
		"data/leaderboard.json":       file("{}"),
		"data/leaderboard.csv":        file("a,b\n"),
		"data/bundles/x.json":         file(`{"format":1}`),
		"data/contracts/v2.toml":      file("version = 2"),
		"data/odd":                    file("odd"),
		"_headers":                    file("/*"),
		".arena-site":                 file("arena-site 1"),
		".git/config":                 file("secret"),
		"nothing/to/see.txt":          file("text"),
	}
}

// An answer is what a server said before the body.
type answer struct {
	StatusCode int
	Header     http.Header
}

// ask sends one request to a handler and returns the answer and its body.
func ask(t *testing.T, h http.Handler, method, target string, headers ...string) (answer, string) {
	t.Helper()
	r := httptest.NewRequest(method, "http://arena.test/", nil)
	r.URL.Path, r.URL.RawQuery, _ = strings.Cut(target, "?")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	res := w.Result()
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	must(t, err)
	return answer{res.StatusCode, res.Header}, string(body)
}

func TestFiles(t *testing.T) {
	t.Parallel()
	const keep, check = "public, max-age=31536000, immutable", "public, max-age=0, must-revalidate"
	for target, want := range map[string]struct {
		body, kind, cache string
	}{
		"/":                       {"choose", "text/html; charset=utf-8", check},
		"/index.html":             {"choose", "text/html; charset=utf-8", check},
		"/en/":                    {"board", "text/html; charset=utf-8", check},
		"/en/?q=nvfp4&sort=-ttft": {"board", "text/html; charset=utf-8", check},
		"/en/models/a--b/x/":      {"model", "text/html; charset=utf-8", check},
		"/en/feed.xml":            {"<feed/>", "application/atom+xml", check},
		"/assets/site.123.css":    {"css", "text/css; charset=utf-8", keep},
		"/assets/echarts.123.js":  {"js", "text/javascript; charset=utf-8", keep},
		"/assets/empty.txt":       {"", "text/plain; charset=utf-8", keep},
		"/data/leaderboard.json":  {"{}", "application/json", check},
		"/data/leaderboard.csv":   {"a,b\n", "text/csv; charset=utf-8", check},
		"/data/bundles/x.json":    {`{"format":1}`, "application/json", keep},
		"/data/contracts/v2.toml": {"version = 2", "application/toml", check},
		"/data/odd":               {"odd", "application/octet-stream", check},
	} {
		for _, method := range []string{"GET", "HEAD"} {
			res, body := ask(t, Handler(sampleSite()), method, target)
			if method == "HEAD" {
				want.body = ""
			}
			if res.StatusCode != http.StatusOK || body != want.body {
				t.Errorf("%s %s answers %d %q, want %q", method, target, res.StatusCode, body, want.body)
			}
			if got := res.Header.Get("Content-Type"); got != want.kind {
				t.Errorf("%s %s is %q, want %q", method, target, got, want.kind)
			}
			if got := res.Header.Get("Cache-Control"); got != want.cache {
				t.Errorf("%s %s: Cache-Control %q, want %q", method, target, got, want.cache)
			}
			if res.Header.Get("ETag") == "" || res.Header.Get("Content-Length") == "" {
				t.Errorf("%s %s lacks a header: %v", method, target, res.Header)
			}
		}
	}
}

func TestNotFound(t *testing.T) {
	t.Parallel()
	for target, want := range map[string]string{
		"/nowhere":              "nothing here",
		"/assets/":              "nothing here", // no listing
		"/assets/gone.123.css":  "nothing here",
		"/assets":               "nothing here",
		"/en/nowhere/":          "nothing here in English",
		"/en/models/":           "nothing here in English",
		"/en/models/a--b/x/y/z": "nothing here in English",
		"/en/index.html/":       "nothing here in English",
		"/nl/":                  "nothing here",
		"/en/index.html.br":     "nothing here in English",
		"/_headers":             "nothing here",
		"/.arena-site":          "nothing here",
		"/.git/config":          "nothing here",
		"/en/.hidden":           "nothing here in English",
		"/../etc/passwd":        "nothing here",
		"/en/../../etc/passwd":  "nothing here",
		"/en/./":                "nothing here in English",
		"//en/":                 "nothing here in English",
		"//evil.example/en":     "nothing here",
		"/en\\index.html":       "nothing here",
		"/en/\x00":              "nothing here in English",
		"en/":                   "nothing here in English",
		"":                      "nothing here",
		"*":                     "nothing here",
	} {
		for _, method := range []string{"GET", "HEAD"} {
			res, body := ask(t, Handler(sampleSite()), method, target)
			if res.StatusCode != http.StatusNotFound || (method == "GET" && body != want) || (method == "HEAD" && body != "") {
				t.Errorf("%s %q answers %d %q, want 404 %q", method, target, res.StatusCode, body, want)
			}
			if got := res.Header.Get("Cache-Control"); got != "public, max-age=0, must-revalidate" {
				t.Errorf("%s %q: Cache-Control %q", method, target, got)
			}
			if got := res.Header.Get("Content-Type"); got != "text/html; charset=utf-8" {
				t.Errorf("%s %q is %q", method, target, got)
			}
			if got := res.Header.Get("ETag"); got != "" {
				t.Errorf("%s %q has an ETag", method, target)
			}
		}
	}
	res, body := ask(t, Handler(sampleSite()), "GET", "/en/nowhere", "Accept-Encoding", "br")
	if body != "nothing here in English br" || res.Header.Get("Content-Encoding") != "br" || res.Header.Get("Vary") != "Accept-Encoding" {
		t.Errorf("compressed error page: %q %v", body, res.Header)
	}
	if res, body := ask(t, Handler(fstest.MapFS{}), "GET", "/x"); res.StatusCode != http.StatusNotFound || body != "there is nothing at this address\n" {
		t.Errorf("a site without error pages answers %d %q", res.StatusCode, body)
	}
}

func TestRedirect(t *testing.T) {
	t.Parallel()
	for target, want := range map[string]string{
		"/en":                 "/en/",
		"/en?q=a%20b&sort=-x": "/en/?q=a%20b&sort=-x",
		"/en/models/a--b/x":   "/en/models/a--b/x/",
	} {
		res, _ := ask(t, Handler(sampleSite()), "GET", target)
		if got := res.Header.Get("Location"); res.StatusCode != http.StatusMovedPermanently || got != want {
			t.Errorf("%s answers %d to %q, want %q", target, res.StatusCode, got, want)
		}
	}
}

func TestEveryAnswerIsSafe(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{{"GET", "/"}, {"GET", "/en"}, {"GET", "/nowhere"}, {"POST", "/"}, {"OPTIONS", "/"}, {"DELETE", "/en/"}, {"BREW", "/nowhere"}} {
		res, _ := ask(t, Handler(sampleSite()), c[0], c[1])
		for _, h := range site.SecurityHeaders {
			if got := res.Header.Values(h.Name); len(got) != 1 || got[0] != h.Value {
				t.Errorf("%s %s: %s is %q, want %q", c[0], c[1], h.Name, got, h.Value)
			}
		}
		if c[0] != "GET" && (res.StatusCode != http.StatusMethodNotAllowed || res.Header.Get("Allow") != "GET, HEAD") {
			t.Errorf("%s %s answers %d, Allow %q", c[0], c[1], res.StatusCode, res.Header.Get("Allow"))
		}
	}
}

func TestCompressedCopies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ target, accept, body, coding, vary string }{
		{"/en/", "", "board", "", "Accept-Encoding"},
		{"/en/", "gzip, deflate, br, zstd", "board br", "br", "Accept-Encoding"},
		{"/en/", "gzip", "board gz", "gzip", "Accept-Encoding"},
		{"/en/", "br;q=0.1, GZIP;q=0.9", "board gz", "gzip", "Accept-Encoding"},
		{"/en/", "br;q=0, *", "board gz", "gzip", "Accept-Encoding"},
		{"/en/", "*", "board br", "br", "Accept-Encoding"},
		{"/en/", "*;q=0", "board", "", "Accept-Encoding"},
		{"/en/", "zstd", "board", "", "Accept-Encoding"},
		{"/en/", "identity, br;q=0.5", "board", "", "Accept-Encoding"},
		{"/en/", "br;q=nonsense", "board", "", "Accept-Encoding"},
		{"/en/", "br;q=2", "board", "", "Accept-Encoding"},
		{"/en/", "br; q = 0.3", "board br", "br", "Accept-Encoding"},
		{"/en/plain/", "gzip, br", "plain gz", "gzip", "Accept-Encoding"},
		{"/en/plain/", "br", "plain", "", "Accept-Encoding"},
		{"/assets/site.123.css", "br", "css", "", ""},
	} {
		res, body := ask(t, Handler(sampleSite()), "GET", c.target, "Accept-Encoding", c.accept)
		if body != c.body || res.Header.Get("Content-Encoding") != c.coding || res.Header.Get("Vary") != c.vary {
			t.Errorf("%s for %q: %q, coding %q, Vary %q", c.target, c.accept, body, res.Header.Get("Content-Encoding"), res.Header.Get("Vary"))
		}
		if strings.HasPrefix(c.target, "/en") && res.Header.Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("%s for %q is %q", c.target, c.accept, res.Header.Get("Content-Type"))
		}
	}
}

func TestConditional(t *testing.T) {
	t.Parallel()
	h := Handler(sampleSite())
	tags := map[string]string{}
	for _, accept := range []string{"identity", "br", "gzip"} {
		res, _ := ask(t, h, "GET", "/en/", "Accept-Encoding", accept)
		tags[accept] = res.Header.Get("ETag")
		res, body := ask(t, h, "GET", "/en/", "Accept-Encoding", accept, "If-None-Match", tags[accept])
		if res.StatusCode != http.StatusNotModified || body != "" || res.Header.Get("Vary") != "Accept-Encoding" || res.Header.Get("Cache-Control") == "" {
			t.Errorf("%s: %d %q %v", accept, res.StatusCode, body, res.Header)
		}
	}
	if tags["identity"] == tags["br"] || tags["br"] == tags["gzip"] || tags["gzip"] == tags["identity"] {
		t.Errorf("copies share an ETag: %v", tags)
	}
	res, body := ask(t, h, "GET", "/en/", "If-None-Match", `"other"`)
	if res.StatusCode != http.StatusOK || body != "board" {
		t.Errorf("another ETag: %d %q", res.StatusCode, body)
	}
	res, body = ask(t, h, "GET", "/en/", "Range", "bytes=1-2")
	if res.StatusCode != http.StatusPartialContent || body != "oa" {
		t.Errorf("range: %d %q", res.StatusCode, body)
	}
}

func TestFolder(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	dir := filepath.Join(parent, "public")
	for name, text := range map[string]string{"secret.html": "secret", "public/index.html": "old", "next/index.html": "new"} {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(parent, name)), 0o755))
		must(t, os.WriteFile(filepath.Join(parent, name), []byte(text), 0o644))
	}
	must(t, os.Symlink("../secret.html", filepath.Join(dir, "link.html")))
	h := Handler(Folder(dir))
	if res, _ := ask(t, h, "GET", "/link.html"); res.StatusCode != http.StatusNotFound {
		t.Errorf("a link out of the folder answers %d", res.StatusCode)
	}
	if _, body := ask(t, h, "GET", "/"); body != "old" {
		t.Errorf("before: %q", body)
	}
	must(t, os.RemoveAll(dir))
	if res, _ := ask(t, h, "GET", "/"); res.StatusCode != http.StatusNotFound {
		t.Errorf("between: %d", res.StatusCode)
	}
	must(t, os.Rename(filepath.Join(parent, "next"), dir))
	if _, body := ask(t, h, "GET", "/"); body != "new" {
		t.Errorf("after: %q", body)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Whatever is asked for, the answer is one of a few, has the security headers and
// never shows what is hidden.
func FuzzHandler(f *testing.F) {
	for _, seed := range []string{"/", "/en", "/en/", "//en", "/../x", "/.git/config", "/en/%2e%2e/", "/en/index.html.br", "\x00", "/a//b/"} {
		f.Add(seed, "gzip, br;q=0.5")
	}
	h := Handler(sampleSite())
	f.Fuzz(func(t *testing.T, target, accept string) {
		r := httptest.NewRequest(http.MethodGet, "http://arena.test/", nil)
		r.URL.Path = target
		r.Header.Set("Accept-Encoding", accept)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		switch w.Code {
		case 200, 301, 404:
		default:
			t.Errorf("%q answers %d", target, w.Code)
		}
		if w.Header().Get("Content-Security-Policy") == "" {
			t.Errorf("%q has no policy", target)
		}
		if body := w.Body.String(); strings.Contains(body, "secret") || strings.Contains(body, "arena-site") {
			t.Errorf("%q shows %q", target, body)
		}
		if to := w.Header().Get("Location"); w.Code == 301 && (!strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//")) {
			t.Errorf("%q leads to %q", target, to)
		}
	})
}
