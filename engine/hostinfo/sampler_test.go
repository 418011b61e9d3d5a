package hostinfo

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.org/arena/results/bundle"
)

// gb10Line is a line of a Spark at a time.
func gb10Line(at time.Time, power, clock, use, reasons string) string {
	return "0, 1, " + at.UTC().Format(timeForm) + ", " + power + ", 61, " + clock + ", 3003, " + use + ", [N/A], " + reasons + "\n"
}

// pass lets fake time pass.
func pass(d time.Duration) { <-time.After(d) }

// piped returns a System whose nvidia-smi writes what the function gives it, and a
// way to see that it was stopped and freed.
func piped(write func(w io.Writer, stop <-chan struct{})) (sys System, freed func() bool) {
	done := make(chan struct{})
	sys = fakeSystem{answers: map[string]string{"nvidia-smi": "ok"}}.system()
	sys.Start = func(context.Context, string, ...string) (Child, error) {
		r, w := io.Pipe()
		stop := make(chan struct{})
		go func() {
			defer w.Close()
			write(w, stop)
		}()
		stopped := false
		return Child{
			Out: r,
			Stop: func() {
				if !stopped {
					stopped = true
					close(stop)
					r.Close()
				}
			},
			Wait: func() { close(done) },
		}, nil
	}
	return sys, func() bool {
		select {
		case <-done:
			return true
		default:
			return false
		}
	}
}

// every writes a line a second, until it is stopped or has written n.
func every(n int, line func(i int, at time.Time) string) func(io.Writer, <-chan struct{}) {
	return func(w io.Writer, stop <-chan struct{}) {
		for i := 0; n < 0 || i < n; i++ {
			if _, err := io.WriteString(w, line(i, time.Now())); err != nil {
				return
			}
			select {
			case <-stop:
				return
			case <-time.After(time.Second):
			}
		}
	}
}

func columns(t *testing.T, tel *bundle.Telemetry) string {
	t.Helper()
	data, err := json.Marshal(tel)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestSampler(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		sys, freed := piped(every(-1, func(i int, at time.Time) string {
			power := strconv.Itoa(40 + 10*(i%2))
			if i == 2 {
				power = "[N/A]"
			}
			return gb10Line(at, power, strconv.Itoa(2400+i), "96", "0x0000000000000000")
		}))
		s := StartSampler(t.Context(), sys, 0)
		start := time.Now()
		pass(3500 * time.Millisecond)
		want := `{"offset_s":[0,1,2,3],"power_w":[40,50,null,50],"temperature_c":[61,61,61,61],` +
			`"clock_mhz":[2400,2401,2402,2403],"utilisation_percent":[96,96,96,96]}`
		if got := columns(t, s.Between(start, time.Now())); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		if got := columns(t, s.Between(start.Add(500*time.Millisecond), start.Add(1500*time.Millisecond))); !strings.HasPrefix(got, `{"offset_s":[0.5],"power_w":[50]`) {
			t.Errorf("got %s", got)
		}
		if got := s.Notes(start, time.Now()); len(got) != 0 {
			t.Errorf("verdict %s", codes(got))
		}
		s.Stop()
		s.Stop()
		if !freed() || s.Err() != nil {
			t.Errorf("freed %v, %v", freed(), s.Err())
		}
		if got := s.Between(start, start.Add(time.Second)); len(got.OffsetS) != 2 {
			t.Errorf("after Stop: %s", columns(t, got))
		}
	})
}

func TestEnergy(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		// 0 s: 40 W, 1 s: 60 W, 2 s: nothing, 3 s: 80 W, then nothing until 9 s: 20 W.
		sys, _ := piped(func(w io.Writer, stop <-chan struct{}) {
			for i, power := range []string{"40", "60", "[N/A]", "80", "", "", "", "", "", "20", "20"} {
				if power != "" {
					io.WriteString(w, gb10Line(time.Now(), power, "2400", "96", "0x0"))
				}
				if i < 10 {
					pass(time.Second)
				}
			}
			<-stop
		})
		s := StartSampler(t.Context(), sys, time.Second)
		defer s.Stop()
		start := time.Now()
		pass(11 * time.Second)
		at := func(seconds float64) time.Time { return start.Add(time.Duration(seconds * 1e9)) }
		for _, c := range []struct {
			from, to float64
			want     int64 // mJ, -1 is none
		}{
			{0, 1, 50_000},
			{0, 3, 50_000 + 140_000},
			{0.5, 1, 27_500},
			{0.25, 0.75, 25_000},
			{1, 2, 65_000},
			{2.5, 3, 38_750},
			{9, 10, 20_000},
			{9.2, 11, 36_000},   // the last holds for 1.5 s
			{9.2, 11.5, 46_000}, // exactly
			{9.2, 11.6, -1},
			{-1.5, 0, 60_000}, // and so does the first
			{-1.6, 0, -1},
			{3, 9, -1},
			{2, 4, -1},
			{5, 6, -1},
			{1, 1, -1},
			{2, 1, -1},
			{100, 101, -1},
		} {
			got := int64(-1)
			if e := s.EnergyMJ(at(c.from), at(c.to)); e != nil {
				got = *e
			}
			if got != c.want {
				t.Errorf("%v to %v s: got %d mJ, want %d", c.from, c.to, got, c.want)
			}
		}
		if got := codes(s.Notes(at(0), at(10))); got != "telemetry_gap missing_s=6.0 of_s=10.0" {
			t.Errorf("verdict %s", got)
		}
	})
}

// Several GPUs are one: powers and memories added, the hottest, the slowest, the
// mean. A moment that lacks one is left out.
func TestSamplerManyGPUs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		row := func(i int, power, heat, clock, use, memory, reasons string) string {
			return fmt.Sprintf("%d, 3, %s, %s, %s, %s, 1965, %s, %s, %s\n", i, time.Now().Format(timeForm), power, heat, clock, use, memory, reasons)
		}
		sys, _ := piped(func(w io.Writer, stop <-chan struct{}) {
			say := func(lines ...string) {
				for _, l := range lines {
					io.WriteString(w, l)
				}
				pass(time.Second)
			}
			say(row(0, "700.55", "60", "1900", "100", "1000", "0x0"), row(1, "650", "71", "1800", "90", "1000", "0x4"), row(2, "600", "[N/A]", "1950", "50", "1000", "0x0"))
			say(row(0, "700", "60", "1900", "100", "1000", "0x0"), row(2, "600", "1", "1", "1", "1", "0x0"))
			say(row(1, "1", "1", "1", "1", "1", "0x0"), row(2, "600", "1", "1", "1", "1", "0x0"))
			say(row(0, "[N/A]", "62", "1900", "100", "[N/A]", "[N/A]"), row(1, "650", "72", "1800", "90", "1000", "0x0"), row(2, "600", "63", "1950", "53", "1000", "0x40"))
			<-stop
		})
		s := StartSampler(t.Context(), sys, time.Second)
		defer s.Stop()
		start := time.Now()
		pass(4500 * time.Millisecond)
		want := `{"offset_s":[0,3],"power_w":[1950.55,null],"temperature_c":[71,72],"clock_mhz":[1800,1800],` +
			`"utilisation_percent":[80,81],"memory_used_mb":[3146,null]}`
		if got := columns(t, s.Between(start, time.Now())); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		if got := codes(s.Notes(start, time.Now())); got != "gpu_power_capped samples=1 of=1 clock_mhz=1800" {
			t.Errorf("verdict %s", got)
		}
	})
}

func TestNotes(t *testing.T) {
	t.Parallel()
	constant := func(clock, use, reasons string) func(int, time.Time) string {
		return func(_ int, at time.Time) string { return gb10Line(at, "40", clock, use, reasons) }
	}
	cases := []struct {
		name string
		line func(i int, at time.Time) string
		want string
	}{
		{"free", func(i int, at time.Time) string {
			return gb10Line(at, "40", strconv.Itoa(2400+20*(i%3)), "96", "0x0000000000000000")
		}, ""},
		{"idle", constant("208", "0", "0x0000000000000001"), ""},
		{"heat", func(i int, at time.Time) string {
			return gb10Line(at, "40", strconv.Itoa(2400-100*i), "96", []string{"0x0000000000000000", "0x0000000000000048"}[i%2])
		}, "gpu_slowed_by_heat samples=6 of=12 clock_mhz=1300"},
		{"software heat", constant("2400", "96", "0x20"), "gpu_slowed_by_heat samples=12 of=12 clock_mhz=2400"},
		{"brake", constant("695", "96", "0x0000000000000088"), "gpu_slowed_by_power_brake samples=12 of=12 clock_mhz=695"},
		{"hardware", constant("695", "96", "0x8"), "gpu_slowed_by_hardware samples=12 of=12 clock_mhz=695"},
		{"power", constant("1500", "96", "0x4"), "gpu_power_capped samples=12 of=12 clock_mhz=1500"},
		{"several", constant("1500", "96", "0x24"), "gpu_slowed_by_heat samples=12 of=12 clock_mhz=1500; gpu_power_capped samples=12 of=12 clock_mhz=1500"},
		{"clock is set", func(i int, at time.Time) string { return gb10Line(at, "40", strconv.Itoa(2000+50*(i%2)), "96", "0x2") }, "gpu_clock_capped clock_mhz=2050 limit_mhz=3003"},
		{"clock stands still", constant("2100", "96", "0x0"), "gpu_clock_capped clock_mhz=2100 limit_mhz=3003"},
		{"clock stands still where a GB10 does", constant("2496", "96", "0x0"), ""},
		{"clock is as high as it can", constant("3003", "96", "0x0"), ""},
		{"no work", constant("2100", "3", "0x2"), ""},
		{"reasons unknown", func(i int, at time.Time) string {
			return gb10Line(at, "40", strconv.Itoa(2400+20*(i%3)), "96", "[N/A]")
		}, "throttle_reasons_unknown"},
		{"clock unknown", constant("[N/A]", "96", "0x4"), "gpu_power_capped samples=12 of=12"},
		{"garbage", func(int, time.Time) string { return "Unable to determine the device handle for GPU0: Unknown Error\n" }, "telemetry_unavailable"},
		{"too long", func(int, time.Time) string { return strings.Repeat("x", 3*lineSize) + "\n" }, "telemetry_unavailable"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				sys, _ := piped(every(-1, c.line))
				s := StartSampler(t.Context(), sys, time.Second)
				defer s.Stop()
				start := time.Now()
				pass(11500 * time.Millisecond)
				if got := codes(s.Notes(start, time.Now())); got != c.want {
					t.Errorf("got  %s\nwant %s", got, c.want)
				}
				if c.want == "telemetry_unavailable" && (s.Between(start, time.Now()) != nil || s.EnergyMJ(start, time.Now()) != nil) {
					t.Error("there are samples")
				}
			})
		})
	}
}

// A cell shorter than the time between two samples is judged by its neighbours.
func TestNotesOfShortSpans(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		sys, _ := piped(every(3, func(_ int, at time.Time) string { return gb10Line(at, "40", "2400", "96", "0x4") }))
		s := StartSampler(t.Context(), sys, time.Second)
		defer s.Stop()
		start := time.Now()
		pass(20 * time.Second)
		if got := codes(s.Notes(start.Add(1200*time.Millisecond), start.Add(1800*time.Millisecond))); got != "gpu_power_capped samples=2 of=2 clock_mhz=2400" {
			t.Errorf("got %s", got)
		}
		// It has ended by itself after two seconds.
		if got := codes(s.Notes(start, start.Add(12*time.Second))); !strings.HasPrefix(got, "telemetry_gap missing_s=10.0 of_s=12.0") {
			t.Errorf("got %s", got)
		}
		if got := codes(s.Notes(start.Add(8*time.Second), start.Add(12*time.Second))); got != "telemetry_unavailable" {
			t.Errorf("got %s", got)
		}
		if s.Err() == nil {
			t.Error("no error after the end")
		}
	})
}

// Lines that waited in a buffer have their own times; a clock that cannot be right
// has not.
func TestSampleTimes(t *testing.T) {
	t.Parallel()
	arrived := time.Date(2026, 8, 15, 10, 0, 30, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"2026/08/15 10:00:29.900": -100 * time.Millisecond,
		"2026/08/15 09:59:30.000": -time.Minute,
		"2026/08/15 10:00:30.500": 0,
		"2026/08/15 12:00:29.900": 0, // another zone
		"2026/08/15 08:00:29.900": 0,
		"":                        0,
		"15.08.2026 10:00":        0,
	} {
		if got := sampledAt(text, arrived).Sub(arrived); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

func TestSamplerUnavailable(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for name, c := range map[string]struct {
		fake fakeSystem
		want string
	}{
		"no program": {fakeSystem{}, "telemetry_unavailable; gpu_tool_missing tool=nvidia-smi"},
		"no GPU":     {fakeSystem{answers: map[string]string{"nvidia-smi": "No devices were found"}, errs: map[string]error{"nvidia-smi": errExit}}, "telemetry_unavailable; gpu_not_found tool=nvidia-smi"},
		"hangs":      {fakeSystem{errs: map[string]error{"nvidia-smi": context.DeadlineExceeded}}, "telemetry_unavailable; gpu_tool_silent tool=nvidia-smi limit_s=20"},
		"odd field": {
			fakeSystem{answers: map[string]string{"nvidia-smi": `Field "who.knows" is not a valid field to query.`}, errs: map[string]error{"nvidia-smi": errExit}},
			"telemetry_unavailable; gpu_tool_failed tool=nvidia-smi",
		},
	} {
		s := StartSampler(t.Context(), c.fake.system(), 0)
		if got := codes(s.Notes(now, now.Add(time.Second))); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
		if s.Err() == nil || s.Between(now, now.Add(time.Second)) != nil || s.EnergyMJ(now, now.Add(time.Second)) != nil {
			t.Errorf("%s: %v, or samples", name, s.Err())
		}
		s.Stop()
	}
}

// Drivers of other ages know other fields.
func TestAskedFields(t *testing.T) {
	t.Parallel()
	unknown := map[string]bool{fieldReasons: true, fieldLimit: true}
	sys := System{Run: func(_ context.Context, _ string, args ...string) ([]byte, error) {
		for name := range strings.SplitSeq(strings.TrimPrefix(args[0], "--query-gpu="), ",") {
			if unknown[name] {
				return []byte(`Field "` + name + `" is not a valid field to query.` + "\n\n"), errExit
			}
		}
		return []byte("fine"), nil
	}}.complete()
	got, _, err := askedFields(t.Context(), sys)
	if want := "index,count,timestamp,power.draw,temperature.gpu,clocks.sm,utilization.gpu,memory.used,clocks_throttle_reasons.active"; err != nil || strings.Join(got, ",") != want {
		t.Errorf("got %v, %v", got, err)
	}
	unknown[fieldBefore] = true
	if got, _, err := askedFields(t.Context(), sys); err != nil || strings.Join(got, ",") != "index,count,timestamp,power.draw,temperature.gpu,clocks.sm,utilization.gpu,memory.used" {
		t.Errorf("got %v, %v", got, err)
	}
}

func FuzzSampler(f *testing.F) {
	at := time.Date(2026, 8, 15, 10, 0, 0, 0, time.UTC)
	f.Add(gb10Line(at, "40", "2400", "96", "0x0"))
	f.Add("0, 2, , 1, 1, 1, 1, 1, 1, 0x1\n1, 2, , 1, 1, 1, 1, 1, 1, 0x1\n")
	f.Add("0, 1, x, 1e400, -5, NaN, Inf, 101, -1, 0xzz\n")
	f.Fuzz(func(t *testing.T, text string) {
		s := &Sampler{interval: time.Second, cycle: cycle{fields: sampleFields}}
		now := at
		for line := range strings.Lines(text) {
			now = now.Add(time.Second)
			s.addLine(line, now)
		}
		tel := s.Between(at.Add(-time.Hour), now)
		if tel == nil {
			return
		}
		if _, err := json.Marshal(tel); err != nil {
			t.Fatal(err)
		}
		for _, c := range [][]*float64{tel.PowerW, tel.TemperatureC, tel.ClockMHz, tel.UtilisationPct, tel.MemoryUsedMB} {
			if c != nil && len(c) != len(tel.OffsetS) {
				t.Fatalf("%d values for %d times", len(c), len(tel.OffsetS))
			}
			for _, v := range c {
				if v != nil && !(*v >= 0) {
					t.Fatalf("a value of %v", *v)
				}
			}
		}
		for i := 1; i < len(tel.OffsetS); i++ {
			if tel.OffsetS[i] < tel.OffsetS[i-1] {
				t.Fatal("times do not ascend")
			}
		}
		if e := s.EnergyMJ(at, now); e != nil && *e < 0 {
			t.Fatalf("an energy of %d", *e)
		}
		s.Notes(at, now)
	})
}
