package board

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"example.org/arena/results/bundle"
)

// A Setting is something that is set, or stated, about a server or its host.
type Setting struct {
	Kind  string // SettingArgument, …
	Name  string
	Value string
}

// The kinds of setting.
const (
	SettingArgument    = "argument"    // of the server's command line
	SettingEnvironment = "environment" // variable of the server
	SettingOther       = "setting"     // stated outside the command line
	SettingVersion     = "version"     // of the server or its image
	SettingHost        = "host"        // driver, GPU or kernel
)

// settingKinds is the order of settings.
var settingKinds = []string{SettingArgument, SettingEnvironment, SettingOther, SettingVersion, SettingHost}

// Worded reports whether the name of the setting is a word for people rather than
// the name of a setting of a program.
func (s Setting) Worded() bool { return s.Kind == SettingVersion || s.Kind == SettingHost }

// Settings lists what may differ between two servers beside the speculation, by
// kind. What a bundle does not state is empty.
func Settings(b *bundle.Bundle) []Setting {
	var out []Setting
	for _, list := range []struct {
		kind     string
		settings []bundle.Setting
	}{
		{SettingArgument, arguments(b)},
		{SettingEnvironment, b.Server.Env},
		{SettingOther, stated(b)},
		{SettingVersion, versions(b)},
		{SettingHost, machine(b)},
	} {
		for _, s := range list.settings {
			out = append(out, Setting{list.kind, s.Name, s.Value})
		}
	}
	return out
}

// stated are the settings that stand beside the command line.
func stated(b *bundle.Bundle) []bundle.Setting {
	out := slices.Clone(b.Server.Settings)
	if p := b.Server.PrefixCaching; p != nil {
		out = append(out, bundle.Setting{Name: "prefix_caching", Value: strconv.FormatBool(*p)})
	}
	return out
}

func versions(b *bundle.Bundle) []bundle.Setting {
	return []bundle.Setting{
		{Name: "image", Value: cmp.Or(b.Server.ImageDigest, b.Server.Image)},
		{Name: "quantisation", Value: b.Model.Quantisation},
		{Name: "server", Value: b.Server.Name},
		{Name: "version", Value: b.Server.Version},
	}
}

func machine(b *bundle.Bundle) []bundle.Setting {
	return []bundle.Setting{
		{Name: "cuda", Value: b.Host.CUDA},
		{Name: "driver", Value: b.Host.Driver},
		{Name: "gpu", Value: b.Host.GPU},
		{Name: "kernel", Value: b.Host.Kernel},
	}
}

// SameSetting compares settings as numbers where both are: 0.9 is 0.90.
func SameSetting(a, b string) bool {
	x, errA := strconv.ParseFloat(a, 64)
	y, errB := strconv.ParseFloat(b, 64)
	return a == b || errA == nil && errB == nil && x == y
}

// flagSet stands for the value of an argument that takes none.
const flagSet = "true"

// arguments returns the server's command line by flag, without the names of the
// model and without what switches speculation on.
func arguments(b *bundle.Bundle) []bundle.Setting {
	var out []bundle.Setting
	argv := b.Server.Argv
	for i := 0; i < len(argv); {
		name, value, tied := strings.Cut(argv[i], "=")
		i++
		if !strings.HasPrefix(name, "--") {
			continue
		}
		if !tied {
			var words []string
			for ; i < len(argv) && !strings.HasPrefix(argv[i], "--"); i++ {
				words = append(words, argv[i])
			}
			value = cmp.Or(strings.Join(words, " "), flagSet)
		}
		name = strings.ReplaceAll(name, "_", "-")
		if !speculative(name) && name != "--served-model-name" {
			out = append(out, bundle.Setting{Name: name, Value: value})
		}
	}
	return out
}

// speculative reports whether a flag belongs to the speculation itself.
func speculative(flag string) bool {
	for part := range strings.SplitSeq(flag, "-") {
		if part == "spec" || part == "speculative" || part == "draft" {
			return true
		}
	}
	return false
}
