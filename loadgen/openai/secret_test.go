package openai

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
)

// planted is a key with characters that JSON and URLs write in another way.
const planted = "sk-Pl4nted<key/with+odd=chars&more"

// leaks reports whether text holds a part of the key that is long enough to be
// recognised, in any of its forms.
func leaks(text string) bool {
	quoted, _ := json.Marshal(planted)
	for _, form := range []string{planted, string(quoted[1 : len(quoted)-1]), url.QueryEscape(planted), url.PathEscape(planted), strings.ReplaceAll(planted, "/", `\/`)} {
		for n := 6; n <= len(form); n++ {
			if strings.Contains(text, form[:n]) {
				return true
			}
		}
	}
	return false
}

// TestKeyNeverLeaks: a server repeats the key in all ways that it has, and nothing
// that comes back holds it.
func TestKeyNeverLeaks(t *testing.T) {
	t.Parallel()
	quoted, _ := json.Marshal(planted)
	inJSON := string(quoted[1 : len(quoted)-1])
	var bodies []string
	for _, key := range []string{planted, inJSON, url.QueryEscape(planted), url.PathEscape(planted), strings.ReplaceAll(planted, "/", `\/`), "Bearer " + planted} {
		bodies = append(bodies, "Incorrect API key provided: "+key+".", key, strings.Repeat(key, 3000))
		for _, before := range []int{2020, 2040, 65520} { // where something is cut
			bodies = append(bodies, strings.Repeat("x", before)+key+"y")
		}
	}
	for _, body := range bodies {
		for name, steps := range map[string][]string{
			"refusal":      {"status 401", body, "end"},
			"cut refusal":  {"status 401", body[:len(body)-3], "close"},
			"held refusal": {"status 401", body[:len(body)-3], "hold"},
			"status line":  {"raw HTTP/1.1 401 " + body + "\r\nContent-Length: 0\r\n\r\n"},
			"no HTTP":      {"raw " + body + "\r\n", "close"},
			"header":       {"raw HTTP/1.1 200 OK\r\n" + body + "\r\n\r\n", "close"},
			"document":     {"stream application/json", `{"error":"` + inJSON + body + `"}`, "end"},
			"page":         {"stream text/html", body, "end"},
			"stray":        {"stream", body + "\n", "end"},
			"cut stray":    {"stream", body[:len(body)-3] + "\n", "close"},
			"error event":  {"stream", "event: error\ndata: " + body + "\n\n", "end"},
			"cut event":    {"stream", "error: " + body[:len(body)-3], "close"},
			"malformed":    {"stream", ev(body), "end"},
			"finish":       {"stream", ev(`{"choices":[{"index":0,"delta":{},"finish_reason":"` + inJSON + `"}]}`), done, "end"},
		} {
			synctest.Test(t, func(t *testing.T) {
				c := answering(steps...).client(t, func(o *Options) { o.Key = planted })
				r := ask(c)
				if text := fmt.Sprintf("%+v", r); leaks(text) || r.Error == "" && name != "finish" {
					t.Errorf("%s, %.60q (%d): %s %.200q", name, body, len(body), r.Outcome, r.Error)
				}
				if len(r.Error) > errorSize {
					t.Errorf("%s: %d bytes of error", name, len(r.Error))
				}
			})
		}
	}
}

func TestKeyNeverLeaksFromEndpoints(t *testing.T) {
	t.Parallel()
	for name, handler := range map[string]http.HandlerFunc{
		"refusal": func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, r.Header.Get("Authorization"), http.StatusUnauthorized)
		},
		"no JSON": func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Header.Get("Authorization")) },
		"redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://"+r.Host+"/?key="+url.QueryEscape(planted), http.StatusFound)
		},
		"token": func(w http.ResponseWriter, r *http.Request) {
			json.NewEncoder(w).Encode(map[string]any{"tokens": []string{planted}})
		},
		"type": func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, `{"count":"%s"}`, strings.ReplaceAll(planted, `\`, `\\`))
		},
		"reset": func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) },
	} {
		server := httptest.NewServer(handler)
		c, err := New(Options{BaseURL: server.URL, Key: planted})
		if err != nil {
			t.Fatal(err)
		}
		_, e1 := c.Models(t.Context())
		_, e2 := c.Version(t.Context())
		_, e3 := c.DetectDialect(t.Context())
		_, e4 := c.Tokenize(t.Context(), LlamaCpp, "x")
		_, e5 := c.TokenizeChat(t.Context(), VLLM, nil)
		for i, err := range []error{e1, e2, e3, e4, e5} {
			if err == nil || leaks(err.Error()) || leaks(fmt.Sprintf("%+v", err)) {
				t.Errorf("%s, %d: %v", name, i, err)
			}
		}
		c.Close()
		server.Close()
	}
}

func TestKeyNeverLeaksFromOptions(t *testing.T) {
	t.Parallel()
	o := Options{BaseURL: "http://server.test", Key: planted}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "key", o.Key, "options", o)
	asJSON, _ := json.Marshal(o.Key)
	for _, text := range []string{
		fmt.Sprint(o), fmt.Sprintf("%v %+v %#v %s %q", o, o, o, o.Key, o.Key), log.String(), string(asJSON),
	} {
		if leaks(text) {
			t.Errorf("leaks: %s", text)
		}
	}
	c.Close()
	for _, base := range []string{"http://user:" + "sk-Pl4nted@server.test", "http://server.test?key=sk-Pl4nted", "::sk-Pl4nted", "ftp://u:sk-Pl4nted@x", "http://ser ver/sk-Pl4nted"} {
		if _, err := New(Options{BaseURL: base}); err == nil || strings.Contains(err.Error(), "Pl4nted") {
			t.Errorf("%s: %v", base, err)
		}
	}
}

func TestBadKey(t *testing.T) {
	t.Parallel()
	for _, bad := range []Secret{"two\nlines", "bell\a", "spa ce", `quo"te`, `back\slash`, "umläut"} {
		if _, err := New(Options{BaseURL: "http://x", Key: bad}); err == nil || strings.Contains(err.Error(), "lines") {
			t.Errorf("%q: %v", string(bad), err)
		}
	}
}
