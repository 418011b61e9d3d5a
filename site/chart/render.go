package chart

import (
	"context"
	"errors"
	"io/fs"
)

// ErrNoECharts says that the program was built without the chart library.
var ErrNoECharts = errors.New("chart library is missing: run `npm ci && node templates/build.mjs`, then build the program again")

// A Bundle is the chart library as built for browsers and for this package.
type Bundle struct {
	Script []byte
}

// OpenBundle reads the chart library from the folder it is built into. The
// error is ErrNoECharts when the folder has none.
func OpenBundle(dist fs.FS) (*Bundle, error) { return nil, ErrNoECharts }

// A Figure is a finished chart. Both pictures show the same chart, laid out for
// a wide and for a narrow column; the page shows one of them by its style sheet.
// Element ids in them start with the figure's id.
type Figure struct {
	Wide   []byte // SVG element, 720 units wide
	Narrow []byte // SVG element, 360 units wide
	Option []byte // JSON {"wide":…,"narrow":…}: what the interactive version draws
}

// A Cache keeps finished charts by key. Implementations must be safe for use by
// several goroutines; losing or never storing a value changes no output.
type Cache interface {
	Get(key string) (value []byte, ok bool)
	Put(key string, value []byte)
}

// Config sets up a Renderer. Jobs is the number of charts drawn at a time, at
// least one. A nil Cache keeps charts in memory.
type Config struct {
	Bundle *Bundle
	Jobs   int
	Cache  Cache
}

// A Renderer draws charts. It is safe for use by several goroutines. What it
// returns depends on nothing but the specification, the id and the bundle.
type Renderer struct{}

// New starts a renderer; Close ends it.
func New(c Config) (*Renderer, error) { return nil, ErrNoECharts }

// Render draws one chart. The id must be unique on its page and consist of
// lower-case letters, digits and hyphens, a letter first.
func (r *Renderer) Render(ctx context.Context, id string, s Spec) (Figure, error) {
	return Figure{}, ErrNoECharts
}

// Close frees the engines. A closed renderer renders no more.
func (r *Renderer) Close() error { return nil }
