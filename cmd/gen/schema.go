package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"example.org/arena/results/bundle"
	"example.org/arena/site/dataset"
	"github.com/invopop/jsonschema"
)

// A schema is one generated JSON Schema.
type schema struct {
	file  string // where it lies, from the root of the repository
	title string
	of    any // a value of the described type
}

// schemas lists the generated JSON Schemas.
func schemas() []schema {
	return []schema{
		{"results/bundle/schema.json", "Arena bundle, format 1", bundle.Bundle{}},
		{"results/bundle/report.schema.json", "Report of arena verify --json", bundle.Report{}},
		{"site/dataset/run.schema.json", "Figures and findings of a configuration", dataset.Run{}},
		{"site/dataset/leaderboard.schema.json", "Boards of Arena", dataset.Leaderboard{}},
	}
}

// generate returns the bytes of the schema. The descriptions are the comments of
// the Go source, below the working folder.
func (s schema) generate() ([]byte, error) {
	t := reflect.TypeOf(s.of)
	r := &jsonschema.Reflector{Anonymous: true, ExpandedStruct: true, Mapper: mapRate}
	var folders []string
	for _, st := range structs(t, nil) {
		folder := strings.TrimPrefix(st.PkgPath(), module+"/")
		if slices.Contains(folders, folder) {
			continue
		}
		folders = append(folders, folder)
		if err := r.AddGoComments(module, folder, jsonschema.WithFullComment()); err != nil {
			return nil, err
		}
	}
	out := r.Reflect(s.of)
	out.Title = s.title
	if err := refine(out, t); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(out); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

const module = "example.org/arena"

// mapRate describes a Rate, whose JSON is not that of its Go type.
func mapRate(t reflect.Type) *jsonschema.Schema {
	if t != reflect.TypeFor[bundle.Rate]() {
		return nil
	}
	return &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "number"}, {Const: "inf"}}}
}

// refine adds what the types do not say: nulls, and the constraints of fields.
func refine(root *jsonschema.Schema, t reflect.Type) error {
	rules := map[string]func(*jsonschema.Schema){}
	if t.PkgPath() == reflect.TypeFor[bundle.Bundle]().PkgPath() {
		rules = constraints()
	}
	left := map[string]bool{}
	for field := range rules {
		left[field] = true
	}
	for _, st := range structs(t, nil) {
		def := root
		if st != t {
			def = root.Definitions[st.Name()]
		}
		def.Description = oneLine(def.Description)
		for f := range st.Fields() {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "-" { // not in the file
				continue
			}
			p, ok := def.Properties.Get(name)
			if !ok {
				return fmt.Errorf("%s.%s has no property %q", st.Name(), f.Name, name)
			}
			p.Description = oneLine(p.Description)
			if constrain := rules[st.Name()+"."+name]; constrain != nil {
				constrain(p)
				delete(left, st.Name()+"."+name)
			}
			def.Properties.Set(name, withNull(p, f))
		}
	}
	for field := range left {
		if typeName, _, _ := strings.Cut(field, "."); root.Definitions[typeName] != nil || typeName == t.Name() {
			return fmt.Errorf("constraint on %s, which is no field", field)
		}
	}
	return nil
}

// structs lists the struct types of our packages that t holds, itself first.
func structs(t reflect.Type, seen []reflect.Type) []reflect.Type {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		return structs(t.Elem(), seen)
	case reflect.Struct:
	default:
		return seen
	}
	if slices.Contains(seen, t) {
		return seen
	}
	seen = append(seen, t)
	for f := range t.Fields() {
		seen = structs(f.Type, seen)
	}
	return seen
}

// withNull allows null where the Go type has it: for a pointer that is written
// when it is nil, and for the elements of a slice of pointers.
func withNull(p *jsonschema.Schema, f reflect.StructField) *jsonschema.Schema {
	null := &jsonschema.Schema{Type: "null"}
	if f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Pointer {
		p.Items = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{p.Items, null}}
		return p
	}
	if f.Type.Kind() != reflect.Pointer || strings.Contains(f.Tag.Get("json"), "omit") {
		return p
	}
	description := p.Description
	p.Description = ""
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{p, null}, Description: description}
}

// oneLine joins the lines of a comment.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
