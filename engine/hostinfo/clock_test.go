package hostinfo

import (
	"testing"
	"time"
)

func TestClock(t *testing.T) {
	t.Parallel()
	wall, steady := time.Date(2026, 8, 15, 10, 0, 0, 0, time.UTC), time.Duration(0)
	c := NewClock(func() time.Time { return wall }, func() time.Duration { return steady })
	for _, step := range []struct {
		wall, steady time.Duration
		want         string
	}{
		{0, 0, ""},
		{time.Hour, time.Hour, ""},
		{time.Hour + 1800*time.Millisecond, time.Hour, ""}, // being corrected, at the most
		{time.Minute + 90*time.Millisecond, time.Minute, ""},
		{time.Minute + 200*time.Millisecond, time.Minute, "wall_clock_stepped seconds=0.200"},
		{time.Minute, time.Minute, ""}, // said once
		{-time.Hour, time.Second, "wall_clock_stepped seconds=-3601.000"},
		{8*time.Hour + time.Second, time.Second, "wall_clock_stepped seconds=28800.000"}, // asleep
		{0, time.Second, "wall_clock_stepped seconds=-1.000"},
	} {
		wall, steady = wall.Add(step.wall), steady+step.steady
		if got := codes(c.Check()); got != step.want {
			t.Errorf("%v and %v: got %q, want %q", step.wall, step.steady, got, step.want)
		}
	}
}

func TestClockSane(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 8, 15, 12, 0, 0, 0, time.FixedZone("", 7200))
	c := NewClock(func() time.Time { return now }, nil)
	for _, k := range []struct {
		now, built time.Time
		want       string
	}{
		{now, time.Time{}, ""},
		{now, now.Add(-time.Hour), ""},
		{now, now.Add(time.Hour), "wall_clock_before_program now=2026-08-15T10:00:00Z earliest=2026-08-15T11:00:00Z"},
		{time.Unix(0, 0), time.Time{}, "wall_clock_before_program now=1970-01-01T00:00:00Z earliest=2026-01-01T00:00:00Z"},
		{time.Unix(0, 0), time.Unix(5, 0), "wall_clock_before_program now=1970-01-01T00:00:00Z earliest=2026-01-01T00:00:00Z"},
	} {
		now = k.now
		if got := codes(c.Sane(k.built)); got != k.want {
			t.Errorf("at %v: got %q, want %q", k.now, got, k.want)
		}
	}
	if notes := NewClock(nil, nil).Check(); len(notes) > 0 {
		t.Errorf("the machine's clocks: %s", codes(notes))
	}
}
