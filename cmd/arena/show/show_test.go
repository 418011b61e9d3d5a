package show

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"example.org/arena/results/bundle"
	"example.org/arena/results/verdict"
)

// Nothing in a bundle reaches the terminal as a command to it, or looks like a
// line of our own.
func TestShowTextIsPlain(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../../results/bundle/testdata/example.json")
	if err != nil {
		t.Fatal(err)
	}
	b, err := bundle.Decode("example.json", data)
	if err != nil {
		t.Fatal(err)
	}
	const hostile = "\x1b[2J\u009b1m\u202e\r\nfake  line\t"
	b.Credit, b.Source.Title, b.Server.Argv[0] = hostile, hostile, hostile
	b.Notes[0].Args[0].Value = hostile
	b.Tests[0].Slug, b.Tests[0].Cells[1].Error, b.Tests[0].Cells[0].Phase = hostile, hostile, hostile
	b.Tests[1].Command.Argv[0], b.Tests[1].Stopped.Detail, b.Tests[1].Tool.Name = hostile, hostile, hostile
	b.Tests[1].Cells[0].Reported[0].Metric, b.Tests[1].Cells[0].Reported[0].Unit = hostile, hostile
	var out bytes.Buffer
	if err := Text(&out, b, data); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	if strings.ContainsAny(text, "\x1b\u009b\u202e\r\t") {
		t.Errorf("control characters in %q", text)
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "fake") {
			t.Errorf("a line of the bundle's own making: %q", line)
		}
	}
	if n := strings.Count(text, "\uFFFD[2J"); n < 10 {
		t.Errorf("found %d of the hostile texts, want all", n)
	}
}

// A run of Arena's own is shown with the figures that follow from its requests; the
// JSON stays what it is.
func TestShowOwnRun(t *testing.T) {
	t.Parallel()
	const file = "../../../results/bundle/testdata/run.json"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	b, err := bundle.Decode(file, data)
	if err != nil {
		t.Fatal(err)
	}
	var text, table bytes.Buffer
	if err := Text(&text, b, data); err != nil {
		t.Fatal(err)
	}
	if err := CSV(&table, verdict.Of(b, nil, nil, nil).Bundle); err != nil {
		t.Fatal(err)
	}
	// TTFT is 411.988 and 401.89 ms; one request of five was never sent.
	for _, want := range []string{"2/5 ok", "ttft_ms", "406.939"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the text lacks %q:\n%s", want, text.String())
		}
	}
	if strings.Contains(text.String(), "no figures") {
		t.Error("a cell has no figures")
	}
	if want := ",ttft_ms,ttft_ms,ms,2,mean,406.9"; !strings.Contains(table.String(), want) {
		t.Errorf("the table lacks %q:\n%s", want, table.String())
	}
	if len(b.Tests[0].Cells[0].Reported) != 0 {
		t.Error("the bundle was changed")
	}
}
