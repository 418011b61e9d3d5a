package bundle

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"example.org/arena/results/tomlfile"
)

// A checker gathers the faults of a bundle. Its methods take the JSON Pointer of
// the value that they judge.
type checker struct{ faults tomlfile.Faults }

func (c *checker) faultf(key, format string, args ...any) {
	c.faults = append(c.faults, tomlfile.Fault{Key: key, Code: CodeValue, Message: fmt.Sprintf(format, args...)})
}

// required reports a missing value; reason says who needs it.
func (c *checker) required(key, value, reason string) {
	if value == "" {
		c.missing(key, reason)
	}
}

func (c *checker) missing(key, reason string) {
	c.faults = append(c.faults, tomlfile.Fault{Key: key, Code: CodeRequired, Message: "is missing: " + reason})
}

// hex reports a value that is neither empty nor n lower-case hex digits.
func (c *checker) hex(key, value string, n int) {
	if value != "" && !isHex(value, n) {
		c.faultf(key, "%q is not %d lower-case hex digits", value, n)
	}
}

func isHex(s string, n int) bool {
	return len(s) == n && strings.Trim(s, "0123456789abcdef") == ""
}

// time reports a value that is neither empty nor a time in UTC. It returns the
// time, which is zero unless the value is one.
func (c *checker) time(key, value string) time.Time {
	if value == "" {
		return time.Time{}
	}
	t, err := parseTime(value)
	if err != nil {
		c.faultf(key, "%v", err)
	}
	return t
}

// name reports what keeps a value from being the name of a folder.
func (c *checker) name(key, value string) {
	if err := checkSlug(value); err != nil {
		c.faultf(key, "%v", err)
	}
}

// count reports a negative number.
func (c *checker) count(key string, n int64) {
	if n < 0 {
		c.faultf(key, "%d is negative", n)
	}
}

// ratio reports a number outside [0,1].
func (c *checker) ratio(key string, v *float64) {
	if v != nil && !(0 <= *v && *v <= 1) {
		c.faultf(key, "%v is not in [0,1]", *v)
	}
}

// settings reports names that are empty or stand twice, and, where sorted is
// set, names out of order.
func (c *checker) settings(key string, list []Setting, sorted bool) {
	seen := map[string]bool{}
	for i, s := range list {
		at := fmt.Sprintf("%s/%d/name", key, i)
		c.required(at, s.Name, "every value has a name")
		if s.Name != "" && seen[s.Name] {
			c.faultf(at, "%q stands twice", s.Name)
		}
		if sorted && i > 0 && s.Name < list[i-1].Name {
			c.faultf(at, "%q stands after %q: names are sorted", s.Name, list[i-1].Name)
		}
		seen[s.Name] = true
	}
}

// notes reports notes without a code.
func (c *checker) notes(key string, notes []Note) {
	for i, n := range notes {
		at := fmt.Sprintf("%s/%d", key, i)
		if !codeForm.MatchString(n.Code) {
			c.faultf(at+"/code", "%q is not a code: lower-case words joined by '_'", n.Code)
		}
		c.settings(at+"/args", n.Args, false)
	}
}

// files reports raw files without a name, hash or size, and names that stand
// twice.
func (c *checker) files(key string, files []File) {
	seen := map[string]bool{}
	for i, f := range files {
		at := fmt.Sprintf("%s/%d", key, i)
		c.required(at+"/name", f.Name, "every file has a name")
		if strings.HasPrefix(f.Name, "/") || strings.Contains(f.Name, `\`) || slices.Contains(strings.Split(f.Name, "/"), "..") {
			c.faultf(at+"/name", "%q leads out of the source", f.Name)
		}
		if f.Name != "" && seen[f.Name] {
			c.faultf(at+"/name", "%q stands twice", f.Name)
		}
		seen[f.Name] = true
		c.required(at+"/sha256", f.SHA256, "every file has a hash")
		c.hex(at+"/sha256", f.SHA256, 64)
		c.count(at+"/bytes", f.Bytes)
	}
}

// The forms of names. They never change.
var (
	codeForm    = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	licenceForm = regexp.MustCompile(`^[A-Za-z0-9.+-]+( (AND|OR|WITH) [A-Za-z0-9.+-]+)*$`)
)
