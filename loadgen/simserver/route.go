package simserver

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

const jsonType = "application/json"

// handle answers one request, and reports whether the connection goes on.
func (c *conn) handle(r *http.Request, body []byte, arrived Offset) bool {
	path := r.URL.Path
	switch path {
	case "/v1/chat/completions", "/v1/completions", "/tokenize", "/detokenize", "/reset_prefix_cache":
		if r.Method != http.MethodPost {
			return c.respond(r, http.StatusMethodNotAllowed, jsonType, []byte(`{"detail":"Method Not Allowed"}`))
		}
	case "/v1/models", "/metrics", "/version", "/server_info", "/health", "/ping":
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			return c.respond(r, http.StatusMethodNotAllowed, jsonType, []byte(`{"detail":"Method Not Allowed"}`))
		}
	}
	s := c.srv
	switch path {
	case "/v1/chat/completions":
		return c.generate(r, body, arrived, true)
	case "/v1/completions":
		return c.generate(r, body, arrived, false)
	case "/v1/models":
		return c.respond(r, http.StatusOK, jsonType, s.models())
	case "/metrics":
		return c.respond(r, http.StatusOK, "text/plain; version=0.0.4; charset=utf-8", s.metrics())
	case "/version":
		return c.respond(r, http.StatusOK, jsonType, fmt.Appendf(nil, `{"version":%s}`, quote("arena sim "+s.config.Version)))
	case "/server_info":
		return c.respond(r, http.StatusOK, jsonType, s.info())
	case "/health", "/ping":
		return c.respond(r, http.StatusOK, jsonType, nil)
	case "/tokenize":
		return c.answerBody(r, body, s.tokenize)
	case "/detokenize":
		return c.answerBody(r, body, s.detokenize)
	case "/reset_prefix_cache":
		s.resetCache()
		return c.respond(r, http.StatusOK, jsonType, nil)
	}
	return c.respond(r, http.StatusNotFound, jsonType, []byte(`{"detail":"Not Found"}`))
}

// generate answers a request for an answer.
func (c *conn) generate(r *http.Request, body []byte, arrived Offset, chat bool) bool {
	s := c.srv
	a := s.newAnswer(c, arrived)
	a.rec.ID = r.Header.Get("X-Request-Id")
	req, err := s.readRequest(body, r.Header.Get(OptionHeader), chat, &a.opt)
	if err == nil {
		req.close = r.Close
		err = a.prepare(req)
	}
	if err != nil {
		return c.refuse(r, a, err)
	}
	return c.serveAnswer(a)
}

// refuse answers a request that is wrong.
func (c *conn) refuse(r *http.Request, a *answer, err error) bool {
	var wrong *refusal
	if !errors.As(err, &wrong) {
		wrong = badRequest("", "%v", err)
	}
	a.rec.Status, a.rec.Outcome = wrong.status, Refused
	a.rec.Headers = c.srv.now()
	on := c.respond(r, wrong.status, jsonType, []byte(errorJSON(wrong.status, wrong.message, wrong.param)))
	a.rec.Ended = c.srv.now()
	c.srv.refused(a)
	return on
}

// answerBody answers a request whose answer is a function of its body.
func (c *conn) answerBody(r *http.Request, body []byte, f func([]byte) ([]byte, error)) bool {
	answer, err := f(body)
	if err == nil {
		return c.respond(r, http.StatusOK, jsonType, answer)
	}
	var wrong *refusal
	if !errors.As(err, &wrong) {
		wrong = badRequest("", "%v", err)
	}
	return c.respond(r, wrong.status, jsonType, []byte(errorJSON(wrong.status, wrong.message, wrong.param)))
}

// models returns the list of the one model.
func (s *Server) models() []byte {
	return fmt.Appendf(nil, `{"object":"list","data":[{"id":%[1]s,"object":"model","created":%[2]d,"owned_by":"arena sim","root":%[1]s,"parent":null,"max_model_len":%[3]d}]}`,
		quote(s.config.Model), s.origin.Unix(), s.config.MaxModelLen)
}

// tokenize answers for a text or a conversation, as vLLM and SGLang are asked
// ("prompt", "messages") or llama.cpp ("content").
func (s *Server) tokenize(body []byte) ([]byte, error) {
	var w struct {
		Model      string         `json:"model"`
		Prompt     *string        `json:"prompt"`
		Content    *string        `json:"content"`
		Messages   []wireMessage  `json:"messages"`
		AddSpecial *bool          `json:"add_special_tokens"`
		Ask        *bool          `json:"add_generation_prompt"`
		Rest       jsontext.Value `json:",unknown"`
	}
	if err := json.Unmarshal(body, &w); err != nil {
		return nil, err
	}
	if w.Model != "" && w.Model != s.config.Model {
		return nil, &refusal{http.StatusNotFound, "model", fmt.Sprintf("The model `%s` does not exist.", w.Model)}
	}
	var ids []int32
	switch {
	case w.Messages != nil:
		list, err := promptOfMessages(w.Messages)
		if err != nil {
			return nil, err
		}
		ids = list
		if w.Ask != nil && !*w.Ask {
			ids = ids[:len(ids)-1]
		}
	case w.Prompt != nil:
		if w.AddSpecial == nil || *w.AddSpecial {
			ids = append(ids, tokenBegin)
		}
		ids = appendTokens(ids, *w.Prompt)
	case w.Content != nil:
		ids = appendTokens(ids, *w.Content)
	default:
		return nil, badRequest("prompt", "neither prompt nor messages nor content")
	}
	p := fmt.Appendf(nil, `{"count":%d,"max_model_len":%d,"tokens":[`, len(ids), s.config.MaxModelLen)
	for i, id := range ids {
		if i > 0 {
			p = append(p, ',')
		}
		p = strconv.AppendInt(p, int64(id), 10)
	}
	return append(p, `],"token_strs":null}`...), nil
}

// detokenize answers with the text of tokens, under the names that vLLM and
// llama.cpp give it.
func (s *Server) detokenize(body []byte) ([]byte, error) {
	var w struct {
		Tokens []int32        `json:"tokens"`
		Rest   jsontext.Value `json:",unknown"`
	}
	if err := json.Unmarshal(body, &w); err != nil {
		return nil, err
	}
	text, err := textOf(w.Tokens)
	if err != nil {
		return nil, err
	}
	quoted := quote(string(text))
	return fmt.Appendf(nil, `{"prompt":%[1]s,"content":%[1]s}`, quoted), nil
}

// info describes the server.
func (s *Server) info() []byte {
	timing := "fixed"
	if s.engine != nil {
		timing = "engine"
	}
	p := fmt.Appendf(nil, `{"server":"arena sim","version":%s,"model":%s,"timing":%q,"seed":%d,"max_model_len":%d,"keep_alive_s":%g`,
		quote(s.config.Version), quote(s.config.Model), timing, s.config.Seed, s.config.MaxModelLen, s.config.KeepAlive.Seconds())
	o := &s.config.Request
	p = fmt.Appendf(p, `,"ttft_ms":%g,"itl_ms":%g,"tokens":%d,"draft":%d`, ms(o.TTFT), ms(o.ITL), o.Tokens, o.Draft)
	if e := s.config.Engine; e != nil {
		p = fmt.Appendf(p, `,"engine":{"prefill_tok_per_s":%g,"max_num_seqs":%d,"max_num_batched_tokens":%d,"kv_tokens":%d,"block_tokens":%d,"prefix_cache":%t,"draft_ms":%g}`,
			e.PrefillRate, e.MaxSeqs, e.MaxTokens, e.KVTokens, e.BlockTokens, e.PrefixCache, ms(e.DraftTime))
	}
	return append(p, '}')
}
