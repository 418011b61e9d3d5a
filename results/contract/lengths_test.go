package contract

import "testing"

// The lengths of the published runs: their totals are facts of results that others
// have published.
func TestLengthsEqualTheTool(t *testing.T) {
	t.Parallel()
	for _, v := range []struct {
		Lengths
		n             int
		first         Length
		inputs, total int64
	}{
		{Lengths{42, 4000, 500, 0.9, 0}, 100, Length{1041, 0}, 419210, 49146},
		{Lengths{42, 4000, 500, 0.9, 0}, 125, Length{1041, 0}, 521524, 61228},
		{Lengths{42, 4000, 500, 0.9, 0}, 200, Length{1041, 0}, 812735, 97092},
		{Lengths{42, 4000, 500, 0.9, 0}, 300, Length{1041, 0}, 1198058, 150317},
		{Lengths{42, 1024, 4096, 0.9, 0}, 50, Length{}, 55005, 209303},
	} {
		got, err := v.Draw(v.n)
		if err != nil || len(got) != v.n {
			t.Fatalf("%+v: %d lengths, %v", v, len(got), err)
		}
		var in, out int64
		for _, turn := range got {
			in, out = in+int64(turn.Prompt), out+int64(turn.Output)
		}
		if in != v.inputs || out != v.total || v.first.Prompt != 0 && got[0].Prompt != v.first.Prompt {
			t.Errorf("%+v: got %d and %d tokens, the first %v", v, in, out, got[0])
		}
	}
}

func TestLengthsWithoutSpread(t *testing.T) {
	t.Parallel()
	got, err := Lengths{42, 100, 10, 0, 0}.Draw(3)
	if err != nil || len(got) != 3 || got[0] != (Length{100, 10}) || got[2] != (Length{100, 10}) {
		t.Errorf("got %v, %v", got, err)
	}
	for _, l := range []Lengths{{1, 0, 1, 0, 0}, {1, 1, 0, 0, 0}, {1, 1, 1, 1, 0}, {1, 1, 1, -0.1, 0}, {1, 1, 1, 0, -1}} {
		if _, err := l.Draw(1); err == nil {
			t.Errorf("%+v: no error", l)
		}
	}
	if _, err := (Lengths{1, 1, 1, 0, 0}).Draw(-1); err == nil {
		t.Error("no error for -1 requests")
	}
}
