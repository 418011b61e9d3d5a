package view

import (
	"io"
	"math"
	"time"

	"github.com/go-json-experiment/json"

	"example.org/arena/engine"
)

// A jsonDisplay writes a JSON object per line: for each event, and for the state of
// the run once a second while a cell is under way. docs/progress.md describes the
// keys.
type jsonDisplay struct {
	w     io.Writer
	text  wording
	meter meter
}

func newJSONDisplay(w io.Writer, text wording) *jsonDisplay { return &jsonDisplay{w: w, text: text} }

// A jsonPlace says where in the run something is.
type jsonPlace struct {
	Test        string `json:"test,omitzero"`
	TestNumber  int    `json:"test_number,omitzero"`
	Tests       int    `json:"tests,omitzero"`
	Cell        string `json:"cell,omitzero"`
	CellNumber  int    `json:"cell_number,omitzero"`
	Cells       int    `json:"cells,omitzero"`
	CellInTest  int    `json:"cell_in_test,omitzero"`
	CellsOfTest int    `json:"cells_of_test,omitzero"`
	Repetition  int    `json:"repetition,omitzero"`
	Repetitions int    `json:"repetitions,omitzero"`
}

type jsonEvent struct {
	Type string `json:"type"` // "event"
	Kind string `json:"kind"`
	At   string `json:"at"`
	jsonPlace
	Message string       `json:"message,omitzero"`
	Code    string       `json:"code,omitzero"`
	Figures []jsonFigure `json:"figures,omitempty"`
}

type jsonFigure struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
}

type jsonSnapshot struct {
	Type string `json:"type"` // "snapshot"
	At   string `json:"at"`
	jsonPlace
	Phase            string   `json:"phase,omitzero"`
	ElapsedS         *float64 `json:"elapsed_s,omitzero"`
	PhaseElapsedS    *float64 `json:"phase_elapsed_s,omitzero"`
	Requests         int      `json:"requests,omitzero"`
	Sent             int      `json:"sent"`
	Done             int      `json:"done"`
	Failed           int      `json:"failed"`
	OutputTokens     int64    `json:"output_tokens"`
	MeanTTFTMS       *float64 `json:"mean_ttft_ms,omitzero"`
	RequestsPerS     *float64 `json:"requests_per_s,omitzero"`
	OutputTokensPerS *float64 `json:"output_tokens_per_s,omitzero"`
	CellExpectedS    *float64 `json:"cell_expected_s,omitzero"`
	RemainingS       *float64 `json:"remaining_s,omitzero"`
	CellDoneRatio    *float64 `json:"cell_done_ratio,omitzero"`
	SuiteDoneRatio   float64  `json:"suite_done_ratio"`
}

func (v *jsonDisplay) showEvent(e engine.Event) {
	out := jsonEvent{
		Type: "event", Kind: string(e.Kind), At: stampOf(e.At), jsonPlace: v.place(e.Place),
		Message: v.text.clean(e.Message, messageColumns), Code: v.text.clean(e.Code, nameColumns),
	}
	for _, f := range e.Figures {
		if !math.IsNaN(f.Value) && !math.IsInf(f.Value, 0) {
			out.Figures = append(out.Figures, jsonFigure{v.text.clean(f.Name, nameColumns), f.Value, v.text.clean(f.Unit, nameColumns)})
		}
	}
	v.write(out)
}

func (v *jsonDisplay) showSnapshot(s engine.Snapshot, now time.Time) {
	cell, _, suite, known := shares(s, now)
	out := jsonSnapshot{
		Type: "snapshot", At: stampOf(now), jsonPlace: v.place(s.Place), Phase: string(s.Phase),
		Requests: s.Requests, Sent: s.Sent, Done: s.Done, Failed: s.Failed, OutputTokens: s.Tokens,
		CellExpectedS: secondsOf(s.CellExpected), RemainingS: secondsOf(s.Remaining), SuiteDoneRatio: thousandths(suite),
	}
	if known {
		out.CellDoneRatio = new(thousandths(cell))
	}
	if !s.Started.IsZero() {
		out.ElapsedS = new(thousandths(now.Sub(s.Started).Seconds()))
	}
	if !s.CellSince.IsZero() {
		out.PhaseElapsedS = new(thousandths(now.Sub(s.CellSince).Seconds()))
	}
	if s.MeanTTFT > 0 {
		out.MeanTTFTMS = new(thousandths(s.MeanTTFT.Seconds() * 1000))
	}
	if requests, tokens, ok := v.meter.rates(s, now); ok {
		out.RequestsPerS, out.OutputTokensPerS = new(thousandths(requests)), new(thousandths(tokens))
	}
	v.write(out)
}

func (v *jsonDisplay) close() {}

func (v *jsonDisplay) place(p engine.Place) jsonPlace {
	out := jsonPlace(p)
	out.Test, out.Cell = v.text.clean(p.Test, nameColumns), v.text.clean(p.Cell, nameColumns)
	return out
}

// write writes one object as a line.
func (v *jsonDisplay) write(object any) {
	data, err := json.Marshal(object)
	if err != nil {
		return // all values are finite, and all texts valid
	}
	_, _ = v.w.Write(append(data, '\n')) // who closed the stream does not want it
}

// stampOf writes a time in UTC, to the millisecond.
func stampOf(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// secondsOf returns a time in seconds, nil when it is not known.
func secondsOf(d time.Duration) *float64 {
	if d <= 0 {
		return nil
	}
	return new(thousandths(d.Seconds()))
}

func thousandths(x float64) float64 { return math.Round(x*1000) / 1000 }
