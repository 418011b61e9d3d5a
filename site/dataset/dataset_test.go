package dataset

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"example.org/arena/results/bundle"
	"example.org/arena/results/verdict"
	"example.org/arena/site/board"
)

// example is a bundle with closed-loop and open-loop tests, own one that holds
// requests instead of figures.
const (
	example = "../../results/bundle/testdata/example.json"
	own     = "../../results/bundle/testdata/run.json"
)

// A published is a bundle with the boards that it makes.
type published struct {
	board.Set
	run verdict.Run
}

// document describes the only row.
func (p *published) document() Run { return RunOf(&p.Boards[0].Rows[0], &p.run) }

func set(t *testing.T) published { return setOf(t, example) }

func setOf(t *testing.T, file string) published {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	b, err := bundle.Decode(file, data)
	if err != nil {
		t.Fatal(err)
	}
	return published{
		Set: board.Build(board.Input{Items: []board.Item{{ID: bundle.ID(data), Bundle: b}}}),
		run: verdict.Of(b, nil, nil, nil),
	}
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
	run := s.document()
	if len(run.Tests) == 0 || len(run.Figures) == 0 {
		t.Fatalf("got %d tests and %d figures, want some of each", len(run.Tests), len(run.Figures))
	}
	check(t, "run.schema.json", run)
	check(t, "leaderboard.schema.json", LeaderboardOf(&s.Set, "2026-08-16"))
}

// A run of Arena's own has the figures that follow from its requests.
func TestOwnRun(t *testing.T) {
	t.Parallel()
	s := setOf(t, own)
	run := s.document()
	check(t, "run.schema.json", run)
	seen := map[string]float64{}
	for _, f := range run.Figures {
		seen[f.Metric+" "+f.Statistic] = f.Value
	}
	// Two answers of 512 tokens within 18.0003 s, and 1250 J for both.
	for key, want := range map[string]float64{"ttft_ms mean": 406.939, "duration_s mean": 18.0003, "energy_j_per_tok ": 1.2207} {
		if got := seen[key]; got < want-0.001 || got > want+0.001 {
			t.Errorf("%s = %v, want %v", key, got, want)
		}
	}
}

func TestTablesAreRectangular(t *testing.T) {
	t.Parallel()
	s := set(t)
	for name, rows := range map[string][][]string{
		"run":         s.document().Table(),
		"leaderboard": LeaderboardOf(&s.Set, "2026-08-16").Table(),
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
	for _, row := range s.document().Table()[1:] {
		if value := row[12]; strings.Contains(value, ",") || strings.ContainsAny(value, "eE") {
			t.Errorf("got value %q, want plain decimal notation", value)
		}
	}
}
