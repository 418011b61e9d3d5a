package prompt

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// A Cache remembers, for one model, where texts were cut to reach a number of
// tokens. What it says is counted again before it is used, so a stale cache costs
// time and never exactness.
type Cache struct {
	mu   sync.Mutex
	fits map[string]fit
}

// key names a fit. The salt is not in it: salts cost the same.
func (s Spec) key() string {
	task := "task"
	if s.Bare {
		task = "bare"
	}
	return fmt.Sprintf("%s/%d/%d/%s", s.Text, s.Seed, s.Tokens, task)
}

func (c *Cache) get(s Spec) (fit, bool) {
	if c == nil {
		return fit{}, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	f, known := c.fits[s.key()]
	return f, known
}

func (c *Cache) put(s Spec, f fit) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fits == nil {
		c.fits = map[string]fit{}
	}
	c.fits[s.key()] = f
}

// A cacheFile is a cache as it is stored.
type cacheFile struct {
	Model string     `json:"model"`
	Fits  []cacheFit `json:"fits"` // by key
}

type cacheFit struct {
	Key  string `json:"key"`
	Cut  int    `json:"cut"` // bytes
	Tail string `json:"tail,omitempty"`
}

// Encode returns the cache as JSON. Model is whatever tells models apart.
func (c *Cache) Encode(model string) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	file := cacheFile{Model: model}
	for _, key := range slices.Sorted(maps.Keys(c.fits)) {
		file.Fits = append(file.Fits, cacheFit{key, c.fits[key].cut, c.fits[key].tail})
	}
	return json.MarshalIndent(file, "", " ")
}

// DecodeCache reads what Encode wrote for the same model. A cache of another
// model is an error.
func DecodeCache(data []byte, model string) (*Cache, error) {
	var file cacheFile
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.DisallowUnknownFields()
	if err := d.Decode(&file); err != nil {
		return nil, fmt.Errorf("read prompt cache: %w", err)
	}
	if file.Model != model {
		return nil, fmt.Errorf("read prompt cache: it is of %q, not of %q", file.Model, model)
	}
	c := &Cache{fits: map[string]fit{}}
	for _, f := range file.Fits {
		if f.Cut < 0 {
			return nil, fmt.Errorf("read prompt cache: %s: a cut of %d bytes", f.Key, f.Cut)
		}
		c.fits[f.Key] = fit{f.Cut, f.Tail}
	}
	return c, nil
}
