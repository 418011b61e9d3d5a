package bundle

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// ID returns the identity of a bundle: the SHA-256 of its bytes, lower-case hex.
func ID(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// FileName returns the name of the file of a bundle with these bytes:
// <UTC time>-<first 12 digits of its ID>.json, as in
// 20260814T101500Z-0123456789ab.json. A fraction of a second is cut off.
func FileName(b *Bundle, data []byte) (string, error) {
	t, err := parseTime(b.StartedAt)
	if err != nil {
		return "", fmt.Errorf("name bundle: started_at: %w", err)
	}
	return t.Format("20060102T150405Z") + "-" + ID(data)[:12] + ".json", nil
}

// Path returns where a bundle with these bytes lies below the folder of all
// bundles, with forward slashes: <platform>/<org>--<model>/<profile>/<file name>.
// It refuses names that could lead out of the folder or mean another one.
func Path(b *Bundle, data []byte) (string, error) {
	file, err := FileName(b, data)
	if err != nil {
		return "", err
	}
	if err := checkSlug(b.Platform); err != nil {
		return "", fmt.Errorf("name bundle: platform: %w", err)
	}
	model, err := ModelSlug(b.Model.ID)
	if err != nil {
		return "", fmt.Errorf("name bundle: model: %w", err)
	}
	if err := checkSlug(b.Profile); err != nil {
		return "", fmt.Errorf("name bundle: profile: %w", err)
	}
	return b.Platform + "/" + model + "/" + b.Profile + "/" + file, nil
}

// CheckPath reports whether a bundle with these bytes lies at the given path
// below the folder of all bundles.
func CheckPath(path string, b *Bundle, data []byte) error {
	want, err := Path(b, data)
	if err != nil {
		return err
	}
	switch id := ID(data)[:12]; {
	case path == want:
	case len(path) == len(want) && strings.TrimSuffix(want, id+".json") == path[:len(path)-len(id+".json")]:
		return fmt.Errorf("its content does not match its name: the SHA-256 of the bytes begins with %s; published bundles are never edited", id)
	default:
		return fmt.Errorf("lies at %s, but its content says %s", path, want)
	}
	return nil
}

// ModelSlug returns the name of the folder of a model: ORG/MODEL becomes
// ORG--MODEL. The id must be a Hugging Face id with exactly two parts.
func ModelSlug(id string) (string, error) {
	org, model, ok := strings.Cut(id, "/")
	if !ok {
		return "", fmt.Errorf("%q is not of the form ORG/MODEL", id)
	}
	for _, part := range []string{org, model} {
		if err := checkModelPart(part); err != nil {
			return "", fmt.Errorf("%q: %w", id, err)
		}
	}
	return org + "--" + model, nil
}

// checkModelPart reports what keeps s from being half of a Hugging Face id. Two
// hyphens are the separator of the folder's name, so they are refused, as
// Hugging Face itself does.
func checkModelPart(s string) error {
	if strings.Contains(s, "--") {
		return fmt.Errorf("%q holds two hyphens in a row", s)
	}
	return checkName(s, "A-Z a-z 0-9 . _ -", func(c byte) bool {
		return 'A' <= c && c <= 'Z' || isSlugByte(c)
	})
}

// checkSlug reports what keeps s from being the name of a platform, profile or
// test: lower-case letters, digits, '.', '_' and '-'.
func checkSlug(s string) error {
	return checkName(s, "a-z 0-9 . _ -", isSlugByte)
}

func isSlugByte(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '.' || c == '_' || c == '-'
}

// checkName refuses what a file system or a web server could take for something
// else: dots and hyphens at the ends, "..", reserved device names.
func checkName(s, allowed string, ok func(byte) bool) error {
	if s == "" {
		return fmt.Errorf("is empty")
	}
	if len(s) > 96 {
		return fmt.Errorf("%q is longer than 96 bytes", s)
	}
	for i := range len(s) {
		if !ok(s[i]) {
			return fmt.Errorf("%q holds a character other than %s", s, allowed)
		}
	}
	if strings.Contains(s, "..") || strings.ContainsAny(s[:1], ".-") || strings.ContainsAny(s[len(s)-1:], ".-") {
		return fmt.Errorf("%q starts or ends with '.' or '-', or holds two dots in a row", s)
	}
	if isDevice(s) {
		return fmt.Errorf("%q is the name of a device on Windows", s)
	}
	return nil
}

// isDevice reports whether Windows opens a device under this name, whatever its
// extension.
func isDevice(s string) bool {
	stem, _, _ := strings.Cut(strings.ToLower(s), ".")
	switch stem {
	case "con", "prn", "aux", "nul":
		return true
	}
	return len(stem) == 4 && (stem[:3] == "com" || stem[:3] == "lpt") && '0' <= stem[3] && stem[3] <= '9'
}
