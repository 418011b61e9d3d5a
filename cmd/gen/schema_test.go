package main

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	validator "github.com/santhosh-tekuri/jsonschema/v6"
)

// atRoot makes the root of the repository the working folder.
func atRoot(t *testing.T) {
	t.Helper()
	t.Chdir("../..")
	if _, err := os.Stat("go.mod"); err != nil {
		t.Fatal(err)
	}
}

// The committed schemas are what the types generate now.
func TestSchemasAreCurrent(t *testing.T) {
	atRoot(t)
	for _, s := range schemas() {
		got, err := s.generate()
		if err != nil {
			t.Fatalf("%s: %v", s.file, err)
		}
		want, err := os.ReadFile(s.file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not current: go run ./cmd/gen", s.file)
		}
	}
}

// Every property and every object says what it is.
func TestSchemasDescribeEverything(t *testing.T) {
	atRoot(t)
	for _, s := range schemas() {
		data, err := os.ReadFile(s.file)
		if err != nil {
			t.Fatal(err)
		}
		var doc map[string]any
		if err := json.Unmarshal(data, &doc); err != nil {
			t.Fatal(err)
		}
		undescribed(t, s.file, doc)
		for name, def := range doc["$defs"].(map[string]any) {
			undescribed(t, s.file+" "+name, def.(map[string]any))
		}
	}
}

func undescribed(t *testing.T, name string, object map[string]any) {
	t.Helper()
	if object["description"] == nil {
		t.Errorf("%s has no description", name)
	}
	properties := object["properties"].(map[string]any)
	if len(properties) == 0 {
		t.Errorf("%s has no properties", name)
	}
	for key, p := range properties {
		if p.(map[string]any)["description"] == nil {
			t.Errorf("%s: %s has no description", name, key)
		}
	}
}

// compile reads a committed schema.
func compile(t *testing.T, file string) *validator.Schema {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := validator.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	c := validator.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestBundleSchemaAccepts(t *testing.T) {
	atRoot(t)
	s := compile(t, "results/bundle/schema.json")
	for _, name := range []string{"example.json", "format-1.json"} {
		data, err := os.ReadFile("results/bundle/testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := validator.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(doc); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestBundleSchemaRefuses(t *testing.T) {
	atRoot(t)
	s := compile(t, "results/bundle/schema.json")
	data, err := os.ReadFile("results/bundle/testdata/example.json")
	if err != nil {
		t.Fatal(err)
	}
	example := string(data)
	cases := []struct{ name, old, new string }{
		{"unknown key", `"platform":`, `"plattform":`},
		{"missing key", `  "credit": "Ada Example, https://example.org/",` + "\n", ``},
		{"later format", `"format": 1`, `"format": 2`},
		{"kind", `"import"`, `"guess"`},
		{"local time", `"2026-08-14T10:15:00Z"`, `"2026-08-14T10:15:00+02:00"`},
		{"short hash", `"2c2c`, `"2c`},
		{"capital hash", `"2c2c`, `"2C2C`},
		{"model without organisation", `"Example/Model-8B-NVFP4"`, `"Model"`},
		{"path as platform", `"dgx-spark"`, `"../dgx"`},
		{"type", `"gpus": 1`, `"gpus": "1"`},
		{"fraction of a count", `"runs": 3`, `"runs": 3.5`},
		{"negative count", `"runs": 3`, `"runs": -3`},
		{"metric", `"metric": "ttft_ms"`, `"metric": "speed"`},
		{"rate in words", `"inf"`, `"infinite"`},
		{"percentile", `"p": 95`, `"p": 100`},
		{"ratio", `"acceptance_ratio": 0.357`, `"acceptance_ratio": 35.7`},
		{"reason", `"saturated"`, `"bored"`},
		{"null that is not allowed", `"mean": 38.25`, `"mean": null`},
		{"code of a note", `"served_name_differs"`, `"Served name differs"`},
		{"web address", `"https://example.org/benchmarks"`, `"javascript:alert(1)"`},
		{"utilisation", `        96,`, `        960,`},
	}
	for _, c := range cases {
		if !strings.Contains(example, c.old) {
			t.Errorf("%s: the example does not hold %s", c.name, c.old)
			continue
		}
		doc, err := validator.UnmarshalJSON(strings.NewReader(strings.Replace(example, c.old, c.new, 1)))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if err := s.Validate(doc); err == nil {
			t.Errorf("%s: the schema accepts %s", c.name, c.new)
		}
	}
}
