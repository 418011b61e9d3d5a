package board

import (
	"testing"

	"example.org/arena/results/bundle"
)

// serving gives a bundle a server with arguments, and a draft when asked.
func serving(name string, draft bool, argv ...string) func(*bundle.Bundle) {
	return func(b *bundle.Bundle) {
		b.Server = bundle.Server{Name: name, Argv: argv}
		if draft {
			b.Draft = &bundle.Draft{Method: "dflash"}
		}
	}
}

func TestPairs(t *testing.T) {
	t.Parallel()
	set := build(t,
		run{model: "o/m", profile: "direct", speed: 40, change: serving("vllm", false, "--max-len", "8", "--kv=fp8")},
		run{model: "o/m", profile: "other-direct", speed: 39, change: serving("vllm", false, "--max-len", "16")},
		run{model: "o/m", profile: "spec", speed: 60, change: serving("vllm", true, "--max_len", "8", "--kv", "fp8",
			"--max-num-seqs", "32", "--speculative-config", `{"method":"dflash"}`, "--spec-draft", "x", "--served-model-name", "y")},
		run{model: "o/m", profile: "sglang", speed: 50, change: serving("sglang", false)},
		run{model: "o/n", profile: "spec-alone", speed: 50, change: serving("vllm", true)},
	)
	b := set.Boards[0]
	if len(set.Pairs) != 1 {
		t.Fatalf("found pairs %v, want one", set.Pairs)
	}
	p := set.Pairs[0]
	equal(t, "without", b.Rows[p.Without].Config.Profile, "direct")
	equal(t, "with", b.Rows[p.With].Config.Profile, "spec")
	equal(t, "not fair", p.Differences, []Difference{{SettingArgument, "--max-num-seqs", "", "32"}})
}

func TestDifferences(t *testing.T) {
	t.Parallel()
	a := &bundle.Bundle{
		Server: bundle.Server{
			Name: "vllm", Version: "1", Argv: []string{"serve", "--flag", "--same", "1", "2"},
			Env:      []bundle.Setting{{Name: "A", Value: "1"}},
			Settings: []bundle.Setting{{Name: "kv", Value: "auto"}, {Name: "len", Value: "0.9"}},
		},
		Host: bundle.Host{Driver: "580", GPU: "x"},
	}
	b := &bundle.Bundle{
		Server: bundle.Server{
			Name: "vllm", Version: "2", Argv: []string{"--same=1 2", "--flag", "no"},
			Settings: []bundle.Setting{{Name: "kv", Value: "fp8"}, {Name: "len", Value: "0.90"}},
		},
		Host: bundle.Host{Driver: "580", CUDA: "13"},
	}
	equal(t, "differences", differences(Settings(a), Settings(b)), []Difference{
		{SettingArgument, "--flag", flagSet, "no"},
		{SettingEnvironment, "A", "1", ""},
		{SettingOther, "kv", "auto", "fp8"},
		{SettingVersion, "version", "1", "2"},
	})
	equal(t, "none", differences(Settings(a), Settings(a)), []Difference(nil))
}
