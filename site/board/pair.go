package board

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"example.org/arena/results/bundle"
)

// A Pair is one configuration with speculative decoding and its counterpart
// without, on the same board, of the same checkpoint and the same server
// program.
type Pair struct {
	Board       int
	Without     int          // index into the board's Rows
	With        int          // index into the board's Rows
	Differences []Difference // what else differs between the two, by name: empty for a fair pair
}

// A Difference is a setting that differs inside a pair beyond the speculation
// itself.
type Difference struct {
	Kind    string // DifferenceArgument, …
	Name    string
	Without string // empty when not set there
	With    string // empty when not set there
}

// The kinds of difference.
const (
	DifferenceArgument    = "argument"    // of the server's command line
	DifferenceEnvironment = "environment" // variable of the server
	DifferenceSetting     = "setting"     // stated outside the command line
	DifferenceVersion     = "version"     // of the server or its image
	DifferenceHost        = "host"        // driver, GPU or kernel
)

// pairs finds the counterpart of every speculating configuration: among those
// without, the one that differs least.
func pairs(boards []Board) []Pair {
	var out []Pair
	for i := range boards {
		rows := boards[i].Rows
		for with := range rows {
			if rows[with].Bundle.Draft == nil {
				continue
			}
			if p, ok := counterpart(rows, with); ok {
				p.Board = i
				out = append(out, p)
			}
		}
	}
	return out
}

func counterpart(rows []Row, with int) (Pair, bool) {
	var best Pair
	found := false
	for i := range rows {
		a, b := rows[i].Bundle, rows[with].Bundle
		if a.Draft != nil || a.Model.ID != b.Model.ID || a.Server.Name != b.Server.Name {
			continue
		}
		p := Pair{Without: i, With: with, Differences: differences(a, b)}
		if !found || closer(rows, p, best) {
			best, found = p, true
		}
	}
	return best, found
}

// closer reports whether p pairs rows that differ less than those of q.
func closer(rows []Row, p, q Pair) bool {
	return cmp.Or(
		cmp.Compare(len(p.Differences), len(q.Differences)),
		cmp.Compare(rows[p.Without].Config.Profile, rows[q.Without].Config.Profile),
		cmp.Compare(rows[p.Without].ID, rows[q.Without].ID),
	) < 0
}

// differences lists what differs between two servers beside the speculation.
func differences(a, b *bundle.Bundle) []Difference {
	var out []Difference
	out = append(out, compareSettings(DifferenceArgument, arguments(a), arguments(b))...)
	out = append(out, compareSettings(DifferenceEnvironment, a.Server.Env, b.Server.Env)...)
	out = append(out, compareSettings(DifferenceSetting, a.Server.Settings, b.Server.Settings)...)
	out = append(out, compareSettings(DifferenceVersion, versions(a), versions(b))...)
	return append(out, compareSettings(DifferenceHost, machine(a), machine(b))...)
}

func versions(b *bundle.Bundle) []bundle.Setting {
	return []bundle.Setting{
		{Name: "image", Value: cmp.Or(b.Server.ImageDigest, b.Server.Image)},
		{Name: "quantisation", Value: b.Model.Quantisation},
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

// compareSettings lists the names whose values differ, by name. A name that
// neither or only one side states is no difference in versions and hosts, where
// silence means that the source does not say; in settings it means not set.
func compareSettings(kind string, a, b []bundle.Setting) []Difference {
	silent := kind == DifferenceVersion || kind == DifferenceHost
	values := map[string]*Difference{}
	at := func(name string) *Difference {
		if values[name] == nil {
			values[name] = &Difference{Kind: kind, Name: name}
		}
		return values[name]
	}
	for _, s := range a {
		at(s.Name).Without = s.Value
	}
	for _, s := range b {
		at(s.Name).With = s.Value
	}
	var out []Difference
	for _, d := range values {
		if sameSetting(d.Without, d.With) || silent && (d.Without == "" || d.With == "") {
			continue
		}
		out = append(out, *d)
	}
	slices.SortFunc(out, func(a, b Difference) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// sameSetting compares settings as numbers where both are: 0.9 is 0.90.
func sameSetting(a, b string) bool {
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
