package bench

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.org/arena/engine/plan"
	"example.org/arena/engine/runner"
	"example.org/arena/results/audit"
	"example.org/arena/results/bundle"
)

// compareRunners measures one test by the contract's own command and natively, and
// prints what both say, in the tool's terms. Nothing is kept.
func (j *job) compareRunners(ctx context.Context, p *plan.Plan) error {
	dir, err := os.MkdirTemp("", "arena-both-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // what stays is small, and below the system's folder for it
	j.NoCalibration = true
	var bundles []*bundle.Bundle
	for _, by := range []string{"tools", "native"} {
		j.Runner, j.Out = by, filepath.Join(dir, by)
		b, err := j.measureUnwritten(ctx, p)
		if err != nil {
			return err
		}
		bundles = append(bundles, b)
	}
	return compareTests(j.program.Stdout, &bundles[0].Tests[0], &bundles[1].Tests[0])
}

// measureUnwritten measures and returns the bundle, unwritten.
func (j *job) measureUnwritten(ctx context.Context, p *plan.Plan) (*bundle.Bundle, error) {
	run, err := j.runEngine(ctx, p, nil)
	if err != nil {
		return nil, err
	}
	defer run.Close()
	return run.Bundle()
}

// compareTests prints the cells that both tests have.
func compareTests(w io.Writer, tool, native *bundle.Test) error {
	for i := range tool.Cells {
		t := &tool.Cells[i]
		j := slices.IndexFunc(native.Cells, func(n bundle.Cell) bool { return audit.PointOf(&n) == audit.PointOf(t) })
		if j < 0 {
			continue
		}
		fmt.Fprintf(w, "%s, %s\n", tool.Slug, pointText(t))
		if err := writeComparison(w, toolName(tool), runner.Compare(t.Reported, native.Cells[j].Reported)); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	return nil
}

func toolName(t *bundle.Test) string {
	if t.Tool == nil {
		return "tool"
	}
	return strings.TrimSpace(t.Tool.Name + " " + t.Tool.Version)
}

// pointText says which cell it is.
func pointText(c *bundle.Cell) string {
	if c.RequestRate != nil {
		return fmt.Sprintf("%g requests/s", float64(*c.RequestRate))
	}
	return fmt.Sprintf("%d + %d tokens, concurrency %d", c.DepthTokens+c.PromptTokens, c.OutputTokens, c.Concurrency)
}
