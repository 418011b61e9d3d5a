package hostinfo

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"example.org/arena/results/privacy"
)

// commonNames are names of users and machines that tell nobody apart, and that
// stand in images, models and kernels for other reasons.
var commonNames = []string{
	"root", "user", "admin", "ubuntu", "debian", "nvidia", "vllm", "sglang", "llama", "ollama", "localhost", "docker", "home", "models", "python", "python3",
}

// private recognises what must not be published.
type private struct{ names []string }

func newPrivate(names []string) private {
	var p private
	for _, n := range names {
		n = strings.Trim(n, " /")
		if len(n) >= 3 && !slices.Contains(commonNames, strings.ToLower(n)) {
			p.names = append(p.names, n)
		}
	}
	return p
}

// named reports whether a text has one of the names of this machine as a word.
// Upper and lower case differ: a user may be called as a maker is.
func (p private) named(text string) bool {
	for _, n := range p.names {
		for at := 0; ; {
			i := strings.Index(text[at:], n)
			if i < 0 {
				break
			}
			i += at
			if !letterBefore(text, i) && !letterAfter(text, i+len(n)) {
				return true
			}
			at = i + 1
		}
	}
	return false
}

func letterBefore(text string, i int) bool { return i > 0 && wordByte(text[i-1]) }
func letterAfter(text string, i int) bool  { return i < len(text) && wordByte(text[i]) }

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}

// text reports whether a text tells of a person or a machine.
func (p private) text(text string) bool {
	return p.named(text) || privacy.Leaks(text) || hostLike.MatchString(text) || keyLike(text)
}

// variable is text for the name of a variable, which is in capitals.
func (p private) variable(name string) bool {
	upper := private{names: make([]string, len(p.names))}
	for i, n := range p.names {
		upper.names[i] = strings.NewReplacer("-", "_", ".", "_").Replace(strings.ToUpper(n))
	}
	own := strings.ToLower(name[strings.IndexByte(name, '_')+1:])
	return upper.named(name) || keyLike(name) || privacy.Clean(own) != own
}

// version is text for versions, which may have as many parts as an address has.
func (p private) version(text string) bool { return p.named(text) || privacy.LeaksVersion(text) }

// hostLike matches a name of a machine in a network.
var hostLike = regexp.MustCompile(`(?i)(?:^|[^\w.-])(?:[a-z0-9-]+\.)*[a-z0-9-]*[a-z][a-z0-9-]*\.(?:local|lan|corp|internal|intranet|intra|home|arpa|localdomain|com|net|org|io|dev|cloud|edu|gov|eu|nl|fr|de|uk)(?:$|[^\w.-])`)

// keyRun is how many letters and digits in a row make a key, if there are both.
const keyRun = 24

// keyLike reports whether a text holds something that looks like a key: a long run
// of letters mixed with digits.
func keyLike(text string) bool {
	for _, run := range strings.FieldsFunc(text, func(r rune) bool { return r > unicode.MaxASCII || !wordByte(byte(r)) }) {
		digits := strings.IndexFunc(run, unicode.IsDigit) >= 0
		letters := strings.IndexFunc(run, unicode.IsLetter) >= 0
		if len(run) >= keyRun && digits && letters {
			return true
		}
	}
	return false
}
