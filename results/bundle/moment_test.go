package bundle

import "testing"

func TestMeasured(t *testing.T) {
	t.Parallel()
	const start = "2026-07-01T00:00:00Z"
	for _, c := range []struct {
		note Note
		want string
	}{
		{Note{}, start},
		{Note{Code: NoteTimePrecision, Args: []Setting{{Name: "stated", Value: "2026-07"}}}, "2026-07"},
		{Note{Code: NoteTimePrecision, Args: []Setting{{Name: "stated", Value: "summer"}}}, start},
		{Note{Code: "other", Args: []Setting{{Name: "stated", Value: "2026-07"}}}, start},
	} {
		b := Bundle{StartedAt: start, Notes: []Note{c.note}}
		if got := b.Measured(); got != c.want {
			t.Errorf("%+v: got %s, want %s", c.note, got, c.want)
		}
	}
}
