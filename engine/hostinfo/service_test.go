package hostinfo

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/arena/results/bundle"
	"example.org/arena/results/privacy"
)

func container(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "container", file))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestContainerVLLM(t *testing.T) {
	t.Parallel()
	fake := fakeSystem{answers: map[string]string{
		"docker inspect --type container muse": container(t, "vllm.json"), "docker image inspect sha256:1111": container(t, "vllm-image.json"),
	}}
	s, err := Container(t.Context(), fake.system(), "muse")
	if err != nil {
		t.Fatal(err)
	}
	if s.Server.Name != "vllm" || s.Server.Image != "vllm/vllm-openai:v0.26.0-aarch64-cu129-ubuntu2404" ||
		s.Server.ImageDigest != "sha256:"+strings.Repeat("2", 64) || s.Model != "meta-models/Muse-Glimmer-30B" {
		t.Errorf("got %+v of %s", s.Server, s.Model)
	}
	wantArgv := `vllm serve meta-models/Muse-Glimmer-30B --served-model-name muse-glimmer-30b --host 0.0.0.0 --port 8000 ` +
		`--max-model-len 131072 --kv_cache_dtype fp8 --gpu-memory-utilization 0.90 --no-enable-prefix-caching --max-num-seqs=256 ` +
		`--max-num-batched-tokens 8192 -tp 1 --quantization modelopt --trust-remote-code --generation-config auto ` +
		`--reasoning-parser muse_glimmer --chat-template muse.jinja --speculative-config ` +
		`{"method": "dflash", "model": "meta-models/Muse-Glimmer-30B-assistant", "num_speculative_tokens": 15}`
	if got := strings.Join(s.Server.Argv, " "); got != wantArgv {
		t.Errorf("argv\n got %s\nwant %s", got, wantArgv)
	}
	wantEnv := "CUDA_VERSION=12.9.1 NVIDIA_VISIBLE_DEVICES=all TIKTOKEN_ENCODINGS_BASE=tiktoken_encodings " +
		"VLLM_USAGE_SOURCE=production-docker-image VLLM_USE_FLASHINFER_MOE_FP4=0"
	if got := settingsText(s.Server.Env); got != wantEnv {
		t.Errorf("env\n got %s\nwant %s", got, wantEnv)
	}
	wantSettings := "enable_prefix_caching=false generation_config=auto gpu_memory_utilization=0.90 kv_cache_dtype=fp8 " +
		"max_model_len=131072 max_num_batched_tokens=8192 max_num_seqs=256 quantization=modelopt reasoning_parser=muse_glimmer " +
		"served_model_name=muse-glimmer-30b speculative_config={\"method\": \"dflash\", \"model\": \"meta-models/Muse-Glimmer-30B-assistant\", \"num_speculative_tokens\": 15} " +
		"tensor_parallel_size=1 trust_remote_code=true"
	if got := settingsText(s.Server.Settings); got != wantSettings {
		t.Errorf("settings\n got %s\nwant %s", got, wantSettings)
	}
	if s.Server.PrefixCaching == nil || *s.Server.PrefixCaching {
		t.Errorf("prefix caching %v, want false", s.Server.PrefixCaching)
	}
	if d := s.Draft; d == nil || *d != (bundle.Draft{Method: "dflash", Model: "meta-models/Muse-Glimmer-30B-assistant", TokensPerStep: 15}) {
		t.Errorf("draft %+v", d)
	}
	if len(s.Notes) > 0 {
		t.Errorf("notes %s", codes(s.Notes))
	}
}

func TestContainerSGLang(t *testing.T) {
	t.Parallel()
	fake := fakeSystem{answers: map[string]string{"docker inspect": container(t, "sglang.json"), "docker image inspect": "[{}]"}}
	s, err := Container(t.Context(), fake.system(), "spark_sglang-1")
	if err != nil {
		t.Fatal(err)
	}
	if s.Server.Name != "sglang" || s.Model != "Qwen/Qwen3.8-27B" || s.Server.ImageDigest != "sha256:"+strings.Repeat("4", 64) {
		t.Errorf("got %+v of %s", s.Server, s.Model)
	}
	if codes(s.Notes) != "image_digest_is_id" {
		t.Errorf("notes %s", codes(s.Notes))
	}
	if d := s.Draft; d == nil || *d != (bundle.Draft{Method: "nextn", TokensPerStep: 3}) {
		t.Errorf("draft %+v", d)
	}
	if s.Server.PrefixCaching == nil || *s.Server.PrefixCaching {
		t.Errorf("prefix caching %v, want false", s.Server.PrefixCaching)
	}
	if got := s.Server.Argv[:5]; !slices.Equal(got, []string{"python3", "-m", "sglang.launch_server", "--model-path", "Qwen/Qwen3.8-27B"}) {
		t.Errorf("argv %q", s.Server.Argv)
	}
	if got := settingsText(s.Server.Settings); !strings.Contains(got, "context_length=65536 disable_radix_cache=true") || !strings.Contains(got, "tensor_parallel_size=2") {
		t.Errorf("settings %s", got)
	}
}

func TestContainerPodman(t *testing.T) {
	t.Parallel()
	fake := fakeSystem{
		answers: map[string]string{"podman inspect": container(t, "podman.json")},
		errs:    map[string]error{"podman image": errExit},
	}
	s, err := Container(t.Context(), fake.system(), "llama")
	if err != nil {
		t.Fatal(err)
	}
	if s.Server.Name != "llama.cpp" || s.Server.ImageDigest != "sha256:"+strings.Repeat("6", 64) || s.Model != "unsloth/Qwen3.6-35B-A3B-GGUF:Q4_K_M" ||
		s.Server.Image != "ghcr.io/ggml-org/llama.cpp:server-cuda-b6700" {
		t.Errorf("got %+v of %s", s.Server, s.Model)
	}
	if got, want := settingsText(s.Server.Settings), "cache_type_k=q8_0 ctx_size=131072 draft_max=8 flash_attn=on mmap=false model_draft=draft-0.6B-Q4_0.gguf n_gpu_layers=999 parallel=8"; got != want {
		t.Errorf("settings\n got %s\nwant %s", got, want)
	}
	if d := s.Draft; d == nil || *d != (bundle.Draft{Method: "draft_model", Model: "draft-0.6B-Q4_0.gguf", TokensPerStep: 8}) {
		t.Errorf("draft %+v", d)
	}
	if got := settingsText(s.Server.Env); got != "GGML_CUDA_ENABLE_UNIFIED_MEMORY=1 LLAMA_ARG_HOST=0.0.0.0" {
		t.Errorf("env %s", got)
	}
}

// A script of the image's own starts the server: its image says what that is. A
// reference with a digest pins itself.
func TestContainerOwnScript(t *testing.T) {
	t.Parallel()
	digest := "sha256:" + strings.Repeat("7", 64)
	fake := fakeSystem{answers: map[string]string{"docker inspect": `[{"Path":"/entrypoint.sh","Args":["--model","Qwen/Qwen3-32B","--max-model-len","4096"],` +
		`"Image":"sha256:` + strings.Repeat("1", 64) + `","Config":{"Image":"nvcr.io/nvidia/vllm:26.07-py3@` + digest + `"}}]`}}
	s, err := Container(t.Context(), fake.system(), "c")
	if err != nil {
		t.Fatal(err)
	}
	if s.Server.Name != "vllm" || s.Model != "Qwen/Qwen3-32B" || settingsText(s.Server.Settings) != "max_model_len=4096" ||
		s.Server.ImageDigest != digest || s.Server.Image != "nvcr.io/nvidia/vllm:26.07-py3" {
		t.Errorf("got %+v of %s", s.Server, s.Model)
	}
	for ref, want := range map[string]string{"lmsysorg/sglang:x": "sglang", "ghcr.io/x/llama-cpp": "llama.cpp", "ollama/ollama": "ollama", "busybox": ""} {
		if got := serverOf(ref); got != want {
			t.Errorf("%s: got %q, want %q", ref, got, want)
		}
	}
}

func TestContainerErrors(t *testing.T) {
	t.Parallel()
	const line = "docker inspect"
	for name, c := range map[string]struct {
		fake fakeSystem
		arg  string
		want string
	}{
		"neither":    {fakeSystem{}, "x", "container x: neither docker nor podman is installed"},
		"no name":    {fakeSystem{}, "--format={{.}}", `"--format={{.}}" is not a name of a container`},
		"unknown":    {fakeSystem{errs: map[string]error{line: errExit}}, "x", "container x: docker inspect: exit status 9"},
		"hangs":      {fakeSystem{errs: map[string]error{line: context.DeadlineExceeded}}, "x", "docker did not answer within 20s"},
		"garbage":    {fakeSystem{answers: map[string]string{line: "<html>"}}, "x", "read what docker inspect says"},
		"none":       {fakeSystem{answers: map[string]string{line: "[]"}}, "x", "docker inspect tells of 0 containers"},
		"other form": {fakeSystem{answers: map[string]string{line: `[{"Args":"x"}]`}}, "x", "read what docker inspect says"},
		"missing":    {fakeSystem{errs: map[string]error{"inspect": exec.ErrNotFound}}, "x", "neither docker nor podman"},
	} {
		_, err := Container(t.Context(), c.fake.system(), c.arg)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
}

// An image of a private registry keeps its name, not its registry.
func TestReference(t *testing.T) {
	t.Parallel()
	s := &serviceReader{cleaner: cleaner{private: newPrivate([]string{"anna", "anna-spark"})}}
	for ref, want := range map[string]string{
		"vllm/vllm-openai:v0.26.0":         "vllm/vllm-openai:v0.26.0",
		"nvcr.io/nvidia/vllm:26.07-py3":    "nvcr.io/nvidia/vllm:26.07-py3",
		"registry.corp.lan:5000/ml/vllm:1": "host/ml/vllm:1",
		"localhost/vllm:dev":               "host/vllm:dev",
		"10.1.2.3:5000/vllm":               "host/vllm",
		"anna/vllm:dev":                    "(removed)",
		"vllm:anna-spark":                  "(removed)",
		"":                                 "",
		"vllm/vllm-openai:nightly-0123456789abcdef0123456789abcdef01234567": "vllm/vllm-openai:nightly-0123456789abcdef0123456789abcdef01234567",
		"ml/vllm:nas.anna.internal":                                         "(removed)",
		"vllm":                                                              "vllm",
		"ghcr.io/x/y:sha-0f3c9be1d2a4586790abcd":                            "ghcr.io/x/y:sha-0f3c9be1d2a4586790abcd",
	} {
		if got := s.reference(ref); got != want {
			t.Errorf("%q: got %q, want %q", ref, got, want)
		}
	}
}

func TestArguments(t *testing.T) {
	t.Parallel()
	sys := fakeSystem{names: []string{"spark-397a", "anna", "/home/anna", "Anna", "Bergmann"}}.system()
	cases := []struct{ in, want string }{
		{"vllm|serve|/home/anna/models/foo-7B", "vllm|serve|foo-7B"},
		{"vllm|serve|/models/anna", "vllm|serve|(removed)"},
		{"vllm|serve|Qwen/Qwen3-32B|--api-key|abc|def|--port|80", "vllm|serve|Qwen/Qwen3-32B|--api-key|(removed)|(removed)|--port|80"},
		{"vllm|serve|x|--api-key=abc|--hf-token=hf_x|--hf_token|y", "vllm|serve|x|--api-key=(removed)|--hf-token=(removed)|--hf_token|(removed)"},
		{"/usr/bin/python3|-m|vllm.entrypoints.openai.api_server|--model|x", "python3|-m|vllm.entrypoints.openai.api_server|--model|x"},
		{"vllm|serve|x|--host|192.168.1.17", "vllm|serve|x|--host|(removed)"},
		{"vllm|serve|x|--host|spark-397a", "vllm|serve|x|--host|(removed)"},
		{"vllm|serve|x|--host|::|--uds|/run/user/1000/x", "vllm|serve|x|--host|::|--uds|(removed)"},
		{"vllm|serve|x|--otlp-traces-endpoint|http://collector:4317", "vllm|serve|x|--otlp-traces-endpoint|(removed)"},
		{"vllm|serve|x|--base|http://localhost:8000/v1", "vllm|serve|x|--base|http://localhost:8000/v1"},
		{"vllm|serve|s3://bucket/path", "vllm|serve|(removed)"},
		{"sglang|serve|--dist-init-addr|node7:5000|--nnodes|2", "sglang|serve|--dist-init-addr|(removed)|--nnodes|2"},
		{"sglang|serve|--x|node7:5000", "sglang|serve|--x|(removed)"},
		{"vllm|serve|x|--lora-modules|a=/home/anna/lora|b=org/lora", "vllm|serve|x|--lora-modules|a=lora|b=org/lora"},
		{"vllm|serve|x|--revision|0123456789abcdef0123456789abcdef01234567", "vllm|serve|x|--revision|0123456789abcdef0123456789abcdef01234567"},
		{"vllm|serve|x|--seed|0123456789abcdef0123456789abcdef01234567", "vllm|serve|x|--seed|(removed)"},
		{"vllm|serve|x|--chat-template|{{ hello anna }}", "vllm|serve|x|--chat-template|(removed)"},
		{
			`vllm|serve|x|--kv-transfer-config|{"kv_connector":"P2p","kv_ip":"10.0.0.7","kv_port":14579,"extra":{"paths":["/home/anna/x"],"api_key":123}}`,
			`vllm|serve|x|--kv-transfer-config|{"kv_connector":"P2p","kv_ip":"(removed)","kv_port":14579,"extra":{"paths":["x"],"api_key":"(removed)"}}`,
		},
		{`vllm|serve|x|--override|{"anna":1}`, `vllm|serve|x|--override|(removed)`},
		{`vllm|serve|x|--override|{"a":1} tail`, `vllm|serve|x|--override|(removed)`},
		{`vllm|serve|x|--override|{"a":`, `vllm|serve|x|--override|(removed)`},
		{`vllm|serve|x|--override|[1,"b",null,true]`, `vllm|serve|x|--override|[1,"b",null,true]`},
		{"env|HF_TOKEN=hf_abcdefghijklmnop|VLLM_X=1|vllm|serve|x", "env|(removed)|VLLM_X=1|vllm|serve|x"},
		{`C:\Users\anna\llama-server.exe|-m|D:\models\q.gguf`, `llama-server.exe|-m|q.gguf`},
		{"llama-server|-m|~/models/q.gguf|-c|-1", "llama-server|-m|q.gguf|-c|-1"},
		{"sh|-c|cd /home/anna && HF_HOME=/data vllm serve 'a b' --max-model-len \"4096\" | tee /home/anna/log", "(removed)|vllm|serve|(removed)|--max-model-len|4096"},
		{"bash|-c|echo hello", "bash|-c|(removed)"},
		{"vllm|serve|x|--note|Bergmann's", "vllm|serve|x|--note|(removed)"},
		{"vllm|serve|x|--anna-flag|1", "vllm|serve|x|(removed)|1"},
		{"", ""},
	}
	for _, c := range cases {
		var argv []string
		if c.in != "" {
			argv = strings.Split(c.in, "|")
		}
		if strings.HasPrefix(c.in, "sh|-c|") {
			argv = strings.SplitN(c.in, "|", 3)
		}
		s := serviceOf(sys, argv)
		if got := strings.Join(s.Server.Argv, "|"); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.in, got, c.want)
		}
		if word, found := privacy.LeakingArgument(s.Server.Argv); found {
			t.Errorf("%s: %q would be refused as private", c.in, word)
		}
	}
	if s := serviceOf(sys, []string{"vllm", "serve", "x", "--host", "10.0.0.1", "--api-key", "k", "--anna", "v", "anna"}); codes(s.Notes) != "arguments_withheld flags=api-key host" {
		t.Errorf("notes %s", codes(s.Notes))
	}
}

func TestDrafts(t *testing.T) {
	t.Parallel()
	cases := []struct {
		argv string
		want string // JSON
		note string
	}{
		{"vllm serve x", "null", ""},
		{`vllm serve x --speculative-config {"method":"mtp","num_speculative_tokens":2}`, `{"method":"mtp","tokens_per_step":2}`, ""},
		{`vllm serve x --speculative_config={"method":"ngram","model":"[ngram]","num_speculative_tokens":5}`, `{"method":"ngram","tokens_per_step":5}`, ""},
		{`vllm serve x --speculative-config {"model":"[ngram]"}`, `{"method":"ngram"}`, ""},
		{`vllm serve x --speculative-config {"model":"org/eagle","num_speculative_tokens":3}`, `{"method":"","model":"org/eagle","tokens_per_step":3}`, "draft_method_not_stated"},
		{`vllm serve x --speculative-config.method eagle3 --speculative-config.model org/e --speculative-config.num_speculative_tokens 4`, `{"method":"eagle3","model":"org/e","tokens_per_step":4}`, ""},
		{`vllm serve x -sc {"method":"eagle3","model":"/mnt/drafts/e","num_speculative_tokens":1.5}`, `{"method":"eagle3","model":"e"}`, ""},
		{`vllm serve x --speculative-config broken`, "null", ""},
		{"sglang serve --speculative-algorithm EAGLE3 --speculative-draft-model-path org/e --speculative-num-steps 5 --speculative-eagle-topk 8", `{"method":"eagle3","model":"org/e"}`, ""},
		{"llama-server -m x.gguf --spec-type none", "null", ""},
		{"llama-server -m x.gguf --spec-type ngram-simple --draft-max 16", `{"method":"ngram-simple","tokens_per_step":16}`, ""},
	}
	for _, c := range cases {
		s := serviceOf(fakeSystem{}.system(), strings.Fields(c.argv))
		got, err := json.Marshal(s.Draft)
		if err != nil || string(got) != c.want || codes(s.Notes) != c.note {
			t.Errorf("%s\n got %s %s (%v)\nwant %s %s", c.argv, got, codes(s.Notes), err, c.want, c.note)
		}
	}
}

func TestPrefixCaching(t *testing.T) {
	t.Parallel()
	for argv, want := range map[string]string{
		"vllm serve x":                               "unknown",
		"vllm serve x --enable-prefix-caching":       "on",
		"vllm serve x --enable_prefix_caching":       "on",
		"vllm serve x --enable-prefix-caching=False": "off",
		"vllm serve x --no-enable-prefix-caching":    "off",
		"sglang serve --model x":                     "unknown",
		"sglang serve --disable-radix-cache":         "off",
		"llama-server --no-cache-prompt":             "off",
		"something else --enable-prefix-caching":     "unknown",
	} {
		got := "unknown"
		if on := serviceOf(fakeSystem{}.system(), strings.Fields(argv)).Server.PrefixCaching; on != nil && *on {
			got = "on"
		} else if on != nil {
			got = "off"
		}
		if got != want {
			t.Errorf("%s: %s, want %s", argv, got, want)
		}
	}
}

func TestMergeSettings(t *testing.T) {
	t.Parallel()
	got := MergeSettings([]bundle.Setting{{Name: "b", Value: "1"}}, []bundle.Setting{{Name: "c", Value: "2"}, {Name: "b", Value: "3"}, {Name: "a", Value: "4"}})
	if settingsText(got) != "a=4 b=1 c=2" {
		t.Errorf("got %v", got)
	}
}

// serviceOf reads a command line without a container.
func serviceOf(sys System, argv []string) Service {
	s := newServiceReader(sys)
	s.arguments(argv)
	return s.finish()
}
