package ingest

import (
	"regexp"
	"strings"
)

// removed stands where something private stood.
const removed = "(removed)"

// privateText matches what tells something about a person or a machine instead
// of a measurement: home folders, ids of requests, addresses, tokens.
var privateText = []struct {
	find    *regexp.Regexp
	replace string
}{
	{regexp.MustCompile(`(?i)(?:/home|/users|/root|[a-z]:\\users)(?:[/\\][^\s"'<>|:,;)\\]*)*`), removed},
	{regexp.MustCompile(`~(?:/[^\s"'<>|:,;)]*)+`), removed},
	{regexp.MustCompile(`\b(?:chatcmpl|cmpl)-[0-9A-Za-z_-]{6,}`), removed},
	{regexp.MustCompile(`\b(?:req|resp|bench|call)[-_][0-9a-f]{8}[0-9A-Za-z_-]*`), removed},
	{regexp.MustCompile(`(?i)\brequest[ _-]?id\b[:=]?\s*[0-9A-Za-z_=-]{6,}(?:;[0-9A-Za-z_-]+)?`), "request id " + removed},
	{regexp.MustCompile(`\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b`), removed},
	{regexp.MustCompile(`\b(?:hf|sk|gh[opsur]|github_pat|glpat|nvapi|pypi|xox[bp])[_-][0-9A-Za-z_-]{12,}`), removed},
	{regexp.MustCompile(`\bAKIA[0-9A-Z]{16}\b`), removed},
	{regexp.MustCompile(`\beyJ[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_.-]{8,}`), removed},
	{regexp.MustCompile(`(?i)\bbearer\s+[^\s"']+`), "Bearer " + removed},
	{regexp.MustCompile(`\b[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}\b`), removed},
	{regexp.MustCompile(`\b(?:[0-9]{1,3}\.){3}[0-9]{1,3}\b`), removed},
	{regexp.MustCompile(`(?i)\b(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b`), removed},
	{regexp.MustCompile(`(?i)\b(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}\b|\b(?:fe80|f[cd][0-9a-f]{2}|2[0-9a-f]{3}):[0-9a-f:]*:[0-9a-f]+\b`), removed},
}

// localHost are addresses that mean "this machine" wherever they stand.
var localHost = regexp.MustCompile(`\b(?:127\.0\.0\.1|0\.0\.0\.0)\b`)

// Private reports whether a text holds something that must not be published: a
// home folder, an address, the id of a request, a key.
func Private(text string) bool { return withoutPrivate(text) != text }

// PrivateArgument returns the first word of a command that holds something
// private or a secret, and whether there is one.
func PrivateArgument(argv []string) (string, bool) {
	for i, word := range cleanArgv(argv) {
		if word != argv[i] {
			return argv[i], true
		}
	}
	return "", false
}

// SecretName reports whether the name of an environment variable or a setting
// says that its value is a secret.
func SecretName(name string) bool { return namesSecret.MatchString(name) }

// withoutPrivate returns text without what could identify a person, a machine
// or a request. It is for texts that are kept as they are; figures and settings
// are taken one by one and need none of it.
func withoutPrivate(text string) string {
	keep := localHost.FindAllString(text, -1)
	text = localHost.ReplaceAllString(text, "\x00")
	for _, p := range privateText {
		text = p.find.ReplaceAllString(text, p.replace)
	}
	for _, k := range keep {
		text = strings.Replace(text, "\x00", k, 1)
	}
	return text
}

// secretFlags are flags whose value is a secret.
var secretFlags = regexp.MustCompile(`(?i)^--?[a-z-]*(?:api[-_]?key|token|password|secret|auth(?:orization)?)$`)

// namesSecret reports whether the name of an environment variable or setting
// says that its value is a secret.
var namesSecret = regexp.MustCompile(`(?i)(?:^|_)(?:token|key|secret|password|passwd|auth|credentials?)(?:$|_)`)

// urlFlags are flags whose value is an address; its host is private unless it is
// this machine.
var urlHost = regexp.MustCompile(`^(https?://)(?:[^@/\s]*@)?(\[[^\]]*\]|[^:/\s]+)`)

// cleanArgv returns a recorded command without private values. Every word keeps
// its place.
func cleanArgv(argv []string) []string {
	out := make([]string, len(argv))
	for i, word := range argv {
		name, value, tied := strings.Cut(word, "=")
		switch {
		case i > 0 && secretFlags.MatchString(argv[i-1]), i > 0 && isHeader(argv[i-1]):
			out[i] = removed
		case tied && (secretFlags.MatchString(name) || namesSecret.MatchString(name)):
			out[i] = name + "=" + removed
		case tied && strings.HasPrefix(name, "-"):
			out[i] = name + "=" + cleanWord(value)
		default:
			out[i] = cleanWord(word)
		}
	}
	return out
}

// isHeader reports whether a flag sends a header: it may carry a key.
func isHeader(flag string) bool {
	return flag == "--header" || flag == "--extra-headers"
}

// cleanWord returns one word of a command without private parts.
func cleanWord(word string) string {
	if m := urlHost.FindStringSubmatch(word); m != nil {
		host := m[2]
		if host == "localhost" || host == "[::1]" || localHost.MatchString(host) || host == "0.0.0.0" {
			return m[1] + host + withoutPrivate(word[len(m[0]):])
		}
		return m[1] + "host" + withoutPrivate(word[len(m[0]):])
	}
	return withoutPrivate(word)
}
