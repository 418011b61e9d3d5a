package prompt

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed texts/*.txt
var texts embed.FS

// A Text is a named source of prompts: parts that are put together in any order.
type Text struct {
	Name  string
	Task  string // what a prompt asks for after the text, in the text's language
	parts []string
	joint string // between parts
}

// A source is a text of the binary. Texts never change: a better one gets a new
// name.
type source struct {
	name, joint, task string
}

// Two texts have parts that hold empty lines, so a line of its own parts them.
const partLine = "\n%%\n"

var sources = []source{
	{"code", partLine, "Go on with this code in the same style: write further functions, and explain each of them at length."},
	{"data", partLine, "Go on with these records: write many more of them in the same formats, with other values."},
	{"prose-en", "\n\n", "Go on with this text at length, in the same style, and do not stop before you have written many pages."},
	{"prose-fr", "\n\n", "Continuez ce texte longuement, dans le même style, et ne vous arrêtez qu'après de nombreuses pages."},
	{"prose-nl", "\n\n", "Ga uitvoerig verder met deze tekst, in dezelfde stijl, en stop niet voordat er vele bladzijden staan."},
}

// Names lists the texts.
func Names() []string {
	names := make([]string, len(sources))
	for i, s := range sources {
		names[i] = s.name
	}
	return names
}

// Named returns a text by its name.
func Named(name string) (*Text, error) {
	i := slices.IndexFunc(sources, func(s source) bool { return s.name == name })
	if i < 0 {
		return nil, fmt.Errorf("no text %q: there are %s", name, strings.Join(Names(), ", "))
	}
	content, err := texts.ReadFile("texts/" + name + ".txt")
	if err != nil {
		return nil, fmt.Errorf("read text %s: %w", name, err)
	}
	s := sources[i]
	parts := strings.Split(strings.TrimRight(string(content), "\n"), s.joint)
	return &Text{Name: name, Task: s.task, parts: parts, joint: "\n\n"}, nil
}

// String returns the whole text.
func (t *Text) String() string { return strings.Join(t.parts, t.joint) }
