package dataset

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"example.org/arena/results/bundle"
	"example.org/arena/site/board"
)

// example is a bundle with closed-loop and open-loop tests.
const example = "../../results/bundle/testdata/example.json"

func set(t *testing.T) board.Set {
	t.Helper()
	data, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	b, err := bundle.Decode(example, data)
	if err != nil {
		t.Fatal(err)
	}
	return board.Build(board.Input{Items: []board.Item{{ID: bundle.ID(data), Bundle: b}}})
}

// check validates a document against the schema that is published for it.
func check(t *testing.T, schema string, document any) {
	t.Helper()
	source, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schemas()[schema]))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(schema, source); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile(schema)
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := compiled.Validate(value); err != nil {
		t.Error(err)
	}
}

func TestDocumentsFollowTheirSchemas(t *testing.T) {
	t.Parallel()
	s := set(t)
	run := RunOf(&s.Boards[0].Rows[0])
	if len(run.Tests) == 0 || len(run.Figures) == 0 {
		t.Fatalf("got %d tests and %d figures, want some of each", len(run.Tests), len(run.Figures))
	}
	check(t, "run.schema.json", run)
	check(t, "leaderboard.schema.json", LeaderboardOf(&s, "2026-08-16"))
}

func TestTablesAreRectangular(t *testing.T) {
	t.Parallel()
	s := set(t)
	for name, rows := range map[string][][]string{
		"run":         RunOf(&s.Boards[0].Rows[0]).Table(),
		"leaderboard": LeaderboardOf(&s, "2026-08-16").Table(),
	} {
		for i, row := range rows {
			if len(row) != len(rows[0]) {
				t.Errorf("%s: row %d has %d fields, want %d", name, i, len(row), len(rows[0]))
			}
		}
	}
}

func TestNumbersHaveDecimalPoints(t *testing.T) {
	t.Parallel()
	s := set(t)
	for _, row := range RunOf(&s.Boards[0].Rows[0]).Table()[1:] {
		if value := row[12]; strings.Contains(value, ",") || strings.ContainsAny(value, "eE") {
			t.Errorf("got value %q, want plain decimal notation", value)
		}
	}
}
