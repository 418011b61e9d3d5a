package hostinfo

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Metrics are the numbers of a server at one moment. The zero value has none.
type Metrics struct{ series map[string][]series }

// A series is one number of a metric, with the labels that tell it from others.
type series struct {
	labels map[string]string
	id     string // of the labels, in order
	value  float64
}

// mostFaults is how many lines that cannot be read an error lists.
const mostFaults = 5

// ParseMetrics reads Prometheus' text format, and of OpenMetrics' what numbers need.
// It returns what it can read, together with an error that names the lines that it
// cannot.
func ParseMetrics(data []byte) (Metrics, error) {
	m, at := Metrics{series: map[string][]series{}}, map[[2]string]int{}
	var faults []error
	no := 0
	for line := range strings.Lines(string(data)) {
		no++
		line = strings.Trim(line, " \t\r\n")
		if line == "" || line[0] == '#' {
			continue
		}
		name, s, err := parseSeries(line)
		if err != nil {
			if faults = append(faults, fmt.Errorf("metrics:%d: %w", no, err)); len(faults) > mostFaults {
				faults[mostFaults] = errors.New("metrics: and more lines like these")
				break
			}
			continue
		}
		if i, have := at[[2]string{name, s.id}]; have { // the same series, said twice
			m.series[name][i] = s
			continue
		}
		at[[2]string{name, s.id}] = len(m.series[name])
		m.series[name] = append(m.series[name], s)
	}
	return m, errors.Join(faults...)
}

// Empty reports whether there is not one number.
func (m Metrics) Empty() bool { return len(m.series) == 0 }

// parseSeries reads a line: name, labels, value, and perhaps a time and an
// exemplar, which are not looked at.
func parseSeries(line string) (name string, s series, err error) {
	end := strings.IndexAny(line, "{ \t")
	if end < 0 {
		return "", s, fmt.Errorf("%q has no value", truncate(line))
	}
	name, rest := line[:end], line[end:]
	if trimmed := strings.TrimLeft(rest, " \t"); strings.HasPrefix(trimmed, "{") {
		var quoted string
		if quoted, s.labels, rest, err = parseLabels(trimmed[1:]); err != nil {
			return "", s, err
		}
		if name == "" {
			name = quoted
		}
	}
	if !nameForm(name) {
		return "", s, fmt.Errorf("%q is not the name of a metric", truncate(name))
	}
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return "", s, fmt.Errorf("%s has no value", truncate(name))
	}
	if s.value, err = strconv.ParseFloat(fields[0], 64); err != nil || strings.ContainsAny(fields[0], "_xXpP") {
		return "", s, fmt.Errorf("%s: %q is not a number", truncate(name), truncate(fields[0]))
	}
	if len(fields) > 1 && fields[1] != "#" {
		if _, err := strconv.ParseFloat(fields[1], 64); err != nil {
			return "", s, fmt.Errorf("%s: %q is not a time", truncate(name), truncate(fields[1]))
		}
	}
	s.id = labelID(s.labels)
	return name, s, nil
}

// parseLabels reads what stands between braces, and returns what follows. A name
// may stand there in quotes.
func parseLabels(text string) (name string, labels map[string]string, rest string, err error) {
	labels = map[string]string{}
	for {
		text = strings.TrimLeft(text, " \t,")
		if after, ok := strings.CutPrefix(text, "}"); ok {
			return name, labels, after, nil
		}
		var key, value string
		quoted := strings.HasPrefix(text, `"`)
		if quoted {
			key, text, err = unquoteLabel(text[1:])
		} else if end := strings.IndexAny(text, "= \t"); end > 0 {
			key, text = text[:end], text[end:]
		} else {
			err = errors.New("the labels do not end")
		}
		if err != nil {
			return "", nil, "", err
		}
		text = strings.TrimLeft(text, " \t")
		after, ok := strings.CutPrefix(text, "=")
		if !ok && quoted {
			name = key
			continue
		}
		after = strings.TrimLeft(after, " \t")
		if !ok || !strings.HasPrefix(after, `"`) {
			return "", nil, "", fmt.Errorf("label %s has no value in quotes", truncate(key))
		}
		if value, text, err = unquoteLabel(after[1:]); err != nil {
			return "", nil, "", err
		}
		labels[key] = value
	}
}

// unquoteLabel reads up to the closing quote, and returns what follows it.
func unquoteLabel(text string) (value, rest string, err error) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			return b.String(), text[i+1:], nil
		case c == '\\' && i+1 < len(text):
			i++
			switch text[i] {
			case 'n':
				b.WriteByte('\n')
			case '"', '\\':
				b.WriteByte(text[i])
			default: // no escape: both characters
				b.WriteByte('\\')
				b.WriteByte(text[i])
			}
		default:
			b.WriteByte(c)
		}
	}
	return "", "", errors.New("a quote is not closed")
}

// nameForm reports whether a text can be the name of a metric. Names of other forms
// stand in quotes, and no server that is read here has any.
func nameForm(name string) bool {
	return name != "" && strings.IndexFunc(name, func(r rune) bool { return r <= ' ' || r == '"' || r == '{' || r == '}' || r == '<' }) < 0
}

// labelID returns a text that two sets of labels have in common only if they are
// the same.
func labelID(labels map[string]string) string {
	var parts []string
	for key, value := range labels {
		parts = append(parts, strconv.Quote(key)+"="+strconv.Quote(value))
	}
	slices.Sort(parts)
	return strings.Join(parts, ",")
}

// truncate returns the beginning of a text that may be long.
func truncate(text string) string {
	if len(text) > 60 {
		return strings.ToValidUTF8(text[:60], "") + "…"
	}
	return text
}
