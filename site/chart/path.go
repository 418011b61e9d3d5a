package chart

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A matrix is the transform [a c e; b d f] of SVG.
type matrix struct{ a, b, c, d, e, f float64 }

// parseTransform reads a chain of translate, scale, rotate and matrix.
func parseTransform(s string) (matrix, error) {
	m := matrix{a: 1, d: 1}
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		name, rest, ok := strings.Cut(s, "(")
		args, tail, closed := strings.Cut(rest, ")")
		if !ok || !closed {
			return m, fmt.Errorf("read transform %q", s)
		}
		step, err := transformStep(strings.TrimSpace(name), args)
		if err != nil {
			return m, err
		}
		m, s = m.times(step), tail
	}
	return m, nil
}

func transformStep(name, args string) (matrix, error) {
	var v []float64
	for _, f := range strings.FieldsFunc(args, func(r rune) bool { return r == ',' || r == ' ' }) {
		n, err := strconv.ParseFloat(f, 64)
		if err != nil {
			return matrix{}, fmt.Errorf("read transform %s(%s): %v", name, args, err)
		}
		v = append(v, n)
	}
	switch {
	case name == "matrix" && len(v) == 6:
		return matrix{v[0], v[1], v[2], v[3], v[4], v[5]}, nil
	case name == "translate" && len(v) == 1:
		return matrix{1, 0, 0, 1, v[0], 0}, nil
	case name == "translate" && len(v) == 2:
		return matrix{1, 0, 0, 1, v[0], v[1]}, nil
	case name == "scale" && len(v) == 1:
		return matrix{v[0], 0, 0, v[0], 0, 0}, nil
	case name == "scale" && len(v) == 2:
		return matrix{v[0], 0, 0, v[1], 0, 0}, nil
	}
	return matrix{}, fmt.Errorf("read transform %s(%s): unknown", name, args)
}

func (m matrix) times(o matrix) matrix {
	return matrix{
		m.a*o.a + m.c*o.b, m.b*o.a + m.d*o.b,
		m.a*o.c + m.c*o.d, m.b*o.c + m.d*o.d,
		m.a*o.e + m.c*o.f + m.e, m.b*o.e + m.d*o.f + m.f,
	}
}

// uniform reports whether the transform only scales evenly and moves.
func (m matrix) uniform() bool { return m.b == 0 && m.c == 0 && m.a == m.d && m.a > 0 }

// round1 writes a number with one decimal: a tenth of a pixel is more than
// anyone sees, and hides differences in the last digits between processors.
func round1(v float64) string {
	s := strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64)
	if s == "-0" {
		return "0"
	}
	return s
}

// arity is the number of arguments of the path commands that occur.
var arity = map[byte]int{'M': 2, 'L': 2, 'C': 6, 'Q': 4, 'A': 7, 'Z': 0, 'l': 2, 'z': 0}

// pathTokens splits path data into commands and numbers.
func pathTokens(d string) []string {
	var out []string
	start := -1
	flush := func(i int) {
		if start >= 0 {
			out = append(out, d[start:i])
			start = -1
		}
	}
	for i := 0; i < len(d); i++ {
		c := d[i]
		switch {
		case c == ' ' || c == ',' || c == '\n':
			flush(i)
		case c == '-' && start >= 0 && d[i-1] != 'e':
			flush(i)
			start = i
		case c >= '0' && c <= '9' || c == '.' || c == '-' || c == 'e' && start >= 0 || c == '+':
			if start < 0 {
				start = i
			}
		default:
			flush(i)
			out = append(out, string(c))
		}
	}
	flush(len(d))
	return out
}

// movePath applies an even scaling and a move to path data, and rounds it.
func movePath(d string, m matrix) (string, error) {
	var b strings.Builder
	tokens := pathTokens(d)
	for i := 0; i < len(tokens); {
		n, known := arity[tokens[i][0]]
		if !known || len(tokens[i]) != 1 || i+n >= len(tokens) {
			return "", fmt.Errorf("read path data %q at %q", d, tokens[i])
		}
		c := tokens[i][0]
		b.WriteByte(c)
		args := make([]float64, n)
		for j := range args {
			v, err := strconv.ParseFloat(tokens[i+1+j], 64)
			if err != nil {
				return "", fmt.Errorf("read path data %q: %v", d, err)
			}
			args[j] = v
		}
		writeArgs(&b, moveArgs(c, args, m))
		i += n + 1
	}
	return b.String(), nil
}

func moveArgs(c byte, v []float64, m matrix) []float64 {
	switch c {
	case 'l':
		return []float64{v[0] * m.a, v[1] * m.a}
	case 'A':
		return []float64{v[0] * m.a, v[1] * m.a, v[2], v[3], v[4], v[5]*m.a + m.e, v[6]*m.a + m.f}
	}
	for i := 0; i < len(v); i += 2 {
		v[i], v[i+1] = v[i]*m.a+m.e, v[i+1]*m.a+m.f
	}
	return v
}

func writeArgs(b *strings.Builder, args []float64) {
	for i, v := range args {
		s := round1(v)
		if i > 0 && s[0] != '-' {
			b.WriteByte(' ')
		}
		b.WriteString(s)
	}
}
