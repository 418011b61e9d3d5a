package hostinfo

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

var memberForm = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]{0,63}$`)

// json returns a value in JSON with its texts made public, each judged by the name
// that it has. What is public already stays as it was written; the rest comes
// without blanks.
func (c *cleaner) json(flag, value string) string {
	in := jsontext.NewDecoder(strings.NewReader(value))
	var buffer bytes.Buffer
	out := jsontext.NewEncoder(&buffer)
	if err := c.copyValue(flag, in, out); err != nil {
		return c.remove(flag)
	}
	if _, err := in.ReadToken(); !errors.Is(err, io.EOF) {
		return c.remove(flag)
	}
	public := strings.TrimSpace(buffer.String())
	if compact := jsontext.Value(value); compact.Compact() == nil && string(compact) == public {
		return value
	}
	return public
}

// copyValue copies the next value of in, which is called name. The values of a
// list are called as the list is.
func (c *cleaner) copyValue(name string, in *jsontext.Decoder, out *jsontext.Encoder) error {
	token, err := in.ReadToken()
	if err != nil {
		return err
	}
	kind := token.Kind()
	switch {
	case kind == '"':
		token = jsontext.String(c.value(name, token.String()))
	case kind == '0' && secret(name):
		token = jsontext.String(c.remove(name))
	}
	if err := out.WriteToken(token); err != nil || kind != '{' && kind != '[' {
		return err
	}
	for in.PeekKind() != '}' && in.PeekKind() != ']' {
		inner := name
		if kind == '{' {
			if inner, err = c.copyName(in, out); err != nil {
				return err
			}
		}
		if err := c.copyValue(inner, in, out); err != nil {
			return err
		}
	}
	if token, err = in.ReadToken(); err != nil {
		return err
	}
	return out.WriteToken(token)
}

// copyName copies the name of a member.
func (c *cleaner) copyName(in *jsontext.Decoder, out *jsontext.Encoder) (string, error) {
	token, err := in.ReadToken()
	if err != nil {
		return "", err
	}
	name := token.String()
	if !memberForm.MatchString(name) || c.private.text(name) {
		return "", errors.New("a name that is no setting's")
	}
	return name, out.WriteToken(token)
}

// plainJSON returns the members of an object as texts, as far as they are numbers,
// texts, true or false.
func plainJSON(value string) map[string]string {
	in := jsontext.NewDecoder(strings.NewReader(value))
	if token, err := in.ReadToken(); err != nil || token.Kind() != '{' {
		return nil
	}
	members := map[string]string{}
	for in.PeekKind() == '"' {
		name, err := in.ReadToken()
		if err != nil {
			return nil
		}
		key := name.String()
		switch in.PeekKind() {
		case '"', '0', 't', 'f':
			token, err := in.ReadToken()
			if err != nil {
				return nil
			}
			members[key] = token.String()
		default:
			if in.SkipValue() != nil {
				return nil
			}
		}
	}
	return members
}
