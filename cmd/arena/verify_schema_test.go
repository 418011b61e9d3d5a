package main

import (
	"bytes"
	"testing"

	"example.org/arena/cmd/arena/exit"
	"example.org/arena/results/bundle"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// What verify prints as JSON is what its published schema promises, with faults
// and without.
func TestVerifyKeepsItsSchema(t *testing.T) {
	t.Parallel()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(bundle.ReportSchema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("report.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("report.json")
	if err != nil {
		t.Fatal(err)
	}
	var withFaults, without, errs bytes.Buffer
	if code := run(t.Context(), []string{"verify", "--json", "../../results/bundle/testdata/example.json"}, nil, &withFaults, &errs); code != exit.Failure {
		t.Fatalf("verify ends with %d: %s", code, &errs)
	}
	if err := printJSON(&without, bundle.Report{OK: true, Checked: 3}); err != nil {
		t.Fatal(err)
	}
	for _, out := range []*bytes.Buffer{&withFaults, &without} {
		report, err := jsonschema.UnmarshalJSON(out)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(report); err != nil {
			t.Error(err)
		}
	}
	for _, wrong := range []string{`{}`, `{"ok": true, "checked": 1, "faults": [], "warnings": null}`, `{"ok": true, "checked": -1, "faults": [], "warnings": []}`} {
		report, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(wrong)))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(report); err == nil {
			t.Errorf("the schema accepts %s", wrong)
		}
	}
}
