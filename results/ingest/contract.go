package ingest

import (
	"fmt"
	"slices"
	"strings"

	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
)

// MeasuredCells lists the parameters of the cells that have figures.
func MeasuredCells(cells []bundle.Cell) []contract.Cell {
	var out []contract.Cell
	for _, c := range cells {
		if len(c.Reported) > 0 {
			out = append(out, ContractCell(c))
		}
	}
	return out
}

// Argument returns the value of a flag in a recorded command, or "".
func Argument(argv []string, flag string) string {
	for i, word := range argv {
		if name, value, ok := strings.Cut(word, "="); ok && name == flag {
			return value
		}
		if word == flag && i+1 < len(argv) && !strings.HasPrefix(argv[i+1], "--") {
			return argv[i+1]
		}
	}
	return ""
}

// ContractCell returns the parameters of a cell as a contract names them.
func ContractCell(c bundle.Cell) contract.Cell {
	out := contract.Cell{PromptTokens: c.PromptTokens, OutputTokens: c.OutputTokens, DepthTokens: c.DepthTokens, Concurrency: c.Concurrency}
	if c.RequestRate != nil {
		out.RequestRate = float64(*c.RequestRate)
		if c.Requests != nil && c.Requests.Planned != nil {
			out.Prompts = *c.Requests.Planned
		}
	}
	return out
}

// CellText describes a cell in a message.
func CellText(c contract.Cell) string {
	if c.RequestRate > 0 {
		return fmt.Sprintf("%v requests per second and %d requests", c.RequestRate, c.Prompts)
	}
	return fmt.Sprintf("%d prompt tokens, %d output tokens, depth %d and concurrency %d", c.PromptTokens, c.OutputTokens, c.DepthTokens, c.Concurrency)
}

// measuredBy are the flags that fix what a test measures. A change to any other
// flag, and a flag beyond the contract's, is a deviation that pages show.
var measuredBy = []string{
	"--pp", "--tg", "--depth", "--concurrency", "--runs",
	"--dataset-name", "--random-input-len", "--random-output-len", "--random-range-ratio",
	"--num-prompts", "--request-rate", "--burstiness", "--max-concurrency", "--seed",
}

// ChangedParameters lists the parameters of a recorded command that make it
// another measurement than the contract's.
func ChangedParameters(c *contract.Contract, t contract.Test, argv []string) []string {
	if len(argv) == 0 {
		return nil
	}
	var out []string
	for _, d := range c.Deviations(t, argv) {
		switch {
		case d.Parameter == "tool":
			out = append(out, fmt.Sprintf("the command runs no %s", d.Contract))
		case d.Kind == contract.Extra && d.Parameter == "--max-concurrency":
			out = append(out, fmt.Sprintf("--max-concurrency %s is not in the contract", d.Recorded))
		case d.Kind == contract.Extra || !slices.Contains(measuredBy, d.Parameter):
		case d.Kind == contract.Missing:
			out = append(out, fmt.Sprintf("the command lacks %s %s", d.Parameter, d.Contract))
		default:
			out = append(out, fmt.Sprintf("the command says %s %s, the contract %s", d.Parameter, d.Recorded, d.Contract))
		}
	}
	return out
}
