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
	"time"
)

// A Folder is a cache in a folder. It is safe for use by several goroutines.
type Folder struct {
	dir    string
	salt   string
	opened time.Time

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
	f := newFolder(dir, salt)
	f.clear()
	return f, nil
}

func newFolder(dir, salt string) *Folder {
	return &Folder{dir: dir, salt: salt, opened: time.Now(), used: map[string]bool{}}
}

// clear removes what programs that were ended had begun to write.
func (f *Folder) clear() {
	const longest = time.Hour // that writing a value may take
	entries, err := os.ReadDir(filepath.Join(f.dir, begun))
	if err != nil {
		return // there is nothing to remove
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && f.opened.Sub(info.ModTime()) > longest {
			// Another program may have removed it.
			_ = os.Remove(filepath.Join(f.dir, begun, e.Name()))
		}
	}
}

// Get returns the value that was put under key.
func (f *Folder) Get(key string) ([]byte, bool) {
	file, id := f.place(key)
	data, err := os.ReadFile(file)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			f.note(err)
		}
		return nil, false
	}
	return unseal(id, data)
}

// Put keeps a value under key.
func (f *Folder) Put(key string, value []byte) {
	file, id := f.place(key)
	if err := f.write(file, seal(id, value)); err != nil {
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

// place returns where the value of a key lies, in one of 256 folders, and what its
// seal names it.
func (f *Folder) place(key string) (file string, id [sha256.Size]byte) {
	salt, name := sha256.Sum256([]byte(f.salt)), sha256.Sum256([]byte(key))
	id = sha256.Sum256(append(salt[:], name[:]...))
	digits := hex.EncodeToString(id[:])
	file = filepath.Join(f.dir, digits[:2], digits[2:])
	f.mu.Lock()
	defer f.mu.Unlock()
	f.used[file] = true
	return file, id
}

// begun is the folder of the files that are being written.
const begun = "new"

// write writes a file so that readers see all of it or none. It does not wait for
// the disk: the seal shows what a crash has spoilt.
func (f *Folder) write(name string, data []byte) error {
	dir := filepath.Join(f.dir, begun)
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.MkdirAll(dir, 0o755)); err != nil {
		return err
	}
	t, err := os.CreateTemp(dir, "*")
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

// seal puts the SHA-256 of an id and a value before the value.
func seal(id [sha256.Size]byte, value []byte) []byte {
	sum := sha256.Sum256(append(id[:], value...))
	return append(sum[:], value...)
}

// unseal returns the value behind its seal, unless that is of another value or id.
func unseal(id [sha256.Size]byte, data []byte) ([]byte, bool) {
	if len(data) < sha256.Size {
		return nil, false
	}
	sum, value := data[:sha256.Size], data[sha256.Size:]
	if want := sha256.Sum256(append(id[:], value...)); !bytes.Equal(sum, want[:]) {
		return nil, false
	}
	return value, true
}
