package content

import (
	"regexp"

	"example.org/arena/results/facts"
	"example.org/arena/results/tomlfile"
)

var factKey = regexp.MustCompile(`^[a-z][a-z0-9_]{0,39}$`)

// readPlatform reads a file of platforms/. The platform's ID is the name of the
// file, so it stays empty here.
func readPlatform(t *tomlfile.Table) facts.Platform {
	t.Need("name", "accelerator", "accelerators")
	p := facts.Platform{
		Name:              t.Str("name"),
		Accelerator:       t.Str("accelerator"),
		Accelerators:      checkCount(t, "accelerators", t.Integer("accelerators")),
		Memory:            number(t, "memory_bytes"),
		Bandwidth:         number(t, "bandwidth_bytes_per_s"),
		MeasuredBandwidth: number(t, "measured_bandwidth_bytes_per_s"),
		ComputeBF16:       number(t, "compute_bf16_per_s"),
		ComputeFP8:        number(t, "compute_fp8_per_s"),
		ComputeFP4:        number(t, "compute_fp4_per_s"),
		Power:             number(t, "power_w"),
		Facts:             readFacts(t),
	}
	checkName(t, "name", p.Name)
	checkName(t, "accelerator", p.Accelerator)
	t.Done()
	return p
}

func readFacts(t *tomlfile.Table) []facts.Fact {
	var all []facts.Fact
	for _, sub := range t.Subs("fact") {
		sub.Need("key", "value")
		f := facts.Fact{Key: sub.Str("key"), Value: sub.Str("value"), Unit: sub.Str("unit")}
		if sub.Sound("key") && !factKey.MatchString(f.Key) {
			sub.Fault("key", "%q is not a key: want lower-case letters, digits and underscores", f.Key)
		}
		checkName(sub, "value", f.Value)
		checkName(sub, "unit", f.Unit)
		f.Source, f.Status, f.Note = provenance(sub)
		sub.Done()
		all = append(all, f)
	}
	return all
}
