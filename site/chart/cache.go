package chart

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"sync"
)

// A Cache keeps drawings by key. Keys are 64 hexadecimal digits. It must be
// safe for use by several goroutines, and may forget: a lost or damaged value
// is drawn again and changes no output.
type Cache interface {
	Get(key string) (value []byte, ok bool)
	Put(key string, value []byte)
}

// Memory is a Cache that keeps everything.
type Memory struct {
	mu     sync.Mutex
	values map[string][]byte
}

// NewMemory makes an empty Memory.
func NewMemory() *Memory { return &Memory{values: map[string][]byte{}} }

// Get implements Cache.
func (m *Memory) Get(key string) ([]byte, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.values[key]
	return v, ok
}

// Put implements Cache.
func (m *Memory) Put(key string, value []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.values[key] = bytes.Clone(value)
}

// key depends on everything that the finished drawing depends on, except its id.
func (r *Renderer) key(option []byte, title, description string) string {
	h := sha256.New()
	for _, part := range []string{postVersion, r.bundle.digest, title, description, string(option)} {
		sum := sha256.Sum256([]byte(part))
		h.Write(sum[:])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// seal puts a checksum before a drawing, unseal checks and removes it: a value
// that was cut off or mixed up never reaches a page.
func seal(svg string) []byte {
	sum := sha256.Sum256([]byte(svg))
	return append(sum[:], svg...)
}

func unseal(v []byte) (string, bool) {
	if len(v) < sha256.Size {
		return "", false
	}
	sum := sha256.Sum256(v[sha256.Size:])
	return string(v[sha256.Size:]), bytes.Equal(sum[:], v[:sha256.Size])
}

// withID puts a figure's id in the places that finish left for it.
func withID(svg, id string) []byte {
	return []byte(strings.ReplaceAll(svg, idMark, id))
}
