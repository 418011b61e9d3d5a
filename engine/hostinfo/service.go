package hostinfo

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.org/arena/results/bundle"
	"example.org/arena/results/privacy"
)

// A Service is a server as its command line and its container tell of it.
type Service struct {
	Server bundle.Server // Name is empty when the command line names no server that is known
	Draft  *bundle.Draft // nil without speculative decoding
	Model  string        // what it was told to serve: an id, or the name of a folder or file
	Notes  []bundle.Note
}

type serviceReader struct {
	cleaner cleaner
	out     Service
}

func newServiceReader(sys System) *serviceReader {
	return &serviceReader{cleaner: cleaner{private: newPrivate(sys.complete().Names())}}
}

func (s *serviceReader) finish() Service {
	if w := s.cleaner.withheld; len(w) > 0 {
		slices.Sort(w)
		s.out.Notes = append(s.out.Notes, bundle.NewNote(NoteArgumentsWithheld, "flags", strings.Join(w, " ")))
	}
	return s.out
}

func (s *serviceReader) arguments(argv []string) {
	argv = unwrapShell(argv)
	s.out.Server.Name = cmp.Or(serverIn(argv), s.out.Server.Name)
	s.out.Server.Argv = s.cleaner.argv(argv)
	for i := 0; i < len(argv) && !isFlag(argv[i]); i++ {
		if name, _, ok := strings.Cut(argv[i], "="); ok { // a variable before the program
			s.out.Server.Argv[i] = privacy.Removed
			if value, kept := s.variable(argv[i]); kept {
				s.out.Server.Argv[i] = name + "=" + value
			}
		}
	}
	given := readFlags(s.out.Server.Argv)
	dialect := dialects[s.out.Server.Name]
	s.out.Server.Settings = dialect.settings(given)
	s.out.Server.PrefixCaching = dialect.prefixCaching(given)
	s.out.Model = dialect.model(given, s.out.Server.Argv)
	if dialect.draft != nil {
		s.draft(dialect.draft(given))
	}
}

// draft keeps the speculative decoding. A method that is not named is not guessed.
func (s *serviceReader) draft(d *bundle.Draft) {
	if s.out.Draft = d; d != nil && d.Method == "" {
		s.out.Notes = append(s.out.Notes, bundle.NewNote(NoteDraftMethodUnknown))
	}
}

// moreVariables are variables beside those of [privacy.PublicVariable] that say how
// a server computes.
var moreVariables = []string{"NVIDIA_VISIBLE_DEVICES", "NVIDIA_DISABLE_REQUIRE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "SAFETENSORS_FAST_GPU", "UCX_TLS"}

var variableForm = regexp.MustCompile(`^[A-Z][A-Z0-9_]{0,63}$`)

// variable returns the value of a variable of the environment, and whether it is
// kept.
func (s *serviceReader) variable(text string) (value string, kept bool) {
	name, value, ok := strings.Cut(text, "=")
	allowed := privacy.PublicVariable(name) || slices.Contains(moreVariables, name)
	if !ok || !allowed || !variableForm.MatchString(name) || privacy.SecretName(name) || s.cleaner.private.variable(name) {
		return "", false
	}
	return s.cleaner.value(name, value), true
}

// environment keeps the variables that are on the list.
func (s *serviceReader) environment(list []string) {
	env := map[string]string{}
	for _, text := range list {
		if value, kept := s.variable(text); kept {
			name, _, _ := strings.Cut(text, "=")
			env[name] = value
		}
	}
	s.out.Server.Env = settingsOf(env)
}

// settingsOf returns the members of a map, sorted by name.
func settingsOf(m map[string]string) []bundle.Setting {
	var list []bundle.Setting
	for name, value := range m {
		list = append(list, bundle.Setting{Name: name, Value: value})
	}
	slices.SortFunc(list, func(a, b bundle.Setting) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// MergeSettings joins lists of settings into one that is sorted by name. Where a
// name stands in several, the first list counts.
func MergeSettings(lists ...[]bundle.Setting) []bundle.Setting {
	all := map[string]string{}
	for _, list := range lists {
		for _, s := range list {
			if _, have := all[s.Name]; !have {
				all[s.Name] = s.Value
			}
		}
	}
	return settingsOf(all)
}

// programs are the words by which a command line says what server it starts.
var programs = []struct{ word, server string }{
	{"vllm", "vllm"}, {"sglang", "sglang"}, {"llama-server", "llama.cpp"}, {"ollama", "ollama"}, {"trtllm-serve", "tensorrt-llm"},
}

// serverIn returns the name of the server that a command line starts, empty when it
// names none that is known.
func serverIn(argv []string) string {
	for i, word := range argv {
		if i > 0 && strings.HasPrefix(argv[i-1], "-") && argv[i-1] != "-m" || isFlag(word) {
			continue
		}
		for _, p := range programs {
			base := path.Base(word)
			if base == p.word || strings.HasPrefix(base, p.word+".") {
				return p.server
			}
		}
	}
	return ""
}

// number reads a whole number that is not negative, 0 when it is none.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0
	}
	return n
}
