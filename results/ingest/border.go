package ingest

import (
	"fmt"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.org/arena/results/bundle"
)

// privateFaults checks every text of a finished bundle, whatever it came from:
// the last look before it may be written. Name stands for the inputs in messages.
// The text itself is not repeated: messages end up in logs.
func privateFaults(b *bundle.Bundle, name string) Faults {
	var faults Faults
	walkTexts(reflect.ValueOf(b), "", func(key string, texts []string) {
		for _, text := range texts {
			private := PrivateText
			if isVersion(key) {
				private = PrivateVersion
			}
			if private(text) {
				faults = append(faults, &SyntaxError{File: name, Key: key, Msg: privateMsg, Hint: "leave it out of the metadata, or replace it in the files, and import again"})
				return
			}
		}
		if strings.HasSuffix(key, "/argv") {
			if _, found := PrivateArgument(texts); found {
				faults = append(faults, &SyntaxError{File: name, Key: key, Msg: privateMsg})
			}
		}
	})
	for _, list := range [][]bundle.Setting{b.Server.Env, b.Server.Settings} {
		for _, s := range list {
			if SecretName(s.Name) && s.Value != removed {
				faults = append(faults, &SyntaxError{File: name, Key: "/server", Msg: s.Name + " is a secret and never belongs in a result"})
			}
		}
	}
	return faults
}

const privateMsg = "holds something private: a key, a home folder or an address"

// walkTexts calls see with every text below v and its place, as keys of the
// bundle's JSON. Lists of texts are given as one.
func walkTexts(v reflect.Value, at string, see func(key string, texts []string)) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			walkTexts(v.Elem(), at, see)
		}
	case reflect.String:
		see(at, []string{v.String()})
	case reflect.Struct:
		for i := range v.NumField() {
			key, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			if v.Type().Field(i).IsExported() {
				walkTexts(v.Field(i), at+"/"+key, see)
			}
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			see(at, []string{fmt.Sprint(k)})
			walkTexts(v.MapIndex(k), at+"/"+fmt.Sprint(k), see)
		}
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.String {
			texts := make([]string, v.Len())
			for i := range texts {
				texts[i] = v.Index(i).String()
			}
			see(at, texts)
			return
		}
		for i := range v.Len() {
			walkTexts(v.Index(i), at+"/"+strconv.Itoa(i), see)
		}
	}
}

// versionKeys are the places of version numbers, which may have as many parts as
// an address has.
var versionKeys = []string{"driver", "vbios", "cuda", "kernel", "os", "version", "go"}

var versionNumber = regexp.MustCompile(`[0-9]+(?:\.[0-9A-Fa-f]+)+`)

func isVersion(key string) bool {
	return slices.Contains(versionKeys, key[strings.LastIndexByte(key, '/')+1:])
}

// webAddress finds addresses of pages in a text.
var webAddress = regexp.MustCompile(`(?i)\bhttps?://[^\s"'<>]+`)

// folderInURL are path elements of pages that would be home folders on a disk.
var folderInURL = regexp.MustCompile(`(?i)/(?:home|users|root|~)`)

// PrivateText reports whether a text that people wrote holds something that must
// not be published: what Private says, a name and password in an address, or a
// secret given as NAME=VALUE or after a flag. The path of a web page is no home
// folder.
func PrivateText(text string) bool {
	signed := false
	plain := webAddress.ReplaceAllStringFunc(text, func(address string) string {
		if u, err := url.Parse(address); err == nil && u.User != nil {
			signed = true
		}
		return folderInURL.ReplaceAllString(address, "/")
	})
	return signed || Private(plain) || namesSecretValue(text)
}

// PrivateVersion is PrivateText for a version, whose numbers are no address.
func PrivateVersion(text string) bool {
	return PrivateText(versionNumber.ReplaceAllString(text, "0"))
}

// namesSecretValue reports whether a text gives a secret a value, as commands and
// environments do.
func namesSecretValue(text string) bool {
	words := strings.Fields(text)
	for i, word := range words {
		name, value, tied := strings.Cut(strings.Trim(word, `"'`), "=")
		switch {
		case tied && value != "" && value != removed && (secretFlags.MatchString(name) || namesSecret.MatchString(name)):
			return true
		case i > 0 && secretFlags.MatchString(words[i-1]) && word != removed && !strings.HasPrefix(word, "-"):
			return true
		}
	}
	return false
}
