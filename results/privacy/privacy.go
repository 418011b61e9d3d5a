// Package privacy says what may be told of a machine, a path and a key: it finds
// what tells something about a person or a computer instead of a measurement, and
// takes it out of texts and commands.
//
// It does not know where a text stands in a bundle, nor the names of the machine
// that it runs on: who has those looks for them besides. What it lets pass is no
// proof that a text is harmless. Texts are UTF-8; nothing is measured.
package privacy

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Removed stands in a text where something private stood.
const Removed = "(removed)"

// privateText matches what tells something about a person or a machine instead
// of a measurement: home folders, ids of requests, addresses, tokens.
var privateText = []struct {
	find    *regexp.Regexp
	replace string
}{
	{regexp.MustCompile(`(?i)(?:/home|/users|/root|[a-z]:\\users)(?:[/\\][^\s"'<>|:,;)\\]*)*`), Removed},
	{regexp.MustCompile(`~(?:/[^\s"'<>|:,;)]*)+`), Removed},
	{regexp.MustCompile(`\b(?:chatcmpl|cmpl)-[0-9A-Za-z_-]{6,}`), Removed},
	{regexp.MustCompile(`\b(?:req|resp|bench|call)[-_][0-9a-f]{8}[0-9A-Za-z_-]*`), Removed},
	{regexp.MustCompile(`(?i)\brequest[ _-]?id\b[:=]?\s*[0-9A-Za-z_=-]{6,}(?:;[0-9A-Za-z_-]+)?`), "request id " + Removed},
	{regexp.MustCompile(`\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b`), Removed},
	{regexp.MustCompile(`\b(?:hf|sk|gh[opsur]|github_pat|glpat|nvapi|pypi|xox[bp])[_-][0-9A-Za-z_-]{12,}`), Removed},
	{regexp.MustCompile(`\bAKIA[0-9A-Z]{16}\b`), Removed},
	{regexp.MustCompile(`\beyJ[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_.-]{8,}`), Removed},
	{regexp.MustCompile(`(?i)\bbearer\s+[^\s"']+`), "Bearer " + Removed},
	{regexp.MustCompile(`\b[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}\b`), Removed},
	{regexp.MustCompile(`\b(?:[0-9]{1,3}\.){3}[0-9]{1,3}\b`), Removed},
	{regexp.MustCompile(`(?i)\b(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b`), Removed},
	{regexp.MustCompile(`(?i)\b(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}\b|\b(?:fe80|f[cd][0-9a-f]{2}|2[0-9a-f]{3}):[0-9a-f:]*:[0-9a-f]+\b`), Removed},
}

// localHost are addresses that mean "this machine" wherever they stand.
var localHost = regexp.MustCompile(`\b(?:127\.0\.0\.1|0\.0\.0\.0)\b`)

// Clean returns a text without what could identify a person, a machine or a
// request: home folders, addresses, ids, keys.
func Clean(text string) string {
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

// CleanOutput returns the raw output of a tool as it may be kept: without what
// Clean takes out, and with "host" in place of every machine in an address that is
// neither this one nor one of the public places that tools name. The figures in
// it stay as they are.
func CleanOutput(text string) string {
	text = webHost.ReplaceAllStringFunc(text, func(address string) string {
		m := webHost.FindStringSubmatch(address)
		host := strings.ToLower(m[2])
		if slices.Contains([]string{"localhost", "[::1]", "127.0.0.1", "0.0.0.0"}, host) || publicHost(host) {
			return m[1] + m[2]
		}
		return m[1] + "host"
	})
	return Clean(text)
}

// webHost matches an address up to its host, in running text.
var webHost = regexp.MustCompile(`(?i)\b(https?://)(?:[^@/\s"'<>]*@)?(\[[^\]\s]*\]|[^:/\s"'<>()|,;\\]+)`)

// publicHosts are places that outputs of tools name for everybody.
var publicHosts = []string{"huggingface.co", "github.com", "gutenberg.org", "vllm.ai", "pypi.org", "python.org"}

func publicHost(host string) bool {
	return slices.ContainsFunc(publicHosts, func(p string) bool { return host == p || strings.HasSuffix(host, "."+p) })
}

// webAddress finds addresses of pages in a text.
var webAddress = regexp.MustCompile(`(?i)\bhttps?://[^\s"'<>]+`)

// folderInURL are path elements of pages that would be home folders on a disk.
var folderInURL = regexp.MustCompile(`(?i)/(?:home|users|root|~)`)

// Leaks reports whether a text holds something that must not be published: what
// Clean takes out, a name and password in an address, or a secret given as
// NAME=VALUE or after a flag. The path of a web page is no home folder.
func Leaks(text string) bool {
	signed := false
	plain := webAddress.ReplaceAllStringFunc(text, func(address string) string {
		if u, err := url.Parse(address); err == nil && u.User != nil {
			signed = true
		}
		return folderInURL.ReplaceAllString(address, "/")
	})
	return signed || Clean(plain) != plain || namesSecretValue(text)
}

// versionNumber matches a number of several parts, which looks like an address.
var versionNumber = regexp.MustCompile(`[0-9]+(?:\.[0-9A-Fa-f]+)+`)

// LeaksVersion is Leaks for a version, whose numbers are no address.
func LeaksVersion(text string) bool {
	return Leaks(versionNumber.ReplaceAllString(text, "0"))
}

// namesSecretValue reports whether a text gives a secret a value, as commands and
// environments do.
func namesSecretValue(text string) bool {
	words := strings.Fields(text)
	for i, word := range words {
		name, value, tied := strings.Cut(strings.Trim(word, `"'`), "=")
		switch {
		case tied && value != "" && value != Removed && (secretFlags.MatchString(name) || SecretName(name)):
			return true
		case i > 0 && secretFlags.MatchString(words[i-1]) && word != Removed && !strings.HasPrefix(word, "-"):
			return true
		}
	}
	return false
}
