package bundle

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/arena/results/metric"
)

func TestValidateAcceptsSample(t *testing.T) {
	t.Parallel()
	if err := Validate(sample()); err != nil {
		t.Error(err)
	}
}

// run returns a sample that is a complete run.
func run() *Bundle {
	b := sample()
	b.Kind = Run
	b.Source = nil
	b.Engine.Runner = "native"
	b.Model.Revision = strings.Repeat("3d", 20)
	b.Server.PrefixCachingVerified = "no hits counted"
	b.Host.OS, b.Host.Kernel, b.Host.MemoryBytes = "Ubuntu 24.04", "6.14.0", 128<<30
	return b
}

func TestValidateAcceptsKinds(t *testing.T) {
	t.Parallel()
	if err := Validate(run()); err != nil {
		t.Errorf("run: %v", err)
	}
	b := run()
	b.Kind = Simulated
	b.Host, b.Engine.Revision, b.Contract.Revision = Host{}, "", ""
	if err := Validate(b); err != nil {
		t.Errorf("simulated: %v", err)
	}
	b = sample()
	b.Contract, b.Licence, b.Draft, b.Host = nil, NoLicence, nil, Host{}
	if err := Validate(b); err != nil {
		t.Errorf("import without a contract: %v", err)
	}
}

func TestValidateFaults(t *testing.T) {
	t.Parallel()
	type edit func(*Bundle)
	chat := func(f func(*Test)) edit { return func(b *Bundle) { f(&b.Tests[0]) } }
	sweep := func(f func(*Test)) edit { return func(b *Bundle) { f(&b.Tests[1]) } }
	rung := func(f func(*Cell)) edit { return func(b *Bundle) { f(&b.Tests[1].Cells[0]) } }
	ttft := func(f func(*Figure)) edit { return func(b *Bundle) { f(&b.Tests[1].Cells[0].Reported[0]) } }
	nan := math.NaN()
	cases := []struct {
		key  string
		edit edit
	}{
		{"/format", func(b *Bundle) { b.Format = 9 }},
		{"/kind", func(b *Bundle) { b.Kind = "guess" }},
		{"/started_at", func(b *Bundle) { b.StartedAt = "yesterday" }},
		{"/supersedes", func(b *Bundle) { b.Supersedes = "abc" }},
		{"/platform", func(b *Bundle) { b.Platform = "DGX Spark" }},
		{"/profile", func(b *Bundle) { b.Profile = "" }},
		{"/licence", func(b *Bundle) { b.Licence = "" }},
		{"/licence", func(b *Bundle) { b.Licence = "all rights, reserved" }},
		{"/credit", func(b *Bundle) { b.Credit = "" }},
		{"/contract/version", func(b *Bundle) { b.Contract.Version = "" }},
		{"/contract/sha256", func(b *Bundle) { b.Contract.SHA256 = strings.Repeat("G", 64) }},
		{"/contract/sha256", func(b *Bundle) { b.Contract.SHA256 = "" }},
		{"/contract/revision", func(b *Bundle) { b.Contract.Revision = "5e5e" }},
		{"/engine/version", func(b *Bundle) { b.Engine.Version = "" }},
		{"/engine/go", func(b *Bundle) { b.Engine.Go = "" }},
		{"/engine/revision", func(b *Bundle) { b.Engine.Revision = strings.Repeat("A", 40) }},
		{"/engine/runner", func(b *Bundle) { b.Engine.Runner = "" }},
		{"/engine/runner", func(b *Bundle) { b.Engine.Runner = "native" }},
		{"/engine/runner", func(b *Bundle) { b.Engine.Runner = "import/" }},
		{"/source", func(b *Bundle) { b.Source = nil }},
		{"/source/url", func(b *Bundle) { b.Source.URL, b.Source.Title = "", "" }},
		{"/source/url", func(b *Bundle) { b.Source.URL = "javascript:alert(1)" }},
		{"/source/retrieved_at", func(b *Bundle) { b.Source.RetrievedAt = "1 November" }},
		{"/source/tools/1/name", func(b *Bundle) { b.Source.Tools[1].Name = "" }},
		{"/source/files/0/name", func(b *Bundle) { b.Source.Files[0].Name = "../../etc/passwd" }},
		{"/source/files/0/name", func(b *Bundle) { b.Source.Files[0].Name = "/etc/passwd" }},
		{"/source/files/0/name", func(b *Bundle) { b.Source.Files[0].Name = `C:\x` }},
		{"/source/files/0/name", func(b *Bundle) { b.Source.Files[0].Name = "" }},
		{"/source/files/0/sha256", func(b *Bundle) { b.Source.Files[0].SHA256 = "12" }},
		{"/source/files/0/bytes", func(b *Bundle) { b.Source.Files[0].Bytes = -1 }},
		{"/source/files/1/name", func(b *Bundle) { b.Source.Files = append(b.Source.Files, b.Source.Files[0]) }},
		{"/model/id", func(b *Bundle) { b.Model.ID = "../x" }},
		{"/model/revision", func(b *Bundle) { b.Model.Revision = "main" }},
		{"/draft/method", func(b *Bundle) { b.Draft.Method = "" }},
		{"/draft/revision", func(b *Bundle) { b.Draft.Revision = "main" }},
		{"/draft/tokens_per_step", func(b *Bundle) { b.Draft.TokensPerStep = -3 }},
		{"/server/name", func(b *Bundle) { b.Server.Name = "" }},
		{"/server/image_digest", func(b *Bundle) { b.Server.ImageDigest = "sha256:12" }},
		{"/server/image_digest", func(b *Bundle) { b.Server.ImageDigest = "md5:12" }},
		{"/server/env/0/name", func(b *Bundle) { b.Server.Env[0].Name = "" }},
		{"/server/settings/1/name", func(b *Bundle) { slices.Reverse(b.Server.Settings) }},
		{"/server/settings/1/name", func(b *Bundle) { b.Server.Settings[1] = b.Server.Settings[0] }},
		{"/server/prefix_caching", func(b *Bundle) { b.Server.PrefixCaching, b.Server.PrefixCachingVerified = nil, "counted" }},
		{"/host/gpus", func(b *Bundle) { b.Host.GPUs = -1 }},
		{"/host/memory_bytes", func(b *Bundle) { b.Host.MemoryBytes = -1 }},
		{"/tests", func(b *Bundle) { b.Tests = nil }},
		{"/notes/0/code", func(b *Bundle) { b.Notes[0].Code = "Free text" }},
		{"/notes/0/args/1/name", func(b *Bundle) { b.Notes[0].Args[1].Name = "" }},

		{"/tests/0/slug", chat(func(t *Test) { t.Slug = "../chat" })},
		{"/tests/1/slug", sweep(func(t *Test) { t.Slug = "chat" })},
		{"/tests/0/started_at", chat(func(t *Test) { t.StartedAt = "2026-08-14T10:14:59Z" })},
		{"/tests/0/started_at", chat(func(t *Test) { t.StartedAt = "10:15" })},
		{"/tests/0/tool/name", chat(func(t *Test) { t.Tool.Name = "" })},
		{"/tests/1/command/argv", sweep(func(t *Test) { t.Command.Argv = nil })},
		{"/tests/1/stopped/reason", sweep(func(t *Test) { t.Stopped.Reason = "bored" })},
		{"/tests/0/latency_ms", chat(func(t *Test) { t.LatencyMS = new(-1.0) })},
		{"/tests/0/files/0/sha256", chat(func(t *Test) { t.Files[0].SHA256 = "" })},
		{"/tests/0/cells/1/phase", chat(func(t *Test) { t.Cells[1].Phase = "warm" })},
		{"/tests/0/cells/0/concurrency", chat(func(t *Test) { t.Cells[0].Concurrency = -1 })},
		{"/tests/0/cells/0/runs", chat(func(t *Test) { t.Cells[0].Runs = -1 })},
		{"/tests/0/telemetry/power_w", chat(func(t *Test) { t.Telemetry.PowerW = t.Telemetry.PowerW[:2] })},
		{"/tests/0/telemetry/power_w", chat(func(t *Test) { t.Telemetry.PowerW = make([]*float64, 3) })},
		{"/tests/0/telemetry/offset_s", chat(func(t *Test) { t.Telemetry = &Telemetry{} })},
		{"/tests/0/telemetry/offset_s/2", chat(func(t *Test) { t.Telemetry.OffsetS[2] = 0.5 })},
		{"/tests/0/telemetry/utilisation_percent/1", chat(func(t *Test) { t.Telemetry.UtilisationPct[1] = new(101.0) })},

		{"/tests/1/cells/0/prompt_tokens", rung(func(c *Cell) { c.PromptTokens = -1 })},
		{"/tests/1/cells/0/output_tokens", rung(func(c *Cell) { c.OutputTokens = -1 })},
		{"/tests/1/cells/0/depth_tokens", rung(func(c *Cell) { c.DepthTokens = -1 })},
		{"/tests/1/cells/0/max_concurrency", rung(func(c *Cell) { c.MaxConcurrency = -1 })},
		{"/tests/1/cells/0/request_rate_per_s", rung(func(c *Cell) { *c.RequestRate = 0 })},
		{"/tests/1/cells/0/burstiness", rung(func(c *Cell) { *c.Burstiness = Rate(nan) })},
		{"/tests/1/cells/0/started_at", rung(func(c *Cell) { c.StartedAt = "now" })},
		{"/tests/1/cells/0/ended_at", rung(func(c *Cell) { c.EndedAt = "2026-08-14T11:40:11Z" })},
		{"/tests/1/cells/0/requests/failed", rung(func(c *Cell) { *c.Requests.Failed = -1 })},
		{"/tests/1/cells/0/requests/planned", rung(func(c *Cell) { *c.Requests.Planned = 29 })},
		{"/tests/1/cells/0/tokens/input", rung(func(c *Cell) { *c.Tokens.Input = -1 })},
		{"/tests/1/cells/0/tokens/output", rung(func(c *Cell) { *c.Tokens.Output = -1 })},
		{"/tests/1/cells/0/draft/drafts", rung(func(c *Cell) { c.Draft.Drafts = -1 })},
		{"/tests/1/cells/0/draft/acceptance_ratio", rung(func(c *Cell) { *c.Draft.AcceptanceRatio = 35.7 })},
		{"/tests/1/cells/0/draft/acceptance_length", rung(func(c *Cell) { *c.Draft.AcceptanceLength = 0.5 })},
		{"/tests/1/cells/0/draft/per_position/2", rung(func(c *Cell) { c.Draft.PerPosition[2] = 1.5 })},
		{"/tests/1/cells/0/notes/0/code", rung(func(c *Cell) { c.Notes = []Note{{}} })},

		{"/tests/1/cells/0/reported/0/metric", ttft(func(f *Figure) { f.Metric = "speed" })},
		{"/tests/1/cells/0/reported/0/unit", ttft(func(f *Figure) { f.Unit = metric.TokensPerS })},
		{"/tests/1/cells/0/reported/0/name", ttft(func(f *Figure) { f.Name = "" })},
		{"/tests/1/cells/0/reported/0/n", ttft(func(f *Figure) { f.N = -1 })},
		{"/tests/1/cells/0/reported/0/n", ttft(func(f *Figure) { f.Values = []float64{1} })},
		{"/tests/1/cells/0/reported/0/std", ttft(func(f *Figure) { f.Std, f.StdKind = new(nan), "sample" })},
		{"/tests/1/cells/0/reported/0/std", ttft(func(f *Figure) { f.StdKind = "sample" })},
		{"/tests/1/cells/0/reported/0/std_kind", ttft(func(f *Figure) { f.Std = new(1.0) })},
		{"/tests/1/cells/0/reported/0/std_kind", ttft(func(f *Figure) { f.Std, f.StdKind = new(1.0), "robust" })},
		{"/tests/1/cells/0/reported/0/percentiles/0/p", ttft(func(f *Figure) { f.Percentiles[0].P = 0 })},
		{"/tests/1/cells/0/reported/0/percentiles/2/p", ttft(func(f *Figure) { f.Percentiles[2].P = 100 })},
		{"/tests/1/cells/0/reported/0/percentiles/1/p", ttft(func(f *Figure) { f.Percentiles[1].P = 50 })},
		{"/tests/1/cells/0/reported/0/value", ttft(func(f *Figure) { *f = Figure{Metric: f.Metric, Name: f.Name, Unit: f.Unit, N: 29} })},
		{"/tests/1/cells/0/reported/1/name", ttft(func(f *Figure) { f.Metric, f.Name, f.Unit = metric.Output, "output_throughput", metric.TokensPerS })},

		{"/tests/1/cells/0/reported/1/value", rung(func(c *Cell) { *c.Reported[1].Value = -45.5 })},
		{"/tests/1/cells/0/reported/1/value", rung(func(c *Cell) { *c.Reported[1].Value = 1.5e12 })},
		{"/tests/1/cells/0/reported/0/mean", ttft(func(f *Figure) { *f.Mean = 600 })},
		{"/tests/1/cells/0/reported/0/mean", ttft(func(f *Figure) { *f.Mean = 1913 })},
		{"/tests/0/cells/0/reported/0/mean", chat(func(t *Test) { *t.Cells[0].Reported[0].Mean = 39 })},
		{"/tests/0/cells/0/reported/0/mean", chat(func(t *Test) { *t.Cells[0].Reported[0].Mean = 37 })},
		{"/tests/0/cells/0/reported/0/std", chat(func(t *Test) { *t.Cells[0].Reported[0].Std = -0.5 })},
		{"/tests/0/cells/0/reported/1/mean", chat(func(t *Test) { *t.Cells[0].Reported[1].Mean = -412 })},
		{"/tests/0/cells/0/reported/1/mean", chat(func(t *Test) { f := &t.Cells[0].Reported[1]; f.Unit, *f.Mean = metric.Second, 2e9 })},
		{"/tests/1/cells/0/reported/0/min", ttft(func(f *Figure) { *f.Min = -1 })},
		{"/tests/1/cells/0/reported/0/percentiles/0/value", ttft(func(f *Figure) { *f.Min = 800 })},
		{"/tests/1/cells/0/reported/0/percentiles/1/value", ttft(func(f *Figure) { f.Percentiles[1].Value = 700 })},
		{"/tests/1/cells/0/reported/0/percentiles/2/value", ttft(func(f *Figure) { f.Percentiles[2].Value = 1500 })},
		{"/tests/1/cells/0/reported/0/max", ttft(func(f *Figure) { *f.Max = 1900 })},
		{"/tests/1/cells/0/reported/0/median", ttft(func(f *Figure) { *f.Median = 780 })},
		{"/tests/1/cells/0/reported/1/value", rung(func(c *Cell) {
			c.Reported[1] = Figure{Metric: metric.AcceptanceRate, Name: "a", Unit: metric.Ratio, Value: new(1.01)}
		})},
		{"/tests/1/cells/0/reported/1/values/1", rung(func(c *Cell) {
			c.Reported[1] = Figure{Metric: metric.AcceptanceRate, Name: "a", Unit: metric.Ratio, Values: []float64{0.5, -0.1}}
		})},
		{"/tests/1/cells/0/reported/1/value", rung(func(c *Cell) {
			c.Reported[1] = Figure{Metric: metric.AcceptanceLength, Name: "a", Unit: metric.TokensPerStep, Value: new(0.99)}
		})},
		{"/tests/1/cells/0/prompt_tokens", rung(func(c *Cell) { c.PromptTokens = 2e12 })},
		{"/tests/1/cells/0/request_rate_per_s", rung(func(c *Cell) { *c.RequestRate = 2e12 })},
		{"/tests/1/cells/0/tokens/input", rung(func(c *Cell) { *c.Tokens.Input = 2e12 })},
		{"/tests/1/cells/0/draft/accepted_tokens", rung(func(c *Cell) { c.Draft.AcceptedTokens = 21001 })},
		{"/tests/0/latency_ms", chat(func(t *Test) { t.LatencyMS = new(2e12) })},
		{"/tests/0/telemetry/power_w/0", chat(func(t *Test) { t.Telemetry.PowerW[0] = new(-41.5) })},
		{"/tests/0/telemetry/temperature_c/0", chat(func(t *Test) { t.Telemetry.TemperatureC[0] = new(-300.0) })},
		{"/tests/0/telemetry/offset_s/2", chat(func(t *Test) { t.Telemetry.OffsetS[2] = 2e12 })},

		{"/tests/1/sweep/aborted_at_per_s", sweep(func(t *Test) { *t.Sweep.AbortedAtPerS = -1 })},
		{"/tests/1/sweep/capacities/1/limit_ms", sweep(func(t *Test) { t.Sweep.Capacities[1].LimitMS = 2e12 })},
		{"/tests/1/sweep/knee_per_s", sweep(func(t *Test) { *t.Sweep.KneePerS = -1 })},
		{"/tests/1/sweep/capacities/0/limit_ms", sweep(func(t *Test) { t.Sweep.Capacities[0].LimitMS = 0 })},
		{"/tests/1/sweep/capacities/1/limit_ms", sweep(func(t *Test) { t.Sweep.Capacities[1].LimitMS = 2000 })},
		{"/tests/1/sweep/capacities/0/rate_per_s", sweep(func(t *Test) { *t.Sweep.Capacities[0].RatePerS = -1 })},
	}
	for _, c := range cases {
		b := sample()
		c.edit(b)
		faults := validate(b)
		if len(faults) != 1 || faults[0].Key != c.key {
			t.Errorf("want one fault at %s, got:\n%v", c.key, faults)
		}
	}
}

// Sources print with different numbers of digits: what is equal but for that is no
// contradiction, and a limit itself is allowed.
func TestValidateAcceptsLimits(t *testing.T) {
	t.Parallel()
	b := sample()
	f := &b.Tests[1].Cells[0].Reported[0]
	*f = Figure{
		Metric: metric.TTFT, Name: f.Name, Unit: f.Unit, Mean: new(700.0000001), Min: new(700.0), Median: new(700.0),
		Max: new(700.0), Percentiles: []Percentile{{50, 700.0000002}, {95, 700.0000001}, {99, 700}},
	}
	b.Tests[1].Cells[0].Reported = append(b.Tests[1].Cells[0].Reported,
		Figure{Metric: metric.AcceptanceRate, Name: "r", Unit: metric.Ratio, Values: []float64{0, 1}},
		Figure{Metric: metric.AcceptanceLength, Name: "l", Unit: metric.TokensPerStep, Value: new(1.0)},
		Figure{Metric: metric.Total, Name: "t", Unit: metric.TokensPerS, Value: new(1e12)},
		Figure{Metric: metric.Decode, Name: "d", Unit: metric.TokensPerS, Value: new(0.0)})
	b.Tests[0].Telemetry.TemperatureC[0] = new(-4.5)
	if err := Validate(b); err != nil {
		t.Error(err)
	}
}

// A run states what an import may leave out.
func TestValidateRunPins(t *testing.T) {
	t.Parallel()
	b := &Bundle{Format: 1, Kind: Run}
	var keys []string
	for _, f := range validate(b) {
		keys = append(keys, f.Key)
	}
	for _, want := range []string{
		"/started_at", "/platform", "/profile", "/licence", "/credit", "/contract",
		"/engine/version", "/engine/revision", "/engine/runner", "/engine/go",
		"/model/id", "/model/revision", "/model/quantisation", "/model/licence",
		"/server/name", "/server/version", "/server/prefix_caching", "/server/prefix_caching_verified",
		"/host/gpu", "/host/driver", "/host/os", "/host/kernel", "/host/memory_bytes", "/tests",
	} {
		if !slices.Contains(keys, want) {
			t.Errorf("an empty run has no fault at %s", want)
		}
	}
	b = run()
	b.Source = sample().Source
	b.Contract.Revision = ""
	got := Validate(b).Error()
	for _, want := range []string{"/source: only an import has a source", "/contract/revision: is missing"} {
		if !strings.Contains(got, want) {
			t.Errorf("faults = %s\nwant %s", got, want)
		}
	}
}

// Check gives every fault its line, also one whose key is missing.
func TestCheckLocates(t *testing.T) {
	t.Parallel()
	b := sample()
	b.Credit = ""
	b.Server.Name = ""
	b.Tests[0].Cells[1].Phase = "warm"
	b.Tests[1].Command = &Command{}
	b.Contract = nil
	b.Kind = Run
	data, err := Encode(b)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	_, faults := Check("dir/x.json", data)
	want := map[string]string{ // key of the fault → what its line holds
		"/credit":                `"credit": ""`,
		"/contract":              `{`,
		"/server/name":           `"name": ""`,
		"/model/revision":        `"model": {`,
		"/tests/0/cells/1/phase": `"phase": "warm"`,
		"/tests/1/command/argv":  `"argv": []`,
	}
	for _, f := range faults {
		text, ok := want[f.Key]
		if !ok {
			continue
		}
		if f.File != "dir/x.json" || f.Line < 1 || !strings.Contains(lines[f.Line-1], text) {
			t.Errorf("%v points to %q, want %q", f, lines[f.Line-1], text)
		}
		delete(want, f.Key)
	}
	for key := range want {
		t.Errorf("no fault at %s in:\n%v", key, faults)
	}
}

// Every published bundle stays valid, whatever is checked later.
func TestPublishedBundlesStayValid(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../bundles/*/*/*/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("found no bundles: %v", err)
	}
	for _, file := range append(files, "testdata/format-1.json") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, faults := Check(file, data); len(faults) > 0 {
			t.Error(faults)
		}
	}
}
