package hostinfo

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.org/arena/results/bundle"
)

// Host returns what a bundle says about this machine, and notes on what is missing
// and why. It always answers: a machine without a GPU has one that is empty.
func Host(ctx context.Context, sys System) (bundle.Host, []bundle.Note) {
	sys = sys.complete()
	f := finder{sys: sys, private: newPrivate(sys.Names())}
	f.gpus(ctx)
	f.system()
	if len(f.unknown) > 0 {
		f.notes = append(f.notes, bundle.NewNote(NoteHostUnknown, "facts", strings.Join(f.unknown, " ")))
	}
	if len(f.withheld) > 0 {
		f.notes = append(f.notes, bundle.NewNote(NoteHostWithheld, "facts", strings.Join(f.withheld, " ")))
	}
	return f.host, f.notes
}

// A finder gathers the facts of a host. Facts are named by their keys in the
// bundle.
type finder struct {
	sys      System
	private  private
	host     bundle.Host
	notes    []bundle.Note
	unknown  []string // facts that nothing tells
	withheld []string // facts that are not of the expected form
}

// set keeps a fact if it has the form that it should have.
func (f *finder) set(key string, fact *string, value string, form *regexp.Regexp) {
	switch {
	case value == "":
		f.unknown = append(f.unknown, key)
	case !form.MatchString(value) || f.private.version(value):
		f.withheld = append(f.withheld, key)
	default:
		*fact = value
	}
}

// system reads what the kernel and the distribution say of themselves.
func (f *finder) system() {
	f.set("os", &f.host.OS, f.distribution(), osForm)
	f.kernel()
	if f.host.MemoryBytes = f.memory(); f.host.MemoryBytes == 0 {
		f.unknown = append(f.unknown, "memory_bytes")
	}
}

var osForm = regexp.MustCompile(`^[A-Z][A-Za-z]*(?:[ /-][A-Za-z]+){0,4}(?: [0-9]+(?:\.[0-9]+)*)?$`)

// distributions are the names of operating systems by the id that they carry.
var distributions = map[string]string{
	"almalinux": "AlmaLinux", "amzn": "Amazon Linux", "arch": "Arch Linux", "azurelinux": "Azure Linux", "centos": "CentOS",
	"debian": "Debian", "dgx": "DGX OS", "fedora": "Fedora", "gentoo": "Gentoo", "linuxmint": "Linux Mint", "manjaro": "Manjaro",
	"nixos": "NixOS", "ol": "Oracle Linux", "opensuse-leap": "openSUSE Leap", "opensuse-tumbleweed": "openSUSE Tumbleweed",
	"pop": "Pop OS", "rhel": "Red Hat Enterprise Linux", "rocky": "Rocky Linux", "sles": "SUSE Linux Enterprise Server", "ubuntu": "Ubuntu",
}

var dotted = regexp.MustCompile(`^[0-9]+(?:\.[0-9]+)*`)

// distribution returns name and version of the operating system. Anybody can write
// what they like into the file: the name is taken from the list by its id, and of
// the rest only numbers.
func (f *finder) distribution() string {
	data, err := f.sys.Read("/etc/os-release")
	if err != nil {
		if data, err = f.sys.Read("/usr/lib/os-release"); err != nil {
			return ""
		}
	}
	values := shellValues(string(data))
	name, ok := distributions[values["ID"]]
	if !ok {
		name = values["NAME"]
		if name == "" || f.private.text(name) {
			return name
		}
	}
	version := dotted.FindString(values["VERSION_ID"])
	if version == "" {
		return name
	}
	for word := range strings.FieldsSeq(values["PRETTY_NAME"]) { // has the point release
		if exact := dotted.FindString(word); strings.HasPrefix(exact, version+".") {
			version = exact
			break
		}
	}
	return strings.TrimSpace(name) + " " + version
}

// shellValues reads lines of NAME=value with the quotes of a shell.
func shellValues(text string) map[string]string {
	values := map[string]string{}
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), "=")
		if !ok || strings.HasPrefix(name, "#") {
			continue
		}
		for _, q := range []string{`"`, `'`} {
			if len(value) >= 2 && strings.HasPrefix(value, q) && strings.HasSuffix(value, q) {
				value = value[1 : len(value)-1]
			}
		}
		values[name] = value
	}
	return values
}

// flavours are parts of the names of kernels that distributions make.
var flavours = strings.Fields(`generic nvidia 64k lowlatency hwe oem rt preempt server desktop default cloud aws azure gcp oracle
	amd64 arm64 x86 64 aarch64 adv amzn microsoft standard wsl2 tegra raspi lts zen hardened pve arch1 el7 el8 el9 el10 fc`)

var kernelPart = regexp.MustCompile(`^[0-9]+$|^(?:rc|fc|el|deb|bpo|amzn|git|pve|arch|lp|mga|p)[0-9]+(?:u[0-9]+)?$`)

// kernel keeps the version of the kernel up to the first part that no distribution
// gives it: people who build their own write their names there.
func (f *finder) kernel() {
	data, err := f.sys.Read("/proc/sys/kernel/osrelease")
	release := strings.TrimSpace(string(data))
	if err != nil || release == "" {
		f.unknown = append(f.unknown, "kernel")
		return
	}
	end := len(dotted.FindString(release))
	if end == 0 {
		f.withheld = append(f.withheld, "kernel")
		return
	}
	for end < len(release) {
		next := end + 1
		for next < len(release) && !strings.ContainsRune("-+~._", rune(release[next])) {
			next++
		}
		part := release[end+1 : next]
		if !slices.Contains(flavours, strings.ToLower(part)) && !kernelPart.MatchString(part) && part != "" {
			break
		}
		end = next
	}
	if base := len(dotted.FindString(release)); f.private.text(release[base:end]) {
		end = base
	}
	f.host.Kernel = strings.TrimRight(release[:end], "-+~._")
	if end < len(release) {
		f.withheld = append(f.withheld, "kernel")
	}
}

// memory returns the memory of the machine in bytes, 0 when nothing tells.
func (f *finder) memory() int64 {
	data, err := f.sys.Read("/proc/meminfo")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, "MemTotal:"); ok {
			fields := strings.Fields(rest)
			if len(fields) != 2 || fields[1] != "kB" {
				return 0
			}
			if kib, err := strconv.ParseInt(fields[0], 10, 64); err == nil && kib > 0 && kib < 1<<43 {
				return kib << 10
			}
		}
	}
	return 0
}
