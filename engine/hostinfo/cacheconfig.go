package hostinfo

import (
	"regexp"
	"slices"
	"strings"

	"example.org/arena/results/bundle"
)

// cacheLabels are the labels of vllm:cache_config_info that are kept, and the names
// of the settings that they are.
var cacheLabels = map[string]string{
	"block_size": "block_size", "cache_dtype": "kv_cache_dtype", "cpu_offload_gb": "cpu_offload_gb",
	"enable_prefix_caching": "enable_prefix_caching", "gpu_memory_utilization": "gpu_memory_utilization",
	"kv_cache_memory_bytes": "kv_cache_memory_bytes", "kv_cache_size_tokens": "kv_cache_size_tokens", "mamba_cache_dtype": "mamba_cache_dtype",
	"num_gpu_blocks": "num_gpu_blocks", "num_gpu_blocks_override": "num_gpu_blocks_override", "sliding_window": "sliding_window",
}

var labelForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]{0,39}$`)

// CacheConfig returns what a server's metrics say of its cache: its settings, and
// whether prompts can be answered from it. Both are nil when they do not say; where
// several engines of one server differ, what they differ in is left out.
func CacheConfig(m Metrics) (settings []bundle.Setting, prefixCaching *bool) {
	kept := map[string]string{}
	for label, name := range cacheLabels {
		var values []string
		for _, s := range m.series["vllm:cache_config_info"] {
			values = append(values, s.labels[label])
		}
		if slices.Contains(values, "") || slices.Contains(values, "None") {
			continue
		}
		value := one(values)
		if !labelForm.MatchString(value) || keyLike(value) {
			continue
		}
		switch value {
		case "True", "False":
			value = strings.ToLower(value)
		}
		kept[name] = value
		if label == "enable_prefix_caching" && (value == "true" || value == "false") {
			prefixCaching = new(value == "true")
		}
	}
	return settingsOf(kept), prefixCaching
}
