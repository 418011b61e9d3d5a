package engine

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
)

// Changed lists what differs between the start of a run and the start of its
// continuation. What may differ is left out: the salt, the time, the model's answer to
// the simple question, the notes, and how the prefix cache was checked (which may be by
// the time that something took).
func (s Start) Changed(now Start) ([]string, error) {
	s.Facts.Sanity, now.Facts.Sanity = nil, nil
	s.Facts.Notes, now.Facts.Notes = nil, nil
	s.Facts.Server.PrefixCachingVerified, now.Facts.Server.PrefixCachingVerified = "", ""
	s.Facts.Salt, now.Facts.Salt = "", ""
	s.Facts.StartedAt, now.Facts.StartedAt = "", ""
	before, err := leaves(s)
	if err != nil {
		return nil, err
	}
	after, err := leaves(now)
	if err != nil {
		return nil, err
	}
	var changed []string
	for key, was := range before {
		if is, ok := after[key]; !ok {
			changed = append(changed, fmt.Sprintf("%s was %s and is not known now", key, was))
		} else if is != was {
			changed = append(changed, fmt.Sprintf("%s was %s and is %s", key, was, is))
		}
	}
	for key, is := range after {
		if _, ok := before[key]; !ok {
			changed = append(changed, fmt.Sprintf("%s was not known and is %s", key, is))
		}
	}
	slices.Sort(changed)
	return changed, nil
}

// leaves lists the values of a JSON object by their paths.
func leaves(v any) (map[string]string, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	d := stdjson.NewDecoder(bytes.NewReader(text)) // its numbers keep their digits
	d.UseNumber()
	var tree any
	if err := d.Decode(&tree); err != nil {
		return nil, err
	}
	out := map[string]string{}
	walk(out, nil, tree)
	return out, nil
}

func walk(out map[string]string, path []string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for key, sub := range v {
			walk(out, append(slices.Clip(path), key), sub)
		}
	case []any:
		text, _ := stdjson.Marshal(v) // it was JSON a moment ago
		out[strings.Join(path, ".")] = string(text)
	case nil:
	default:
		out[strings.Join(path, ".")] = fmt.Sprint(v)
	}
}
