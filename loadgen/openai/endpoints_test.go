package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// An engine is a server with the endpoints of one engine. The key is what the
// request must hold: method, path, and the body as Go prints it.
type engine map[string]string

func (e engine) start(t *testing.T) *Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		question := r.Method + " " + r.URL.Path
		if body, _ := io.ReadAll(r.Body); len(body) > 0 {
			var v any
			if err := json.Unmarshal(body, &v); err != nil {
				t.Errorf("%s: %v", question, err)
			}
			question += " " + fmt.Sprint(v)
		}
		answer, ok := e[question]
		if !ok {
			http.Error(w, `{"detail":"Not Found: `+question+`"}`, http.StatusNotFound)
			return
		}
		status, body, refused := strings.Cut(answer, "!")
		if refused {
			w.WriteHeader(map[string]int{"400": 400, "405": 405, "500": 500, "501": 501}[status])
			answer = body
		}
		io.WriteString(w, answer)
	}))
	t.Cleanup(server.Close)
	c, err := New(Options{BaseURL: server.URL + "/v1/", Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// What the engines answer, in their own forms.
var engines = map[string]engine{
	"vllm": {
		"GET /v1/models": `{"object":"list","data":[{"id":"m","object":"model","created":1,"owned_by":"vllm","root":"org/m","parent":null,"max_model_len":4096,"permission":[]}]}`,
		"GET /version":   `{"version":"0.11.0"}`,
		"GET /metrics":   "vllm:num_requests_running 0\n",
		"POST /tokenize map[add_special_tokens:true model:m prompt:one two three]":                          `{"count":3,"max_model_len":4096,"tokens":[11,12,13],"token_strs":null}`,
		"POST /tokenize map[add_generation_prompt:true messages:[map[content:hi <b> é role:user]] model:m]": `{"count":5,"max_model_len":4096,"tokens":[1,2,3,4,5]}`,
		"POST /detokenize map[model:m tokens:[]]":                                                           `{"prompt":""}`,
		"POST /detokenize map[model:m tokens:[11 12]]":                                                      `{"prompt":"one two"}`,
		"POST /tokenize map[add_special:true content:one two three parse_special:true]":                     `400!{"error":"no prompt"}`,
	},
	"sglang": {
		"GET /v1/models":   `{"object":"list","data":[{"id":"m","object":"model","owned_by":"sglang","root":"m","max_model_len":null}]}`,
		"GET /server_info": `{"model_path":"org/m","version":"0.5.9"}`,
		"GET /version":     `{"version":"not this one"}`,
		"GET /metrics":     "# HELP sglang:x\n",
		"POST /tokenize map[add_special_tokens:true model:m prompt:one two three]": `{"tokens":[11,12,13],"count":3,"max_model_len":131072}`,
		"POST /detokenize map[model:m tokens:[]]":                                  `{"text":""}`,
		"POST /detokenize map[model:m skip_special_tokens:false tokens:[11 12]]":   `{"text":"one two"}`,
	},
	"llama.cpp": {
		"GET /v1/models": `{"object":"list","data":[{"id":"m","object":"model","owned_by":"llamacpp","meta":{"n_ctx_train":4096}}],"models":[]}`,
		"GET /props":     `{"build_info":"b8000-abc","total_slots":1}`,
		"GET /metrics":   `501!{"error":{"code":501,"message":"This server does not support metrics endpoint."}}`,
		"POST /tokenize map[add_special_tokens:true model:m prompt:one two three]":      `{"tokens":[]}`,
		"POST /tokenize map[add_special:true content:one two three parse_special:true]": `{"tokens":[11,{"id":12,"piece":" two"},13]}`,
		"POST /tokenize map[add_special:true content:<u>hi parse_special:true]":         `{"tokens":[1,2,3,4]}`,
		"POST /apply-template map[messages:[map[content:hi <b> é role:user]]]":          `{"prompt":"<u>hi"}`,
		"POST /detokenize map[tokens:[11 12]]":                                          `{"content":"one two"}`,
	},
	"ollama": {
		"GET /v1/models":   `{"object":"list","data":[{"id":"m","object":"model","owned_by":"library"}]}`,
		"GET /api/version": `{"version":"0.17.4"}`,
	},
}

func TestEndpoints(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct {
		model   Model
		version Version
		dialect Dialect
		chat    int // tokens of the conversation, 0 when not offered
		metrics bool
	}{
		"vllm":      {Model{"m", "org/m", "vllm", 4096}, Version{"vllm", "0.11.0", "/version"}, VLLM, 5, true},
		"sglang":    {Model{"m", "m", "sglang", 0}, Version{"sglang", "0.5.9", "/server_info"}, SGLang, 0, true},
		"llama.cpp": {Model{"m", "", "llamacpp", 0}, Version{"llama.cpp", "b8000-abc", "/props"}, LlamaCpp, 4, false},
		"ollama":    {Model{"m", "", "library", 0}, Version{"ollama", "0.17.4", "/api/version"}, "", 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := engines[name].start(t)
			models, err := c.Models(t.Context())
			if err != nil || !slices.Equal(models, []Model{want.model}) {
				t.Errorf("models %+v, %v; want %+v", models, err, want.model)
			}
			if v, err := c.Version(t.Context()); err != nil || v != want.version {
				t.Errorf("version %+v, %v; want %+v", v, err, want.version)
			}
			if m, err := c.Metrics(t.Context()); (err == nil) != want.metrics || err != nil && !errors.Is(err, ErrNotOffered) {
				t.Errorf("metrics %q, %v", m, err)
			}
			d, err := c.DetectDialect(t.Context())
			if d != want.dialect || (d == "") != errors.Is(err, ErrNotOffered) {
				t.Fatalf("dialect %q, %v; want %q", d, err, want.dialect)
			}
			if d == "" {
				return
			}
			tokens, err := c.Tokenize(t.Context(), d, "one two three")
			if err != nil || !reflect.DeepEqual(tokens, Tokens{3, []int{11, 12, 13}}) {
				t.Errorf("tokens %+v, %v", tokens, err)
			}
			tokens, err = c.TokenizeChat(t.Context(), d, []Message{{"user", "hi <b> é"}})
			if tokens.Count != want.chat || (want.chat == 0) != errors.Is(err, ErrNotOffered) {
				t.Errorf("conversation %+v, %v; want %d", tokens, err, want.chat)
			}
		})
	}
}

func TestEndpointFaults(t *testing.T) {
	t.Parallel()
	const tokenize = "POST /tokenize map[add_special_tokens:true model:m prompt:x]"
	for name, c := range map[string]struct {
		answers engine
		want    string
	}{
		"not there":    {engine{}, `/tokenize: status 404 Not Found: {"detail":"Not Found: ` + tokenize + `"}`},
		"refused":      {engine{tokenize: "500!boom\n"}, "/tokenize: status 500 Internal Server Error: boom"},
		"no JSON":      {engine{tokenize: "<html>"}, "/tokenize: the answer cannot be read: invalid character '<' looking for beginning of value"},
		"nothing":      {engine{tokenize: "{}"}, "/tokenize: the answer has neither tokens nor a count"},
		"contradicted": {engine{tokenize: `{"tokens":[1,2],"count":3}`}, "/tokenize: it says 3 tokens and gives 2"},
		"odd token":    {engine{tokenize: `{"tokens":[1,"x"]}`}, "/tokenize: token 1: neither a number nor an object with an id"},
	} {
		_, err := c.answers.start(t).Tokenize(t.Context(), VLLM, "x")
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v; want %s", name, err, c.want)
		}
	}
	tokens, err := engine{tokenize: `{"count":3}`}.start(t).Tokenize(t.Context(), VLLM, "x")
	if err != nil || tokens.Count != 3 || len(tokens.IDs) != 0 {
		t.Errorf("only a count: %+v, %v", tokens, err)
	}
	c := engine{"GET /v1/models": `{"models":[]}`, "POST /detokenize map[model:m tokens:[1]]": `{"x":1}`}.start(t)
	if _, err := c.Models(t.Context()); err == nil || err.Error() != "/v1/models: the answer has no list of models" {
		t.Errorf("models: %v", err)
	}
	if _, err := c.Tokenize(t.Context(), VLLM, "\xff"); err == nil {
		t.Error("took what is not UTF-8")
	}
	if _, err := c.Version(t.Context()); !errors.Is(err, ErrNotOffered) {
		t.Errorf("version: %v", err)
	}
}

// TestBaseURL: where requests go.
func TestBaseURL(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]string{
		"http://h":               "http://h/v1/chat/completions",
		"http://h/":              "http://h/v1/chat/completions",
		"http://h:8000/v1":       "http://h:8000/v1/chat/completions",
		"https://h/v1/":          "https://h/v1/chat/completions",
		"http://h/some/where/v1": "http://h/some/where/v1/chat/completions",
		"http://[::1]:8000/a/":   "http://[::1]:8000/a/v1/chat/completions",
	} {
		c, err := New(Options{BaseURL: base})
		if err != nil {
			t.Fatal(err)
		}
		path, host := strings.Fields(string(c.head))[1], strings.Fields(string(c.head))[4]
		if got := c.root.Scheme + "://" + host + path; got != want {
			t.Errorf("%s: %s; want %s", base, got, want)
		}
	}
	for _, base := range []string{"", "h:8000", "/v1", "ftp://h", "http://", "http://h?x=1", "http://h#x", "http://u:p@h"} {
		if _, err := New(Options{BaseURL: base}); err == nil {
			t.Errorf("%s: taken", base)
		}
	}
	if _, err := New(Options{BaseURL: "http://h", API: "embeddings"}); err == nil {
		t.Error("took an unknown API")
	}
}
