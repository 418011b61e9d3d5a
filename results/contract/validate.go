package contract

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"example.org/arena/results/metric"
	"example.org/arena/results/tomlfile"
)

var (
	versionPattern = regexp.MustCompile(`^v[1-9][0-9]*$`)
	slugPattern    = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	urlPattern     = regexp.MustCompile(`^https?://[^\s/]+(/\S*[^\s/])?$`)
	wordPattern    = regexp.MustCompile(`^[A-Za-z0-9_./:{}-]+$`)
)

// Validate checks the sense of a contract. The error is tomlfile.Faults: all of them.
func (c *Contract) Validate() error {
	v := &validator{tomlfile.NewReport(c.File, c.lines)}
	v.match("version", c.Version, versionPattern, "v and a number")
	if !isDate(c.Date) {
		v.Add("date", "want a date YYYY-MM-DD, not %q", c.Date)
	}
	if c.Seed < 0 {
		v.Add("seed", "want 0 or more, not %d", c.Seed)
	}
	if !(c.SuccessThreshold >= 0 && c.SuccessThreshold <= 1) {
		v.Add("success_threshold", "want a share in (0,1], not %v", c.SuccessThreshold)
	}
	v.limits(c)
	v.tests(c.Tests)
	return v.Err()
}

type validator struct{ *tomlfile.Report }

// limits checks that the limits are there exactly when a sweep needs them.
func (v *validator) limits(c *Contract) {
	sweep := slices.ContainsFunc(c.Tests, func(t Test) bool { return t.Sweeps() })
	switch {
	case sweep:
		v.ascending("ttft_limits_ms", c.TTFTLimits, 1, math.MaxInt)
	case len(c.TTFTLimits) > 0:
		v.Add("ttft_limits_ms", "no test has several rates, which the limits are for")
	}
}

func (v *validator) tests(tests []Test) {
	if len(tests) == 0 {
		v.Add("test", "want at least one test")
	}
	seen := map[string]bool{}
	for i, t := range tests {
		path := tomlfile.Element("test", i)
		v.match(tomlfile.Join(path, "slug"), t.Slug, slugPattern, "lower-case words joined by hyphens")
		if seen[t.Slug] {
			v.Add(tomlfile.Join(path, "slug"), "%q is taken by an earlier test", t.Slug)
		}
		seen[t.Slug] = true
		if t.Number != i+1 {
			v.Add(tomlfile.Join(path, "number"), "want %d, the test's place in the file, not %d", i+1, t.Number)
		}
		v.primary(tomlfile.Join(path, "primary"), t.Primary)
		if len(t.TTFTPercentiles) > 0 {
			v.ascending(tomlfile.Join(path, "ttft_percentiles"), t.TTFTPercentiles, 1, 99)
		}
		if t.Kind == nil {
			v.Add(tomlfile.Join(path, "tool"), "is of no kind: nothing says what it does")
		} else {
			t.Kind.check(v, path)
		}
	}
}

func (v *validator) primary(path string, keys []metric.Key) {
	if len(keys) == 0 {
		v.Add(path, "want at least one metric")
	}
	for i, key := range keys {
		if _, ok := metric.Lookup(key); !ok {
			v.Add(path, "no metric %q", key)
		}
		if slices.Contains(keys[:i], key) {
			v.Add(path, "%q stands there twice", key)
		}
	}
}

// grid checks the lists that the kinds of closed loop share.
func (v *validator) grid(path string, g Grid) {
	v.ascending(tomlfile.Join(path, "prompt_tokens"), g.PromptTokens, 1, math.MaxInt)
	v.ascending(tomlfile.Join(path, "output_tokens"), g.OutputTokens, 1, math.MaxInt)
	v.ascending(tomlfile.Join(path, "concurrency"), g.Concurrency, 1, math.MaxInt)
}

// arrivals checks what the kinds of open loop share. Random names the dataset of
// random lengths.
func (v *validator) arrivals(path string, a Arrivals, random string) {
	if !(a.Burstiness > 0) || math.IsInf(a.Burstiness, 0) {
		v.Add(tomlfile.Join(path, "burstiness"), "want more than 0, not %v", a.Burstiness)
	}
	v.atLeast(tomlfile.Join(path, "max_concurrency"), a.MaxConcurrency, 0)
	switch a.Dataset {
	case random:
		v.lengths(path, a)
	case ShareGPT:
	default:
		v.Add(tomlfile.Join(path, "dataset"), "want %q or %q, not %q", random, ShareGPT, a.Dataset)
	}
	v.rungs(path, a.Rungs)
}

// lengths checks the spread of prompt and output lengths.
func (v *validator) lengths(path string, a Arrivals) {
	v.atLeast(tomlfile.Join(path, "mean_input_tokens"), a.InputTokens, 1)
	v.atLeast(tomlfile.Join(path, "mean_output_tokens"), a.OutputTokens, 1)
	if !(a.RangeRatio >= 0 && a.RangeRatio < 1) {
		v.Add(tomlfile.Join(path, "range_ratio"), "want a ratio in [0,1), not %v", a.RangeRatio)
	}
}

func (v *validator) rungs(path string, rungs []Rung) {
	if len(rungs) == 0 {
		v.Add(tomlfile.Join(path, "request_rate"), "want at least one rate")
	}
	last := 0.0
	for _, r := range rungs {
		if !(r.RequestRate > last) || math.IsInf(r.RequestRate, 0) {
			v.Add(tomlfile.Join(path, "request_rate"), "want rates above 0, ascending, not %v after %v", r.RequestRate, last)
		}
		last = r.RequestRate
		v.atLeast(tomlfile.Join(path, "prompts"), r.Prompts, 1)
	}
}

func (v *validator) baseURL(tool, url string) {
	v.match(tomlfile.Join(tool, "base_url"), url, urlPattern, "an address without a slash at its end")
}

func (v *validator) match(path, value string, pattern *regexp.Regexp, what string) {
	if !pattern.MatchString(value) {
		v.Add(path, "want %s, not %q", what, value)
	}
}

// word checks a name that goes into a command.
func (v *validator) word(path, value string) {
	v.match(path, value, wordPattern, "a word without blanks")
}

// path checks an absolute path that goes into a command.
func (v *validator) path(path, value string) {
	if !strings.HasPrefix(value, "/") {
		v.Add(path, "want an absolute path, not %q", value)
	} else {
		v.word(path, value)
	}
}

func (v *validator) atLeast(path string, n, low int) {
	if n < low {
		v.Add(path, "want %d or more, not %d", low, n)
	}
}

// ascending checks a list that must not be empty.
func (v *validator) ascending(path string, list []int, low, high int) {
	if len(list) == 0 {
		v.Add(path, "want at least one value")
	}
	for i, n := range list {
		if n < low || n > high {
			v.Add(path, "%d is out of range", n)
		}
		if i > 0 && n <= list[i-1] {
			v.Add(path, "want ascending values, not %d after %d", n, list[i-1])
		}
	}
}

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}
