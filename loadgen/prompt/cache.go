package prompt

import (
	"fmt"
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
