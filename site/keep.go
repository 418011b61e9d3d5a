package site

import (
	"bytes"
	"encoding/gob"
	"fmt"
)

// Keep puts a value into a cache, for Recall in a later build. Without a cache it
// does nothing.
func Keep(c Cache, key string, v any) error {
	if c == nil {
		return nil
	}
	var out bytes.Buffer
	if err := gob.NewEncoder(&out).Encode(v); err != nil {
		return fmt.Errorf("keep %s: %w", key, err)
	}
	c.Put(key, out.Bytes())
	return nil
}

// Recall reads what Keep put under the key into the value that v points to, and
// reports whether it was there.
func Recall(c Cache, key string, v any) bool {
	if c == nil {
		return false
	}
	data, ok := c.Get(key)
	return ok && gob.NewDecoder(bytes.NewReader(data)).Decode(v) == nil
}
