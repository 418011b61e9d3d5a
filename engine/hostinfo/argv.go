package hostinfo

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"example.org/arena/results/privacy"
)

// An argument list is kept word by word: flags that look like flags, and values
// that are numbers, names of settings, ids of models, names of files without their
// folders, or JSON of these. Anything else is replaced, in its place, by
// [privacy.Removed].

var (
	flagForm  = regexp.MustCompile(`^--?[A-Za-z][A-Za-z0-9._-]{0,63}$`)
	plainForm = regexp.MustCompile(`^[A-Za-z0-9._+-][A-Za-z0-9._+:/@%,=*-]{0,127}$`)
	// flags whose value is where something is, or what it is reached by
	placeFlag = regexp.MustCompile(`(?:^|[-_.])(?:host|hostname|hosts|addr|address|addresses|ip|url|uri|endpoint|endpoints|peers?|origins?|proxy|ssl|tls|cert|certs|certfile|keyfile|ca|uds|root-path|interface|ifname|ssh|user|username)(?:$|[-_.])`)
	homeURL   = regexp.MustCompile(`^(?:https?|tcp)://(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\])(?::[0-9]{1,5})?(?:/[A-Za-z0-9._/-]*)?$`)
	thisHost  = regexp.MustCompile(`^(?:localhost|127\.0\.0\.1|0\.0\.0\.0|::1?|\[::1?\])(?::[0-9]{1,5})?$`)
	hostPort  = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9.-]*:[0-9]{2,5}$`)
	digits    = regexp.MustCompile(`^[0-9]+$`)
	revision  = regexp.MustCompile(`^[0-9a-f]{40}$`)
	hubFolder = regexp.MustCompile(`(?:^|/)models--([A-Za-z0-9._-]+?)--([A-Za-z0-9._-]+)(?:/|$)`)
	bracketed = regexp.MustCompile(`^\[[a-z_]{1,20}\]$`) // "[ngram]": a kind of model, to vLLM
	drive     = regexp.MustCompile(`^[A-Za-z]:[\\/]`)
)

// A cleaner makes arguments and variables public.
type cleaner struct {
	private  private
	withheld []string // flags and variables whose values were replaced, wholly or in part
}

// flagName returns the name of a flag as it is compared: underscores and dashes
// are the same to the servers.
func flagName(word string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimLeft(word, "-")), "_", "-")
}

// isFlag reports whether a word starts a new argument.
func isFlag(word string) bool {
	name, _, _ := strings.Cut(word, "=")
	return flagForm.MatchString(name)
}

// secret reports whether the values of a flag are secrets.
func secret(flag string) bool {
	return privacy.SecretFlag("--"+flagName(flag)) || privacy.SecretName(strings.NewReplacer("-", "_", ".", "_").Replace(flagName(flag)))
}

// argv returns a list of arguments that can be published. Every word keeps its
// place.
func (c *cleaner) argv(argv []string) []string {
	out := make([]string, len(argv))
	flag := ""
	for i, word := range argv {
		name, value, tied := strings.Cut(word, "=")
		switch {
		case isFlag(word) && !tied:
			flag, out[i] = word, c.keepWord(word, word)
		case isFlag(word):
			flag = ""
			out[i] = c.keepWord(name, name) + "=" + c.value(name, value)
		default:
			out[i] = c.value(flag, word)
		}
	}
	return out
}

// keepWord returns a word as it was written, or [privacy.Removed] where it holds
// something private.
func (c *cleaner) keepWord(flag, word string) string {
	if c.private.text(strings.TrimLeft(word, "-")) {
		return c.remove(flag)
	}
	return word
}

func (c *cleaner) remove(flag string) string {
	if flag = strings.TrimLeft(flag, "-"); c.private.text(flag) {
		flag = ""
	}
	if flag != "" && !slices.Contains(c.withheld, flag) {
		c.withheld = append(c.withheld, flag)
	}
	return privacy.Removed
}

// value returns the value of a flag, or of a variable, as it can be published.
func (c *cleaner) value(flag, value string) string {
	name := flagName(flag)
	switch {
	case value == "":
		return ""
	case flag != "" && secret(flag):
		return c.remove(flag)
	case thisHost.MatchString(value), homeURL.MatchString(value):
		return value
	case flag != "" && placeFlag.MatchString(name) && !digits.MatchString(value):
		return c.remove(flag)
	case revision.MatchString(value) && strings.HasSuffix(name, "revision"):
		return value
	case value[0] == '{' || value[0] == '[' && !bracketed.MatchString(value):
		return c.json(flag, value)
	}
	short := reduce(value)
	if !plainForm.MatchString(strings.Trim(short, "[]")) || c.private.text(short) || hostPort.MatchString(short) || strings.Contains(short, "://") {
		return c.remove(flag)
	}
	return short
}

// reduce takes the folders from a path. What lies in a cache of Hugging Face
// becomes the id that it has there; an id of a model is no path.
func reduce(value string) string {
	if name, file, ok := strings.Cut(value, "="); ok && isPath(file) && !isPath(name) {
		return name + "=" + reduce(file)
	}
	if !isPath(value) {
		return value
	}
	if m := hubFolder.FindStringSubmatch(value); m != nil {
		return m[1] + "/" + m[2]
	}
	return path.Base(strings.ReplaceAll(value, `\`, "/"))
}

// isPath reports whether a value is a place in a file system, and no id of a
// model: those have one slash at most.
func isPath(value string) bool {
	if strings.Contains(value, "://") || strings.Contains(value, ",") {
		return false
	}
	return strings.HasPrefix(value, "/") || strings.HasPrefix(value, "~") || strings.HasPrefix(value, ".") && strings.Contains(value, "/") ||
		drive.MatchString(value) || strings.HasPrefix(value, `\\`) || strings.Count(value, "/") > 1
}
