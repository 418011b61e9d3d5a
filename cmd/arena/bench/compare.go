package bench

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"example.org/arena/cmd/arena/terminal"
	"example.org/arena/engine/runner"
)

// nameColumns is the most that a name takes: a tool chooses its own.
const nameColumns = 60

// writeComparison writes what a tool and the native runner say about one cell,
// side by side: a line for each number, in the tool's own terms. What one of them
// does not have is a dash.
func writeComparison(w io.Writer, tool string, rows []runner.Row) error {
	table := [][]string{{"figure", "", "unit", cmp.Or(terminal.OneLine(tool, nameColumns), "tool"), "native", "difference", "ratio"}}
	for _, r := range rows {
		digits := digitsOf(r.Tool, r.Native)
		difference := "–"
		if r.Difference != nil {
			difference = fmt.Sprintf("%+.*f", digits, *r.Difference)
		}
		table = append(table, []string{
			terminal.OneLine(r.Name, nameColumns), terminal.OneLine(r.Statistic, nameColumns), string(r.Unit),
			numberText(r.Tool, digits), numberText(r.Native, digits), difference, numberText(r.Ratio, 4),
		})
	}
	const firstNumber = 3 // columns before it are words, and stand left
	_, err := io.WriteString(w, align(table, firstNumber))
	return err
}

// align sets rows of cells in columns, words left and numbers right.
func align(table [][]string, firstNumber int) string {
	widths := make([]int, len(table[0]))
	for _, row := range table {
		for i, cell := range row {
			widths[i] = max(widths[i], terminal.Width(cell))
		}
	}
	var b strings.Builder
	for _, row := range table {
		var line strings.Builder
		for i, cell := range row {
			space := strings.Repeat(" ", widths[i]-terminal.Width(cell))
			if i >= firstNumber {
				cell, space = space+cell, ""
			}
			line.WriteString(cell + space + "  ")
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

// numberText writes a number, or a dash where it is missing.
func numberText(v *float64, digits int) string {
	if v == nil {
		return "–"
	}
	return strconv.FormatFloat(*v, 'f', digits, 64)
}

// digitsOf returns the decimals that show five significant digits of the larger
// number: from 2 to 9.
func digitsOf(numbers ...*float64) int {
	largest := 0.0
	for _, v := range numbers {
		if v != nil {
			largest = max(largest, math.Abs(*v))
		}
	}
	if largest == 0 {
		return 2
	}
	return min(max(4-int(math.Floor(math.Log10(largest))), 2), 9)
}
