package privacy

import (
	"slices"
	"testing"
)

func TestClean(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{"cache in /home/alice/.cache/x.txt: ok", "cache in (removed): ok"},
		{"~/.cache/huggingface", "(removed)"},
		{`C:\Users\alice\x`, `(removed)`},
		{`{"id":"chatcmpl-b3ed645a606d3765","n":1}`, `{"id":"(removed)","n":1}`},
		{"(Request ID: Root=1-689e-abcdef;77aa)", "(request id (removed))"},
		{"x-request-id: bench-1a2b3c4d-7", "x-request-id: (removed)"},
		{"token hf_abcdefghijklmnopqrst", "token (removed)"},
		{"http://10.1.2.3:8000 and 127.0.0.1:8000", "http://(removed):8000 and 127.0.0.1:8000"},
		{"mail a.b@example.org", "mail (removed)"},
		{"vllm-0.26.0-f58c911b qwen3.5-2b /tmp/x 1.2.3", "vllm-0.26.0-f58c911b qwen3.5-2b /tmp/x 1.2.3"},
		{"bench-spark-run task-scheduling", "bench-spark-run task-scheduling"},
	} {
		if got := Clean(test.text); got != test.want {
			t.Errorf("%q: got %q, want %q", test.text, got, test.want)
		}
	}
}

func TestCleanArgv(t *testing.T) {
	t.Parallel()
	got := CleanArgv([]string{
		"HF_TOKEN=abc", "vllm", "serve", "--api-key", "k", "--api-key=k", "--header", "Authorization=x",
		"--base-url", "http://gpu-box.lan:8000/v1", "--base-url", "http://localhost:8000/v1", "--host", "0.0.0.0",
		"--model", "/home/alice/m", "--max-tokens", "5", "--tokenizer=/home/alice/t",
	})
	want := []string{
		"HF_TOKEN=(removed)", "vllm", "serve", "--api-key", "(removed)", "--api-key=(removed)", "--header", "(removed)",
		"--base-url", "http://host:8000/v1", "--base-url", "http://localhost:8000/v1", "--host", "0.0.0.0",
		"--model", "(removed)", "--max-tokens", "5", "--tokenizer=(removed)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestCleanOutput(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"| tiny | pp1024 (c1) | 2942.64 ± 802.37 |", "| tiny | pp1024 (c1) | 2942.64 ± 802.37 |"},
		{"Benchmarking model: a/b at http://localhost:8000/v1", "Benchmarking model: a/b at http://localhost:8000/v1"},
		{"at http://127.0.0.1:8000/v1 and http://[::1]:8000", "at http://127.0.0.1:8000/v1 and http://[::1]:8000"},
		{"at http://spark.lan:8000/v1", "at http://host:8000/v1"},
		{"base_url='https://me:pw@10.1.2.3:8000', x", "base_url='https://host:8000', x"},
		{"see https://huggingface.co/acme/tiny and https://docs.vllm.ai/en", "see https://huggingface.co/acme/tiny and https://docs.vllm.ai/en"},
		{"nothuggingface.co: https://nothuggingface.co/x", "nothuggingface.co: https://host/x"},
		{"from /home/anna/.cache/x.txt", "from (removed)"},
		{"connect to 192.168.1.7:8000", "connect to (removed):8000"},
		{"key hf_abcdefghijklmnop", "key (removed)"},
	} {
		if got := CleanOutput(c.text); got != c.want {
			t.Errorf("%q\n got %q\nwant %q", c.text, got, c.want)
		}
	}
}
