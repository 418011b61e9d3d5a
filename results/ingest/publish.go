package ingest

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"example.org/arena/results/bundle"
	"example.org/arena/results/privacy"
	"example.org/arena/results/tomlfile"
)

// privateFaults checks every text of a finished bundle, whatever it came from:
// the last look before it may be written. Name stands for the inputs in messages.
// The text itself is not repeated: messages end up in logs.
func privateFaults(b *bundle.Bundle, name string) tomlfile.Faults {
	var faults tomlfile.Faults
	walkTexts(reflect.ValueOf(b), "", func(key string, texts []string) {
		for _, text := range texts {
			leaks := privacy.Leaks
			if isVersion(key) {
				leaks = privacy.LeaksVersion
			}
			if leaks(text) {
				faults = append(faults, tomlfile.Fault{File: name, Key: key, Message: privateMsg, Hint: "leave it out of the metadata, or replace it in the files, and import again"})
				return
			}
		}
		if strings.HasSuffix(key, "/argv") {
			if _, found := privacy.LeakingArgument(texts); found {
				faults = append(faults, tomlfile.Fault{File: name, Key: key, Message: privateMsg})
			}
		}
	})
	for _, list := range [][]bundle.Setting{b.Server.Env, b.Server.Settings} {
		for _, s := range list {
			if privacy.SecretName(s.Name) && s.Value != privacy.Removed {
				faults = append(faults, tomlfile.Fault{File: name, Key: "/server", Message: s.Name + " is a secret and never belongs in a result"})
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
	default:
	}
}

// versionKeys are the places of version numbers, which may have as many parts as
// an address has.
var versionKeys = []string{"driver", "vbios", "cuda", "kernel", "os", "version", "go"}

func isVersion(key string) bool {
	return slices.Contains(versionKeys, key[strings.LastIndexByte(key, '/')+1:])
}
