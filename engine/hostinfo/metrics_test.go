package hostinfo

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func readMetrics(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "metrics", file))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func metricsOf(t *testing.T, text string) Metrics {
	t.Helper()
	m, err := ParseMetrics([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestParseMetrics(t *testing.T) {
	t.Parallel()
	m := metricsOf(t, strings.Join([]string{
		`# HELP a something with {braces} and "quotes"`,
		`a 1`,
		"\tb{x=\"1\"}\t2 1700000000000  ",
		`b{x="2",} 3.5`,
		`c{ path = "C:\\x\"y\",\nz\q" , z="" } 1e3 # {trace_id="a}b"} 0.5 1.5`,
		`inf +Inf`,
		`nan{} NaN`,
		`neg -Inf 12`,
		`{"quoted.name", l="v"} 7`,
		`b{x="1"} 4`, // again: the later counts
		`h_bucket{le="+Inf"} 9`,
		`ol 5 # {a="b"} 1`,
		`no_newline 6`,
		``,
	}, "\r\n")+"last 8")
	for name, want := range map[string]float64{
		"a": 1, "b": 7.5, "c": 1000, "inf": math.Inf(1), "neg": math.Inf(-1), "quoted.name": 7, "h_bucket": 9, "ol": 5, "no_newline": 6, "last": 8,
	} {
		if got, ok := m.sum(name); !ok || got != want {
			t.Errorf("%s: got %v, %v, want %v", name, got, ok, want)
		}
	}
	if got, _ := m.sum("nan"); !math.IsNaN(got) {
		t.Errorf("nan: got %v", got)
	}
	if _, ok := m.sum("absent"); ok {
		t.Error("a metric that is not there is found")
	}
	if got := m.series["c"][0].labels["path"]; got != "C:\\x\"y\",\nz\\q" {
		t.Errorf("label %q", got)
	}
}

func TestParseMetricsFaults(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`a`:               `metrics:2: "a" has no value`,
		`a `:              `metrics:2: "a" has no value`,
		`a{}`:             `metrics:2: a has no value`,
		`a x`:             `metrics:2: a: "x" is not a number`,
		`a 0x1p4`:         `metrics:2: a: "0x1p4" is not a number`,
		`a 1 soon`:        `metrics:2: a: "soon" is not a time`,
		`a{x="1 1`:        `metrics:2: a quote is not closed`,
		`a{x=1} 1`:        `metrics:2: label x has no value in quotes`,
		`a{x="1"`:         `metrics:2: the labels do not end`,
		`a{="1"} 1`:       `metrics:2: the labels do not end`,
		`{x="1"} 1`:       `metrics:2: "" is not the name of a metric`,
		`<html> 1`:        `metrics:2: "<html>" is not the name of a metric`,
		`"oops": true, 1`: `is not`,
	} {
		m, err := ParseMetrics([]byte("first 1\n" + line + "\nlast 2\n"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", line, err, want)
		}
		if _, ok := m.sum("last"); !ok {
			t.Errorf("%s: the rest is not read", line)
		}
	}
	_, err := ParseMetrics([]byte(strings.Repeat("<p>not found</p>\n", 1000)))
	if err == nil || strings.Count(err.Error(), "\n") != mostFaults {
		t.Errorf("a page gives %v", err)
	}
}

func TestDifference(t *testing.T) {
	t.Parallel()
	before, after := readMetrics(t, "vllm-before.txt"), readMetrics(t, "vllm-after.txt")
	sglang, llama := readMetrics(t, "sglang.txt"), readMetrics(t, "llamacpp.txt")
	edit := func(text string, pairs ...string) string {
		for i := 0; i < len(pairs); i += 2 {
			if !strings.Contains(text, pairs[i]) {
				t.Fatalf("no %s to replace", pairs[i])
			}
		}
		return strings.NewReplacer(pairs...).Replace(text)
	}
	const wantCounters = `{"prefix_query_tokens":21000,"prefix_hit_tokens":32,"preemptions":2,"prompt_tokens":21000,"generation_tokens":4096}`
	const wantDraft = `{"drafts":1000,"draft_tokens":3000,"accepted_tokens":1400,"per_position":[0.75,0.45,0.2]}`
	const hits0, hits1 = `vllm:prefix_cache_hits_total{engine="0",model_name="muse"}`, `vllm:prefix_cache_hits_total{engine="1",model_name="muse"}`
	const withoutCache = `{"preemptions":2,"prompt_tokens":21000,"generation_tokens":4096}`
	cases := []struct{ name, before, after, counters, draft, notes string }{
		{"vLLM", before, after, wantCounters, wantDraft, ""},
		{"nothing happened", before, before, `{"prefix_query_tokens":0,"prefix_hit_tokens":0,"preemptions":0,"prompt_tokens":0,"generation_tokens":0}`, "null", ""},
		{"restarted", before, edit(after, "1.78674481154e+09", "1.78674491154e+09"), "null", "null", "server_restarted"},
		{"backwards", after, before, "null", "null", "server_counters_unusable counters=vllm:generation_tokens vllm:num_preemptions vllm:prefix_cache_hits vllm:prefix_cache_queries " +
			"vllm:prompt_tokens vllm:spec_decode_num_accepted_tokens vllm:spec_decode_num_draft_tokens vllm:spec_decode_num_drafts"},
		{"one of two engines backwards", before, edit(after, hits1+" 16.0", hits1+" 15.0"), withoutCache, wantDraft, "server_counters_unusable counters=vllm:prefix_cache_hits"},
		{"an engine gone", before, edit(after, hits1+" 16.0\n", ""), withoutCache, wantDraft, "server_counters_unusable counters=vllm:prefix_cache_hits"},
		{
			"made anew", before, edit(after, `created{engine="1",model_name="muse"} 1.7867448715e+09`, `created{engine="1",model_name="muse"} 1.7867458715e+09`),
			withoutCache, wantDraft, "server_counters_unusable counters=vllm:prefix_cache_queries",
		},
		{"no number", before, edit(after, hits0+" 96.0", hits0+" NaN"), withoutCache, wantDraft, "server_counters_unusable counters=vllm:prefix_cache_hits"},
		{"infinite", before, edit(after, hits0+" 96.0", hits0+" +Inf"), withoutCache, wantDraft, "server_counters_unusable counters=vllm:prefix_cache_hits"},
		{"too many", before, edit(after, hits0+" 96.0", hits0+" 1e15"), withoutCache, wantDraft, "server_counters_unusable counters=vllm:prefix_cache_hits"},
		{"without _total", edit(before, "_total{", "{"), edit(after, "_total{", "{"), wantCounters, wantDraft, ""},
		{
			"more accepted than proposed", before, edit(after, "accepted_tokens_total{engine=\"0\",model_name=\"muse\"} 2900.0", "accepted_tokens_total{engine=\"0\",model_name=\"muse\"} 29000.0"),
			wantCounters, "null", "server_counters_unusable counters=vllm:spec_decode_num_accepted_tokens",
		},
		{"no look before", "", after, "null", "null", ""},
		{"no look after", before, "", "null", "null", ""},
		{
			"SGLang", edit(sglang, "8.128902e+06", "8.128002e+06", "60000.0", "59000.0"), sglang,
			`{"prefix_query_tokens":900,"prefix_hit_tokens":1000,"preemptions":0,"prompt_tokens":900,"generation_tokens":0}`, "null", "",
		},
		{
			"SGLang, first hit", edit(sglang, "cached_tokens", "other_tokens"), sglang,
			`{"prefix_query_tokens":0,"prefix_hit_tokens":60000,"preemptions":0,"prompt_tokens":0,"generation_tokens":0}`, "null", "",
		},
		{"SGLang without hits", edit(sglang, "cached_tokens", "x"), edit(sglang, "cached_tokens", "x"), `{"preemptions":0,"prompt_tokens":0,"generation_tokens":0}`, "null", ""},
		{"llama.cpp", edit(llama, " 3469", " 3000"), llama, `{"prompt_tokens":0,"generation_tokens":469}`, "null", ""},
		{"another program", "go_goroutines 5\n", "go_goroutines 6\n", "null", "null", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := Difference(metricsOf(t, c.before), metricsOf(t, c.after))
			counters, err := json.Marshal(d.Counters)
			if err != nil || string(counters) != c.counters {
				t.Errorf("counters (%v)\n got %s\nwant %s", err, counters, c.counters)
			}
			draft, err := json.Marshal(d.Draft)
			if err != nil || string(draft) != c.draft {
				t.Errorf("draft (%v)\n got %s\nwant %s", err, draft, c.draft)
			}
			if codes(d.Notes) != c.notes {
				t.Errorf("notes\n got %s\nwant %s", codes(d.Notes), c.notes)
			}
		})
	}
}

func TestCacheConfig(t *testing.T) {
	t.Parallel()
	settings, on := CacheConfig(metricsOf(t, readMetrics(t, "vllm-after.txt")))
	const want = "block_size=16 cpu_offload_gb=0 enable_prefix_caching=false gpu_memory_utilization=0.9 kv_cache_dtype=fp8 num_gpu_blocks=41123"
	if settingsText(settings) != want || on == nil || *on {
		t.Errorf("got %s, %v", settingsText(settings), on)
	}
	settings, on = CacheConfig(metricsOf(t, `vllm:cache_config_info{enable_prefix_caching="True",block_size="16",engine="0"} 1
vllm:cache_config_info{enable_prefix_caching="False",block_size="16",engine="1"} 1
`))
	if settingsText(settings) != "block_size=16" || on != nil {
		t.Errorf("two engines that differ: got %s, %v", settingsText(settings), on)
	}
	settings, on = CacheConfig(metricsOf(t, `vllm:cache_config_info{enable_prefix_caching="True",block_size="/home/x"} 1`))
	if settingsText(settings) != "enable_prefix_caching=true" || on == nil || !*on {
		t.Errorf("got %s, %v", settingsText(settings), on)
	}
	if settings, on = CacheConfig(Metrics{}); settings != nil || on != nil {
		t.Errorf("no metrics: got %v, %v", settings, on)
	}
}

func FuzzParseMetrics(f *testing.F) {
	for _, file := range []string{"vllm-before.txt", "vllm-after.txt", "sglang.txt", "llamacpp.txt"} {
		data, err := os.ReadFile(filepath.Join("testdata", "metrics", file))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data), "")
		f.Add("", string(data))
	}
	f.Add(`a{x="\`, `{"`)
	f.Fuzz(func(t *testing.T, before, after string) {
		b, _ := ParseMetrics([]byte(before))
		a, _ := ParseMetrics([]byte(after))
		d := Difference(b, a)
		if c := d.Counters; c != nil {
			for _, n := range []*int64{c.PrefixHitTokens, c.PrefixQueryTokens, c.Preemptions, c.PromptTokens, c.GenerationTokens} {
				if n != nil && (*n < 0 || *n > mostCounted) {
					t.Errorf("a counter of %d", *n)
				}
			}
		}
		if s := d.Draft; s != nil {
			if s.AcceptedTokens > s.DraftTokens || s.Drafts <= 0 || s.AcceptedTokens < 0 {
				t.Errorf("impossible: %+v", s)
			}
			for _, p := range s.PerPosition {
				if !(0 <= p && p <= 1) {
					t.Errorf("a share of %v", p)
				}
			}
		}
		CacheConfig(a)
		// What was read once reads the same again.
		if again, _ := ParseMetrics([]byte(after)); len(again.series) != len(a.series) {
			t.Error("the second reading differs")
		}
	})
}

// sum returns a metric added up over its label sets, and whether there is one.
func (m Metrics) sum(name string) (float64, bool) {
	sum := 0.0
	for _, s := range m.series[name] {
		sum += s.value
	}
	return sum, len(m.series[name]) > 0
}
