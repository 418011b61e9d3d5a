package ingest

import (
	"io/fs"
	"os"
	"reflect"
	"strings"
	"testing"

	"example.org/arena/results/bundle"
)

// fill sets every text below v, and makes one element of every list.
func fill(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), text)
	case reflect.Struct:
		for _, field := range v.Fields() {
			fill(field, text)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), text)
	case reflect.String:
		v.SetString(text)
	default:
	}
}

// TestPrivateFaultsEverywhere puts the same text into every place of a bundle:
// a place that nobody looks at is a fault of the walk.
func TestPrivateFaultsEverywhere(t *testing.T) {
	t.Parallel()
	count := func(text string) int {
		var b bundle.Bundle
		fill(reflect.ValueOf(&b).Elem(), text)
		return len(privateFaults(&b, "x"))
	}
	var places int
	var b bundle.Bundle
	fill(reflect.ValueOf(&b).Elem(), "x")
	walkTexts(reflect.ValueOf(b), "", func(string, []string) { places++ })
	if places < 70 {
		t.Fatalf("only %d places", places)
	}
	for _, text := range []string{"/home/ada/x", "ada@example.org", "hf_0123456789abcdefghij", "API_KEY=abc", "--api-key abc", "https://a:b@example.org"} {
		if got := count(text); got < places {
			t.Errorf("%q: %d faults in %d places", text, got, places)
		}
	}
	if got := count("vllm/vllm-openai:v0.26.0"); got != 0 {
		t.Errorf("a plain text has %d faults", got)
	}
	secret := bundle.Bundle{Server: bundle.Server{Env: []bundle.Setting{{Name: "HF_TOKEN", Value: "x"}}}}
	if got := privateFaults(&secret, "x"); len(got) != 1 || !strings.Contains(got.Error(), "HF_TOKEN is a secret") {
		t.Errorf("got %v", got)
	}
}

// TestPublishedBundlesArePublic looks through what is published.
func TestPublishedBundlesArePublic(t *testing.T) {
	t.Parallel()
	seen := 0
	err := fs.WalkDir(os.DirFS("../bundles"), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".json") {
			return err
		}
		data, err := os.ReadFile("../bundles/" + name)
		if err != nil {
			return err
		}
		b, err := bundle.Decode(name, data)
		if err != nil {
			return err
		}
		seen++
		if faults := privateFaults(b, name); len(faults) > 0 {
			t.Error(faults)
		}
		return nil
	})
	if err != nil || seen == 0 {
		t.Errorf("%d bundles, %v", seen, err)
	}
}
