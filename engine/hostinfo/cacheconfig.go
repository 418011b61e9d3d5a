package hostinfo

import (
	"regexp"
	"slices"
	"strings"

	"example.org/arena/results/bundle"
)

// The forms that values of the cache's settings have: labels hold anything.
var (
	numberForm = regexp.MustCompile(`^[0-9]{1,20}(?:\.[0-9]{1,10})?$`)
	switchForm = regexp.MustCompile(`^(?:True|False|true|false)$`)
	typeForm   = regexp.MustCompile(`^(?:auto|(?:fp|bf|int|uint|float|bfloat|nvfp|mxfp)[0-9]{1,2}(?:_[a-z0-9]{1,8}){0,3})$`)
)

// cacheLabels are the labels of vllm:cache_config_info that are kept, the names of
// the settings that they are, and the forms of their values.
var cacheLabels = map[string]struct {
	name string
	form *regexp.Regexp
}{
	"block_size":              {"block_size", numberForm},
	"cache_dtype":             {"kv_cache_dtype", typeForm},
	"cpu_offload_gb":          {"cpu_offload_gb", numberForm},
	"enable_prefix_caching":   {"enable_prefix_caching", switchForm},
	"gpu_memory_utilization":  {"gpu_memory_utilization", numberForm},
	"kv_cache_memory_bytes":   {"kv_cache_memory_bytes", numberForm},
	"kv_cache_size_tokens":    {"kv_cache_size_tokens", numberForm},
	"mamba_cache_dtype":       {"mamba_cache_dtype", typeForm},
	"num_gpu_blocks":          {"num_gpu_blocks", numberForm},
	"num_gpu_blocks_override": {"num_gpu_blocks_override", numberForm},
	"sliding_window":          {"sliding_window", numberForm},
}

// CacheConfig returns what a server's metrics say of its cache: its settings, and
// whether prompts can be answered from it. Both are nil when they do not say; where
// several engines of one server differ, what they differ in is left out.
func CacheConfig(m Metrics) (settings []bundle.Setting, prefixCaching *bool) {
	kept := map[string]string{}
	for label, want := range cacheLabels {
		var values []string
		for _, s := range m.series["vllm:cache_config_info"] {
			values = append(values, s.labels[label])
		}
		value := onlyValue(values)
		if slices.Contains(values, "") || !want.form.MatchString(value) {
			continue
		}
		if want.form == switchForm {
			value = strings.ToLower(value)
		}
		kept[want.name] = value
		if label == "enable_prefix_caching" {
			prefixCaching = new(value == "true")
		}
	}
	return settingsOf(kept), prefixCaching
}
