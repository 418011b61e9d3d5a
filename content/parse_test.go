package content

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"example.org/arena/results/tomlfile"
)

// A format is a parser of a kind of file, with a file that it accepts.
type format struct {
	name  string
	parse func(string, []byte) error
	good  string
}

func parser[T any](read func(*tomlfile.Table) T) func(string, []byte) error {
	return func(file string, data []byte) error {
		_, err := parse(file, data, read)
		return err
	}
}

const note = `{ nl = "Een opmerking.", en = "A remark.", fr = "Une remarque." }`

var formats = []format{
	{"model", parser(readModel), `name = "Model"
vendor = "Org"

[[checkpoint]]
id = "org/Model"
precision = "bf16"
base = true

[[checkpoint]]
id = "org/Model-FP8"
precision = "fp8"
bytes = { value = 12_000, source = "https://example.org/card" }

[total_params]
value = 27.5e9
source = "https://example.org/card"
note = ` + note + `

[layers]
value = 40
source = "a card"
status = "inferred"
note = ` + note + `

[[layer_group]]
kind = "sliding"
count = 30
kv_heads = 2
head_dim = 128
window = 1024
source = "a card"

[experts]
total = 8
active = 2
source = "a card"

[released]
value = "2026-07"
source = "a card"

[[quality]]
dimension = "science"
benchmark = "GPQA Diamond"
value = "80.0"
mode = "thinking"
by = "Org"
source = "https://example.org/card"
via = "stored copy"
suggested = true
doubt = ` + note + `
`},
	{"platform", parser(readPlatform), `name = "Box"
accelerator = "Chip"
accelerators = 2

[bandwidth_bytes_per_s]
value = 273e9
source = "a guide"

[[fact]]
key = "power_supply"
value = "240"
unit = "W"
source = "a guide"
`},
	{"presets", parser(readPresets), `[[preset]]
id = "chat"
columns = ["one_user", "chat/ttft_ms", "sharegpt/ttft_ms/p95"]
sort = "one_user"
`},
	{"publishers", parser(readPublishers), `[[publisher]]
name = "Someone"
url = "https://example.org"
attribution = "Someone"
note = ` + note + `
`},
	{"site", parser(readSite), `repository = "https://example.org/arena"
file_url = "https://example.org/arena/blob/{revision}/{path}"
base_url = "https://arena.example.org"
contact = "arena@example.org"

[defaults]
contract = "v2"
platform = "dgx-spark"
think_time_s = 45
ttft_limit_ms = 1000
speed_limit_tok_per_s = 15
`},
	{"suggestion", parser(readSuggestion), `model = "org/Model"
quantisation = "nvfp4"
vllm_args = "--max-num-seqs 64 --speculative-config '{\"method\":\"mtp\"}'"
why = "Past dit op één Spark?"

[[history]]
state = "proposed"
date = "2026-11-29"

[[history]]
state = "declined"
date = "2026-11-30"
reason = "does_not_fit"
`},
	{"retraction", parser(readRetraction), `reason = "measurement_error"
date = "2026-11-29"
text = ` + note + `
`},
}

func formatNamed(t *testing.T, name string) format {
	t.Helper()
	i := slices.IndexFunc(formats, func(f format) bool { return f.name == name })
	if i < 0 {
		t.Fatalf("no format %q", name)
	}
	return formats[i]
}

func TestParseGood(t *testing.T) {
	t.Parallel()
	for _, f := range formats {
		if err := f.parse("x.toml", []byte(f.good)); err != nil {
			t.Errorf("%s: %v", f.name, err)
		}
	}
}

// TestParseFaults changes one thing in a good file and wants exactly the faults
// that follow from it.
func TestParseFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		format, old, new string
		want             []string
	}{
		{"model", `vendor = "Org"`, `vendr = "Org"`, []string{
			"x.toml:1: vendor: missing key",
			"x.toml:2: vendr: unknown key",
		}},
		{"model", `id = "org/Model-FP8"`, `id = "Model"`, []string{
			`x.toml:10: checkpoint[1].id: "Model" is not a Hugging Face id: want ORG/MODEL`,
		}},
		{"model", `precision = "fp8"`, `precision = "fp6"`, []string{
			`x.toml:11: checkpoint[1].precision: unknown value "fp6"; known are bf16, fp8, nvfp4, mxfp4`,
		}},
		{"model", "base = true", "base = false", []string{
			"x.toml:4: checkpoint[0]: 0 checkpoints are the base; want exactly one",
		}},
		{"model", "value = 27.5e9", "value = nan", []string{"x.toml:15: total_params.value: want a positive number"}},
		{"model", "value = 27.5e9", "value = 0", []string{"x.toml:15: total_params.value: want a positive number"}},
		{"model", "value = 27.5e9", `value = "27"`, []string{"x.toml:15: total_params.value: want a number, not a string"}},
		{"model", `source = "https://example.org/card"` + "\nnote", `source = "http://example.org/card"` + "\nnote", []string{
			`x.toml:16: total_params.source: "http://example.org/card" is not an https address`,
		}},
		{"model", "value = 40\nsource = \"a card\"", "value = 40", []string{"x.toml:19: layers.source: missing key"}},
		{"model", "value = 40\n", "value = 40.5\n", []string{"x.toml:20: layers.value: want a whole number"}},
		{"model", "status = \"inferred\"\nnote = " + note, `status = "inferred"`, []string{
			"x.toml:19: layers.note: missing key: an inferred fact says what it is inferred from",
		}},
		{"model", `status = "inferred"`, `status = "guessed"`, []string{
			`x.toml:22: layers.status: unknown value "guessed"; known are stated, measured, inferred`,
		}},
		{"model", "count = 30", "count = 41", []string{"x.toml:25: layer_group[0]: the groups have 41 layers, the model 40"}},
		{"model", "window = 1024", "window = -1", []string{"x.toml:30: layer_group[0].window: want a positive whole number"}},
		{"model", "active = 2", "active = 9", []string{"x.toml:35: experts.active: more active experts than experts"}},
		{"model", `value = "2026-07"`, `value = "2026-13"`, []string{`x.toml:39: released.value: "2026-13" is not a date: want YYYY-MM-DD`}},
		{"model", `value = "80.0"`, `value = 80.0`, []string{"x.toml:45: quality[0].value: want a string, not a number with decimals"}},
		{"model", `value = "80.0"`, `value = "80,0"`, []string{
			`x.toml:45: quality[0].value: "80,0" is not a percentage: want digits with a decimal point, at most 100`,
		}},
		{"model", `value = "80.0"`, `value = "180.0"`, []string{
			`x.toml:45: quality[0].value: "180.0" is not a percentage: want digits with a decimal point, at most 100`,
		}},
		{"model", `mode = "thinking"`, "checkpoint = \"org/Other\"\nmode = \"thinking\"", []string{
			`x.toml:46: quality[0].checkpoint: "org/Other" is not a checkpoint of this model`,
		}},
		{"model", `via = "stored copy"`, `via = "somewhere"`, []string{`x.toml:49: quality[0].via: "somewhere" is not an https address`}},
		{"model", "doubt = " + note, `doubt = { en = "A doubt." }`, []string{
			"x.toml:51: quality[0].doubt.fr: missing key",
			"x.toml:51: quality[0].doubt.nl: missing key",
		}},
		{"model", "A remark.", "A <b>remark</b>.", []string{
			"x.toml:17: total_params.note.en: markup is not allowed; write plain text",
			"x.toml:23: layers.note.en: markup is not allowed; write plain text",
			"x.toml:51: quality[0].doubt.en: markup is not allowed; write plain text",
		}},
		{"model", "doubt = " + note, `doubt = "A doubt."`, []string{"x.toml:51: quality[0].doubt: want a table, not a string"}},
		{"model", "[layers]", "[[layers]]", []string{"x.toml:19: layers: want a table, not a list"}},
		{"platform", "accelerators = 2", "accelerators = 0", []string{"x.toml:3: accelerators: want a positive whole number"}},
		{"platform", `key = "power_supply"`, `key = "Power supply"`, []string{
			`x.toml:10: fact[0].key: "Power supply" is not a key: want lower-case letters, digits and underscores`,
		}},
		{"presets", `"chat/ttft_ms",`, `"chat:ttft_ms", "one_user",`, []string{
			`x.toml:3: preset[0].columns: "chat:ttft_ms" is not the id of a column`,
			`x.toml:3: preset[0].columns: "one_user" stands here twice`,
		}},
		{"presets", `sort = "one_user"`, `sort = "two_users"`, []string{`x.toml:4: preset[0].sort: "two_users" is not one of the columns`}},
		{"publishers", `name = "Someone"`, `nam = "Someone"`, []string{
			"x.toml:1: publisher[0].name: missing key",
			"x.toml:2: publisher[0].nam: unknown key",
		}},
		{"site", "/{path}", "", []string{"x.toml:2: file_url: want an address with {revision} and {path}"}},
		{"site", "arena.example.org\"", "arena.example.org/\"", []string{"x.toml:3: base_url: ends in a slash"}},
		{"site", "arena@example.org", "arena at example.org", []string{`x.toml:4: contact: "arena at example.org" is not an e-mail address`}},
		{"site", "think_time_s = 45", "think_time_s = inf", []string{"x.toml:9: defaults.think_time_s: want a positive number"}},
		{"suggestion", `why = "Past dit`, `why = "https://example.org Past dit`, []string{"x.toml:4: why: links are not allowed"}},
		{"suggestion", `why = "Past dit`, `why = "**Past** [dit](x)`, []string{"x.toml:4: why: markup is not allowed; write plain text"}},
		{"suggestion", `why = "Past dit`, `why = "Past\u202e dit`, []string{"x.toml:4: why: line break, control or invisible character after 4 bytes"}},
		{"suggestion", `why = "Past dit`, `why = "` + strings.Repeat("é", 500) + ` Past dit`, []string{
			"x.toml:4: why: 523 characters; at most 500 are allowed",
		}},
		{"suggestion", "--max-num-seqs 64", "--max-num-seqs 64; rm -rf", []string{
			"x.toml:3: vllm_args: want plain arguments: letters, digits, quotes, brackets and _.,:=/+@-, no addresses",
		}},
		{"suggestion", `quantisation = "nvfp4"`, `quantisation = "NVFP4/x"`, []string{
			`x.toml:2: quantisation: "NVFP4/x" is not a quantisation: want something like nvfp4`,
		}},
		{"suggestion", `state = "declined"`, `state = "measured"`, []string{
			"x.toml:10: history[1].bundle: missing key",
			`x.toml:11: history[1].state: "measured" cannot follow "proposed"`,
			"x.toml:13: history[1].reason: only a declined suggestion has a reason",
		}},
		{"suggestion", `state = "proposed"`, `state = "queued"`, []string{
			`x.toml:7: history[0].state: a history starts with "proposed", not "queued"`,
		}},
		{"suggestion", "2026-11-30", "2026-11-28", []string{
			"x.toml:12: history[1].date: 2026-11-28 is before the step above, 2026-11-29",
		}},
		{"suggestion", `reason = "does_not_fit"`, `reason = "boring"`, []string{
			`x.toml:13: history[1].reason: unknown value "boring"; known are ` + strings.Join(DeclineReasons, ", "),
		}},
		{"retraction", `reason = "measurement_error"`, `reason = "oops"`, []string{
			`x.toml:1: reason: unknown value "oops"; known are ` + strings.Join(RetractionReasons, ", "),
		}},
		{"retraction", `date = "2026-11-29"`, `date = "29-11-2026"`, []string{`x.toml:2: date: "29-11-2026" is not a date: want YYYY-MM-DD`}},
		{"retraction", `date = "2026-11-29"`, `date = `, []string{`x.toml:2: date: expected value but found '\n' instead`}},
		{"retraction", `date`, "\xff", []string{"x.toml:1: not UTF-8"}},
	} {
		f := formatNamed(t, c.format)
		if !strings.Contains(f.good, c.old) {
			t.Errorf("%s has no %q", c.format, c.old)
			continue
		}
		n := 1
		if c.old == "A remark." {
			n = -1
		}
		err := f.parse("x.toml", []byte(strings.Replace(f.good, c.old, c.new, n)))
		if err == nil {
			t.Errorf("%s with %q: no fault", c.format, c.new)
			continue
		}
		if _, ok := errors.AsType[tomlfile.Faults](err); !ok {
			t.Errorf("%s with %q: error of type %T", c.format, c.new, err)
		}
		if got, want := err.Error(), strings.Join(c.want, "\n"); got != want {
			t.Errorf("%s with %q:\ngot\n%s\nwant\n%s", c.format, c.new, got, want)
		}
	}
}

// FuzzParse gives arbitrary bytes to every parser: none panics, and each fault
// names the file.
func FuzzParse(f *testing.F) {
	for _, format := range formats {
		f.Add([]byte(format.good))
	}
	f.Add([]byte("[[quality]]\nvalue = []\n[[history]]\n[a.b]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, format := range formats {
			err := format.parse("x.toml", data)
			if err != nil && !strings.HasPrefix(err.Error(), "x.toml") {
				t.Errorf("%s: fault without file: %v", format.name, err)
			}
		}
	})
}
