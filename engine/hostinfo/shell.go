package hostinfo

import (
	"path"
	"slices"
	"strings"
)

var shells = []string{"sh", "bash", "dash", "ash", "zsh"}

// unwrapShell returns the command that starts a server in a shell's script, which
// may do other things before; else the arguments as they are.
func unwrapShell(argv []string) []string {
	for i, word := range argv {
		if !slices.Contains(shells, path.Base(word)) {
			continue
		}
		for _, command := range splitScript(scriptOf(argv[i+1:])) {
			if serverIn(command) != "" {
				return command
			}
		}
	}
	return argv
}

// scriptOf returns the script among a shell's arguments: what follows -c, which may
// stand together with other flags of one letter.
func scriptOf(args []string) string {
	for i := 0; i+1 < len(args) && strings.HasPrefix(args[i], "-"); i++ {
		if !strings.HasPrefix(args[i], "--") && strings.HasSuffix(args[i], "c") {
			return args[i+1]
		}
	}
	return ""
}

// splitScript splits a shell's script into its commands and their words. Variables
// are not filled in: their values are not known.
func splitScript(script string) [][]string {
	var s splitter
	for _, r := range script {
		s.next(r)
	}
	s.endCommand()
	return s.commands
}

// A splitter splits a script into commands, letter by letter.
type splitter struct {
	commands [][]string
	words    []string // of the command that is being read
	word     strings.Builder
	inWord   bool // there is a word, if only an empty one
	quote    rune // that is open
	escaped  bool // the letter before was a backslash
}

func (s *splitter) next(r rune) {
	switch {
	case s.escaped:
		if s.escaped = false; r != '\n' {
			s.add(r)
		}
	case r == '\\' && s.quote != '\'':
		s.escaped = true
	case s.quote != 0 && r == s.quote:
		s.quote = 0
	case s.quote != 0:
		s.add(r)
	case r == '\'' || r == '"':
		s.quote, s.inWord = r, true
	case strings.ContainsRune(";&|\n", r):
		s.endCommand()
	case r == ' ' || r == '\t' || r == '\r':
		s.endWord()
	default:
		s.add(r)
	}
}

func (s *splitter) add(r rune) {
	s.word.WriteRune(r)
	s.inWord = true
}

func (s *splitter) endWord() {
	if s.inWord {
		s.words = append(s.words, s.word.String())
	}
	s.word.Reset()
	s.inWord = false
}

func (s *splitter) endCommand() {
	s.endWord()
	if len(s.words) > 0 && s.words[0] == "exec" {
		s.words = s.words[1:]
	}
	if len(s.words) > 0 {
		s.commands = append(s.commands, s.words)
	}
	s.words = nil
}
