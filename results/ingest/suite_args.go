package ingest

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"example.org/arena/results/bundle"
	"example.org/arena/results/privacy"
)

// splitArgs splits arguments that were written without a shell's quotes: a value
// that is JSON keeps its blanks and its quotes.
func splitArgs(text string) []string {
	var out []string
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		n := strings.IndexAny(text, " \t\n")
		if text[0] == '{' || text[0] == '[' {
			if size := jsonSize(text); size > 0 {
				n = size
			}
		}
		if n < 0 || n > len(text) {
			n = len(text)
		}
		out = append(out, unquoteArg(text[:n]))
		text = text[n:]
	}
	return out
}

// unquoteArg removes quotes around a whole argument.
func unquoteArg(word string) string {
	for _, q := range []string{"'", `"`} {
		if len(word) >= 2 && strings.HasPrefix(word, q) && strings.HasSuffix(word, q) {
			return word[1 : len(word)-1]
		}
	}
	return word
}

// jsonSize returns the length of the JSON value with which text begins, or 0.
func jsonSize(text string) int {
	dec := jsontext.NewDecoder(strings.NewReader(text))
	if _, err := dec.ReadValue(); err != nil {
		return 0
	}
	return int(dec.InputOffset())
}

// readDraft finds the speculative decoding among the server's arguments.
func (s *suite) readDraft(m jsonMember, f *faultList) {
	args := splitArgs(unquote(m.value))
	for i, word := range args {
		name, value, tied := strings.Cut(word, "=")
		if name != "--speculative-config" && name != "--speculative_config" {
			continue
		}
		if !tied && i+1 < len(args) {
			value = args[i+1]
		}
		if draft := draftOf(jsonMember{m.key, jsontext.Value(value), m.line}, f); draft != nil {
			s.setDraft(draft, f)
		}
	}
}

// setDraft joins what the arguments say with what the metadata says.
func (s *suite) setDraft(d *bundle.Draft, f *faultList) {
	if said := s.meta.Draft; said != nil {
		d.Method = agree(f, "draft.method", d.Method, "meta.json", said.Method, s.meta.File)
		d.Model = agree(f, "draft.model", d.Model, "meta.json", said.Model, s.meta.File)
		d.Revision = said.Revision
		if said.TokensPerStep != 0 && d.TokensPerStep != 0 && said.TokensPerStep != d.TokensPerStep {
			f.add(0, "draft.tokens_per_step", "", "meta.json says %d, but %s says %d", d.TokensPerStep, s.meta.File, said.TokensPerStep)
		}
		d.TokensPerStep = firstNonZero(d.TokensPerStep, said.TokensPerStep)
	}
	if d.Method == "" {
		f.add(0, "draft.method", "state it in the metadata file:\n    [draft]\n    method = \"eagle3\"", "--speculative-config names no method")
	}
	s.b.Draft = d
}

// draftOf reads vLLM's speculative configuration.
func draftOf(m jsonMember, f *faultList) *bundle.Draft {
	if jsonSize(string(m.value)) == 0 || m.value.Kind() != '{' {
		f.add(m.line, m.key, "", "--speculative-config wants a JSON object, found %s", shown(m.value))
		return nil
	}
	var d bundle.Draft
	b := newVLLMBuilder(f, m.line)
	for _, c := range objectOf(m, f) {
		switch c.key {
		case "method":
			b.text(c, &d.Method)
		case "model":
			b.text(c, &d.Model)
		case "num_speculative_tokens":
			b.natural(c, &d.TokensPerStep)
		}
	}
	d.Model = privacy.Clean(d.Model)
	return &d
}
