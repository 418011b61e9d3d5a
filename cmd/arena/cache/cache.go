// Package cache keeps computed values in a folder, so that a build need not draw
// and compress again what an earlier one did. It only ever saves time: a value
// that is lost, cut off or damaged is as if it had never been kept, and a folder
// that cannot be written is reported and otherwise ignored.
//
// Several programs may use one folder at a time.
package cache

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// A Folder is a cache in a folder. It is safe for use by several goroutines.
type Folder struct {
	dir  string
	salt string

	mu   sync.Mutex
	err  error
	used map[string]bool // paths that were read or written
}

// Open returns the cache in dir, which it makes where there is none. Values are
// found again only under the same salt: it names what values depend on beside
// their keys, as the versions of the libraries that compute them.
func Open(dir, salt string) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	return &Folder{dir: dir, salt: salt, used: map[string]bool{}}, nil
}

// Get returns the value that was put under key.
func (f *Folder) Get(key string) ([]byte, bool) {
	data, err := os.ReadFile(f.path(key))
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			f.note(err)
		}
		return nil, false
	}
	return unseal(data)
}

// Put keeps a value under key.
func (f *Folder) Put(key string, value []byte) {
	if err := write(f.path(key), seal(value)); err != nil {
		f.note(err)
	}
}

// Err returns the first error of reading or writing the folder.
func (f *Folder) Err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

func (f *Folder) note(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil {
		f.err = err
	}
}

// path returns where the value of a key lies, in one of 256 folders.
func (f *Folder) path(key string) string {
	salt, name := sha256.Sum256([]byte(f.salt)), sha256.Sum256([]byte(key))
	sum := sha256.Sum256(append(salt[:], name[:]...))
	digits := hex.EncodeToString(sum[:])
	file := filepath.Join(f.dir, digits[:2], digits[2:])
	f.mu.Lock()
	defer f.mu.Unlock()
	f.used[file] = true
	return file
}

// write writes a file so that readers see all of it or none. It does not wait for
// the disk: the seal shows what a crash has spoilt.
func write(name string, data []byte) error {
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	t, err := os.CreateTemp(dir, "new-*")
	if err != nil {
		return err
	}
	_, err = t.Write(data)
	if err := errors.Join(err, t.Close()); err != nil {
		return errors.Join(err, os.Remove(t.Name()))
	}
	if err := os.Rename(t.Name(), name); err != nil {
		return errors.Join(err, os.Remove(t.Name()))
	}
	return nil
}

// seal puts the SHA-256 of a value before it.
func seal(value []byte) []byte {
	sum := sha256.Sum256(value)
	return append(sum[:], value...)
}

// unseal returns the value behind its SHA-256, unless the two differ.
func unseal(data []byte) ([]byte, bool) {
	if len(data) < sha256.Size {
		return nil, false
	}
	sum, value := data[:sha256.Size], data[sha256.Size:]
	if want := sha256.Sum256(value); !bytes.Equal(sum, want[:]) {
		return nil, false
	}
	return value, true
}
