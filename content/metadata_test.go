package content

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest"
	"example.org/arena/results/tomlfile"
)

func TestParseMetadata(t *testing.T) {
	t.Parallel()
	const file = `platform = "dgx-spark"
profile = "bf16-spec"
licence = "CC-BY-4.0"
credit = "Someone, https://example.org"
contract = "v2"
started_at = "2026-08-14T12:15:00+02:00"
zone = "+02:00"
test = "chat"
prompt_tokens = 128
output_tokens = 256
rounds = 10

[model]
id = "org/model"
revision = "0123456789012345678901234567890123456789"
quantisation = "bf16"
licence = "apache-2.0"
served_name = "m"

[draft]
method = "eagle3"
model = "org/draft"
tokens_per_step = 3

[server]
name = "vllm"
version = "0.26.0"
image = "vllm/vllm-openai:v0.26.0"
argv = ["serve", "--max-model-len", "4096"]
env = ["VLLM_B=2", "VLLM_A=1"]
settings = ["kv_cache_dtype=fp8"]
prefix_caching = false
prefix_caching_verified = "no hits in the server's counters"

[host]
description = "a machine"
gpu = "NVIDIA GB10"
gpus = 1
memory_bytes = 128000000000

[source]
url = "https://example.org/data"
revision = "abc"
path = "results"
title = "T"
retrieved_at = "2026-08-20"
conversion = "units"

[tool]
name = "vllm-bench-serve"
version = "0.26.0"

[[tests]]
file = "a.json"
table = 2
slug = "chat"
started_at = "2026-08-14T12:15:00+02:00"
argv = ["vllm", "bench", "serve"]
prompt_tokens = 1
output_tokens = 2

[[folders]]
path = "a/b"
licence = "MIT"
[folders.model]
revision = "9123456789012345678901234567890123456789"
[folders.source]
revision = "def"
`
	got, err := ParseMetadata("m.toml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	off := false
	want := ingest.Metadata{
		File: "m.toml", Platform: "dgx-spark", Profile: "bf16-spec", Licence: "CC-BY-4.0",
		Credit: "Someone, https://example.org", Contract: "v2", StartedAt: "2026-08-14T10:15:00Z",
		Test: "chat", PromptTokens: 128, OutputTokens: 256, Rounds: 10,
		Model: bundle.Model{ID: "org/model", Revision: "0123456789012345678901234567890123456789", Quantisation: "bf16", Licence: "apache-2.0", ServedName: "m"},
		Draft: &bundle.Draft{Method: "eagle3", Model: "org/draft", TokensPerStep: 3},
		Server: bundle.Server{
			Name: "vllm", Version: "0.26.0", Image: "vllm/vllm-openai:v0.26.0",
			Argv:          []string{"serve", "--max-model-len", "4096"},
			Env:           []bundle.Setting{{Name: "VLLM_B", Value: "2"}, {Name: "VLLM_A", Value: "1"}},
			Settings:      []bundle.Setting{{Name: "kv_cache_dtype", Value: "fp8"}},
			PrefixCaching: &off, PrefixCachingVerified: "no hits in the server's counters",
		},
		Host:   bundle.Host{Description: "a machine", GPU: "NVIDIA GB10", GPUs: 1, MemoryBytes: 128_000_000_000},
		Source: bundle.Source{URL: "https://example.org/data", Revision: "abc", Path: "results", Title: "T", RetrievedAt: "2026-08-20", Conversion: "units"},
		Tool:   bundle.Tool{Name: "vllm-bench-serve", Version: "0.26.0"},
		Tests: []ingest.TestMetadata{{
			File: "a.json", Table: 2, Slug: "chat", StartedAt: "2026-08-14T10:15:00Z",
			Argv: []string{"vllm", "bench", "serve"}, PromptTokens: 1, OutputTokens: 2,
		}},
		Folders: []ingest.FolderMetadata{{Path: "a/b", Metadata: ingest.Metadata{
			Licence: "MIT", Model: bundle.Model{Revision: "9123456789012345678901234567890123456789"},
			Source: bundle.Source{Revision: "def"},
		}}},
	}
	if _, offset := time.Date(2026, 8, 14, 0, 0, 0, 0, got.Zone).Zone(); offset != 2*3600 {
		t.Errorf("zone is %d s from UTC, want 7200", offset)
	}
	got.Zone = nil
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestParseMetadataFaults(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, file, want string }{
		{"misspelt key", "platform = \"a\"\nlicense = \"MIT\"\n", "m.toml:2: license: unknown key"},
		{"wrong type", "\n\nprompt_tokens = \"128\"\n", "m.toml:3: prompt_tokens: want an integer, not a string"},
		{"negative count", "prompt_tokens = -1\n", "m.toml:1: prompt_tokens: want a positive whole number"},
		{"syntax", "platform = \n", "m.toml:1: "},
		{"platform", "platform = \"DGX Spark\"\n", `m.toml:1: platform: "DGX Spark" is not a slug`},
		{"model", "[model]\nid = \"qwen\"\n", `m.toml:2: model.id: "qwen" is not a Hugging Face id`},
		{"time", "started_at = \"last summer\"\n", `m.toml:1: started_at: "last summer" is neither a time`},
		{"TOML time", "started_at = 2026-08-14T10:15:00Z\n", "m.toml:1: started_at: want a string"},
		{"zone", "zone = \"CEST\"\n", `m.toml:1: zone: "CEST" is neither UTC nor an offset`},
		{"secret in the environment", "[server]\nenv = [\"HF_TOKEN=hf_abcdefghijklmnop\"]\n", "m.toml:2: server.env: HF_TOKEN is a secret"},
		{"home in the environment", "[server]\nenv = [\"VLLM_CACHE=/home/alice/cache\"]\n", `m.toml:2: server.env: "VLLM_CACHE=/home/alice/cache" holds something private`},
		{"key in a command", "[server]\nargv = [\"serve\", \"--api-key\", \"s3cret\"]\n", `m.toml:2: server.argv: "s3cret" holds something private`},
		{"home in a command", "[server]\nargv = [\"--chat-template\", \"/home/alice/t.jinja\"]\n", `m.toml:2: server.argv: "/home/alice/t.jinja" holds something private`},
		{"setting without value", "[server]\nsettings = [\"fast\"]\n", `m.toml:2: server.settings: "fast" is not of the form NAME=VALUE`},
		{"test without slug", "[[tests]]\nfile = \"a\"\n", "m.toml:1: tests[0].slug: missing key"},
		{"folder without path", "[[folders]]\nlicence = \"MIT\"\n", "m.toml:1: folders[0].path: missing key"},
		{"contract of a folder", "[[folders]]\npath = \"a\"\ncontract = \"v1\"\n", "m.toml:3: folders[0].contract: belongs at the top"},
		{"draft without method", "[draft]\nmodel = \"a/b\"\n", "m.toml:1: draft.method: missing key"},
		{"address of the source", "[source]\nurl = \"ftp://example.org\"\n", `m.toml:2: source.url: "ftp://example.org" is not an https address`},
		{"memory", "[host]\nmemory_bytes = 0\n", "m.toml:2: host.memory_bytes: want a positive whole number"},
		{"carriage returns", "platform = \"a\"\r\n", "m.toml:1: has carriage returns"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := ParseMetadata("m.toml", []byte(test.file))
			if _, ok := errors.AsType[tomlfile.Faults](err); !ok {
				t.Fatalf("got %v, want tomlfile.Faults", err)
			}
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
		})
	}
}

// All faults of a file appear at once.
func TestParseMetadataAllFaults(t *testing.T) {
	t.Parallel()
	_, err := ParseMetadata("m.toml", []byte("licence = 1\nzone = \"x\"\n[server]\nport = 8000\n"))
	for _, want := range []string{"m.toml:1: licence", "m.toml:2: zone", "m.toml:4: server.port"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %s in:\n%v", want, err)
		}
	}
}

func TestParseMetadataStart(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ stated, start, code string }{
		{"2026-07", "2026-07-01T00:00:00Z", bundle.NoteTimePrecision},
		{"2026-07-13", "2026-07-13T00:00:00Z", bundle.NoteTimePrecision},
		{"2026-07-13T01:00:00+02:00", "2026-07-12T23:00:00Z", ""},
	} {
		m, err := ParseMetadata("m.toml", []byte("started_at = \""+test.stated+"\"\n"))
		if err != nil {
			t.Fatal(err)
		}
		code := ""
		if len(m.Notes) == 1 {
			code = m.Notes[0].Code
		}
		if m.StartedAt != test.start || code != test.code {
			t.Errorf("%s: got %s and note %q, want %s and %q", test.stated, m.StartedAt, code, test.start, test.code)
		}
	}
}

// The project's own metadata files are whole and in order.
func TestPublishedMetadata(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(importsDir + "/*.toml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no metadata files: %v", err)
	}
	profiles := map[string]bool{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m, err := ParseMetadata(file, data)
		if err != nil {
			t.Error(err)
		}
		if m.Platform == "" || m.Licence == "" || m.Credit == "" || m.Source.URL == "" && m.Source.Title == "" {
			t.Errorf("%s: platform, licence, credit or source is missing", file)
		}
		if m.Contract == "" && (m.Profile == "" || m.Model.ID == "" || m.Server.Name == "" || m.StartedAt == "") {
			t.Errorf("%s: profile, model, server or time is missing", file)
		}
		if profiles[m.Platform+"/"+m.Profile] {
			t.Errorf("%s: a second import is named %s on %s", file, m.Profile, m.Platform)
		}
		profiles[m.Platform+"/"+m.Profile] = true
	}
}

func FuzzParseMetadata(f *testing.F) {
	f.Add([]byte("platform = \"a\"\n[server]\nenv = [\"A=1\"]\n[[folders]]\npath = \"x\"\n"))
	f.Add([]byte("started_at = \"2026-07\"\nzone = \"+02:00\"\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := ParseMetadata("m.toml", data); err != nil && err.Error() == "" {
			t.Error("an error without words")
		}
	})
}

// TestParseMetadataPrivate puts private things into every key that holds text.
func TestParseMetadataPrivate(t *testing.T) {
	t.Parallel()
	places := []string{
		"", "licence", "", "credit", "", "profile",
		"model", "revision", "model", "quantisation", "model", "licence", "model", "served_name",
		"draft", "method", "draft", "revision",
		"server", "name", "server", "version", "server", "image", "server", "image_digest", "server", "prefix_caching_verified",
		"host", "description", "host", "gpu", "host", "driver", "host", "vbios", "host", "cuda", "host", "os", "host", "kernel",
		"source", "revision", "source", "path", "source", "title", "source", "conversion", "source", "url",
		"tool", "name", "tool", "version",
	}
	values := []string{
		"in /home/ada/results", "hf_0123456789abcdefghij", "ada@example.org", "HF_TOKEN=secret",
		"https://ada:word@example.org/x", "https://example.org/x?t=sk-0123456789abcdef",
	}
	for i := 0; i < len(places); i += 2 {
		table, key := places[i], places[i+1]
		for _, value := range values {
			text := key + " = \"" + value + "\"\n"
			line := ":1: "
			if table != "" {
				text, line = "["+table+"]\n"+text, ":2: "+table+"."
			}
			_, err := ParseMetadata("m.toml", []byte(text))
			if err == nil || !strings.Contains(err.Error(), "m.toml"+line+key) {
				t.Errorf("%s.%s = %q: got %v", table, key, value, err)
			}
		}
	}
	for _, text := range []string{
		"credit = \"10.0.0.5\"", "[server]\nimage = \"10.0.0.5:5000/vllm\"", "[server]\nsettings = [\"docker_run=-e HF_TOKEN=abc\"]",
		"[source]\ntitle = \"on fe80::1:2\"",
	} {
		if _, err := ParseMetadata("m.toml", []byte(text)); err == nil || !strings.Contains(err.Error(), "private") {
			t.Errorf("%q: got %v", text, err)
		}
	}
	for _, text := range []string{
		"credit = \"Ada, https://example.org/home/ada and https://example.org/users/ada\"",
		"[host]\nvbios = \"96.00.74.00.1A\"\ndriver = \"32.0.15.6094\"",
		"[source]\nurl = \"https://huggingface.co/users/ada\"",
		"[server]\nimage = \"vllm/vllm-openai:v0.26.0\"",
	} {
		if _, err := ParseMetadata("m.toml", []byte(text)); err != nil {
			t.Errorf("%q: got %v", text, err)
		}
	}
}
