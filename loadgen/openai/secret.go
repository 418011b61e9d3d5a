package openai

import (
	"cmp"
	"encoding/json"
	"errors"
	"log/slog"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// A Secret is an API key. However it is printed, logged or encoded, it shows as
// three stars.
type Secret string

const stars = "***"

// String implements [fmt.Stringer].
func (Secret) String() string { return stars }

// GoString implements [fmt.GoStringer].
func (Secret) GoString() string { return `"` + stars + `"` }

// LogValue implements [slog.LogValuer].
func (Secret) LogValue() slog.Value { return slog.StringValue(stars) }

// MarshalText implements [encoding.TextMarshaler].
func (Secret) MarshalText() ([]byte, error) { return []byte(stars), nil }

// check reports whether a key can stand in a header, and in quotes without
// changing its form: else it might not be recognised in what a server says.
func (s Secret) check() error {
	for _, c := range []byte(s) {
		if c <= ' ' || c > '~' || c == '"' || c == '\\' {
			return errors.New("client: the key has a character that is not visible ASCII, or a quote or backslash")
		}
	}
	return nil
}

// errorSize is how much of an error is kept, in bytes.
const errorSize = 2 << 10

// A scrubber takes a key out of what servers and libraries say: servers like to
// repeat it.
type scrubber []string // the forms in which it may come, longest first

func newScrubber(key Secret) scrubber {
	if key == "" {
		return nil
	}
	quoted, _ := json.Marshal(string(key)) // a string always encodes
	forms := scrubber{
		string(key),
		string(quoted[1 : len(quoted)-1]), // & < > differ
		strings.ReplaceAll(string(key), "/", `\/`),
		url.QueryEscape(string(key)),
		url.PathEscape(string(key)),
	}
	for _, form := range forms { // an error of Go's quotes what it repeats
		quoted := strconv.Quote(form)
		forms = append(forms, quoted[1:len(quoted)-1])
	}
	slices.SortFunc(forms, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return slices.Compact(forms)
}

// clean returns the first 2 kB of text without the key, and without the part of
// the key that it ends with, if it was cut off there.
func (s scrubber) clean(text string) string {
	for _, form := range s {
		text = strings.ReplaceAll(text, form, stars)
	}
	text = strings.ToValidUTF8(s.withoutTail(text), "\ufffd")
	if len(text) > errorSize {
		text = strings.ToValidUTF8(text[:errorSize], "")
	}
	return text
}

// withoutTail replaces the longest end of text that a key begins with. Three
// characters tell nobody a key, and are left alone.
func (s scrubber) withoutTail(text string) string {
	most := 3
	for _, form := range s {
		for n := min(len(form)-1, len(text)); n > most; n-- {
			if strings.HasSuffix(text, form[:n]) {
				most = n
			}
		}
	}
	if most == 3 {
		return text
	}
	return text[:len(text)-most] + stars
}
