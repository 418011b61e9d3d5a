package serve

import (
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/arena/site"
)

// The files under docs/deploy send the headers of package site.
func TestDeployFiles(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../../docs/deploy/*")
	if err != nil || len(files) < 2 {
		t.Fatalf("found %v: %v", files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		must(t, err)
		for _, h := range site.SecurityHeaders {
			if !strings.Contains(string(data), fmt.Sprintf("%s %q", h.Name, h.Value)) {
				t.Errorf("%s: %s is not %q", file, h.Name, h.Value)
			}
		}
		for _, name := range []string{"assets/a.css", "data/bundles/a.json", "data/charts/a.json", "index.html"} {
			if value := site.CacheControl(name); !strings.Contains(string(data), value) {
				t.Errorf("%s: no Cache-Control %q", file, value)
			}
		}
	}
}

// A production server at $ARENA_SERVER that serves the folder $ARENA_SITE answers
// as arena serve does.
func TestProductionServer(t *testing.T) {
	server, folder := os.Getenv("ARENA_SERVER"), os.Getenv("ARENA_SITE")
	if server == "" || folder == "" {
		t.Skip("SKIPPED: ARENA_SERVER and ARENA_SITE name no server and its site to compare with")
	}
	addresses := []string{
		"/", "/en", "/en?q=a%20b", "/nowhere", "/fr/nowhere/", "/nl/models/", "/nl/nowhere/else.css",
		"/assets/", "/assets/gone.000000000000.css", "/_headers", "/.arena-site", "/.git/config", "/en/index.html.br", "/en/404.html.gz",
	}
	kinds := map[string]bool{}
	must(t, fs.WalkDir(os.DirFS(folder), ".", func(name string, d fs.DirEntry, err error) error {
		kind := filepath.Ext(name) + filepath.Dir(name)
		if err != nil || d.IsDir() || hidden(name) || kinds[kind] {
			return err
		}
		kinds[kind] = true // one file of each type in each folder
		addresses = append(addresses, "/"+strings.TrimSuffix(name, index))
		return nil
	}))
	h := Handler(Folder(folder))
	for _, address := range addresses {
		for _, method := range []string{"GET", "HEAD", "POST"} {
			for _, accept := range []string{"identity", "gzip", "gzip, deflate, br"} {
				want, body := ask(t, h, method, address, "Accept-Encoding", accept)
				got, sent := fetch(t, server, method, address, accept)
				compareAnswers(t, method+" "+address+" for "+accept, got, want, sent == body)
			}
		}
	}
	t.Logf("compared %d addresses", len(addresses))
}

func fetch(t *testing.T, server, method, address, accept string) (answer, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, server+address, nil)
	must(t, err)
	r.Header.Set("Accept-Encoding", accept)
	res, err := http.DefaultTransport.RoundTrip(r)
	must(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	must(t, err)
	return answer{res.StatusCode, res.Header}, string(body)
}

// compareAnswers compares what readers depend on. The texts of errors, and the
// form of the address in a redirection, are every server's own.
func compareAnswers(t *testing.T, what string, got, want answer, sameBody bool) {
	t.Helper()
	moved := func(code int) bool { return code == 301 || code == 308 }
	if got.StatusCode != want.StatusCode && (!moved(got.StatusCode) || !moved(want.StatusCode)) {
		t.Errorf("%s: status %d, want %d", what, got.StatusCode, want.StatusCode)
		return
	}
	names := []string{"Cache-Control"}
	for _, h := range site.SecurityHeaders {
		names = append(names, h.Name)
	}
	page := want.StatusCode == http.StatusOK || want.StatusCode == http.StatusNotFound
	if page {
		names = append(names, "Content-Type", "Content-Encoding")
	}
	if want.StatusCode == http.StatusMethodNotAllowed {
		names = names[1:]
	}
	for _, name := range names {
		if x, y := got.Header.Values(name), want.Header.Values(name); !strings.EqualFold(strings.Join(x, "|"), strings.Join(y, "|")) {
			t.Errorf("%s: %s %q, want %q", what, name, x, y)
		}
	}
	if page && !sameBody {
		t.Errorf("%s: another body", what)
	}
	if page && want.Header.Get("Content-Encoding") != "" && !strings.Contains(got.Header.Get("Vary"), "Accept-Encoding") {
		t.Errorf("%s: Vary %q", what, got.Header.Get("Vary"))
	}
}
