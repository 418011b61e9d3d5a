// Package show writes one bundle so that it can be read: as text, or as CSV with a line
// per number. It computes nothing and judges nothing.
package show

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"example.org/arena/cmd/arena/terminal"
	"example.org/arena/results/bundle"
	"example.org/arena/results/verdict"
)

// Text writes a bundle as text. What is unknown is left out, or "-" in a
// table. Where a bundle records requests, the figures that follow from them are
// shown.
func Text(w io.Writer, b *bundle.Bundle, data []byte) error {
	var out bytes.Buffer
	t := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	line := func(name string, words ...string) {
		if text := strings.Join(nonEmpty(words), " "); text != "" {
			fmt.Fprintf(t, "%s\t%s\n", name, terminal.Printable(text))
		}
	}
	line("model", b.Model.ID, b.Model.Revision, b.Model.Quantisation)
	line("platform", b.Platform)
	line("profile", b.Profile)
	line("kind", string(b.Kind))
	line("started", b.StartedAt)
	line("sha256", bundle.ID(data))
	line("supersedes", b.Supersedes)
	if k := b.Contract; k != nil {
		line("contract", k.Version, k.SHA256, k.Revision)
	}
	e := b.Engine
	line("engine", e.Version, e.Revision, textIf(e.Dirty, "(with local changes)"), e.Runner, e.Go)
	if s := b.Source; s != nil {
		line("source", s.Title, s.URL, s.Revision, s.Path)
		line("conversion", s.Conversion)
	}
	line("licence", b.Licence)
	line("credit", b.Credit)
	line("server", b.Server.Name, b.Server.Version, b.Server.Image)
	line("arguments", b.Server.Argv...)
	if d := b.Draft; d != nil {
		line("draft", d.Method, d.Model, textIf(d.TokensPerStep > 0, fmt.Sprintf("%d tokens per step", d.TokensPerStep)))
	}
	line("host", b.Host.Description, b.Host.GPU, b.Host.Driver)
	for _, n := range b.Notes {
		line("note", noteText(n))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	run := verdict.Of(b, nil, nil, nil)
	for i := range b.Tests {
		if err := showTest(&out, &run, i); err != nil {
			return err
		}
	}
	_, err := w.Write(out.Bytes())
	return err
}

// showTest writes a test by its place: what is known about it, then a line per
// figure.
func showTest(out *bytes.Buffer, run *verdict.Run, at int) error {
	test := &run.Bundle.Tests[at]
	fmt.Fprintf(out, "\n%s\n", terminal.Printable(test.Slug))
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	line := func(name, text string) {
		if text != "" {
			fmt.Fprintf(t, "  %s\t%s\n", name, terminal.Printable(text))
		}
	}
	line("started", test.StartedAt)
	if test.Tool != nil {
		line("tool", strings.Join(nonEmpty([]string{test.Tool.Name, test.Tool.Version}), " "))
	}
	if test.Command != nil {
		line("command", strings.Join(test.Command.Argv, " "))
	} else {
		line("command", "not recorded")
	}
	if test.Stopped != nil {
		line("stopped", strings.Join(nonEmpty([]string{test.Stopped.Reason, test.Stopped.Detail}), ": "))
	}
	if test.Telemetry != nil {
		line("telemetry", terminal.Counted(len(test.Telemetry.OffsetS), "sample"))
	}
	for _, n := range test.Notes {
		line("note", noteText(n))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if len(test.Cells) == 0 {
		fmt.Fprintln(out, "  no cells")
		return nil
	}
	t = tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	ps := percentiles(test)
	fmt.Fprint(t, "  cell\tmetric\tunit\tn\tvalue\tmean\tstd\tmin\tmax")
	for _, p := range ps {
		fmt.Fprintf(t, "\tp%s", decimal(p))
	}
	fmt.Fprintln(t)
	for i := range test.Cells {
		showCell(t, &test.Cells[i], ps, run.Computed(at, i))
	}
	return t.Flush()
}

// percentiles lists the percentiles that any figure of a test has, ascending.
func percentiles(test *bundle.Test) []float64 {
	var all []float64
	for i := range test.Cells {
		for j := range test.Cells[i].Reported {
			f := &test.Cells[i].Reported[j]
			if f.Median != nil {
				all = append(all, 50)
			}
			for _, p := range f.Percentiles {
				all = append(all, p.P)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// rounded returns a figure to three decimals. Those that are computed here have more
// than they mean; those of others are shown as they are.
func rounded(f *bundle.Figure) *bundle.Figure {
	out := *f
	for _, v := range []**float64{&out.Value, &out.Mean, &out.Std, &out.Min, &out.Median, &out.Max} {
		if *v != nil {
			*v = new(math.Round(1000**(*v)) / 1000)
		}
	}
	out.Percentiles = slices.Clone(f.Percentiles)
	for i := range out.Percentiles {
		out.Percentiles[i].Value = math.Round(1000*out.Percentiles[i].Value) / 1000
	}
	return &out
}

func showCell(t io.Writer, c *bundle.Cell, ps []float64, computed bool) {
	label := terminal.Printable(strings.Join(cellWords(c), " "))
	if c.Error != "" {
		fmt.Fprintf(t, "  %s\terror: %s\n", label, terminal.Printable(c.Error))
	}
	if len(c.Reported) == 0 && c.Error == "" {
		fmt.Fprintf(t, "  %s\tno figures\n", label)
	}
	for i := range c.Reported {
		f := &c.Reported[i]
		n := "-"
		if f.N > 0 {
			n = strconv.Itoa(f.N)
		}
		if computed {
			f = rounded(f)
		}
		row := []string{
			label, terminal.Printable(string(f.Metric)), terminal.Printable(string(f.Unit)), n,
			number(f.Value), number(f.Mean), number(f.Std), number(f.Min), number(f.Max),
		}
		for _, p := range ps {
			row = append(row, percentile(f, p))
		}
		fmt.Fprintf(t, "  %s\n", strings.Join(row, "\t"))
	}
}

// cellWords names a cell by the parameters that apply to it.
func cellWords(c *bundle.Cell) []string {
	var words []string
	add := func(prefix string, n int) {
		if n > 0 {
			words = append(words, prefix+strconv.Itoa(n))
		}
	}
	add("pp", c.PromptTokens)
	add("tg", c.OutputTokens)
	add("d", c.DepthTokens)
	if c.Phase != "" {
		words = append(words, c.Phase)
	}
	add("c", c.Concurrency)
	if c.RequestRate != nil {
		words = append(words, decimal(float64(*c.RequestRate))+"/s")
	}
	add("max", c.MaxConcurrency)
	if r := c.Requests; r != nil && r.Completed != nil && r.Planned != nil {
		words = append(words, fmt.Sprintf("%d/%d ok", *r.Completed, *r.Planned))
	}
	if len(words) == 0 {
		return []string{"-"}
	}
	return words
}

func percentile(f *bundle.Figure, p float64) string {
	if v, ok := f.Percentile(p); ok {
		return decimal(v)
	}
	return "-"
}

func number(v *float64) string {
	if v == nil {
		return "-"
	}
	return decimal(*v)
}

// decimal writes a number with all its digits, and infinity as bundles do.
func decimal(v float64) string {
	if math.IsInf(v, 1) {
		return "inf"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

func noteText(n bundle.Note) string {
	words := []string{n.Code}
	for _, a := range n.Args {
		words = append(words, a.Name+"="+a.Value)
	}
	return strings.Join(words, " ")
}

func textIf(ok bool, text string) string {
	if ok {
		return text
	}
	return ""
}

// nonEmpty returns the words that are not empty.
func nonEmpty(words []string) []string {
	var out []string
	for _, w := range words {
		if w != "" {
			out = append(out, w)
		}
	}
	return out
}
