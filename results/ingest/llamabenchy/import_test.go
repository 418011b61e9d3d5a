package llamabenchy

import (
	"strings"
	"testing"

	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/ingesttest"
)

// withConcurrency changes the only test of such a contract.
func withConcurrency(c *contract.Contract, concurrency ...int) {
	k := c.Tests[0].Kind.(contract.Batches)
	k.Concurrency = concurrency
	c.Tests[0].Kind = k
}

// TestImportLlamaBenchy imports several accounts of one run.
func TestImportLlamaBenchy(t *testing.T) {
	t.Parallel()
	meta := ingesttest.StatedMetadata()
	meta.Test = "cached"
	bundles, err := Import([]ingest.Input{ingesttest.Fixture(t, "saved-elsewhere.txt"), ingesttest.Fixture(t, "out.json")}, meta, ingesttest.TestOptions())
	if err != nil {
		t.Fatal(err)
	}
	b := bundles[0]
	if len(bundles) != 1 || len(b.Tests) != 1 {
		t.Fatalf("%d bundles, %d tests", len(bundles), len(b.Tests))
	}
	test := b.Tests[0]
	if b.StartedAt != "2026-08-01T07:00:00Z" || test.StartedAt != b.StartedAt {
		t.Errorf("started at %s and %s: the log says 09:00 in a zone two hours ahead", b.StartedAt, test.StartedAt)
	}
	if b.Engine.Runner != "import/llama-benchy" || b.Kind != bundle.Import || len(b.Source.Files) != 2 || b.Source.Tools[0] != (bundle.Tool{Name: "llama-benchy", Version: "0.4.0"}) {
		t.Errorf("head is wrong: %+v %+v", b.Engine, b.Source)
	}
	if *test.LatencyMS != 2.1303 {
		t.Errorf("latency is %v, want the finer of the two", *test.LatencyMS)
	}
	c := test.Cells[1]
	if *c.Requests.Planned != 4 || *c.Requests.Completed != 3 || *c.Requests.Failed != 1 || c.Runs != 2 {
		t.Errorf("counts are wrong: %s", ingesttest.CellDump(c))
	}
	if _, err := bundle.Encode(b); err != nil {
		t.Errorf("cannot be written: %v", err)
	}
}

// TestImportStatesSizes: a size that no row shows is taken from the metadata, and is
// noted as unknown where nobody states it.
func TestImportStatesSizes(t *testing.T) {
	t.Parallel()
	table := ingest.Input{Name: "table.md", Data: []byte("| model | test | t/s | ttfr (ms) |\n|---|---|---|---|\n| acme/tiny | tg128 (c1) | 60.00 ± 0.40 | |\n")}
	for stated, want := range map[int]int{0: 1, 512: 0} {
		meta := ingesttest.StatedMetadata()
		meta.Test, meta.PromptTokens, meta.StartedAt = "chat", stated, "2026-08-14T10:15:00Z"
		bundles, err := Import([]ingest.Input{table}, meta, ingesttest.TestOptions())
		if err != nil {
			t.Fatal(err)
		}
		c := bundles[0].Tests[0].Cells[0]
		unknown := 0
		for _, n := range c.Notes {
			if n.Code == bundle.NoteSizeUnknown {
				unknown++
			}
		}
		if c.PromptTokens != stated || c.OutputTokens != 128 || unknown != want {
			t.Errorf("stated %d: sizes %d and %d, notes %v", stated, c.PromptTokens, c.OutputTokens, c.Notes)
		}
	}
}

// TestImportContract follows a contract that has the test.
func TestImportContract(t *testing.T) {
	t.Parallel()
	meta, opt := ingesttest.StatedMetadata(), ingesttest.TestOptions()
	meta.Contract, opt.Contract = "v9", ingesttest.ClosedContract()
	meta.Model.ServedName = "tiny-fp8"
	in := []ingest.Input{ingesttest.Fixture(t, "log.txt")}
	bundles, err := Import(in, meta, opt)
	if err != nil {
		t.Fatal(err)
	}
	test := bundles[0].Tests[0]
	if test.Slug != "context" || test.Stopped != nil || len(test.Cells) != 4 || test.Command == nil {
		t.Errorf("test is %+v", test)
	}
	if len(bundles[0].Notes) != 0 {
		t.Errorf("notes: %v", bundles[0].Notes)
	}

	withConcurrency(opt.Contract, 1, 4, 16)
	meta.Test = "context"
	if _, err = Import(in, meta, opt); err == nil || !strings.Contains(err.Error(), "does not follow contract v9: the command says --concurrency 1 4, the contract 1 4 16") {
		t.Errorf("got %v", err)
	}
	withConcurrency(opt.Contract, 1)
	if _, err = Import(in, meta, opt); err == nil || !strings.Contains(err.Error(), "context has no cell with 256 prompt tokens, 64 output tokens, depth 0 and concurrency 4") {
		t.Errorf("got %v", err)
	}
}

// TestImportMessages checks what a person is told who left something out or
// stated something else.
func TestImportMessages(t *testing.T) {
	t.Parallel()
	one := []string{"columns-7-depth.md"}
	for name, c := range map[string]struct {
		files []string
		edit  func(*ingest.Metadata, *ingest.Options)
		say   []string
	}{
		"nothing stated": {one, func(m *ingest.Metadata, o *ingest.Options) { *m = ingest.Metadata{} }, []string{"neither the files nor the metadata say: test, platform,", "--metadata FILE.toml"}},
		"no test":        {one, func(m *ingest.Metadata, o *ingest.Options) {}, []string{`test = "chat"`}},
		"no zone": {[]string{"columns-6.md"}, func(m *ingest.Metadata, o *ingest.Options) { m.Test, m.Zone = "chat", nil }, []string{
			"started_at",
		}},
		"several tables": {[]string{"two-tables.md"}, func(m *ingest.Metadata, o *ingest.Options) { m.Test = "chat" }, []string{
			"two-tables.md:3: table 1 of 2 in this file (tiny pp512 tg64 @ d0 (c1))", "two-tables.md:13: table 2 of 2", "[[tests]]", "table = 1",
		}},
		"two models": {[]string{"two-tables.md"}, func(m *ingest.Metadata, o *ingest.Options) {
			m.Tests = []ingest.TestMetadata{{File: "two-tables.md", Slug: "chat"}}
		}, []string{`two-tables.md:3: model: "tiny" here, but "small" in two-tables.md:13`, `version: "0.3.1" here, but "0.3.2"`, "pp t/s: 2100 here, but 1100"}},
		"no figures": {[]string{"saved-elsewhere.txt"}, func(m *ingest.Metadata, o *ingest.Options) { m.Test = "chat" }, []string{
			"shows which tests ran, but no figures", "the tool saved them to out.json: import that file together with this one",
		}},
		"accounts that differ": {[]string{"json-in-log.txt", "progress.jsonl"}, func(m *ingest.Metadata, o *ingest.Options) { m.Test = "chat" }, []string{
			"pp512 tg64 @ d0 (c1) completed requests: 2 here, but 0 in progress.jsonl:1",
		}},
		"cells that differ": {[]string{"columns-7-depth.md", "several-generation-lengths.md"}, func(m *ingest.Metadata, o *ingest.Options) { m.Test = "chat" }, []string{
			"cells: pp512 tg64 @ d0 (c1), pp512 tg64 @ d1024 (c1) here, but pp512 tg64 @ d0 (c1), pp512 tg128 @ d0 (c1) in several-generation-lengths.md:1",
		}},
		"another model": {one, func(m *ingest.Metadata, o *ingest.Options) { m.Test, m.Model.ID = "chat", "acme/other" }, []string{
			`model: meta.toml says "acme/other", but columns-7-depth.md:1 says "acme/tiny"`,
		}},
		"another tool": {one, func(m *ingest.Metadata, o *ingest.Options) { m.Test, m.Tool.Name = "chat", "llama-bench" }, []string{
			`tool.name: is "llama-bench", but columns-7-depth.md:1 was written by llama-benchy`,
		}},
		"another version": {[]string{"columns-6.md"}, func(m *ingest.Metadata, o *ingest.Options) { m.Test, m.Tool.Version = "chat", "0.4.0" }, []string{
			`tool.version: columns-6.md:1 says "0.1.2", but meta.toml says "0.4.0"`,
		}},
		"no such test": {one, func(m *ingest.Metadata, o *ingest.Options) { m.Test, o.Contract = "chat", ingesttest.ClosedContract() }, []string{`contract v9 has no test "chat"`}},
		"fits no test": {one, func(m *ingest.Metadata, o *ingest.Options) { o.Contract = ingesttest.ClosedContract() }, []string{"columns-7-depth.md:1: fits no test of contract v9"}},
		"faults of all files": {[]string{"refused-not-ours.md", "refused-header-only.md"}, func(m *ingest.Metadata, o *ingest.Options) {}, []string{
			"refused-not-ours.md:3: ", "refused-header-only.md:1: ",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			meta, opt := ingesttest.StatedMetadata(), ingesttest.TestOptions()
			meta.Model.ServedName = ""
			c.edit(&meta, &opt)
			var inputs []ingest.Input
			for _, f := range c.files {
				inputs = append(inputs, ingesttest.Fixture(t, ""+f))
			}
			_, err := Import(inputs, meta, opt)
			if err == nil {
				t.Fatal("imported")
			}
			for _, say := range c.say {
				if !strings.Contains(err.Error(), say) {
					t.Errorf("got:\n%v\nwant it to say %q", err, say)
				}
			}
		})
	}
}

// TestImportOneTable picks one table of a file.
func TestImportOneTable(t *testing.T) {
	t.Parallel()
	meta := ingesttest.StatedMetadata()
	meta.Model.ServedName = "small"
	meta.Tests = []ingest.TestMetadata{{File: "two-tables.md", Table: 2, Slug: "chat", Argv: []string{"llama-benchy", "--pp", "512"}}}
	bundles, err := Import([]ingest.Input{ingesttest.Fixture(t, "two-tables.md")}, meta, ingesttest.TestOptions())
	if err != nil {
		t.Fatal(err)
	}
	b := bundles[0]
	if len(b.Tests) != 1 || b.Tests[0].Tool.Version != "0.3.2" || len(b.Tests[0].Command.Argv) != 3 {
		t.Errorf("test is %+v", b.Tests)
	}
	if len(b.Notes) != 1 || b.Notes[0].Code != bundle.NoteTableLeftOut || b.Notes[0].Args[1].Value != "3" {
		t.Errorf("notes: %v", b.Notes)
	}
}

// TestImportStoppedEarly finds fewer cells than the command asks for.
func TestImportStoppedEarly(t *testing.T) {
	t.Parallel()
	meta := ingesttest.StatedMetadata()
	meta.Test = "context"
	text := string(ingesttest.Fixture(t, "log.txt").Data)
	for _, c := range []struct {
		concurrency string
		stopped     bool
	}{{"1 4", false}, {"1 4 16", true}} {
		in := ingest.Input{Name: "log.txt", Data: []byte(strings.Replace(text, "--concurrency 1 4", "--concurrency "+c.concurrency, 1))}
		bundles, err := Import([]ingest.Input{in}, meta, ingesttest.TestOptions())
		if err != nil {
			t.Fatal(err)
		}
		if test := bundles[0].Tests[0]; (test.Stopped != nil) != c.stopped || len(test.Cells) != 4 {
			t.Errorf("with concurrency %s: stopped %v after %d cells", c.concurrency, test.Stopped, len(test.Cells))
		}
	}
}

// TestImportStatedSizes adds a prompt size that only the metadata states.
func TestImportStatedSizes(t *testing.T) {
	t.Parallel()
	meta := ingesttest.StatedMetadata()
	meta.Test, meta.PromptTokens = "chat", 1024
	in := ingest.Input{Name: "t.csv", Data: []byte("model,test_name,t_s_mean,t_s_std\ntiny,tg64 (c2),40.5,1\n")}
	if _, err := Import([]ingest.Input{in}, meta, ingesttest.TestOptions()); err == nil || !strings.Contains(err.Error(), "started_at") {
		t.Errorf("a CSV has no time, but: %v", err)
	}
	meta.StartedAt = "2026-08-01T00:00:00Z"
	bundles, err := Import([]ingest.Input{in}, meta, ingesttest.TestOptions())
	if err != nil {
		t.Fatal(err)
	}
	c := bundles[0].Tests[0].Cells[0]
	if c.PromptTokens != 1024 || len(c.Notes) != 1 || c.Notes[0].Code != bundle.NoteRowsMissing {
		t.Errorf("cell is %s", ingesttest.CellDump(c))
	}
}
