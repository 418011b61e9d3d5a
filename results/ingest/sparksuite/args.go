package sparksuite

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/scan"
	"example.org/arena/results/ingest/vllmbench"
)

// splitArgs splits arguments that were written without a shell's quotes: a value
// that is JSON keeps its blanks and its quotes.
func splitArgs(text string) []string {
	var out []string
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		n := strings.IndexAny(text, " \t\n")
		if text[0] == '{' || text[0] == '[' {
			if size := scan.ValueSize(text); size > 0 {
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

// readDraft finds the speculative decoding among the server's arguments.
func (s *suite) readDraft(m scan.Member, f *scan.Faults) {
	args := splitArgs(scan.Unquote(m.Value))
	for i, word := range args {
		name, value, tied := strings.Cut(word, "=")
		if name != "--speculative-config" && name != "--speculative_config" {
			continue
		}
		if !tied && i+1 < len(args) {
			value = args[i+1]
		}
		if draft := vllmbench.SpeculativeConfig(scan.Member{Key: m.Key, Value: jsontext.Value(value), Line: m.Line}, f); draft != nil {
			s.setDraft(draft, f)
		}
	}
}

// setDraft joins what the arguments say with what the metadata says.
func (s *suite) setDraft(d *bundle.Draft, f *scan.Faults) {
	if said := s.meta.Draft; said != nil {
		d.Method = ingest.Agree(f, "draft.method", d.Method, "meta.json", said.Method, s.meta.File)
		d.Model = ingest.Agree(f, "draft.model", d.Model, "meta.json", said.Model, s.meta.File)
		d.Revision = said.Revision
		if said.TokensPerStep != 0 && d.TokensPerStep != 0 && said.TokensPerStep != d.TokensPerStep {
			f.Add(0, "draft.tokens_per_step", "", "meta.json says %d, but %s says %d", d.TokensPerStep, s.meta.File, said.TokensPerStep)
		}
		d.TokensPerStep = cmp.Or(d.TokensPerStep, said.TokensPerStep)
	}
	if d.Method == "" {
		f.Add(0, "draft.method", "state it in the metadata file:\n    [draft]\n    method = \"eagle3\"", "--speculative-config names no method")
	}
	s.b.Draft = d
}
