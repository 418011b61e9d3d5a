package contract

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// OneLine returns the command as one line for a POSIX shell; see Shell.
func (c Command) OneLine() string {
	words := make([]string, len(c.Argv))
	for i, word := range c.Argv {
		words[i] = quote(word)
	}
	return strings.Join(words, " ")
}

// Shell returns the command for a shell, without its comment: one flag per line,
// with continuations. It can be pasted into bash, zsh or ksh as it is: a word
// that the shell would change is quoted, and characters that a reader or a
// terminal would not see as such are spelled out. The text has no final newline.
func (c Command) Shell() string {
	var b strings.Builder
	for i, word := range c.Argv {
		switch {
		case i == 0:
		case strings.HasPrefix(word, "--"):
			b.WriteString(" \\\n  ")
		default:
			b.WriteByte(' ')
		}
		b.WriteString(quote(word))
	}
	return b.String()
}

// quote returns word as a shell must read it to get word back.
func quote(word string) string {
	switch {
	case !utf8.ValidString(word) || strings.ContainsFunc(word, hidden):
		return quoteHidden(word)
	case word == "" || strings.ContainsFunc(word, special) || word[0] == '=': // zsh expands =name
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}

// special reports whether a shell may give r a meaning of its own. Everything
// outside a short list counts.
func special(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
		return false
	}
	return !strings.ContainsRune("@%+=:,./_-", r)
}

// hidden reports whether r does something to a terminal or to the order of text,
// instead of showing itself.
func hidden(r rune) bool {
	return r != ' ' && !unicode.IsGraphic(r) || unicode.Is(unicode.Zs, r) && r != ' '
}

// quoteHidden writes word with three-digit octal escapes for all bytes outside
// printable ASCII.
func quoteHidden(word string) string {
	var b strings.Builder
	b.WriteString("$'")
	for _, c := range []byte(word) {
		switch {
		case c == '\'' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c > '~':
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('\'')
	return b.String()
}

// SplitCommand splits a recorded shell line into its words, as a POSIX shell
// does for quotes, backslashes and continuations. It knows no expansions, pipes
// or redirections: a line that uses them unquoted is refused, because its words
// are not known before it runs.
func SplitCommand(line string) ([]string, error) {
	s := splitter{rest: line}
	for s.rest != "" {
		if err := s.next(); err != nil {
			return nil, fmt.Errorf("split command: %w", err)
		}
	}
	s.end()
	return s.words, nil
}

type splitter struct {
	rest  string
	words []string
	word  strings.Builder
	open  bool // a word has begun; it may be empty
}

// end closes the word that has begun.
func (s *splitter) end() {
	if s.open {
		s.words = append(s.words, s.word.String())
	}
	s.word.Reset()
	s.open = false
}

// add appends text to the present word and drops n bytes of the rest.
func (s *splitter) add(text string, n int) {
	s.word.WriteString(text)
	s.open = true
	s.rest = s.rest[n:]
}

// next reads one character, escape or quoted part.
func (s *splitter) next() error {
	switch c := s.rest[0]; {
	case c == ' ' || c == '\t' || c == '\n':
		s.end()
		if c == '\n' && len(s.words) > 0 && strings.TrimSpace(s.rest) != "" {
			return errors.New("more than one command")
		}
		s.rest = s.rest[1:]
	case c == '\\':
		return s.escape()
	case c == '\'':
		return s.single()
	case c == '"':
		return s.double()
	case strings.IndexByte("|&;<>()$`*?[]{}!~\r\x00", c) >= 0 || c == '#' && !s.open:
		return fmt.Errorf("cannot tell what %q stands for", c)
	default:
		s.add(s.rest[:1], 1)
	}
	return nil
}

func (s *splitter) escape() error {
	if len(s.rest) == 1 {
		return errors.New("line ends in a backslash")
	}
	if s.rest[1] == '\n' {
		s.rest = s.rest[2:]
		return nil
	}
	s.add(s.rest[1:2], 2)
	return nil
}

func (s *splitter) single() error {
	text, _, ok := strings.Cut(s.rest[1:], "'")
	if !ok {
		return errors.New("no closing single quote")
	}
	s.add(text, len(text)+2)
	return nil
}

// double reads a part in double quotes, in which a backslash escapes only what
// would otherwise have a meaning.
func (s *splitter) double() error {
	s.add("", 1)
	for s.rest != "" {
		switch c := s.rest[0]; {
		case c == '"':
			s.add("", 1)
			return nil
		case c == '$' || c == '`':
			return fmt.Errorf("cannot tell what %q stands for", c)
		case c == '\\' && len(s.rest) > 1 && s.rest[1] == '\n':
			s.rest = s.rest[2:]
		case c == '\\' && len(s.rest) > 1 && strings.IndexByte("$`\"\\", s.rest[1]) >= 0:
			s.add(s.rest[1:2], 2)
		default:
			s.add(s.rest[:1], 1)
		}
	}
	return errors.New("no closing double quote")
}
