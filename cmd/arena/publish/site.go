package publish

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// A Site is a site that is being written. Several goroutines may write to it.
type Site struct {
	root *os.Root
	old  string                       // folder of the older site
	mode fs.FileMode                  // of the files of the older site that are as they were written
	kept map[string][sha256.Size]byte // those files, as the marker has them

	mu      sync.Mutex
	files   map[string]File
	folders map[string]bool // those that were made
}

func openSite(root *os.Root, old string) *Site {
	s := &Site{root: root, old: old, files: map[string]File{}, folders: map[string]bool{".": true}}
	info, err := os.Stat(filepath.Join(old, Marker))
	if err != nil {
		return s
	}
	m, err := readManifest(old)
	if err != nil {
		return s
	}
	s.mode, s.kept = info.Mode(), map[string][sha256.Size]byte{}
	for _, f := range m {
		s.kept[f.Path] = f.Sum
	}
	return s
}

// Put writes a file. To write one twice is an error.
func (s *Site) Put(name string, data []byte) error {
	f := File{Path: name, Sum: sha256.Sum256(data), Size: int64(len(data))}
	if err := s.place(name); err != nil {
		return err
	}
	if !s.link(f) {
		if err := s.writeFile(name, data); err != nil {
			return fmt.Errorf("write site: %w", err)
		}
	}
	return s.add(f)
}

// Keep takes a file over from the older site, when it has one of that name, size
// and SHA-256, and reports whether it did.
func (s *Site) Keep(name string, sum [sha256.Size]byte, size int64) bool {
	f := File{Path: name, Sum: sum, Size: size}
	return s.kept[name] == sum && s.place(name) == nil && s.link(f) && s.add(f) == nil
}

// place checks a name and makes the folder of its file.
func (s *Site) place(name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.files[name]; ok {
		return fmt.Errorf("write site: %q is written twice", name)
	}
	dir := path.Dir(name)
	if s.folders[dir] {
		return nil
	}
	if err := s.root.MkdirAll(filepath.FromSlash(dir), 0o755); err != nil {
		return fmt.Errorf("write site: %w", err)
	}
	for ; !s.folders[dir]; dir = path.Dir(dir) {
		s.folders[dir] = true
	}
	return nil
}

// link gives a file of the older site a place in the new one, when it is what its
// marker says, and reports whether it did. It looks at the bytes, and only once the
// file is in place: somebody may have changed it, whatever its time says, or have put
// another site there since.
func (s *Site) link(f File) bool {
	if sum, ok := s.kept[f.Path]; !ok || sum != f.Sum {
		return false
	}
	from, to := filepath.Join(s.old, filepath.FromSlash(f.Path)), filepath.Join(s.root.Name(), filepath.FromSlash(f.Path))
	info, err := os.Lstat(from)
	if err != nil || info.Mode() != s.mode || info.Size() != f.Size || os.Link(from, to) != nil {
		return false
	}
	if sumOf(to) == f.Sum {
		return true
	}
	// A file that stays in the way fails the writing of the right one.
	_ = os.Remove(to)
	return false
}

// sumOf returns the SHA-256 of a file, zero when it cannot be read.
func sumOf(file string) (sum [sha256.Size]byte) {
	h := sha256.New()
	f, err := os.Open(file)
	if err != nil {
		return sum
	}
	_, err = io.Copy(h, f)
	if errors.Join(err, f.Close()) != nil {
		return sum
	}
	return [sha256.Size]byte(h.Sum(nil))
}

func (s *Site) add(f File) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.files[f.Path]; ok {
		return fmt.Errorf("write site: %q is written twice", f.Path)
	}
	s.files[f.Path] = f
	return nil
}

// writeFile writes a file that must not be there yet.
func (s *Site) writeFile(name string, data []byte) error {
	f, err := s.root.OpenFile(filepath.FromSlash(name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// seal writes the marker and waits until the disk has everything.
func (s *Site) seal() error {
	m := s.manifest()
	if len(m) == 0 {
		return errors.New("write site: there are no files")
	}
	if err := s.writeFile(Marker, m.encode()); err != nil {
		return fmt.Errorf("write site: %w", err)
	}
	return flush(s.root, slices.Sorted(maps.Keys(s.files)), slices.Sorted(maps.Keys(s.folders)))
}

// manifest lists the files that were written.
func (s *Site) manifest() Manifest {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.SortedFunc(maps.Values(s.files), func(a, b File) int { return strings.Compare(a.Path, b.Path) })
}
