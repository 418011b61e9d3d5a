// Package terminal says what an output stream can show, and turns texts of others
// into texts that can be shown there. It draws nothing. Widths are in columns.
package terminal

import (
	"io"
	"os"

	"golang.org/x/term"
)

// A Screen says what an output stream can show.
type Screen struct {
	Live    bool       // a person watches, and lines can be drawn over
	Colour  bool       // colours are wanted too
	Columns func() int // how wide it is now; 0 when that is not known
}

// Look finds out what w can show. The environment has its say in TERM and NO_COLOR.
func Look(w io.Writer, getenv func(string) string) Screen {
	f, ok := w.(*os.File)
	if !ok || getenv("TERM") == "dumb" || !term.IsTerminal(int(f.Fd())) {
		return Screen{Columns: func() int { return 0 }}
	}
	return Screen{Live: true, Colour: getenv("NO_COLOR") == "", Columns: func() int {
		columns, _, err := term.GetSize(int(f.Fd()))
		if err != nil {
			return 0
		}
		return columns
	}}
}
