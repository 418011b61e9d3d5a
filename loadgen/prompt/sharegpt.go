package prompt

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A ShareGPT is a file of conversations in ShareGPT's form: a list of objects, or
// one object after the other, each with conversations, a list of objects with
// from and value. The file is read once, piece by piece, and only where its
// conversations stand is kept.
type ShareGPT struct {
	Skipped int // entries with fewer than two messages

	name    string
	file    io.ReaderAt
	entries []entry
}

// An entry is where a conversation stands.
type entry struct {
	number int // in the file, from 0
	offset int64
	size   int
}

// A Line is one message of a conversation.
type Line struct {
	From  string `json:"from"` // "human", "gpt", "system", …: as the file says
	Value string `json:"value"`
}

// ReadShareGPT reads a file of a size in bytes. Name stands in errors, which say
// line and column. The file stays open for [ShareGPT.Conversation].
func ReadShareGPT(file io.ReaderAt, size int64, name string) (*ShareGPT, error) {
	s := &ShareGPT{name: name, file: file}
	in := bufio.NewReaderSize(io.NewSectionReader(file, 0, size), 1<<20)
	list, err := startsList(in)
	if err != nil {
		return nil, fmt.Errorf("%s: read: %w", name, err)
	}
	d := jsontext.NewDecoder(in, jsontext.AllowInvalidUTF8(true))
	if list {
		if _, err := d.ReadToken(); err != nil {
			return nil, s.at(d.InputOffset(), err)
		}
	}
	for number := 0; ; number++ {
		kind := d.PeekKind()
		if list && kind == jsontext.KindEndArray {
			break
		}
		value, err := d.ReadValue()
		if !list && errors.Is(err, io.EOF) {
			return s, s.enough()
		}
		if err != nil {
			return nil, s.at(d.InputOffset(), err)
		}
		if err := s.add(number, d.InputOffset()-int64(len(value)), value); err != nil {
			return nil, err
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, s.at(d.InputOffset(), err)
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, s.at(d.InputOffset(), errors.New("something follows the list"))
	}
	return s, s.enough()
}

// startsList reports whether a file is a list; blanks and nothing else go before.
func startsList(in *bufio.Reader) (bool, error) {
	for n := 1; ; n++ {
		b, err := in.Peek(n)
		if errors.Is(err, io.EOF) || errors.Is(err, bufio.ErrBufferFull) {
			return false, nil // the decoder says what is wrong
		}
		if err != nil {
			return false, err
		}
		switch b[n-1] {
		case ' ', '\t', '\r', '\n':
		default:
			return b[n-1] == '[', nil
		}
	}
}

func (s *ShareGPT) enough() error {
	if len(s.entries) == 0 {
		return fmt.Errorf("%s: no conversation of two messages or more", s.name)
	}
	return nil
}

// add checks an entry and notes where it stands.
func (s *ShareGPT) add(number int, offset int64, value []byte) error {
	lines, err := s.parse(number, offset, value)
	if err != nil {
		return err
	}
	if len(lines) < 2 {
		s.Skipped++
		return nil
	}
	s.entries = append(s.entries, entry{number, offset, len(value)})
	return nil
}

// parse reads the conversation of an entry. Other keys are let pass: files in use
// carry many.
func (s *ShareGPT) parse(number int, offset int64, value []byte) ([]Line, error) {
	var e struct {
		Conversations []struct {
			From  *string `json:"from"`
			Value *string `json:"value"`
		} `json:"conversations"`
	}
	fault := func(at int64, format string, args ...any) error {
		return s.at(at, fmt.Errorf("entry %d: %w", number, fmt.Errorf(format, args...)))
	}
	if err := json.Unmarshal(value, &e, jsontext.AllowInvalidUTF8(true)); err != nil {
		if semantic, ok := errors.AsType[*json.SemanticError](err); ok {
			return nil, fault(offset+semantic.ByteOffset, "%s is %s", path(semantic.JSONPointer), kind(semantic.JSONKind))
		}
		return nil, fault(offset, "%w", err)
	}
	lines := make([]Line, len(e.Conversations))
	for i, c := range e.Conversations {
		if c.From == nil || c.Value == nil {
			return nil, fault(offset, "message %d lacks from or value", i)
		}
		lines[i] = Line{*c.From, *c.Value}
	}
	return lines, nil
}

// path shows a JSON pointer, "the entry" for the root.
func path(p jsontext.Pointer) string {
	if p == "" {
		return "the entry"
	}
	return string(p[1:])
}

// kind names a kind of JSON value.
func kind(k jsontext.Kind) string {
	switch k {
	case jsontext.KindBeginObject:
		return "an object"
	case jsontext.KindBeginArray:
		return "a list"
	case jsontext.KindString:
		return "a text"
	case jsontext.KindNumber:
		return "a number"
	default:
		return k.String()
	}
}

// at adds line and column to an error.
func (s *ShareGPT) at(offset int64, err error) error {
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		offset, err = syntax.ByteOffset, syntax.Err
	}
	line, column := 1, int64(1)
	in := bufio.NewReaderSize(io.NewSectionReader(s.file, 0, offset), 1<<20)
	for {
		part, readErr := in.ReadSlice('\n')
		if len(part) > 0 && part[len(part)-1] == '\n' {
			line, column = line+1, 1
			continue
		}
		column += int64(len(part))
		if readErr != nil && !errors.Is(readErr, bufio.ErrBufferFull) {
			return fmt.Errorf("%s:%d:%d: %w", s.name, line, column, err)
		}
	}
}

// Len returns how many conversations have at least two messages. Others do not
// count.
func (s *ShareGPT) Len() int { return len(s.entries) }

// Conversation returns conversation i of those, in the file's order.
func (s *ShareGPT) Conversation(i int) ([]Line, error) {
	e := s.entries[i]
	value := make([]byte, e.size)
	if _, err := s.file.ReadAt(value, e.offset); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: entry %d: %w", s.name, e.number, err)
	}
	lines, err := s.parse(e.number, e.offset, value)
	if err != nil {
		return nil, err
	}
	if !jsontext.Value(value).IsValid() { // what differs from the first reading
		return nil, s.at(e.offset, fmt.Errorf("entry %d: text that is not UTF-8", e.number))
	}
	return lines, nil
}
