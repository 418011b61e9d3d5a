package contract

import (
	"strconv"
	"strings"
)

// The placeholders that stand in commands for names that are not given.
const (
	ModelPlaceholder      = "ORG/MODEL"
	ServedNamePlaceholder = "SERVED_MODEL_NAME"
	ShareGPTPlaceholder   = "ShareGPT_V3.json" // a file of conversations, which contracts for Arena's own load generator do not place
)

// Names are the names in a command that belong to the measured model instead of
// the contract. An empty name becomes its placeholder.
type Names struct {
	Model      string // Hugging Face id, ORG/MODEL
	ServedName string // as the server names the model
}

// A Command is one command line.
type Command struct {
	Comment string   // tells it from its neighbours, "0.1 req/s"; empty for a test's only command
	Argv    []string // the program and its arguments, unquoted
}

// Commands returns the commands of a test in the order of its rungs: several for
// an open-loop test with several rungs, otherwise one. They are ready to run:
// numbers have decimal points, and no name can leave its argument.
func (c *Contract) Commands(t Test, names Names) []Command {
	if names.Model == "" {
		names.Model = ModelPlaceholder
	}
	if names.ServedName == "" {
		names.ServedName = ServedNamePlaceholder
	}
	if t.Kind == nil {
		return nil
	}
	return t.Kind.commands(c, t, names)
}

// An argv is a command line under construction.
type argv []string

// flag appends a flag and its values. A value that looks like a flag is tied to
// its own with "=", so that no name can become an option of the tool.
func (a *argv) flag(name string, values ...string) {
	if len(values) == 1 && strings.HasPrefix(values[0], "-") {
		*a = append(*a, "--"+name+"="+values[0])
		return
	}
	*a = append(append(*a, "--"+name), values...)
}

// decimal writes f with a decimal point, exactly, and with at least the given
// number of decimals.
func decimal(f float64, digits int) string {
	s := strconv.FormatFloat(f, 'f', -1, 64)
	_, decimals, _ := strings.Cut(s, ".")
	if len(decimals) >= digits {
		return s
	}
	return strconv.FormatFloat(f, 'f', digits, 64)
}

func ints(list []int) []string {
	out := make([]string, len(list))
	for i, n := range list {
		out[i] = strconv.Itoa(n)
	}
	return out
}
