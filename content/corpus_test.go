package content

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.org/arena/results/facts"
)

// corpus returns the folder of source data, which is not part of the
// repository.
func corpus(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("ARENA_CORPUS")
	if dir == "" {
		t.Skip("SKIPPED: ARENA_CORPUS is not set, so the facts are not compared with their sources")
	}
	return dir
}

func readFile(t *testing.T, elem ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(elem...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// readCSV returns the rows by column name.
func readCSV(t *testing.T, elem ...string) []map[string]string {
	t.Helper()
	records, err := csv.NewReader(strings.NewReader(string(readFile(t, elem...)))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]string
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, name := range records[0] {
			row[name] = record[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// TestLaunchConfigurations wants a checkpoint for each configuration that was
// measured, in the precision that its source names.
func TestLaunchConfigurations(t *testing.T) {
	t.Parallel()
	root := filepath.Join(corpus(t), "dgx-spark-benchmarks")
	catalog := mustLoad(t).Catalog
	n := 0
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "meta.json" {
			return err
		}
		n++
		var meta struct{ Model, Profile string }
		if err := json.Unmarshal(readFile(t, name), &meta); err != nil {
			return err
		}
		m, cp, ok := catalog.Checkpoint(meta.Model)
		if !ok {
			t.Errorf("no model has the checkpoint %s", meta.Model)
			return nil
		}
		precision, _, _ := strings.Cut(meta.Profile, "-")
		if cp.Precision != precision && (cp.Precision != "" || cp.Note == nil) {
			t.Errorf("%s is %q in %s; its source says %q", meta.Model, cp.Precision, m.ID, precision)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n != 29 {
		t.Errorf("found %d configurations; want 29", n)
	}
}

var suggestedRow = regexp.MustCompile(`(?m)^\| ([^ |]+/[^ |]+) \| (.+) \| (.+) \| (.+) \|$`)

// TestSuggestedQuality recomputes the table of suggested figures.
func TestSuggestedQuality(t *testing.T) {
	t.Parallel()
	text := string(readFile(t, corpus(t), "facts", "model-quality.md"))
	catalog := mustLoad(t).Catalog
	compared := 0
	for _, row := range suggestedRow.FindAllStringSubmatch(text, -1) {
		m, _, ok := catalog.Checkpoint(row[1])
		if !ok {
			continue
		}
		compared++
		for i, d := range facts.Dimensions {
			if got, want := suggestedCell(m, row[1], d), sourceKind.ReplaceAllString(row[2+i], "$1)"); got != want {
				t.Errorf("%s, %s:\ngot  %s\nwant %s", row[1], d, got, want)
			}
		}
	}
	if compared != len(catalog.Models) {
		t.Errorf("compared %d models of %d", compared, len(catalog.Models))
	}
}

// sourceKind matches the kind of a vendor's document, which the files leave out.
var sourceKind = regexp.MustCompile(`(vendor) (report|card)\)`)

func suggestedCell(m facts.Model, checkpoint string, d facts.Dimension) string {
	q, ok := m.Suggested(checkpoint, d)
	if !ok {
		return "—"
	}
	who := "vendor"
	if q.Independent {
		who = "independent"
	}
	return fmt.Sprintf("%s %s (%s, %s)", q.Benchmark, strconv.FormatFloat(*q.Value, 'f', q.Digits, 64), q.Mode, who)
}

// TestQualityRows wants each figure to stand in the source with the same
// benchmark, mode, address and side, and none of the launch models' figures to
// be left out but those that repeat another publisher's.
func TestQualityRows(t *testing.T) {
	t.Parallel()
	want := map[string]bool{}
	catalog := mustLoad(t).Catalog
	for _, r := range readCSV(t, corpus(t), "facts", "model-quality.csv") {
		_, cp, ok := catalog.Checkpoint(r["hf_id"])
		if !ok || !cp.Base || r["value"] == "" || strings.Contains(r["note"], "†") {
			continue
		}
		want[strings.Join([]string{
			r["hf_id"], r["dimension"], r["benchmark"], r["value"], r["unit"], r["mode"], r["source_url"],
			strconv.FormatBool(r["source_kind"] == "independent"),
		}, " | ")] = true
	}
	n := 0
	for _, m := range catalog.Models {
		for _, q := range m.Quality {
			n++
			key := strings.Join([]string{
				q.Checkpoint, string(q.Dimension), q.Benchmark, strconv.FormatFloat(*q.Value, 'f', q.Digits, 64), q.Unit,
				string(q.Mode), q.Source, strconv.FormatBool(q.Independent),
			}, " | ")
			if !want[key] {
				t.Errorf("not in the source: %s", key)
			}
			delete(want, key)
			if strings.Contains(q.Benchmark, "Artificial Analysis") && q.Attribution != "Artificial Analysis" {
				t.Errorf("no attribution: %s", key)
			}
		}
	}
	for key := range want {
		t.Errorf("left out: %s", key)
	}
	if n < 100 {
		t.Errorf("compared only %d figures", n)
	}
}

// TestModelFacts compares sizes, context, licence and date with the table of
// facts. Exceptions are where another source is better.
func TestModelFacts(t *testing.T) {
	t.Parallel()
	catalog := mustLoad(t).Catalog
	better := map[string]string{
		"openai/gpt-oss-20b total":   "20.9",            // the table has it rounded
		"moonshotai/Kimi-K3 licence": "Kimi K3 License", // the report gives its name
	}
	n := 0
	for _, r := range readCSV(t, corpus(t), "facts", "model-facts.csv") {
		m, _, ok := catalog.Checkpoint(r["hf_id"])
		if !ok {
			continue
		}
		n++
		check := func(what, got, want string) {
			if b, ok := better[r["hf_id"]+" "+what]; ok {
				want = b
			}
			if got != want {
				t.Errorf("%s, %s: got %q; want %q", r["hf_id"], what, got, want)
			}
		}
		check("total", amount(m.TotalParams, 1e9), r["params_total_b"])
		check("active", amount(m.ActiveParams, 1e9), r["params_active_b"])
		check("layers", amount(m.Layers, 1), r["layers"])
		check("context", amount(m.Context, 1), r["context_native"])
		check("licence", m.Licence.Value, r["licence"])
		check("released", m.Released.Value, r["release_date"])
		if heads := r["kv_heads"]; regexp.MustCompile(`^\d+$`).MatchString(heads) {
			for _, g := range m.LayerKinds {
				if g.KVHeads != 0 {
					check("kv heads", strconv.Itoa(g.KVHeads), heads)
				}
			}
		}
		for _, g := range m.LayerKinds {
			split := r["sliding_window_or_linear_layers"]
			if split == "none" || m.ID == "kimi-k3" {
				continue
			}
			for _, v := range []int{g.Count, g.Window} {
				if v != 0 && !strings.Contains(split, strconv.Itoa(v)) {
					t.Errorf("%s: no %d of the %s layers in %q", m.ID, v, g.Kind, split)
				}
			}
		}
	}
	if n < len(catalog.Models) {
		t.Errorf("compared %d rows for %d models", n, len(catalog.Models))
	}
}

// amount writes a number in multiples of unit, as the tables do.
func amount(n *facts.Number, unit float64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatFloat(n.Value/unit, 'f', -1, 64)
}

// TestSparkFacts compares the platform with the list of hardware facts.
func TestSparkFacts(t *testing.T) {
	t.Parallel()
	var hardware struct {
		Facts []struct {
			Key    string
			Value  any
			Status string
		}
		Roofline struct {
			BytesPerParam map[string]float64 `json:"bytes_per_param"`
		}
	}
	if err := json.Unmarshal(readFile(t, corpus(t), "facts", "hardware.json"), &hardware); err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{}
	status := map[string]string{}
	for _, f := range hardware.Facts {
		if v, ok := f.Value.(float64); ok {
			want[f.Key] = v
			status[f.Key] = f.Status
		}
	}
	p, _ := mustLoad(t).Catalog.Platform("dgx-spark")
	for _, c := range []struct {
		key  string
		got  *facts.Number
		unit float64
	}{
		{"memory_visible_gib", p.Memory, 1 << 30},
		{"memory_bandwidth_peak_gb_s", p.Bandwidth, 1e9},
		{"fp4_peak_tflops_dense", p.ComputeFP4, 1e12},
		{"fp8_peak_tflops_dense", p.ComputeFP8, 1e12},
		{"tdp_w", p.Power, 1},
	} {
		if got := math.Round(c.got.Value/c.unit*100) / 100; got != want[c.key] {
			t.Errorf("%s: got %v; want %v", c.key, got, want[c.key])
		}
		if !strings.HasPrefix(status[c.key], string(c.got.Status)) {
			t.Errorf("%s: status %q; want %q", c.key, c.got.Status, status[c.key])
		}
	}
	for _, f := range facts.Formats {
		if got := hardware.Roofline.BytesPerParam[f.Precision]; got != f.BytesPerParameter {
			t.Errorf("%s: %v bytes per parameter; the list says %v", f.Precision, f.BytesPerParameter, got)
		}
	}
}

// TestB300Unknown keeps what no source states unknown.
func TestB300Unknown(t *testing.T) {
	t.Parallel()
	p, _ := mustLoad(t).Catalog.Platform("dgx-b300")
	known := []*facts.Number{p.Memory, p.Bandwidth, p.MeasuredBandwidth, p.ComputeBF16, p.ComputeFP8, p.ComputeFP4, p.Power}
	if i := slices.IndexFunc(known, func(n *facts.Number) bool { return n != nil }); i >= 0 {
		t.Errorf("figure %d of the DGX-B300 is set, and no source states it", i)
	}
	if p.Accelerators != 8 {
		t.Errorf("%d accelerators; want 8", p.Accelerators)
	}
}
