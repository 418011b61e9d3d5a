package i18n

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A directive says how a placeholder's value is put into words. The directives
// and the values they take:
//
//	integer        a number, rounded to a whole one, grouped
//	number.N       a number with N decimals
//	signed.N       the same, with its sign even when positive
//	percent.N      a ratio, shown as a percentage with N decimals
//	change.N       the same for a relative change, with its sign
//	multiple.N     a factor, shown as 1.86×
//	amount.N       an Amount, with N decimals and its unit
//	ms             milliseconds, switching to seconds and minutes as Milliseconds does
//	bytes          a number of bytes
//	rate           requests per second, perhaps infinite
//	params         a number of parameters
//	date, datetime a time.Time, an RFC 3339 time or a date YYYY-MM-DD
//	@area.*.name   the text of the key area.<value>.name; the value stands for *
//
// Without a directive a string stands as it is and an integer is grouped.
type directive struct {
	name   string
	digits int
	key    string // of a look-up, with * for the value
}

// plainDirectives take no number of decimals, scaledDirectives need one.
var (
	plainDirectives  = []string{"integer", "ms", "bytes", "rate", "params", "date", "datetime"}
	scaledDirectives = []string{"number", "signed", "percent", "change", "multiple", "amount"}
)

// parseDirective reads what follows a placeholder's colon.
func parseDirective(s string) (directive, error) {
	if s == "" {
		return directive{}, nil
	}
	if key, ok := strings.CutPrefix(s, "@"); ok {
		area, rest, _ := strings.Cut(key, ".")
		if !isName(area) || strings.Count(rest, "*") != 1 || strings.ContainsAny(rest, " :") {
			return directive{}, fmt.Errorf("unknown directive %q", s)
		}
		return directive{name: "@", key: key}, nil
	}
	name, digits, dot := strings.Cut(s, ".")
	for _, known := range plainDirectives {
		if name == known && !dot {
			return directive{name: name}, nil
		}
	}
	for _, known := range scaledDirectives {
		if name == known && len(digits) == 1 && digits[0] >= '0' && digits[0] <= '6' {
			return directive{name: name, digits: int(digits[0] - '0')}, nil
		}
	}
	return directive{}, fmt.Errorf("unknown directive %q", s)
}

// An Amount is a number with its unit, as the value of a placeholder. Directives
// for plain numbers take its Value alone.
type Amount struct {
	Value float64
	Unit  string // a storage unit, "ms" or "tok/s"
}

// apply puts v into words.
func (p *Printer) apply(d directive, v any) (string, error) {
	switch d.name {
	case "":
		return p.plain(v)
	case "@":
		return p.lookup(d, fmt.Sprint(v))
	case "amount":
		a, ok := v.(Amount)
		if !ok {
			return "", fmt.Errorf("a value of type %T where an Amount is wanted", v)
		}
		return p.Quantity(a.Value, d.digits, a.Unit), nil
	case "date", "datetime":
		t, err := asTime(v)
		if err != nil {
			return "", err
		}
		if d.name == "date" {
			return p.Date(t), nil
		}
		return p.DateTime(t), nil
	}
	x, err := asFloat(v)
	if err != nil {
		return "", err
	}
	return p.applyNumber(d, x)
}

// applyNumber puts the number x into words.
func (p *Printer) applyNumber(d directive, x float64) (string, error) {
	switch d.name {
	case "integer":
		return p.Number(x, 0), nil
	case "number":
		return p.Number(x, d.digits), nil
	case "signed":
		return p.Signed(x, d.digits), nil
	case "percent":
		return p.Percent(x, d.digits), nil
	case "change":
		return p.SignedPercent(x, d.digits), nil
	case "multiple":
		return p.Multiple(x, d.digits), nil
	case "ms":
		return p.Milliseconds(x), nil
	case "bytes":
		return p.Bytes(x), nil
	case "rate":
		return p.Rate(x), nil
	case "params":
		return p.Params(x), nil
	}
	return "", fmt.Errorf("unknown directive %q", d.name)
}

// plain shows a value without a directive. A float is refused: how many decimals
// a reader sees is a decision, never a default.
func (p *Printer) plain(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case fmt.Stringer:
		return v.String(), nil
	case int:
		return p.Integer(int64(v)), nil
	case int64:
		return p.Integer(v), nil
	}
	if s, ok := asString(v); ok {
		return s, nil
	}
	return "", fmt.Errorf("a value of type %T needs a directive", v)
}

// lookup returns the text that a name directive asks for.
func (p *Printer) lookup(d directive, value string) (string, error) {
	key := strings.Replace(d.key, "*", value, 1)
	if !p.Has(key) {
		return "", fmt.Errorf("no text for %s", key)
	}
	return p.T(key), nil
}

// asFloat reads a number from a numeric value or from its decimal notation.
func asFloat(v any) (float64, error) {
	if a, ok := v.(Amount); ok {
		return a.Value, nil
	}
	if x, ok := asNumber(v); ok {
		return x, nil
	}
	s, ok := asString(v)
	if !ok {
		return 0, fmt.Errorf("a value of type %T where a number is wanted", v)
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0, fmt.Errorf("%q where a number is wanted", s)
	}
	return x, nil
}

// asTime reads a time from a time.Time, an RFC 3339 time or a date.
func asTime(v any) (time.Time, error) {
	if t, ok := v.(time.Time); ok {
		return t, nil
	}
	s, ok := asString(v)
	if !ok {
		return time.Time{}, fmt.Errorf("a value of type %T where a time is wanted", v)
	}
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t, nil
	}
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return time.Time{}, fmt.Errorf("%q where a time is wanted", s)
	}
	return t, nil
}
