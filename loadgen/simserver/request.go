package simserver

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A request is a request for an answer.
type request struct {
	chat            bool
	stream          bool
	close           bool // the client wants the connection to end
	includeUsage    bool
	continuousUsage bool
	returnIDs       bool
	ids             []int32 // of the prompt; only where they are needed
	prompt          int     // tokens of the prompt
	limit           int     // tokens that the request allows; 0: it does not say
	minimum         int
	ignoreEOS       bool
	salt            uint64
	head            string // the JSON that every event of the answer begins with
}

// wireRequest is the JSON of a request, as far as it matters here.
type wireRequest struct {
	Model    string         `json:"model"`
	Messages []wireMessage  `json:"messages"`
	Prompt   jsontext.Value `json:"prompt"`
	Stream   bool           `json:"stream"`
	Options  *struct {
		IncludeUsage         bool `json:"include_usage"`
		ContinuousUsageStats bool `json:"continuous_usage_stats"`
	} `json:"stream_options"`
	MaxTokens           *int                      `json:"max_tokens"`
	MaxCompletionTokens *int                      `json:"max_completion_tokens"`
	MinTokens           *int                      `json:"min_tokens"`
	IgnoreEOS           bool                      `json:"ignore_eos"`
	N                   *int                      `json:"n"`
	ReturnTokenIDs      bool                      `json:"return_token_ids"`
	CacheSalt           *string                   `json:"cache_salt"`
	Sim                 map[string]jsontext.Value `json:"arena_sim"`
}

type wireMessage struct {
	Role    string         `json:"role"`
	Content jsontext.Value `json:"content"`
}

// A refusal is an answer with an error status to a request that is wrong.
type refusal struct {
	status  int
	param   string
	message string
}

func (r *refusal) Error() string { return r.message }

func badRequest(param, format string, args ...any) *refusal {
	return &refusal{http.StatusBadRequest, param, fmt.Sprintf(format, args...)}
}

// errorJSON returns an error as vLLM writes it.
func errorJSON(status int, message, param string) string {
	kind := "BadRequestError"
	switch {
	case status == http.StatusNotFound:
		kind = "NotFoundError"
	case status == http.StatusTooManyRequests:
		kind = "RateLimitError"
	case status == http.StatusServiceUnavailable:
		kind = "ServiceUnavailableError"
	case status >= 500:
		kind = "InternalServerError"
	}
	p := append([]byte(`{"error":{"message":`), quote(message)...)
	p = append(append(p, `,"type":"`...), kind...)
	p = append(p, `","param":`...)
	if param == "" {
		p = append(p, "null"...)
	} else {
		p = append(p, quote(param)...)
	}
	p = append(p, `,"code":`...)
	return string(append(strconv.AppendInt(p, int64(status), 10), "}}"...))
}

// quote returns a JSON string.
func quote(s string) []byte {
	b, err := jsontext.AppendQuote(nil, s)
	if err != nil && b == nil { // bytes that are not UTF-8 are replaced
		return []byte(`""`)
	}
	return b
}

// readRequest reads the body of a request and the options it chooses. The error
// is a refusal.
func (s *Server) readRequest(body []byte, header string, chat bool, opt *Options) (*request, error) {
	var w wireRequest
	if err := json.Unmarshal(body, &w, jsontext.AllowDuplicateNames(true)); err != nil {
		return nil, badRequest("", "%v", err)
	}
	if w.Model != "" && w.Model != s.config.Model {
		return nil, &refusal{http.StatusNotFound, "model", fmt.Sprintf("The model `%s` does not exist.", w.Model)}
	}
	if err := s.choose(opt, header, w.Sim); err != nil {
		return nil, badRequest(OptionField, "%v", err)
	}
	if w.N != nil && *w.N != 1 {
		return nil, badRequest("n", "n must be 1")
	}
	r := &request{chat: chat, stream: w.Stream, ignoreEOS: w.IgnoreEOS, returnIDs: w.ReturnTokenIDs}
	if w.Options != nil {
		r.includeUsage = w.Options.IncludeUsage
		r.continuousUsage = w.Options.ContinuousUsageStats && w.Options.IncludeUsage
	}
	if w.CacheSalt != nil {
		r.salt = textHash(*w.CacheSalt)
	}
	if err := r.readLimits(&w, opt); err != nil {
		return nil, err
	}
	var err error
	if chat {
		r.ids, err = promptOfMessages(w.Messages)
	} else {
		r.ids, err = promptOfText(w.Prompt)
	}
	r.prompt = len(r.ids)
	return r, err
}

// readLimits reads how long the answer may be.
func (r *request) readLimits(w *wireRequest, opt *Options) error {
	for _, l := range []struct {
		name    string
		value   *int
		ignored bool
	}{
		{"max_tokens", w.MaxTokens, opt.IgnoreMaxTokens},
		{"max_completion_tokens", w.MaxCompletionTokens, opt.IgnoreMaxCompletionTokens},
	} {
		if l.value == nil || l.ignored {
			continue
		}
		if *l.value < 1 {
			return badRequest(l.name, "%s must be at least 1, got %d.", l.name, *l.value)
		}
		r.limit = *l.value // max_completion_tokens wins
	}
	if w.MinTokens != nil {
		if *w.MinTokens < 0 || r.limit > 0 && *w.MinTokens > r.limit {
			return badRequest("min_tokens", "min_tokens must be between 0 and max_tokens, got %d.", *w.MinTokens)
		}
		r.minimum = *w.MinTokens
	}
	return nil
}

// choose applies the options that a request chooses.
func (s *Server) choose(opt *Options, header string, fields map[string]jsontext.Value) error {
	if header == "" && len(fields) == 0 {
		return nil
	}
	errs := []error{s.keys.setHeader(opt, header)}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		text, err := optionText(fields[name])
		if err == nil {
			err = s.keys.set(opt, name, text)
		}
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return asError(opt.problems())
}

// optionText returns the value of an option as text.
func optionText(v jsontext.Value) (string, error) {
	switch v.Kind() {
	case '"':
		var s string
		err := json.Unmarshal(v, &s)
		return s, err
	case '[':
		var list []float64
		err := json.Unmarshal(v, &list)
		var text []byte
		for _, f := range list {
			text = append(strconv.AppendFloat(text, f, 'g', -1, 64), ' ')
		}
		return string(text), err
	default:
		return v.String(), nil
	}
}

// promptOfMessages returns the tokens of a conversation.
func promptOfMessages(list []wireMessage) ([]int32, error) {
	if len(list) == 0 {
		return nil, badRequest("messages", "messages must not be empty")
	}
	messages := make([]message, len(list))
	for i, m := range list {
		text, err := contentText(m.Content)
		if err != nil {
			return nil, err
		}
		messages[i] = message{m.Role, text}
	}
	ids, err := chatTokens(messages, true)
	if err != nil {
		return nil, badRequest("messages", "%v", err)
	}
	return ids, nil
}

// contentText returns the text of a message: a string, or a list of parts.
func contentText(v jsontext.Value) (string, error) {
	switch v.Kind() {
	case '"':
		var text string
		err := json.Unmarshal(v, &text)
		return text, err
	case 'n', 0:
		return "", nil
	case '[':
		var parts []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		}
		if err := json.Unmarshal(v, &parts); err != nil {
			return "", badRequest("messages", "%v", err)
		}
		var text strings.Builder
		for _, p := range parts {
			if p.Type != "text" {
				return "", badRequest("messages", "content of type %q is not supported", p.Type)
			}
			text.WriteString(p.Text)
		}
		return text.String(), nil
	default:
		return "", badRequest("messages", "content must be a string or a list of parts")
	}
}

// promptOfText returns the tokens of a prompt: a text, or tokens.
func promptOfText(v jsontext.Value) ([]int32, error) {
	switch v.Kind() {
	case '"':
		var text string
		if err := json.Unmarshal(v, &text); err != nil {
			return nil, badRequest("prompt", "%v", err)
		}
		return appendTokens([]int32{tokenBegin}, text), nil
	case '[':
		var ids []int32
		if err := json.Unmarshal(v, &ids); err != nil {
			return nil, badRequest("prompt", "prompt must be a string or a list of token ids")
		}
		if _, err := textOf(ids); err != nil {
			return nil, badRequest("prompt", "%v", err)
		}
		if len(ids) > 0 {
			return ids, nil
		}
	default:
	}
	return nil, badRequest("prompt", "prompt must be a string or a list of token ids, not empty")
}

// textHash returns a hash of a text.
func textHash(s string) uint64 {
	return blockHash(1, appendTokens(nil, s))
}
