package hostinfo

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.org/arena/results/bundle"
	"example.org/arena/results/privacy"
)

// planted are things of a person and a machine, each of which must not come out
// whatever it is put into.
var planted = map[string]string{
	"host name":     "bergspark-397a",
	"full name":     "bergspark-397a.lab.example.lan",
	"user":          "mbergmann",
	"person":        "Bergmann",
	"home":          "/home/mbergmann",
	"folder":        "geheimprojekt",
	"Hugging Face":  "hf_QwErTyUiOpAsDfGhJkLzXcVbNm0123456789",
	"API key":       "sk-proj-7f3Kd92lPq8XzVb5nM1cT6yR",
	"bare key":      "9f8e7d6c5b4a39281706f5e4d3c2b1a0",
	"JSON token":    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcDEF",
	"password":      "hunter2hunter2",
	"address":       "192.168.178.43",
	"IPv6 address":  "fd12:3456:789a:1::43",
	"MAC address":   "3c:6d:66:0a:1b:2c",
	"mail":          "m.bergmann@example.org",
	"other host":    "nas.bergmann.internal",
	"serial number": "1983925012345678901234AB",
	"GPU id":        "GPU-2dee1e25-b3b5-007e-2b55-79f2d0f2ebe5",
	"registry":      "registry.bergmann.internal:5000",
}

var identity = []string{"bergspark-397a.lab.example.lan", "bergspark-397a", "mbergmann", "Maria Bergmann", "/home/mbergmann", "Maria", "Bergmann"}

// leaks returns the names of the planted things that a value has in it.
func leaks(t *testing.T, v any) []string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ToLower(string(data))
	var found []string
	for what, word := range planted {
		if strings.Contains(text, strings.ToLower(word)) {
			found = append(found, what)
		}
	}
	slices.Sort(found)
	return found
}

func TestPlantedInHost(t *testing.T) {
	t.Parallel()
	for what, word := range planted {
		for _, gpu := range []string{word, "NVIDIA GB10 " + word, "NVIDIA GB10 (" + word + ")"} {
			fake := fakeSystem{
				names: identity,
				answers: map[string]string{
					"--query-gpu=name,": gpu + ", 580.95.05, " + word + ", " + word + "\n" + word + ", " + word + "\n" + gpu + ", " + word + ", 9A.0B.2D.00.00, 1\n",
					"-d COMPUTE":        "Serial Number : " + word + "\nCUDA Version : " + word + "\n",
				},
				files: map[string]string{
					"/etc/os-release":            "ID=" + word + "\nNAME=\"" + word + "\"\nVERSION_ID=" + word + "\nPRETTY_NAME=\"Ubuntu on " + word + "\"\n",
					"/proc/sys/kernel/osrelease": "6.14.0-" + word + "\n",
					"/proc/meminfo":              "MemTotal: " + word + " kB\n",
				},
			}
			host, notes := Host(t.Context(), fake.system())
			if found := leaks(t, []any{host, notes}); found != nil {
				t.Errorf("%s: %v in %+v %s", what, found, host, codes(notes))
			}
		}
	}
}

// inspectedWith is a container with a word wherever one can be.
func inspectedWith(t *testing.T, word string) string {
	t.Helper()
	args := []string{"serve", "Qwen/Qwen3-32B"}
	for _, flag := range []string{
		"--host", "--api-key", "--ssl-keyfile", "--served-model-name", "--model", "--otlp-traces-endpoint", "--lora-modules", "--unknown", "--revision", "-tp",
	} {
		args = append(args, flag, word, flag+"="+word, flag, "/srv/"+word+"/x", flag, "x="+word, flag, "http://"+word+":8000/v1", flag, word+":8000",
			flag, `{"a":"`+word+`","`+word+`":1}`, flag, `["`+word+`"]`, flag, "a,"+word, flag, "/srv/x/"+word, flag, "org/"+word, flag, "some text with "+word)
	}
	args = append(args, "--"+word, "--"+word+"=1", word, "--speculative-config", `{"method":"`+word+`","model":"/x/`+word+`","revision":"`+word+`"}`)
	c := map[string]any{
		"Id": word, "Name": "/" + word, "Path": "vllm", "Args": args, "Image": "sha256:" + strings.Repeat("1", 64), "ImageName": "",
		"HostnamePath": "/var/lib/docker/" + word, "LogPath": word, "Mounts": []any{map[string]any{"Source": "/home/" + word, "Destination": "/models"}},
		"NetworkSettings": map[string]any{"IPAddress": word, "MacAddress": word},
		"Config": map[string]any{
			"Hostname": word, "User": word, "WorkingDir": "/home/" + word, "Image": word + "/vllm:" + word, "Labels": map[string]string{"maintainer": word},
			"Env": []string{
				"HF_TOKEN=" + word, "VLLM_API_KEY=" + word, "HUGGING_FACE_HUB_TOKEN=" + word, "AWS_SECRET_ACCESS_KEY=" + word, "DB_PASSWORD=" + word,
				"HOSTNAME=" + word, "HOME=" + word, "USER=" + word, "http_proxy=http://" + word, "VLLM_HOST_IP=" + word, "VLLM_CACHE_ROOT=/home/" + word,
				"NCCL_SOCKET_IFNAME=" + word, "VLLM_" + strings.ToUpper(word) + "=1", "CUDA_VISIBLE_DEVICES=" + word, "NVIDIA_VISIBLE_DEVICES=" + word,
				"SGLANG_X=" + word, "TORCH_Y=x " + word, word + "=1", "VLLM_URL=http://" + word + "/x", "OMP_Z=[" + word + "]",
			},
		},
	}
	data, err := json.Marshal([]any{c})
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestPlantedInContainer(t *testing.T) {
	t.Parallel()
	for what, word := range planted {
		fake := fakeSystem{names: identity, answers: map[string]string{
			"docker inspect":       inspectedWith(t, word),
			"docker image inspect": `[{"RepoDigests":["` + word + `/vllm@sha256:` + strings.Repeat("2", 64) + `"],"Author":"` + word + `"}]`,
		}}
		s, err := Container(t.Context(), fake.system(), "c")
		if err != nil {
			t.Fatal(err)
		}
		// The name of a folder, or a password in words, is not recognised where it
		// stands for the value of any flag: a model may be called so.
		if found := leaks(t, s); found != nil && what != "folder" && what != "password" {
			var words []string
			for _, w := range s.Server.Argv {
				if leaks(t, w) != nil {
					words = append(words, w)
				}
			}
			t.Errorf("%s: %v in %q %s %s %s %+v %s", what, found, words, s.Server.Image, settingsText(s.Server.Env), settingsText(s.Server.Settings), s.Draft, codes(s.Notes))
		}
		for _, word := range s.Server.Argv {
			if privacy.Leaks(word) || strings.Contains(word, "/srv") || strings.Contains(word, "/home") {
				t.Errorf("%s: %q would be refused as private", what, word)
			}
		}
		for _, e := range slices.Concat(s.Server.Env, s.Server.Settings) {
			if privacy.SecretName(e.Name) || privacy.Leaks(e.Value) {
				t.Errorf("%s: %v would be refused as private", what, e)
			}
		}
	}
}

// A password in words does not pass where one belongs.
func TestPlantedPassword(t *testing.T) {
	t.Parallel()
	word := planted["password"]
	var argv []string
	for flag := range strings.FieldsSeq(`--api-key --api_key --hf-token --hf_token --token --auth --password --ssl-keyfile-password --secret --header
		--admin-api-key --api-key-file --user --ssl-certfile --proxy --username`) {
		argv = append(argv, flag, word, flag+"="+word, flag, word, "second "+word, word)
	}
	argv = append([]string{"env", "HF_TOKEN=" + word, "DB_PASSWORD=" + word, "VLLM_API_KEY=" + word, "vllm", "serve", "x"}, argv...)
	argv = append(argv, "--config", `{"api_key":"`+word+`","nested":{"password":"`+word+`","token":["`+word+`"]}}`, "--url", "https://me:"+word+"@localhost:8000/")
	if s := serviceOf(fakeSystem{}.system(), argv); leaks(t, s) != nil {
		t.Errorf("%q", s.Server.Argv)
	}
}

// A script of a shell, with all that people write into it.
func TestPlantedInScript(t *testing.T) {
	t.Parallel()
	sys := fakeSystem{names: identity}.system()
	script := "export HF_TOKEN=" + planted["Hugging Face"] + "\ncd " + planted["home"] + "/geheimprojekt && curl http://" + planted["other host"] +
		"/x | sh; echo " + planted["password"] + "\nHF_TOKEN=" + planted["Hugging Face"] + " exec vllm serve " + planted["home"] + "/geheimprojekt/Qwen3-32B \\\n --host " +
		planted["address"] + " --api-key '" + planted["API key"] + "' " + planted["password"] + " --max-model-len 4096 # by " + planted["mail"]
	s := serviceOf(sys, []string{"/bin/bash", "-lc", script})
	if found := leaks(t, s); found != nil {
		t.Errorf("%v in %q", found, s.Server.Argv)
	}
	if got := settingsText(s.Server.Settings); !strings.Contains(got, "max_model_len=4096") || s.Model != "" && s.Model != "Qwen3-32B" {
		t.Errorf("settings %s of %q", got, s.Model)
	}
}

func TestPlantedInMetrics(t *testing.T) {
	t.Parallel()
	for what, word := range planted {
		text := func(n string) string {
			return `vllm:cache_config_info{block_size="` + word + `",cache_dtype="/x/` + word + `",enable_prefix_caching="` + word + `",` + `num_gpu_blocks="` + word + `",x="` + word + `"} 1` + "\n" +
				`vllm:prompt_tokens_total{model_name="/home/` + word + `",host="` + word + `"} ` + n + "\n" +
				`vllm:generation_tokens_total{host="` + word + `"} 5` + "\n" + `vllm:spec_decode_num_drafts_total{position="` + word + `"} ` + n + "\n"
		}
		before, _ := ParseMetrics([]byte(text("9")))
		after, _ := ParseMetrics([]byte(text("4")))
		settings, _ := CacheConfig(after)
		if found := leaks(t, []any{Difference(before, after), settings}); found != nil {
			t.Errorf("%s: %v in %s", what, found, settingsText(settings))
		}
	}
}

func TestPlantedInTelemetry(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		sys, _ := piped(func(w io.Writer, stop <-chan struct{}) {
			for _, word := range planted {
				for i := range len(sampleFields) {
					fields := strings.Split(strings.TrimSpace(gb10Line(time.Now(), "40", "2400", "96", "0x4")), ", ")
					fields[i] = word
					io.WriteString(w, strings.Join(fields, ", ")+"\n")
				}
				io.WriteString(w, word+"\n")
				pass(time.Second)
			}
			<-stop
		})
		sys.Names = func() []string { return identity }
		s := StartSampler(t.Context(), sys, time.Second)
		pass(time.Minute)
		s.Stop()
		end := time.Now()
		tel := s.Between(start, end)
		if tel == nil {
			t.Fatal("no sample")
		}
		if found := leaks(t, []any{tel, s.Notes(start, end), s.EnergyMJ(start, end)}); found != nil {
			t.Errorf("%v in %s", found, columns(t, tel))
		}
		for _, word := range planted { // a program that says why it fails
			sys := fakeSystem{names: identity, answers: map[string]string{"nvidia-smi": word}, errs: map[string]error{"nvidia-smi": errExit}}.system()
			if found := leaks(t, StartSampler(context.Background(), sys, 0).Notes(start, end)); found != nil {
				t.Errorf("%v", found)
			}
		}
	})
}

// The settings of an ordinary server are none of these things: what is kept is not
// so little that nothing could leak.
func TestPlainPasses(t *testing.T) {
	t.Parallel()
	p := newPrivate(identity)
	for _, text := range []string{
		"Qwen/Qwen3.6-35B-A3B-NVFP4", "unsloth/Qwen3.6-35B-A3B-GGUF:Q4_K_M", "0.26.1rc1.dev3+g0f3c9be1d", "meta-models/Muse-Glimmer-30B-assistant",
		"nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-NVFP4", "fp8_e4m3", "0.90", "flashinfer", "vllm.entrypoints.openai.api_server", "FLASHINFER_TRTLLM",
		"mistralai/Mistral-Small-4-119B-2603", "v0.26.0-aarch64-cu129-ubuntu2404", "expandable_segments:True", "max_split_size_mb:512", "deepseek-ai/DeepSeek-V4.1-Flash",
	} {
		if p.text(text) {
			t.Errorf("%q is held to be private", text)
		}
		c := cleaner{private: p}
		if got := c.value("--x", text); got != text {
			t.Errorf("%q becomes %q", text, got)
		}
	}
	if got := (bundle.Host{}); leaks(t, got) != nil {
		t.Error("an empty host leaks")
	}
}
