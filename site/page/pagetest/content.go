package pagetest

import (
	"testing/fstest"

	"example.org/arena/i18n"
)

// files are the contents of the small site: two platforms, a model in two
// precisions, a contract with a closed and an open loop, and a preset.
var files = map[string]string{
	"site.toml": `repository = "https://code.test/arena"
file_url = "https://code.test/arena/blob/{revision}/{path}"
base_url = "https://arena.test"
contact = "arena@arena.test"

[defaults]
contract = "v1"
platform = "desk"
think_time_s = 45
ttft_limit_ms = 1000
speed_limit_tok_per_s = 15
`,
	"presets.toml": `[[preset]]
id = "chat"
columns = ["chat/decode_tok_per_s", "one_user"]
sort = "chat/decode_tok_per_s"
`,
	"publishers.toml": `[[publisher]]
name = "A Judge"
url = "https://judge.test"

[publisher.note]
nl = "Meet zelf."
en = "Measures by itself."
fr = "Mesure soi-même."
`,
	"platforms/desk.toml": `name = "Desk One"
accelerator = "Chip A"
accelerators = 1

[memory_bytes]
value = 128_000_000_000
source = "https://chip.test"

[bandwidth_bytes_per_s]
value = 273_000_000_000
source = "https://chip.test"
`,
	"platforms/rack.toml": `name = "Rack Eight"
accelerator = "Chip B"
accelerators = 8
`,
	"models/tiny.toml": `name = "Tiny 8B"
vendor = "Example"

[[checkpoint]]
id = "Example/Tiny-8B"
precision = "bf16"
base = true

[[checkpoint]]
id = "Example/Tiny-8B-FP8"
precision = "fp8"

[total_params]
value = 8_000_000_000
source = "https://tiny.test"

[layers]
value = 24
source = "https://tiny.test"

[licence]
value = "Apache-2.0"
source = "https://tiny.test/licence"

[[quality]]
dimension = "science"
benchmark = "GPQA Diamond"
value = "43.8"
mode = "thinking"
by = "A Judge"
source = "https://judge.test/tiny"
suggested = true
`,
	"contracts/v1.toml": `version = "v1"
date = "2026-08-01"
date_stated = true
seed = 42
success_threshold = 0.99
ttft_limits_ms = [2000, 5000, 10000]

[arena]
base_url = "http://localhost:8000"
repetitions = 3
rounds = 2
warmup_tokens = 16
texts = ["prose-en", "code"]

[[test]]
number = 1
slug = "chat"
loop = "closed"
tool = "arena"
primary = ["decode_tok_per_s", "ttft_ms"]
ttft_percentiles = [50]
prompt_tokens = [1024]
output_tokens = [512]
concurrency = [1, 10]

[[test]]
number = 2
slug = "rate-sweep"
loop = "open"
tool = "arena"
primary = ["capacity_req_per_s"]
ttft_percentiles = [95]
dataset = "texts"
mean_input_tokens = 4000
mean_output_tokens = 500
range_ratio = 0.9
burstiness = 0.7
request_rate = [0.1, 0.5]
prompts = [100, 125]
stop_p95_ttft_ms = 10000
`,
	"contracts/v2.toml": `version = "v2"
date = "2026-09-01"
date_stated = false
seed = 42

[arena]
base_url = "http://localhost:8000"
repetitions = 3
rounds = 2
warmup_tokens = 16
texts = ["prose-en", "code"]

[[test]]
number = 1
slug = "chat"
loop = "closed"
tool = "arena"
primary = ["decode_tok_per_s", "ttft_ms"]
ttft_percentiles = [50]
prompt_tokens = [2048]
output_tokens = [512]
concurrency = [1, 10]

[[test]]
number = 2
slug = "multi-turn"
loop = "closed"
tool = "arena"
primary = ["ttft_ms"]
ttft_percentiles = [50]
prompt_tokens = [2048]
output_tokens = [512]
concurrency = [5]
turns = 5
question_tokens = 256
`,
	"errata/v1.toml": `contract = "v1"

[[erratum]]
code = "depth_is_tokens"
tests = ["chat"]
date = "2026-08-29"
note = "A made-up erratum."
params = { depth_tokens = 4, text_turns = 5 }
`,
	"suggestions/example--big-70b--nvfp4.toml": `model = "Example/Big-70B"
quantisation = "nvfp4"
why = "Does it fit?"

[[history]]
state = "proposed"
date = "2026-08-02"

[[history]]
state = "declined"
date = "2026-08-03"
reason = "does_not_fit"
`,
}

// texts are the English texts of the small site by section and name; the others are
// the same with the language in front.
var texts = map[string]string{
	"benchmarks/chat":         "Reads {{.Prompt}} tokens, writes {{.Output}}.",
	"benchmarks/rate-sweep":   "Goes through {{.Rates}}.",
	"benchmarks/multi-turn":   "The last prompt has {{.LastPrompt}} tokens.",
	"pages/method-intro":      "There are {{.Tests}} tests.",
	"pages/method-intro-v2":   "Now there are {{.Tests}} tests.",
	"pages/method-counts":     "At least {{.Threshold}}.",
	"pages/method-reproduce":  "Seed {{.Seed}}.",
	"pages/method-changes-v2": "It converses.",
	"pages/suggestions-how":   "Open a request.",
	"pages/data-formats":      "Everything is JSON.",
	"pages/data-licence":      "Name the source.",
	"pages/data-contact":      "Write to {{.Contact}}.",
}

// contents are the files of the small site with those of change put in place of
// them, or beside them.
func contents(change map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, text := range files {
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	for name, text := range texts {
		for _, lang := range i18n.Langs {
			out[name+"."+string(lang)+".md"] = &fstest.MapFile{Data: []byte(string(lang) + ": " + text + "\n")}
		}
	}
	for name, text := range change {
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}
