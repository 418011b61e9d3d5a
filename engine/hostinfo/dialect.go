package hostinfo

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"example.org/arena/results/bundle"
	"example.org/arena/results/privacy"
)

// A dialect names the arguments of one server.
type dialect struct {
	names    map[string]string               // flags that are called otherwise than their setting, in dashes
	kept     []string                        // settings that are kept, in dashes
	models   []string                        // flags that name the model
	cacheOn  string                          // flag that turns prefix caching on; "no-" before it turns it off
	cacheOff string                          // flag that turns it off
	draft    func(given flags) *bundle.Draft // reads the speculative decoding
}

var dialects = map[string]dialect{
	"vllm": {
		names: map[string]string{
			"q": "quantization", "tp": "tensor-parallel-size", "pp": "pipeline-parallel-size", "dp": "data-parallel-size",
			"sc": "speculative-config", "ep": "enable-expert-parallel",
		},
		kept: strings.Fields(`max-model-len kv-cache-dtype gpu-memory-utilization kv-cache-memory-bytes quantization dtype
			tensor-parallel-size pipeline-parallel-size data-parallel-size enable-expert-parallel max-num-seqs
			max-num-batched-tokens enable-prefix-caching enable-chunked-prefill enforce-eager async-scheduling block-size
			attention-backend moe-backend linear-backend all2all-backend max-cudagraph-capture-size load-format revision
			served-model-name speculative-config compilation-config cpu-offload-gb num-gpu-blocks-override
			generation-config reasoning-parser tokenizer-mode trust-remote-code mamba-cache-dtype`),
		models:  []string{"model"},
		cacheOn: "enable-prefix-caching",
		draft:   vllmDraft,
	},
	"sglang": {
		names: map[string]string{
			"tp": "tensor-parallel-size", "tp-size": "tensor-parallel-size", "dp": "data-parallel-size", "dp-size": "data-parallel-size",
			"ep": "expert-parallel-size", "ep-size": "expert-parallel-size", "pp-size": "pipeline-parallel-size",
			"speculative-algo": "speculative-algorithm",
		},
		kept: strings.Fields(`context-length kv-cache-dtype mem-fraction-static quantization dtype tensor-parallel-size
			data-parallel-size expert-parallel-size pipeline-parallel-size max-running-requests max-total-tokens
			max-prefill-tokens chunked-prefill-size disable-radix-cache attention-backend moe-runner-backend
			fp4-gemm-backend sampling-backend disable-cuda-graph cuda-graph-max-bs page-size revision served-model-name load-format
			schedule-policy speculative-algorithm speculative-draft-model-path speculative-num-steps speculative-eagle-topk
			speculative-num-draft-tokens reasoning-parser trust-remote-code`),
		models:   []string{"model-path", "model"},
		cacheOff: "disable-radix-cache",
		draft:    sglangDraft,
	},
	"llama.cpp": {
		names: map[string]string{
			"c": "ctx-size", "np": "parallel", "b": "batch-size", "ub": "ubatch-size", "ngl": "n-gpu-layers", "gpu-layers": "n-gpu-layers",
			"ctk": "cache-type-k", "ctv": "cache-type-v", "fa": "flash-attn", "t": "threads", "md": "model-draft", "cb": "cont-batching",
			"draft": "draft-max", "draft-n": "draft-max", "m": "model", "hf": "hf-repo", "hfr": "hf-repo", "a": "alias", "nkvo": "no-kv-offload",
			"hfd": "hf-repo-draft", "hfrd": "hf-repo-draft", "sm": "split-mode", "ncmoe": "n-cpu-moe",
		},
		kept: strings.Fields(`ctx-size parallel batch-size ubatch-size n-gpu-layers cache-type-k cache-type-v flash-attn threads
			cont-batching kv-unified kv-offload mmap mlock split-mode n-cpu-moe cache-prompt cache-reuse draft-max draft-min
			model-draft spec-type alias jinja reasoning-format`),
		models:  []string{"hf-repo", "model"},
		cacheOn: "cache-prompt",
		draft:   llamaDraft,
	},
}

// flags holds what the arguments give: the values of each flag, in order; none for
// one that stands alone. Of a flag that stands twice, the last counts.
type flags map[string][]string

func readFlags(argv []string) flags {
	given := flags{}
	current := ""
	for _, word := range argv {
		switch name, value, tied := strings.Cut(word, "="); {
		case isFlag(word) && tied:
			given[flagName(name)], current = []string{value}, ""
		case isFlag(word):
			current = flagName(word)
			given[current] = nil
		case current != "":
			given[current] = append(given[current], word)
		}
	}
	return given
}

// named returns the values of a setting, whatever alias it was given by.
func (d dialect) named(given flags, setting string) ([]string, bool) {
	if values, ok := given[setting]; ok {
		return values, true
	}
	for alias, name := range d.names {
		if values, ok := given[alias]; ok && name == setting {
			return values, true
		}
	}
	return nil, false
}

// settings returns the settings that matter, named as the server names them, with
// underscores. A flag without a value is true; one with "no-" before it is false.
func (d dialect) settings(given flags) []bundle.Setting {
	out := map[string]string{}
	for _, setting := range d.kept {
		name := strings.ReplaceAll(setting, "-", "_")
		if values, ok := d.named(given, setting); ok {
			out[name] = "true"
			if text := strings.Join(values, " "); text == privacy.Removed {
				delete(out, name)
			} else if text != "" {
				out[name] = text
			}
		} else if _, off := given["no-"+setting]; off {
			out[name] = "false"
		}
	}
	return settingsOf(out)
}

// prefixCaching says whether the arguments turn it on or off; nil when they are
// silent about it.
func (d dialect) prefixCaching(given flags) *bool {
	switch {
	case d.cacheOff != "" && isOn(given, d.cacheOff):
		return new(false)
	case d.cacheOn == "":
		return nil
	case isOn(given, "no-"+d.cacheOn):
		return new(false)
	}
	if values, ok := given[d.cacheOn]; ok {
		return new(len(values) == 0 || !strings.EqualFold(values[0], "false"))
	}
	return nil
}

func isOn(given flags, flag string) bool {
	values, ok := given[flag]
	return ok && (len(values) == 0 || !strings.EqualFold(values[0], "false"))
}

// model returns what the server was told to serve.
func (d dialect) model(given flags, argv []string) string {
	for _, flag := range d.models {
		if values, ok := d.named(given, flag); ok && len(values) > 0 && values[0] != privacy.Removed {
			return values[0]
		}
	}
	if i := slices.Index(argv, "serve"); i >= 0 && i+1 < len(argv) && !isFlag(argv[i+1]) && argv[i+1] != privacy.Removed {
		return argv[i+1]
	}
	return ""
}

// last returns the value of a flag, empty when it was not given or is private.
func (g flags) last(flag string) string {
	if values := g[flag]; len(values) > 0 && values[len(values)-1] != privacy.Removed {
		return values[len(values)-1]
	}
	return ""
}

// vllmDraft reads --speculative-config, in JSON or member by member.
func vllmDraft(given flags) *bundle.Draft {
	config, parts := given["speculative-config"], map[string]string{}
	if config == nil {
		config = given["sc"]
	}
	for _, text := range config {
		maps.Copy(parts, plainJSON(text))
	}
	for _, key := range []string{"method", "model", "num-speculative-tokens", "revision"} {
		if value := given.last("speculative-config." + key); value != "" {
			parts[strings.ReplaceAll(key, "-", "_")] = value
		}
	}
	if len(parts) == 0 {
		return nil
	}
	if parts["method"] == privacy.Removed {
		delete(parts, "method")
	}
	d := &bundle.Draft{Method: parts["method"], TokensPerStep: number(parts["num_speculative_tokens"])}
	if model := parts["model"]; model != privacy.Removed {
		d.Model = model
	}
	if revision.MatchString(parts["revision"]) {
		d.Revision = parts["revision"]
	}
	if name := strings.Trim(d.Model, "[]"); d.Method == "" && name == "ngram" { // older versions
		d.Method = name
	}
	if d.Method == "ngram" {
		d.Model = ""
	}
	return d
}

// sglangDraft reads the flags of SGLang. With one branch, a step proposes as many
// tokens as it has steps of its own; with more, it is not known how many.
func sglangDraft(given flags) *bundle.Draft {
	method := strings.ToLower(cmp.Or(given.last("speculative-algorithm"), given.last("speculative-algo")))
	if method == "" {
		return nil
	}
	d := &bundle.Draft{Method: method, Model: given.last("speculative-draft-model-path")}
	if branches := given.last("speculative-eagle-topk"); branches == "" || branches == "1" {
		d.TokensPerStep = number(given.last("speculative-num-steps"))
	}
	return d
}

// llamaDraft reads the flags of llama.cpp. It names no method for a draft model:
// that one guesses token by token.
func llamaDraft(given flags) *bundle.Draft {
	d := &bundle.Draft{Method: given.last("spec-type")}
	if d.Method == "none" {
		return nil
	}
	for _, flag := range []string{"model-draft", "md", "hf-repo-draft", "hfd", "hfrd"} {
		d.Model = cmp.Or(d.Model, given.last(flag))
	}
	if d.Model == "" && d.Method == "" {
		return nil
	}
	d.Method = cmp.Or(d.Method, "draft_model")
	for _, flag := range []string{"draft-max", "draft", "draft-n"} {
		if n := number(given.last(flag)); d.TokensPerStep == 0 {
			d.TokensPerStep = n
		}
	}
	return d
}
