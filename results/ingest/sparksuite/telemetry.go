package sparksuite

import (
	"bytes"
	"encoding/csv"
	"math"
	"strconv"
	"strings"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/scan"
)

// telemetry reads the samples of the GPU during a test into columns.
func (s *suite) telemetry(t *test, out *bundle.Test) {
	if t.telemetry == nil {
		return
	}
	f := scan.Faults{File: t.telemetry.Name}
	columns, leftOut := readTelemetry(*t.telemetry, &f)
	s.f.List = append(s.f.List, f.List...)
	out.Telemetry = columns
	if len(leftOut) > 0 {
		out.Notes = append(out.Notes, bundle.NewNote(bundle.NoteColumnsLeftOut, "columns", strings.Join(leftOut, " ")))
	}
}

// readTelemetry reads a CSV with a header. A sample that says nothing is
// missing; a column without a single sample is absent. So is a memory column of
// nothing but zeros: a driver that cannot tell writes them.
func readTelemetry(in ingest.Input, f *scan.Faults) (*bundle.Telemetry, []string) {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(in.Data, []byte("\xef\xbb\xbf"))))
	r.TrimLeadingSpace = true
	rows, err := r.ReadAll()
	if err != nil {
		f.Add(0, "", "", "%v", err)
		return nil, nil
	}
	if len(rows) < 2 {
		return nil, nil
	}
	var t bundle.Telemetry
	columns := map[string]*[]*float64{
		"power_w": &t.PowerW, "temp_c": &t.TemperatureC, "sm_mhz": &t.ClockMHz,
		"gpu_util": &t.UtilisationPct, "mem_used_mb": &t.MemoryUsedMB,
	}
	var leftOut []string
	timed := false
	for i, name := range rows[0] {
		switch name = strings.TrimSpace(name); {
		case name == "elapsed_s":
			timed = true
			for _, v := range readColumn(rows, i, name, f) {
				if v == nil {
					f.Add(0, name, "", "a sample has no time")
					return nil, nil
				}
				t.OffsetS = append(t.OffsetS, *v)
			}
		case columns[name] != nil:
			*columns[name] = present(readColumn(rows, i, name, f), name == "mem_used_mb")
		default:
			leftOut = append(leftOut, scan.Printable(name))
		}
	}
	if !timed {
		f.Add(1, "", "", "has no column elapsed_s")
	}
	if len(f.List) > 0 {
		return nil, nil
	}
	return &t, leftOut
}

// readColumn reads one column; missing samples are nil.
func readColumn(rows [][]string, i int, name string, f *scan.Faults) []*float64 {
	var out []*float64
	for n, row := range rows[1:] {
		text := strings.TrimSpace(row[i])
		if scan.IsMissing(strings.Trim(text, "[]")) || strings.EqualFold(text, "[not supported]") {
			out = append(out, nil)
			continue
		}
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			f.Add(n+2, name, "", "want a number, found %q", text)
			return nil
		}
		out = append(out, &v)
	}
	return out
}

// present returns a column, or nil when it says nothing.
func present(column []*float64, zeroIsMissing bool) []*float64 {
	for _, v := range column {
		if v != nil && (*v != 0 || !zeroIsMissing) {
			return column
		}
	}
	return nil
}
