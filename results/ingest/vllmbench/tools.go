package vllmbench

import (
	"math"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"example.org/arena/results/ingest/scan"
)

// tool names the tool from the keys that only it writes.
func (b *Builder) tool(o scan.Object) {
	has := func(keys ...string) bool {
		for _, k := range keys {
			if o.Find(k) != nil {
				return true
			}
		}
		return false
	}
	switch {
	case has("total_output_tokens_retokenized", "mean_e2e_latency_ms", "total_throughput", "server_info"):
		b.res.Tool.Name = sglangTool
		b.sglang(o)
	case has("steady_state", "failed_requests"), has("max_model_len") && has("input_throughput"):
		b.res.Tool.Name = rustTool
	}
}

// sglang takes in what SGLang says otherwise than vLLM: its range ratio makes
// lengths from ratio × length up to the length, so that a stated length is what
// requests have only when the ratio is 1. The model stands in server_info.
func (b *Builder) sglang(o scan.Object) {
	cell := &b.res.Cell
	if ratio := o.Find("random_range_ratio"); ratio == nil || ratio.Kind() != '0' || plainJSON(ratio) != 1 {
		for _, length := range []struct {
			key string
			at  *int
		}{{"random_input_len", &cell.PromptTokens}, {"random_output_len", &cell.OutputTokens}} {
			if *length.at != 0 {
				b.keepNumber(length.key, float64(*length.at))
			}
			*length.at = 0
		}
	}
	for _, m := range o.Members {
		if m.Key == "server_info" && m.Value.Kind() == '{' && b.res.Model == "" {
			for _, info := range scan.MembersOf(m, b.f) {
				if info.Key == "model_path" {
					b.Text(info, &b.res.Model)
				}
			}
		}
	}
}

// plainJSON returns the value of a JSON number.
func plainJSON(value jsontext.Value) float64 {
	v, err := strconv.ParseFloat(string(value), 64)
	if err != nil {
		return math.NaN()
	}
	return v
}
