package hostinfo

import (
	"context"
	"strings"
	"testing"

	"example.org/arena/results/bundle"
)

func TestHost(t *testing.T) {
	t.Parallel()
	garbage := machine(t, "gb10")
	garbage.answers = map[string]string{"nvidia-smi": "\x00\xff, ??\nFailed to initialize NVML: Driver/library version mismatch\n,,,\n"}
	garbage.files = map[string]string{
		"/etc/os-release": "VERSION_ID=\x01\nNAME=<b>x</b>", "/proc/sys/kernel/osrelease": "none", "/proc/meminfo": "MemTotal: lots\n",
	}
	mismatch := machine(t, "gb10")
	mismatch.errs = map[string]error{"nvidia-smi": errExit}
	noGPU := machine(t, "gb10")
	noGPU.answers = map[string]string{"nvidia-smi": "No devices were found\n"}
	noGPU.errs = map[string]error{"nvidia-smi": errExit}
	bare := fakeSystem{files: map[string]string{
		"/usr/lib/os-release": "ID=debian\nVERSION_ID='12'\n", "/proc/sys/kernel/osrelease": "6.1.0-35-amd64\n", "/proc/meminfo": "MemTotal: 2048 kB\n",
	}}
	slow := machine(t, "gb10")
	slow.errs = map[string]error{"nvidia-smi": context.DeadlineExceeded}
	withoutCUDA := machine(t, "gb10")
	withoutCUDA.answers = map[string]string{"--query-gpu=name,": withoutCUDA.answers["--query-gpu=name,"], "-d COMPUTE": "no such thing", "nvidia-smi": "no"}
	unknownOS := bare
	unknownOS.files = map[string]string{"/etc/os-release": "ID=mine\nNAME=\"Void Linux\"\nVERSION_ID=7\n", "/proc/meminfo": "MemTotal: 1 kB\nMemTotal: 3 MB"}

	cases := []struct {
		name  string
		fake  fakeSystem
		want  bundle.Host
		notes string
	}{
		{"GB10", machine(t, "gb10"), bundle.Host{
			GPU: "NVIDIA GB10", GPUs: 1, Driver: "580.173.02", VBIOS: "9A.0B.2D.00.00", CUDA: "13.0", OS: "Ubuntu 24.04.3",
			Kernel: "6.14.0-1015-nvidia", MemoryBytes: 125513964 << 10,
		}, "memory_is_shared"},
		{"eight B300", machine(t, "b300"), bundle.Host{
			GPU: "NVIDIA B300 SXM6 AC", GPUs: 8, Driver: "580.95.05", VBIOS: "97.10.4A.00.0A + 97.10.4A.00.0B", CUDA: "13.0",
			OS: "Red Hat Enterprise Linux 9.6", Kernel: "5.14.0-570.12.1.el9_6.x86_64", MemoryBytes: 2113456788 << 10,
		}, ""},
		{"two kinds of RTX", machine(t, "rtx"), bundle.Host{
			GPU: "NVIDIA GeForce RTX 4090 + NVIDIA GeForce RTX 3090", GPUs: 2, Driver: "535.183.01", VBIOS: "94.02.42.40.1C + 95.02.3C.C0.A2",
			CUDA: "12.2", OS: "Arch Linux", Kernel: "6.16.7-arch1-1", MemoryBytes: 65736224 << 10,
		}, "gpus_differ gpus=NVIDIA GeForce RTX 4090 + NVIDIA GeForce RTX 3090; host_facts_withheld facts=kernel"},
		{"no program", bare, bundle.Host{OS: "Debian 12", Kernel: "6.1.0-35-amd64", MemoryBytes: 2048 << 10}, "gpu_tool_missing tool=nvidia-smi"},
		{"no GPU", noGPU, bundle.Host{OS: "Ubuntu 24.04.3", Kernel: "6.14.0-1015-nvidia", MemoryBytes: 125513964 << 10}, "gpu_not_found tool=nvidia-smi"},
		{"driver fails", mismatch, bundle.Host{OS: "Ubuntu 24.04.3", Kernel: "6.14.0-1015-nvidia", MemoryBytes: 125513964 << 10}, "gpu_tool_failed tool=nvidia-smi"},
		{"program hangs", slow, bundle.Host{OS: "Ubuntu 24.04.3", Kernel: "6.14.0-1015-nvidia", MemoryBytes: 125513964 << 10}, "gpu_tool_silent tool=nvidia-smi limit_s=20"},
		{"garbage", garbage, bundle.Host{}, "gpu_tool_failed tool=nvidia-smi; host_facts_unknown facts=memory_bytes; host_facts_withheld facts=os kernel"},
		{"no CUDA", withoutCUDA, bundle.Host{
			GPU: "NVIDIA GB10", GPUs: 1, Driver: "580.173.02", VBIOS: "9A.0B.2D.00.00", OS: "Ubuntu 24.04.3",
			Kernel: "6.14.0-1015-nvidia", MemoryBytes: 125513964 << 10,
		}, "memory_is_shared; host_facts_unknown facts=cuda"},
		{"unknown system", unknownOS, bundle.Host{OS: "Void Linux 7", MemoryBytes: 1024}, "gpu_tool_missing tool=nvidia-smi; host_facts_unknown facts=kernel"},
		{"nothing", fakeSystem{}, bundle.Host{}, "gpu_tool_missing tool=nvidia-smi; host_facts_unknown facts=os kernel memory_bytes"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, notes := Host(t.Context(), c.fake.system())
			if got != c.want {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
			if codes(notes) != c.notes {
				t.Errorf("notes\n got %s\nwant %s", codes(notes), c.notes)
			}
		})
	}
}

// Kernels that people name after themselves lose their names.
func TestKernel(t *testing.T) {
	t.Parallel()
	for release, want := range map[string]string{
		"6.11.0-1016-nvidia-64k":                    "6.11.0-1016-nvidia-64k",
		"6.8.0-79-generic":                          "6.8.0-79-generic",
		"5.15.167.4-microsoft-standard-WSL2":        "5.15.167.4-microsoft-standard-WSL2",
		"6.17.4-200.fc42.x86_64":                    "6.17.4-200.fc42.x86_64",
		"6.12.0-rc3-00017-gabcdef-dirty-alice":      "6.12.0-rc3-00017",
		"6.10.1+":                                   "6.10.1",
		"6.1.0-alice-laptop":                        "6.1.0",
		"4.4.0":                                     "4.4.0",
		"6.1.141-tegra":                             "6.1.141-tegra",
		"6.1.0-35-cloud-amd64":                      "6.1.0-35-cloud-amd64",
		"5.10.0-3-amd64-" + strings.Repeat("x", 99): "5.10.0-3-amd64",
	} {
		fake := fakeSystem{files: map[string]string{"/proc/sys/kernel/osrelease": release + "\n"}}
		if got, _ := Host(t.Context(), fake.system()); got.Kernel != want {
			t.Errorf("%s: got %q, want %q", release, got.Kernel, want)
		}
	}
}

// What this machine itself tells passes the look of a published bundle.
func TestHostHere(t *testing.T) {
	t.Parallel()
	got, notes := Host(t.Context(), System{})
	t.Logf("%+v %s", got, codes(notes))
	p := newPrivate(localNames())
	for _, text := range []string{got.GPU, got.OS, got.Kernel, codes(notes)} {
		if p.version(text) {
			t.Errorf("%q is private", text)
		}
	}
}
