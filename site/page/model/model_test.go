package model_test

import (
	"testing"

	"example.org/arena/content"
	"example.org/arena/i18n"
	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
	"example.org/arena/site/chart"
	"example.org/arena/site/page/model"
	"example.org/arena/site/page/pagetest"
	"example.org/arena/site/render"
)

// body makes the page of the configuration that the first bundle stands on.
func body(t *testing.T, l i18n.Lang, c *content.Content, bundles ...*bundle.Bundle) render.Model {
	t.Helper()
	s := pagetest.Site(t, c, bundles...)
	conf, ok := s.ByBundle(pagetest.ID(0))
	if !ok {
		t.Fatal("the bundle has no page")
	}
	run, err := s.Run(conf)
	if err != nil {
		t.Fatal(err)
	}
	return model.Page(s, conf, run, pagetest.Printer(t, l)).Body.(render.Model)
}

func TestPage(t *testing.T) {
	t.Parallel()
	c := pagetest.Content(t, nil)
	for l, want := range map[i18n.Lang]struct{ verdict, precision string }{
		i18n.EN: {"One user gets 40.0 tok/s. 10 requests at once reach 200.0 tok/s together. It sustains ≥ 0.5 req/s", "BF16"},
		i18n.NL: {"40,0 tok/s", "BF16"},
		i18n.FR: {"40,0", "BF16"},
	} {
		b := body(t, l, c, pagetest.Bundle(c, "fast", 40))
		if b.Heading != "Tiny 8B" || b.Configuration != "fast" {
			t.Errorf("%s: heading %s, configuration %s", l, b.Heading, b.Configuration)
		}
		pagetest.Want(t, b.Verdict, want.verdict)
		pagetest.Want(t, b.Setup, want.precision, "vllm 0.26.0", "Desk One", "A desk <with> a machine")
		pagetest.Want(t, b.Provenance, pagetest.ID(0), "Made-up runs", "https://source.test/runs", "CC-BY-4.0")
		pagetest.Want(t, b.Downloads, "/data/bundles/desk/0.json", "/data/runs/desk/Example--Tiny-8B/fast.csv")
		if len(b.Figures) != 5 || len(b.Tests) != 2 || len(b.TOC) != 2 {
			t.Errorf("%s: %d figures, %d tests, %d entries of contents", l, len(b.Figures), len(b.Tests), len(b.TOC))
		}
		if b.ServerCommand == nil || b.ServerCommand.Text != "--max-num-seqs 64" {
			t.Errorf("%s: server command %+v", l, b.ServerCommand)
		}
		if b.Siblings != nil || b.History != nil || b.Telemetry != nil || b.Client != nil {
			t.Errorf("%s: the page shows something that there is nothing of", l)
		}
	}
}

// Each test has its tables and its charts, to be drawn later.
func TestTests(t *testing.T) {
	t.Parallel()
	c := pagetest.Content(t, nil)
	b := body(t, i18n.EN, c, pagetest.Bundle(c, "fast", 40))
	chat, sweep := b.Tests[0], b.Tests[1]
	if chat.ID != "test-chat" || chat.Number != "01" || chat.StatusClass != "" {
		t.Errorf("chat: %s, %s, %q", chat.ID, chat.Number, chat.StatusClass)
	}
	if len(chat.Tables) != 1 || len(chat.Tables[0].Rows) != 2 {
		t.Fatalf("chat has tables %+v", chat.Tables)
	}
	pagetest.Want(t, chat.Tables[0].Rows[1], "200.0", "± 0.5", "1,800")
	if len(chat.Charts) != 1 || chat.Charts[0].ID != "chart-chat-1" {
		t.Fatalf("chat has charts %+v", chat.Charts)
	}
	if _, ok := chat.Charts[0].Spec.(chart.Bar); !ok || chat.Charts[0].Wide != "" {
		t.Errorf("chart %+v: want bars that are not drawn yet", chat.Charts[0])
	}
	if line, ok := sweep.Charts[0].Spec.(chart.Line); !ok || len(line.Limits) != 3 || len(line.X.Ticks) != 2 {
		t.Errorf("chart of the sweep %+v", sweep.Charts[0].Spec)
	}
	if len(sweep.Tables) != 2 {
		t.Fatalf("the sweep has %d tables, want its rungs and its capacity", len(sweep.Tables))
	}
	pagetest.Want(t, sweep.Tables[1].Rows, "≥ 0.5")
}

// What is wrong with a test stands with it.
func TestUnfinishedTests(t *testing.T) {
	t.Parallel()
	c := pagetest.Content(t, nil)
	in := pagetest.Bundle(c, "fast", 40)
	in.Tests[0].Cells = in.Tests[0].Cells[:1]
	in.Tests[0].Stopped = &bundle.Stop{Reason: bundle.StopInterrupted}
	in.Tests[0].Notes = []bundle.Note{{Code: "nobody_knows", Args: []bundle.Setting{{Name: "a", Value: "b"}}}}
	in.Tests[1].Cells = nil
	b := body(t, i18n.EN, c, in)
	if chat := b.Tests[0]; chat.StatusClass != "part" {
		t.Errorf("chat has the mark %q", chat.StatusClass)
	}
	pagetest.Want(t, b.Tests[0].Status, "1 of 2")
	pagetest.Want(t, b.Tests[0].Reasons, "ended before this test was over", "nobody_knows a=b")
	if b.Tests[1].StatusClass != "none" || b.Tests[1].Tables != nil {
		t.Errorf("a test without data has the mark %q", b.Tests[1].StatusClass)
	}
}

// A reader sees what does not count before any number.
func TestMarks(t *testing.T) {
	t.Parallel()
	retraction := map[string]string{"retractions/" + pagetest.ID(0) + ".toml": `reason = "measurement_error"
date = "2026-08-20"

[text]
nl = "De fout."
en = "The mistake."
fr = "La faute."
`}
	c := pagetest.Content(t, retraction)
	b := body(t, i18n.EN, c, pagetest.Bundle(c, "fast", 40))
	if len(b.Marks) != 1 {
		t.Fatalf("marks %q, want one", b.Marks)
	}
	pagetest.Want(t, b.Marks, "The mistake.")

	c = pagetest.Content(t, nil)
	simulated := pagetest.Bundle(c, "fast", 40)
	simulated.Kind, simulated.Source = bundle.Simulated, nil
	pagetest.Want(t, body(t, i18n.EN, c, simulated).Marks, "Simulated")
}

// The other configurations of the model stand beside this one, with what tells them
// apart.
func TestSiblings(t *testing.T) {
	t.Parallel()
	c := pagetest.Content(t, nil)
	other := pagetest.Bundle(c, "fp8", 70)
	other.Model.ID = "Example/Tiny-8B-FP8"
	stranger := pagetest.Bundle(c, "fast", 99)
	stranger.Model.ID = "Someone/Else"
	older := pagetest.Bundle(c, "fast", 38)
	older.StartedAt = "2026-07-01T00:00:00Z"
	b := body(t, i18n.EN, c, pagetest.Bundle(c, "fast", 40), other, stranger, older)
	if b.Siblings == nil || len(b.Siblings.Rows) != 2 {
		t.Fatalf("siblings %+v", b.Siblings)
	}
	pagetest.Want(t, b.Siblings.Rows[1], "Tiny 8B fp8", "/en/models/Example--Tiny-8B-FP8/fp8/", "70.0", "350.0")
	pagetest.WantNone(t, b.Siblings, "99.0")
	if b.History == nil || len(b.History.Rows) != 2 {
		t.Fatalf("history %+v", b.History)
	}
	pagetest.Want(t, b.History.Rows[1], pagetest.ID(3)[:12], "1 July 2026")
}

// A measurement without a contract says what it says.
func TestWithoutContract(t *testing.T) {
	t.Parallel()
	c := pagetest.Content(t, nil)
	in := pagetest.Bundle(c, "fast", 40)
	in.Contract = nil
	in.Tests = in.Tests[:1]
	for i, speed := range []float64{30, 12} {
		cell := &in.Tests[0].Cells[i]
		cell.Reported = append(cell.Reported, bundle.Figure{Metric: metric.OutputRequest, Name: "tok/s", Unit: metric.TokensPerS, N: 3, Mean: new(speed)})
	}
	b := body(t, i18n.EN, c, in)
	pagetest.Want(t, b.Verdict, "30.0 tok/s", "12.0 tok/s")
	if len(b.Figures) != 1 {
		t.Errorf("%d figures, want the weights alone", len(b.Figures))
	}
}

// What the server's commands were is told as it was recorded, or reconstructed.
func TestCommands(t *testing.T) {
	t.Parallel()
	c := pagetest.Content(t, nil)
	in := pagetest.Bundle(c, "fast", 40)
	in.Tests[0].Command = &bundle.Command{Argv: []string{"arena", "bench", "a b"}}
	b := body(t, i18n.EN, c, in)
	if got, want := b.Tests[0].Commands[0].Text, "arena bench 'a b'"; got != want {
		t.Errorf("recorded command %s, want %s", got, want)
	}
	if len(b.Tests[1].Commands) == 0 || b.Tests[1].Commands[0].ID != "command-rate-sweep-1" {
		t.Errorf("commands %+v", b.Tests[1].Commands)
	}
}

// The client's and the machine's own figures are summed up per test.
func TestClientAndTelemetry(t *testing.T) {
	t.Parallel()
	c := pagetest.Content(t, nil)
	in := pagetest.Bundle(c, "fast", 40)
	in.Calibration = []bundle.Calibration{{When: "before", Streams: 25, Requests: 100, TTFTErrorUS: 42, LateP99US: 180}}
	in.Tests[0].Cells[0].Client = &bundle.Client{CountedBy: "usage", LateP99US: 1500, Held: new(0.998)}
	in.Tests[0].Telemetry = &bundle.Telemetry{OffsetS: []float64{0, 1}, PowerW: []*float64{new(80.0), new(100.0)}, TemperatureC: []*float64{new(50.0), new(61.0)}}
	b := body(t, i18n.EN, c, in)
	if b.Client == nil || len(b.Client.Tables) != 2 || b.Telemetry == nil {
		t.Fatalf("client %+v, telemetry %+v", b.Client, b.Telemetry)
	}
	pagetest.Want(t, b.Client.Tables[0].Rows, "0.04", "0.18")
	pagetest.Want(t, b.Client.Tables[1].Rows, "1.50", "99.8%")
	pagetest.Want(t, b.Telemetry.Rows, "90", "61")
}

// Verdict and Marks are what the page says.
func TestVerdict(t *testing.T) {
	t.Parallel()
	c := pagetest.Content(t, nil)
	s := pagetest.Site(t, c, pagetest.Bundle(c, "fast", 40))
	run, err := s.Run(s.Configurations[0])
	if err != nil {
		t.Fatal(err)
	}
	p := pagetest.Printer(t, i18n.EN)
	b := model.Page(s, s.Configurations[0], run, p).Body.(render.Model)
	if got := model.Verdict(s.Configurations[0], run, p); got != b.Verdict {
		t.Errorf("verdict %s, the page says %s", got, b.Verdict)
	}
	if got := model.Marks(s, s.Configurations[0], run, p); len(got) != len(b.Marks) {
		t.Errorf("marks %q, the page has %q", got, b.Marks)
	}
}
