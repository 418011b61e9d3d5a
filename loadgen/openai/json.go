package openai

// space skips white space.
func (s *scanner) space() {
	for s.i < len(s.b) {
		switch s.b[s.i] {
		case ' ', '\t', '\n', '\r':
			s.i++
		default:
			return
		}
	}
}

// byte reads one byte after white space.
func (s *scanner) byte(c byte) bool {
	s.space()
	if s.i < len(s.b) && s.b[s.i] == c {
		s.i++
		return true
	}
	return false
}

// null reads null, and nothing when something else is there.
func (s *scanner) null() bool {
	s.space()
	return s.literal("null")
}

func (s *scanner) literal(word string) bool {
	if len(s.b)-s.i >= len(word) && string(s.b[s.i:s.i+len(word)]) == word {
		s.i += len(word)
		return true
	}
	return false
}

// object reads an object and has member read the value of each name.
func (s *scanner) object(member func(name []byte) bool) bool {
	if !s.byte('{') || !s.deeper() {
		return false
	}
	if s.byte('}') {
		s.depth--
		return true
	}
	for {
		name, ok := s.plainString()
		if !ok || !s.byte(':') || !member(name) {
			return false
		}
		if s.byte('}') {
			s.depth--
			return true
		}
		if !s.byte(',') {
			return false
		}
	}
}

// array reads an array and has element read each value.
func (s *scanner) array(element func() bool) bool {
	if !s.byte('[') || !s.deeper() {
		return false
	}
	if s.byte(']') {
		s.depth--
		return true
	}
	for {
		if !element() {
			return false
		}
		if s.byte(']') {
			s.depth--
			return true
		}
		if !s.byte(',') {
			return false
		}
	}
}

func (s *scanner) deeper() bool {
	s.depth++
	return s.depth <= maxDepth
}

// value skips any value.
func (s *scanner) value() bool {
	s.space()
	if s.i == len(s.b) {
		return false
	}
	switch c := s.b[s.i]; {
	case c == '"':
		_, _, ok := s.str()
		return ok
	case c == '{':
		return s.object(func([]byte) bool { return s.value() })
	case c == '[':
		return s.array(s.value)
	case c == '-' || c >= '0' && c <= '9':
		return s.anyNumber()
	}
	return s.literal("null") || s.literal("true") || s.literal("false")
}

// anyNumber skips a number.
func (s *scanner) anyNumber() bool {
	if s.b[s.i] == '-' {
		s.i++
	}
	whole := s.i
	if n := s.digits(); n == 0 || n > 1 && s.b[whole] == '0' {
		return false
	}
	if s.at('.') {
		s.i++
		if s.digits() == 0 {
			return false
		}
	}
	if s.at('e') || s.at('E') {
		s.i++
		if s.at('+') || s.at('-') {
			s.i++
		}
		return s.digits() > 0
	}
	return true
}

func (s *scanner) at(c byte) bool { return s.i < len(s.b) && s.b[s.i] == c }

// digits skips digits and returns how many.
func (s *scanner) digits() int {
	start := s.i
	for s.i < len(s.b) && s.b[s.i] >= '0' && s.b[s.i] <= '9' {
		s.i++
	}
	return s.i - start
}

// str reads a string and returns it as it stands between its quotes.
func (s *scanner) str() (raw []byte, escaped, ok bool) {
	if !s.byte('"') {
		return nil, false, false
	}
	start := s.i
	for i := start; i < len(s.b); i++ {
		switch c := s.b[i]; {
		case c == '"':
			s.i = i + 1
			return s.b[start:i], escaped, true
		case c < ' ':
			return nil, false, false
		case c == '\\':
			n := escape(s.b[i+1:])
			if n == 0 {
				return nil, false, false
			}
			escaped = true
			i += n
		}
	}
	return nil, false, false
}

// escape returns the length of an escape sequence after its backslash, 0 when it
// is none.
func escape(b []byte) int {
	if len(b) == 0 {
		return 0
	}
	switch b[0] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 1
	case 'u':
		if len(b) < 5 {
			return 0
		}
		for _, c := range b[1:5] {
			if (c < '0' || c > '9') && (c < 'a' || c > 'f') && (c < 'A' || c > 'F') {
				return 0
			}
		}
		return 5
	}
	return 0
}
