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
	sweep := slices.ContainsFunc(c.Tests, func(t Test) bool { return t.OpenLoop != nil && len(t.OpenLoop.Rungs) > 1 })
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
		v.loop(path, t)
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

func (v *validator) loop(path string, t Test) {
	switch {
	case t.Loop == Closed && t.Tool == LlamaBenchy && t.ClosedLoop != nil && t.OpenLoop == nil:
		v.closed(path, t.ClosedLoop)
	case t.Loop == Open && t.Tool == VLLMBench && t.OpenLoop != nil && t.ClosedLoop == nil:
		v.open(path, t.OpenLoop)
	case t.Loop == Closed && t.Tool == Native && t.ClosedLoop != nil && t.OpenLoop == nil:
		v.nativeClosed(path, t.ClosedLoop)
	case t.Loop == Open && t.Tool == Native && t.OpenLoop != nil && t.ClosedLoop == nil:
		v.nativeOpen(path, t.OpenLoop)
	default:
		v.Add(tomlfile.Join(path, "loop"), "loop %q, tool %q and parameters do not belong together", t.Loop, t.Tool)
	}
}

func (v *validator) closed(path string, l *ClosedLoop) {
	v.ascending(tomlfile.Join(path, "prompt_tokens"), l.PromptTokens, 1, math.MaxInt)
	v.ascending(tomlfile.Join(path, "output_tokens"), l.OutputTokens, 1, math.MaxInt)
	v.ascending(tomlfile.Join(path, "depth_tokens"), l.DepthTokens, 0, math.MaxInt)
	v.ascending(tomlfile.Join(path, "concurrency"), l.Concurrency, 1, math.MaxInt)
	tool := string(LlamaBenchy)
	if l.ToolVersion != "" {
		v.word(tomlfile.Join(tool, "version"), l.ToolVersion)
	}
	v.match(tomlfile.Join(tool, "base_url"), l.BaseURL, urlPattern, "an address without a slash at its end")
	v.atLeast(tomlfile.Join(tool, "runs"), l.Runs, 1)
	v.word(tomlfile.Join(tool, "latency_mode"), l.LatencyMode)
	v.word(tomlfile.Join(tool, "format"), l.Format)
}

func (v *validator) open(path string, l *OpenLoop) {
	tool := string(VLLMBench)
	v.word(tomlfile.Join(tool, "container"), l.Container)
	v.word(tomlfile.Join(tool, "backend"), l.Backend)
	v.match(tomlfile.Join(tool, "base_url"), l.BaseURL, urlPattern, "an address without a slash at its end")
	v.path(tomlfile.Join(tool, "endpoint"), l.Endpoint)
	for _, name := range l.PercentileMetrics {
		if !slices.Contains([]string{"ttft", "tpot", "itl", "e2el"}, name) {
			v.Add(tomlfile.Join(tool, "percentile_metrics"), "want ttft, tpot, itl or e2el, not %q", name)
		}
	}
	if len(l.PercentileMetrics) == 0 {
		v.Add(tomlfile.Join(tool, "percentile_metrics"), "want at least one metric")
	}
	v.ascending(tomlfile.Join(tool, "percentiles"), l.Percentiles, 1, 99)
	if l.RateDigits < 0 || l.RateDigits > 6 {
		v.Add(tomlfile.Join(tool, "rate_digits"), "want 0 to 6, not %d", l.RateDigits)
	}
	if !(l.Burstiness > 0) || math.IsInf(l.Burstiness, 0) {
		v.Add(tomlfile.Join(path, "burstiness"), "want more than 0, not %v", l.Burstiness)
	}
	v.atLeast(tomlfile.Join(path, "max_concurrency"), l.MaxConcurrency, 0)
	v.dataset(path, l)
	v.resultFile(path, l)
	v.rungs(path, l.Rungs)
}

func (v *validator) dataset(path string, l *OpenLoop) {
	switch l.Dataset {
	case Random:
		v.lengths(path, l)
	case ShareGPT:
		v.path(tomlfile.Join(path, "dataset_path"), l.DatasetPath)
	default:
		v.Add(tomlfile.Join(path, "dataset"), "want %q or %q, not %q", Random, ShareGPT, l.Dataset)
	}
}

// lengths checks the spread of prompt and output lengths.
func (v *validator) lengths(path string, l *OpenLoop) {
	v.atLeast(tomlfile.Join(path, "mean_input_tokens"), l.InputTokens, 1)
	v.atLeast(tomlfile.Join(path, "mean_output_tokens"), l.OutputTokens, 1)
	if !(l.RangeRatio >= 0 && l.RangeRatio < 1) {
		v.Add(tomlfile.Join(path, "range_ratio"), "want a ratio in [0,1), not %v", l.RangeRatio)
	}
}

// resultFile checks that a result has a folder and a name or neither, and that
// several rungs do not overwrite each other's.
func (v *validator) resultFile(path string, l *OpenLoop) {
	tool := string(VLLMBench)
	key := tomlfile.Join(path, "result_file")
	switch {
	case l.ResultDir == "" && l.ResultFile == "":
		return
	case l.ResultDir == "":
		v.Add(key, "want a result_dir in [%s] to save it in", tool)
	case l.ResultFile == "":
		v.Add(key, "want a name, since [%s] has a result_dir", tool)
	default:
		v.path(tomlfile.Join(tool, "result_dir"), l.ResultDir)
		v.word(key, l.ResultFile)
	}
	if several := len(l.Rungs) > 1; several != strings.Contains(l.ResultFile, ratePlaceholder) {
		v.Add(key, "want %s in the name exactly when there are several rates, not %q", ratePlaceholder, l.ResultFile)
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
