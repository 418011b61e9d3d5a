package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
)

// ErrNotOffered says that a server has no such endpoint.
var ErrNotOffered = errors.New("the server does not offer it")

// A StatusError is an answer other than 200 to anything but a timed request.
type StatusError struct {
	Path   string
	Status int
	Body   string // first 2 kB
}

// Error implements error.
func (e *StatusError) Error() string {
	text := fmt.Sprintf("%s: status %d %s", e.Path, e.Status, http.StatusText(e.Status))
	if body := strings.TrimSpace(e.Body); body != "" {
		text += ": " + body
	}
	return text
}

// Is makes the statuses that servers give for unknown endpoints [ErrNotOffered].
func (e *StatusError) Is(target error) bool {
	switch e.Status {
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented:
		return target == ErrNotOffered
	}
	return false
}

// A Model is one entry of GET /v1/models.
type Model struct {
	ID          string `json:"id"`
	Root        string `json:"root"`          // where the server loaded it from, "" when it does not say
	OwnedBy     string `json:"owned_by"`      // "vllm", "sglang", "llamacpp", "library" (Ollama)
	MaxModelLen int    `json:"max_model_len"` // longest context in tokens, 0 when it does not say
}

// Models returns the models that the server serves.
func (c *Client) Models(ctx context.Context) ([]Model, error) {
	var list struct {
		Data []Model `json:"data"`
	}
	if err := c.call(ctx, "/v1/models", nil, &list); err != nil {
		return nil, err
	}
	if list.Data == nil {
		return nil, errors.New("/v1/models: the answer has no list of models")
	}
	return list.Data, nil
}

// A Version is what a server says that it is.
type Version struct {
	Engine  string // "vllm", "sglang", "llama.cpp", "ollama"
	Version string
	Path    string // endpoint that said so
}

// Version asks each engine's own endpoint until one answers. SGLang and llama.cpp
// come first: behind a gateway they may have vLLM's as well.
func (c *Client) Version(ctx context.Context) (Version, error) {
	var errs []error
	for _, v := range []struct{ engine, path, field string }{
		{"sglang", "/server_info", "version"},
		{"sglang", "/get_server_info", "version"},
		{"llama.cpp", "/props", "build_info"},
		{"vllm", "/version", "version"},
		{"ollama", "/api/version", "version"},
	} {
		var answer map[string]any
		err := c.call(ctx, v.path, nil, &answer)
		if text, ok := answer[v.field].(string); ok && err == nil && text != "" {
			return Version{Engine: v.engine, Version: text, Path: v.path}, nil
		}
		if err == nil {
			err = fmt.Errorf("%s: the answer has no %s", v.path, v.field)
		}
		errs = append(errs, err)
		if ctx.Err() != nil {
			break
		}
	}
	return Version{}, fmt.Errorf("ask for the version: %w", errors.Join(errs...))
}

// Metrics returns the server's metrics in Prometheus' text format.
func (c *Client) Metrics(ctx context.Context) ([]byte, error) {
	return c.fetch(ctx, "/metrics", nil)
}

// call fetches a JSON answer. A nil question is a GET.
func (c *Client) call(ctx context.Context, path string, question, answer any) error {
	data, err := c.fetch(ctx, path, question)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, answer); err != nil {
		return fmt.Errorf("%s: the answer cannot be read: %s", path, c.secrets.clean(err.Error()))
	}
	return nil
}

// documentSize is the most that is read of a document: a long prompt's token ids
// are some megabytes.
const documentSize = 64 << 20

func (c *Client) fetch(ctx context.Context, path string, question any) ([]byte, error) {
	method, body := http.MethodGet, io.Reader(http.NoBody)
	if question != nil {
		data, err := json.Marshal(question)
		if err != nil {
			return nil, fmt.Errorf("%s: encode: %w", path, err)
		}
		method, body = http.MethodPost, bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.root.JoinPath(path).String(), body)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	resp, err := c.plain.Do(req)
	if err != nil {
		return nil, c.hide(path, err)
	}
	defer resp.Body.Close() //nolint:errcheck // read to its end or given up
	data, err := io.ReadAll(io.LimitReader(resp.Body, documentSize+1))
	switch {
	case resp.StatusCode != http.StatusOK:
		return nil, &StatusError{Path: path, Status: resp.StatusCode, Body: c.secrets.clean(string(data))}
	case err != nil:
		return nil, c.hide(path, err)
	case len(data) > documentSize:
		return nil, fmt.Errorf("%s: the answer is larger than %d MiB", path, documentSize>>20)
	}
	return data, nil
}

// hide takes the key out of an error's text. What can be told from the error by
// errors.Is stays.
func (c *Client) hide(path string, err error) error {
	return &hiddenError{path + ": " + c.secrets.clean(err.Error()), err}
}

type hiddenError struct {
	text  string
	cause error
}

func (e *hiddenError) Error() string        { return e.text }
func (e *hiddenError) Is(target error) bool { return errors.Is(e.cause, target) }

// withHeader adds header to every request.
type withHeader struct {
	next   http.RoundTripper
	header http.Header
}

// RoundTrip implements [http.RoundTripper].
func (w withHeader) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	maps.Copy(r.Header, w.header)
	return w.next.RoundTrip(r)
}
