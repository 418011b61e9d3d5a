package contract

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// A DeviationKind says how a recorded parameter differs from the contract's.
type DeviationKind string

// The kinds of deviation.
const (
	Changed DeviationKind = "changed" // both have it, with different values
	Missing DeviationKind = "missing" // the contract has it, the recorded command has not
	Extra   DeviationKind = "extra"   // the recorded command has it, the contract has not
)

// A Deviation is one parameter in which a recorded command differs from the
// contract. Values are joined by spaces and empty for a flag without a value.
type Deviation struct {
	Kind      DeviationKind
	Parameter string // the flag, "--depth", or "tool", "version" or "argument"
	Contract  string
	Recorded  string
}

// Deviations compares a recorded command with the contract's own for the test, by
// parameter: the program that starts the tool and its environment, the order of
// flags, the way numbers are written and the names of the model do not count.
// With several rungs the command is compared with the rung that it is closest
// to. The list follows the contract's flags; extra ones come last, by name.
func (c *Contract) Deviations(t Test, argv []string) []Deviation {
	var best []Deviation
	for i, command := range c.Commands(t, Names{}) {
		d := deviations(invocationOf(t.Kind, command.Argv), invocationOf(t.Kind, argv))
		if i == 0 || len(d) < len(best) {
			best = d
		}
	}
	return best
}

// An invocation is a command line taken apart.
type invocation struct {
	tool    string // empty when the tool was not found
	version string // as pinned in the command, empty for none
	flags   []flag // in order, a repeated one only where it stands last
	words   []string
}

type flag struct {
	name   string // with its dashes
	values []string
}

// nameFlags hold names of the model instead of parameters.
var nameFlags = []string{"--model", "--tokenizer", "--served-model-name"}

func deviations(want, got invocation) []Deviation {
	if got.tool != want.tool {
		return []Deviation{{Changed, "tool", want.tool, strings.Join(got.words, " ")}}
	}
	var list []Deviation
	if want.version != "" && got.version != want.version {
		list = append(list, Deviation{Changed, "version", want.version, got.version})
	}
	for _, w := range want.flags {
		g, ok := got.flag(w.name)
		switch {
		case !ok:
			list = append(list, Deviation{Missing, w.name, w.text(), ""})
		case !slices.Contains(nameFlags, w.name) && !slices.EqualFunc(w.values, g.values, sameValue):
			list = append(list, Deviation{Changed, w.name, w.text(), g.text()})
		}
	}
	return append(append(list, otherTokenizer(got)...), extras(want, got)...)
}

// otherTokenizer finds a tokenizer that is not the model's own: tokens would
// then be counted otherwise than the contract says.
func otherTokenizer(got invocation) []Deviation {
	model, _ := got.flag("--model")
	tokenizer, ok := got.flag("--tokenizer")
	if !ok || got.tool != string(VLLMBench) || slices.Equal(model.values, tokenizer.values) {
		return nil
	}
	return []Deviation{{Changed, tokenizer.name, model.text(), tokenizer.text()}}
}

// extras lists what the contract does not have.
func extras(want, got invocation) []Deviation {
	var list []Deviation
	for _, g := range got.flags {
		if _, ok := want.flag(g.name); !ok {
			list = append(list, Deviation{Extra, g.name, "", g.text()})
		}
	}
	slices.SortFunc(list, func(a, b Deviation) int { return cmp.Compare(a.Parameter, b.Parameter) })
	for _, word := range got.words {
		list = append(list, Deviation{Extra, "argument", "", word})
	}
	return list
}

func (f flag) text() string { return strings.Join(f.values, " ") }

func (i invocation) flag(name string) (flag, bool) {
	for _, f := range i.flags {
		if f.name == name {
			return f, true
		}
	}
	return flag{}, false
}

// invocationOf finds the tool of a kind in a command line and reads what follows it.
func invocationOf(k Kind, argv []string) invocation {
	_, tool := k.name()
	for i := range argv {
		if version, n := k.program(argv[i:]); n > 0 {
			return readFlags(invocation{tool: string(tool), version: version}, argv[i+n:])
		}
	}
	return invocation{words: argv}
}

// readFlags reads flags as the tools' parsers do: a flag takes the words up to
// the next one, or what follows its "=", and a repeated flag replaces the
// earlier one.
func readFlags(inv invocation, args []string) invocation {
	for i := 0; i < len(args); {
		if !isFlag(args[i]) {
			inv.words = append(inv.words, args[i])
			i++
			continue
		}
		name, value, tied := strings.Cut(args[i], "=")
		f := flag{name: flagName(name)}
		i++
		if tied {
			f.values = []string{value}
		} else {
			for ; i < len(args) && !isFlag(args[i]); i++ {
				f.values = append(f.values, args[i])
			}
		}
		inv.flags = slices.DeleteFunc(inv.flags, func(g flag) bool { return g.name == f.name })
		inv.flags = append(inv.flags, f)
	}
	return inv
}

// isFlag tells flags from values; negative numbers are values.
func isFlag(word string) bool {
	if len(word) < 2 || word[0] != '-' {
		return false
	}
	_, err := strconv.ParseFloat(word, 64)
	return err != nil
}

// flagName returns a long flag's name with dashes only: vllm takes both.
func flagName(name string) string {
	if rest, ok := strings.CutPrefix(name, "--"); ok {
		return "--" + strings.ReplaceAll(rest, "_", "-")
	}
	return name
}

// sameValue compares two values, or two lists with commas, by number where both
// are numbers and by text otherwise.
func sameValue(a, b string) bool {
	return slices.EqualFunc(strings.Split(a, ","), strings.Split(b, ","), func(a, b string) bool {
		x, errA := strconv.ParseFloat(a, 64)
		y, errB := strconv.ParseFloat(b, 64)
		return a == b || errA == nil && errB == nil && x == y
	})
}
