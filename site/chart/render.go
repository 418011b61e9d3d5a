package chart

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"
)

// ErrNoECharts says that the program was built without the chart library.
var ErrNoECharts = errors.New("the chart library is not in this program: run `npm ci && node templates/build.mjs`, then build the program again")

// A Bundle is the chart library, as built for browsers and for this package.
type Bundle struct {
	script []byte
	digest string
}

// OpenBundle reads the chart library from the folder it is built into
// (templates/dist). The error is ErrNoECharts when the folder has none.
func OpenBundle(dist fs.FS) (*Bundle, error) {
	script, err := fs.ReadFile(dist, "echarts.js")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoECharts
	}
	if err != nil {
		return nil, fmt.Errorf("read chart library: %w", err)
	}
	sum := sha256.Sum256(script)
	return &Bundle{script: script, digest: hex.EncodeToString(sum[:])}, nil
}

// A Figure is a finished chart. Both pictures show the same chart, laid out for
// a wide and for a narrow column; the page shows one of them by its style sheet.
// Element ids in them start with the figure's id.
type Figure struct {
	Wide   []byte // SVG element of class "chart chart-wide", 640 units wide
	Narrow []byte // SVG element of class "chart chart-narrow", 328 units wide
	Option []byte // JSON {"title","description","wide","narrow"}: what the interactive version draws
}

// Config sets up a Renderer. Jobs is the number of charts drawn at a time; less
// than one means one. A nil Cache keeps charts in memory.
type Config struct {
	Bundle *Bundle
	Jobs   int
	Cache  Cache
}

// A Renderer draws charts. It is safe for use by several goroutines. What it
// returns depends on nothing but the specification, the id and the bundle.
type Renderer struct {
	bundle *Bundle
	cache  Cache
	seats  chan *engine // one per job; nil until an engine is needed there
	once   sync.Once
}

// New makes a renderer. Engines start when they are first needed.
func New(c Config) (*Renderer, error) {
	if c.Bundle == nil {
		return nil, ErrNoECharts
	}
	if c.Cache == nil {
		c.Cache = NewMemory()
	}
	r := &Renderer{bundle: c.Bundle, cache: c.Cache, seats: make(chan *engine, max(c.Jobs, 1))}
	for range cap(r.seats) {
		r.seats <- nil
	}
	return r, nil
}

// An options file is what the interactive version loads.
type optionsFile struct {
	Title       string `json:"title"`
	Description string `json:"description"`
	wide        []byte // JSON
	narrow      []byte // JSON
}

// encode puts the options behind the texts as they are: to have them encoded again
// would take longer than to make them.
func (f optionsFile) encode() ([]byte, error) {
	texts, err := json.Marshal(f)
	if err != nil {
		return nil, err
	}
	return slices.Concat(texts[:len(texts)-1], []byte(`,"wide":`), f.wide, []byte(`,"narrow":`), f.narrow, []byte("}")), nil
}

// Render draws one chart. The id must be unique on its page and consist of
// lower-case letters, digits and hyphens, a letter first.
func (r *Renderer) Render(ctx context.Context, id string, s Spec) (Figure, error) {
	if !validID(id) {
		return Figure{}, fmt.Errorf("draw chart: %q is no id", id)
	}
	if err := check(s); err != nil {
		return Figure{}, err
	}
	var f Figure
	var file optionsFile
	file.Title, file.Description = s.text()
	for _, part := range []struct {
		layout layout
		svg    *[]byte
		option *[]byte
	}{{wide, &f.Wide, &file.wide}, {narrow, &f.Narrow, &file.narrow}} {
		option, err := json.Marshal(s.draw(part.layout))
		if err != nil {
			return Figure{}, fmt.Errorf("chart %q: encode options: %w", file.Title, err)
		}
		svg, err := r.picture(ctx, option, file.Title, file.Description, part.layout)
		if err != nil {
			return Figure{}, fmt.Errorf("chart %q: %w", file.Title, err)
		}
		*part.option, *part.svg = option, withID(svg, id)
	}
	var err error
	if f.Option, err = file.encode(); err != nil {
		return Figure{}, fmt.Errorf("chart %q: encode options: %w", file.Title, err)
	}
	return f, nil
}

// picture answers the finished drawing, from the cache if it has it.
func (r *Renderer) picture(ctx context.Context, option []byte, title, description string, l layout) (string, error) {
	key := r.key(option, title, description)
	if v, ok := r.cache.Get(key); ok {
		if svg, ok := unseal(v); ok {
			return svg, nil
		}
	}
	raw, err := r.draw(ctx, option)
	if err != nil {
		return "", err
	}
	svg, err := finish(raw, title, description, l)
	if err != nil {
		return "", err
	}
	r.cache.Put(key, seal(svg))
	return svg, nil
}

// draw waits for a seat and draws there.
func (r *Renderer) draw(ctx context.Context, option []byte) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	var e *engine
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case seat, open := <-r.seats:
		if !open {
			return "", errors.New("draw chart: the renderer is closed")
		}
		e = seat
	}
	var err error
	if e == nil {
		if e, err = newEngine(r.bundle); err != nil {
			r.seats <- nil
			return "", err
		}
	}
	svg, err := e.draw(option)
	if err != nil {
		// After an error nothing is known about the machine's state.
		err = errors.Join(err, e.close())
		e = nil
	}
	r.seats <- e
	return svg, err
}

// Close waits for drawings that are under way and frees the engines. A closed
// renderer draws no more.
func (r *Renderer) Close() error {
	var errs []error
	r.once.Do(func() {
		for range cap(r.seats) {
			if e := <-r.seats; e != nil {
				errs = append(errs, e.close())
			}
		}
		close(r.seats)
	})
	return errors.Join(errs...)
}

func validID(id string) bool {
	for i, c := range []byte(id) {
		letter := c >= 'a' && c <= 'z'
		if !letter && (i == 0 || c != '-' && (c < '0' || c > '9')) {
			return false
		}
	}
	return id != ""
}
