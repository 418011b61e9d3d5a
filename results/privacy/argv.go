package privacy

import (
	"regexp"
	"strings"
)

// urlHost matches an address up to its host, which is private unless it is this
// machine.
var urlHost = regexp.MustCompile(`^(https?://)(?:[^@/\s]*@)?(\[[^\]]*\]|[^:/\s]+)`)

// CleanArgv returns a command as it may be kept: without secrets, home folders and
// addresses of other machines. Every word keeps its place.
func CleanArgv(argv []string) []string {
	out := make([]string, len(argv))
	for i, word := range argv {
		name, value, tied := strings.Cut(word, "=")
		switch {
		case i > 0 && SecretFlag(argv[i-1]):
			out[i] = Removed
		case tied && (secretFlags.MatchString(name) || SecretName(name)):
			out[i] = name + "=" + Removed
		case tied && strings.HasPrefix(name, "-"):
			out[i] = name + "=" + cleanWord(value)
		default:
			out[i] = cleanWord(word)
		}
	}
	return out
}

// cleanWord returns one word of a command without private parts.
func cleanWord(word string) string {
	if m := urlHost.FindStringSubmatch(word); m != nil {
		host := m[2]
		if host == "localhost" || host == "[::1]" || localHost.MatchString(host) || host == "0.0.0.0" {
			return m[1] + host + Clean(word[len(m[0]):])
		}
		return m[1] + "host" + Clean(word[len(m[0]):])
	}
	return Clean(word)
}

// LeakingArgument returns the first word of a command that holds something
// private or a secret, and whether there is one.
func LeakingArgument(argv []string) (string, bool) {
	for i, word := range CleanArgv(argv) {
		if word != argv[i] {
			return argv[i], true
		}
	}
	return "", false
}
