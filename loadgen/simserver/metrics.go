package simserver

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// metrics returns the state of the server as Prometheus reads it, with vLLM's
// names.
func (s *Server) metrics() []byte {
	m := metricsText{labels: fmt.Sprintf(`engine="0",model_name=%q`, s.config.Model), created: float64(s.origin.UnixMilli()) / 1e3}
	c := &s.counts
	m.gauge("vllm:num_requests_running", "requests that are being answered", float64(c.running.Load()))
	m.gauge("vllm:num_requests_waiting", "requests in the queue", float64(c.waiting.Load()))
	usage := 0.0
	if e := s.engine; e != nil {
		usage = float64(c.kvUsed.Load()) / float64(e.pool.total)
	}
	m.gauge("vllm:kv_cache_usage_perc", "share of the KV cache in use, in [0,1]", usage)
	m.counter("vllm:prefix_cache_queries", "prompt tokens looked up in the prefix cache", c.prefixQueries.Load())
	m.counter("vllm:prefix_cache_hits", "prompt tokens found in the prefix cache", c.prefixHits.Load())
	m.counter("vllm:num_preemptions", "times a request lost its memory", c.preemptions.Load())
	m.counter("vllm:prompt_tokens", "tokens of prompts", c.prompted.Load())
	m.counter("vllm:generation_tokens", "tokens sent", c.generated.Load())
	if s.config.Request.Draft > 0 || c.drafts.Load() > 0 {
		m.counter("vllm:spec_decode_num_drafts", "steps with guesses", c.drafts.Load())
		m.counter("vllm:spec_decode_num_draft_tokens", "tokens guessed", c.draftTokens.Load())
		m.counter("vllm:spec_decode_num_accepted_tokens", "guesses that held", c.accepted.Load())
		m.head("vllm:spec_decode_num_accepted_tokens_per_pos_total", "counter", "guesses that held, by position")
		for i := range s.positions() {
			m.line("vllm:spec_decode_num_accepted_tokens_per_pos_total", fmt.Sprintf(`,position="%d"`, i), float64(c.acceptedAt[i].Load()))
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	m.head("vllm:request_success_total", "counter", "answers that ended, by finish reason")
	for _, reason := range []string{"stop", "length", "abort"} {
		n := c.finished[reason]
		if reason == "stop" {
			n += c.finished["tool_calls"]
		}
		m.line("vllm:request_success_total", `,finished_reason="`+reason+`"`, float64(n))
	}
	m.histogram("vllm:time_to_first_token_seconds", "from arrival to first token", &c.ttft)
	m.histogram("vllm:inter_token_latency_seconds", "between events with tokens", &c.itl)
	m.histogram("vllm:request_time_per_output_token_seconds", "mean time per token of a request", &c.tpot)
	m.histogram("vllm:e2e_request_latency_seconds", "from arrival to last token", &c.e2e)
	m.histogram("vllm:request_queue_time_seconds", "in the queue", &c.queue)
	m.histogram("vllm:request_inference_time_seconds", "from the queue to the last token", &c.infer)
	m.histogram("vllm:request_prefill_time_seconds", "from the queue to the first token", &c.prefill)
	m.histogram("vllm:request_decode_time_seconds", "from first to last token", &c.decode)
	m.histogram("vllm:request_prompt_tokens", "tokens of a prompt", &c.prompt)
	m.histogram("vllm:request_generation_tokens", "tokens of an answer", &c.answer)
	m.cacheInfo(s)
	m.head("process_start_time_seconds", "gauge", "when the server started, in seconds since 1970")
	m.text.WriteString("process_start_time_seconds " + number(m.created) + "\n")
	m.outcomes(c)
	return []byte(m.text.String())
}

// positions returns how many positions of guesses are counted.
func (s *Server) positions() int {
	n := min(s.config.Request.Draft, maxDraft)
	for n < maxDraft && s.counts.acceptedAt[n].Load() > 0 {
		n++
	}
	return n
}

// metricsText writes the text format of Prometheus.
type metricsText struct {
	text    strings.Builder
	labels  string
	created float64
}

// number writes a value as the library of vLLM does.
func number(x float64) string {
	text := strconv.FormatFloat(x, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

func (m *metricsText) head(name, kind, help string) {
	fmt.Fprintf(&m.text, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

func (m *metricsText) line(name, more string, value float64) {
	fmt.Fprintf(&m.text, "%s{%s%s} %s\n", name, m.labels, more, number(value))
}

func (m *metricsText) gauge(name, help string, value float64) {
	m.head(name, "gauge", help)
	m.line(name, "", value)
}

func (m *metricsText) counter(name, help string, value int64) {
	m.head(name+"_total", "counter", help)
	m.line(name+"_total", "", float64(value))
	m.gauge(name+"_created", help, m.created)
}

func (m *metricsText) histogram(name, help string, h *histogram) {
	m.head(name, "histogram", help)
	total := int64(0)
	for i, n := range h.counts {
		bound := "+Inf"
		if i < len(h.bounds) {
			bound = number(h.bounds[i])
		}
		total += n
		m.line(name+"_bucket", `,le="`+bound+`"`, float64(total))
	}
	m.line(name+"_count", "", float64(total))
	m.line(name+"_sum", "", h.sum)
	m.gauge(name+"_created", help, m.created)
}

// cacheInfo tells of the KV cache in labels.
func (m *metricsText) cacheInfo(s *Server) {
	if s.engine == nil {
		return
	}
	e := s.engine
	caching := "False"
	if e.PrefixCache {
		caching = "True"
	}
	m.head("vllm:cache_config_info", "gauge", "settings of the KV cache")
	m.line("vllm:cache_config_info", fmt.Sprintf(`,block_size="%d",enable_prefix_caching="%s",num_gpu_blocks="%d"`, e.BlockTokens, caching, e.pool.total), 1)
}

// outcomes tells what only a simulated server knows.
func (m *metricsText) outcomes(c *counters) {
	m.head("arena_sim:answers_total", "counter", "answers that ended, by outcome")
	for _, outcome := range slices.Sorted(maps.Keys(c.outcomes)) {
		m.line("arena_sim:answers_total", fmt.Sprintf(`,outcome=%q`, outcome), float64(c.outcomes[outcome]))
	}
	m.gauge("arena_sim:send_lateness_seconds_mean", "mean time by which events were sent late", c.late.sum.Seconds()/float64(max(c.late.n, 1)))
	m.gauge("arena_sim:send_lateness_seconds_max", "longest time by which an event was sent late", c.late.most.Seconds())
}

// ms returns a time in milliseconds.
func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
