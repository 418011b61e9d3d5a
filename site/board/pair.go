package board

import (
	"cmp"
	"fmt"
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

// kinds is the order of differences.
var kinds = []string{DifferenceArgument, DifferenceEnvironment, DifferenceSetting, DifferenceVersion, DifferenceHost}

// pairs finds the counterpart of every speculating configuration: among those
// without, the one that differs least.
func pairs(boards []Board) []Pair {
	var out []Pair
	for i := range boards {
		rows := boards[i].Rows
		plain := withoutDraft(rows)
		for with := range rows {
			r := &rows[with]
			if !r.Draft {
				continue
			}
			if p, ok := counterpart(rows, plain[served{r.Config.Model, r.Server}], with); ok {
				p.Board = i
				out = append(out, p)
			}
		}
	}
	return out
}

// A served is a checkpoint in a server program.
type served struct{ model, server string }

// withoutDraft returns the rows that may be a counterpart: of those with the same
// settings the first by profile and id, which closer prefers.
func withoutDraft(rows []Row) map[served][]int {
	type setting struct {
		served
		settings string
	}
	first := map[setting]int{}
	for i := range rows {
		r := &rows[i]
		key := setting{served{r.Config.Model, r.Server}, fmt.Sprintf("%q", r.Settings)}
		have, ok := first[key]
		if !r.Draft && (!ok || compareNames(&rows[i], &rows[have]) < 0) {
			first[key] = i
		}
	}
	out := map[served][]int{}
	for key, i := range first {
		out[key.served] = append(out[key.served], i)
	}
	return out
}

func counterpart(rows []Row, candidates []int, with int) (Pair, bool) {
	var best Pair
	found := false
	for _, i := range candidates {
		p := Pair{Without: i, With: with, Differences: differences(rows[i].Settings, rows[with].Settings)}
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
		compareNames(&rows[p.Without], &rows[q.Without]),
	) < 0
}

func compareNames(a, b *Row) int {
	return cmp.Or(cmp.Compare(a.Config.Profile, b.Config.Profile), cmp.Compare(a.ID, b.ID))
}

// A Setting is something that is set, or stated, about a server or its host.
type Setting struct {
	Kind  string // DifferenceArgument, …
	Name  string
	Value string
}

// Worded reports whether the name of the setting is a word for people rather than
// the name of a setting of a program.
func (s Setting) Worded() bool { return s.Kind == DifferenceVersion || s.Kind == DifferenceHost }

// Settings lists what may differ between two servers beside the speculation, by
// kind. What a bundle does not state is empty.
func Settings(b *bundle.Bundle) []Setting {
	var out []Setting
	for _, list := range []struct {
		kind     string
		settings []bundle.Setting
	}{
		{DifferenceArgument, arguments(b)},
		{DifferenceEnvironment, b.Server.Env},
		{DifferenceSetting, stated(b)},
		{DifferenceVersion, versions(b)},
		{DifferenceHost, machine(b)},
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

// differences lists what differs between two servers, by kind and name. A name
// that neither or only one side states is no difference in versions and hosts,
// where silence means that the source does not say; in settings it means not set.
func differences(without, with []Setting) []Difference {
	type place struct{ kind, name string }
	values := map[place]*Difference{}
	at := func(s Setting) *Difference {
		p := place{s.Kind, s.Name}
		if values[p] == nil {
			values[p] = &Difference{Kind: s.Kind, Name: s.Name}
		}
		return values[p]
	}
	for _, s := range without {
		at(s).Without = s.Value
	}
	for _, s := range with {
		at(s).With = s.Value
	}
	var out []Difference
	for _, d := range values {
		silent := d.Kind == DifferenceVersion || d.Kind == DifferenceHost
		if SameSetting(d.Without, d.With) || silent && (d.Without == "" || d.With == "") {
			continue
		}
		out = append(out, *d)
	}
	slices.SortFunc(out, func(a, b Difference) int {
		return cmp.Or(cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind)), cmp.Compare(a.Name, b.Name))
	})
	return out
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
