package hostinfo

import (
	"encoding/csv"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Hundreds of real samples of a GB10 that was neither capped nor throttled give no
// verdict, and an energy that is the mean power times the time.
func TestCorpusTelemetry(t *testing.T) {
	t.Parallel()
	corpus := os.Getenv("ARENA_CORPUS")
	if corpus == "" {
		t.Skip("ARENA_CORPUS is not set: real telemetry is NOT checked")
	}
	seen := 0
	err := filepath.WalkDir(filepath.Join(corpus, "dgx-spark-benchmarks"), func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, "-telemetry.csv") {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rows, err := csv.NewReader(strings.NewReader(string(data))).ReadAll()
		if err != nil {
			return err
		}
		if len(rows) < 3 {
			return nil
		}
		seen++
		// Every tenth second was kept: as if each had been the tenth sample's.
		start := time.Date(2026, 8, 15, 10, 0, 0, 0, time.UTC)
		s := &Sampler{interval: time.Second, cycle: cycle{fields: sampleFields}}
		sum := 0.0
		for i, row := range rows[1:] {
			at := start.Add(time.Duration(i) * time.Second)
			s.addLine("0, 1, , "+row[1]+", "+row[2]+", "+row[3]+", 3003, "+row[4]+", [N/A], 0x0", at)
			watts, err := strconv.ParseFloat(row[1], 64)
			if err != nil {
				return err
			}
			if i == 0 || i == len(rows)-2 {
				watts /= 2
			}
			sum += watts
		}
		end := start.Add(time.Duration(len(rows)-2) * time.Second)
		if got := codes(s.Notes(start, end)); got != "" {
			t.Errorf("%s: %s", name, got)
		}
		if e := s.EnergyMJ(start, end); e == nil || math.Abs(float64(*e)-sum*1000) > 1 {
			t.Errorf("%s: an energy of %v mJ, want %.0f", name, e, sum*1000)
		}
		if tel := s.Between(start, end); tel == nil || len(tel.OffsetS) != len(rows)-1 || tel.MemoryUsedMB != nil {
			t.Errorf("%s: samples are missing", name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 300 {
		t.Errorf("found %d files", seen)
	}
	t.Logf("%d files", seen)
}
