package simserver

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Key is the name of one of the [Options] in a profile, in the header
// [OptionHeader] and in the body of a request.
type Key struct {
	Name    string
	Kind    KeyKind
	Choices []string // of KindChoice
	set     func(o *Options, text string) error
}

// KeyKind is the type of a key's value.
type KeyKind string

// The types.
const (
	KindMS     KeyKind = "ms"     // a time in milliseconds
	KindInt    KeyKind = "int"    // an integer
	KindBool   KeyKind = "bool"   // true or false
	KindChoice KeyKind = "choice" // one of Choices
	KindList   KeyKind = "list"   // numbers; as text with blanks between them
	KindText   KeyKind = "text"
)

// A request chooses options with the header OptionHeader, "usage=none, chunk=4",
// or with an object under OptionField in its body, which wins.
const (
	OptionHeader = "Arena-Sim"
	OptionField  = "arena_sim"
)

// Keys returns all keys, in the order of their documentation.
func Keys() []Key {
	return []Key{
		msKey("ttft_ms", func(o *Options) *time.Duration { return &o.TTFT }),
		msKey("itl_ms", func(o *Options) *time.Duration { return &o.ITL }),
		intKey("tokens", func(o *Options) *int { return &o.Tokens }),
		intKey("eos", func(o *Options) *int { return &o.EOS }),
		intKey("draft", func(o *Options) *int { return &o.Draft }),
		{Name: "acceptance", Kind: KindList, set: setAcceptance},

		intKey("chunk", func(o *Options) *int { return &o.Chunk }),
		intKey("hold", func(o *Options) *int { return &o.Hold }),
		intKey("coalesce", func(o *Options) *int { return &o.Coalesce }),
		intKey("split", func(o *Options) *int { return &o.Split }),
		msKey("split_gap_ms", func(o *Options) *time.Duration { return &o.SplitGap }),
		msKey("comment_every_ms", func(o *Options) *time.Duration { return &o.CommentEvery }),
		boolKey("comment_events", func(o *Options) *bool { return &o.CommentEvents }),
		boolKey("crlf", func(o *Options) *bool { return &o.CRLF }),
		choiceKey("headers", func(o *Options) *Headers { return &o.Headers }, HeadersEarly, HeadersToken),
		choiceKey("role", func(o *Options) *Role { return &o.Role }, RoleBefore, RoleEarly, RoleIn, RoleEvery, RoleNone),
		choiceKey("finish", func(o *Options) *Finish { return &o.Finish }, FinishIn, FinishOwn, FinishNone),
		choiceKey("usage", func(o *Options) *Usage { return &o.Usage }, UsageAsked, UsageNull, UsageAlways, UsageFinish, UsageNone),
		choiceKey("continuous", func(o *Options) *Continuous { return &o.Continuous }, ContinuousAsked, ContinuousAlways, ContinuousNever),
		intKey("usage_error", func(o *Options) *int { return &o.UsageError }),
		intKey("reasoning", func(o *Options) *int { return &o.Reasoning }),
		choiceKey("reasoning_field", func(o *Options) *ReasoningField { return &o.ReasoningField }, ReasoningContent, ReasoningShort),
		intKey("tool", func(o *Options) *int { return &o.Tool }),
		choiceKey("text", func(o *Options) *Text { return &o.Text }, TextASCII, TextUTF8),
		boolKey("done", func(o *Options) *bool { return &o.Done }),
		choiceKey("framing", func(o *Options) *Framing { return &o.Framing }, FramingChunked, FramingClose),
		choiceKey("close", func(o *Options) *Close { return &o.Close }, CloseNever, CloseAnnounced, CloseSilent),
		boolKey("ignore_max_tokens", func(o *Options) *bool { return &o.IgnoreMaxTokens }),
		boolKey("ignore_max_completion_tokens", func(o *Options) *bool { return &o.IgnoreMaxCompletionTokens }),

		choiceKey("fault", func(o *Options) *FaultKind { return &o.Fault.Kind }, faultKinds...),
		intKey("fault_after", func(o *Options) *int { return &o.Fault.After }),
		intKey("fault_status", func(o *Options) *int { return &o.Fault.Status }),
		{Name: "fault_body", Kind: KindText, set: func(o *Options, text string) error { o.Fault.Body = text; return nil }},
		choiceKey("fault_shape", func(o *Options) *Shape { return &o.Fault.Shape }, ShapeError, ShapeString, ShapeObject, ShapeEvent, ShapeBare),
		msKey("fault_gap_ms", func(o *Options) *time.Duration { return &o.Fault.Gap }),
	}
}

// Set sets the option of a key. The error does not name the key.
func (k Key) Set(o *Options, text string) error { return k.set(o, text) }

// A keyTable finds keys by name.
type keyTable map[string]Key

func newKeyTable() keyTable {
	t := keyTable{}
	for _, k := range Keys() {
		t[k.Name] = k
	}
	return t
}

// set sets the option with the given key.
func (t keyTable) set(o *Options, key, text string) error {
	k, ok := t[key]
	if !ok {
		return fmt.Errorf("%s: no such option", key)
	}
	if err := k.set(o, text); err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	return nil
}

// setHeader sets the options of a header: keys and values with "=" between them,
// separated by commas.
func (t keyTable) setHeader(o *Options, text string) error {
	var errs []error
	for pair := range strings.SplitSeq(text, ",") {
		pair = strings.TrimSpace(pair)
		if pair == "" {
			continue
		}
		key, value, ok := strings.Cut(pair, "=")
		if !ok {
			errs = append(errs, fmt.Errorf("%s: no value", pair))
			continue
		}
		errs = append(errs, t.set(o, strings.TrimSpace(key), strings.TrimSpace(value)))
	}
	return errors.Join(errs...)
}

// Set sets options written as in the header of a request: "usage=none, chunk=4".
// The error names all that are wrong.
func (o *Options) Set(text string) error { return newKeyTable().setHeader(o, text) }

func msKey(name string, field func(*Options) *time.Duration) Key {
	return Key{Name: name, Kind: KindMS, set: func(o *Options, text string) error {
		ms, err := strconv.ParseFloat(text, 64)
		const most = 1e9 // some days
		if err != nil || !(ms >= 0 && ms <= most) {
			return fmt.Errorf("%q is not a time in milliseconds", text)
		}
		*field(o) = time.Duration(ms * float64(time.Millisecond))
		return nil
	}}
}

func intKey(name string, field func(*Options) *int) Key {
	return Key{Name: name, Kind: KindInt, set: func(o *Options, text string) error {
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil {
			return fmt.Errorf("%q is not an integer", text)
		}
		*field(o) = int(n)
		return nil
	}}
}

func boolKey(name string, field func(*Options) *bool) Key {
	return Key{Name: name, Kind: KindBool, set: func(o *Options, text string) error {
		if text != "true" && text != "false" {
			return fmt.Errorf("%q is not true or false", text)
		}
		*field(o) = text == "true"
		return nil
	}}
}

func choiceKey[T ~string](name string, field func(*Options) *T, choices ...T) Key {
	k := Key{Name: name, Kind: KindChoice}
	for _, c := range choices {
		k.Choices = append(k.Choices, string(c))
	}
	k.set = func(o *Options, text string) error {
		if !slices.Contains(choices, T(text)) {
			return fmt.Errorf("%q is none of %s", text, strings.TrimSpace(strings.Join(k.Choices, " ")))
		}
		*field(o) = T(text)
		return nil
	}
	return k
}

func setAcceptance(o *Options, text string) error {
	var list []float64
	for word := range strings.FieldsSeq(text) {
		p, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return fmt.Errorf("%q is not a number", word)
		}
		list = append(list, p)
	}
	o.Acceptance = list
	return nil
}
