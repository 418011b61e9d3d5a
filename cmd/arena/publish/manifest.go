package publish

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"
)

// Marker is the name of the file that makes a folder a published site: a first
// line with the version of its form, then one line per file in the form of the
// program sha256sum, sorted by path.
const Marker = ".arena-site"

const markerHead = "arena-site 1\n"

// A Manifest lists the files of a site, sorted by path, without the marker.
type Manifest []File

// A File is one file of a site.
type File struct {
	Sum  [sha256.Size]byte
	Path string
	Size int64 // bytes; 0 in a manifest that was read from a marker, which does not state it
}

// checkName refuses names that mean something else to a file system or in a
// marker.
func checkName(name string) error {
	if !fs.ValidPath(name) || name == Marker || name == Unfinished || strings.ContainsFunc(name, awkward) {
		return fmt.Errorf("write site: %q cannot be the name of a file", name)
	}
	return nil
}

func awkward(r rune) bool { return r == '\\' || r == ':' || !unicode.IsPrint(r) }

// Hash returns the identity of a site: the SHA-256 of the lines of its marker,
// without the first, as lower-case hex. Equal hashes mean equal sites.
func (m Manifest) Hash() string {
	sum := sha256.Sum256(m.lines())
	return hex.EncodeToString(sum[:])
}

func (m Manifest) lines() []byte {
	var b bytes.Buffer
	for _, f := range m {
		fmt.Fprintf(&b, "%x  %s\n", f.Sum, f.Path)
	}
	return b.Bytes()
}

func (m Manifest) encode() []byte { return append([]byte(markerHead), m.lines()...) }

// IsSite reports whether dir is a folder that Replace wrote.
func IsSite(dir string) error {
	_, err := readManifest(dir)
	return err
}

// readManifest reads the marker of a folder.
func readManifest(dir string) (Manifest, error) {
	data, err := os.ReadFile(filepath.Join(dir, Marker))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is not a site that arena build made: it holds no %s", shown(dir), Marker)
	}
	if err != nil {
		return nil, err
	}
	m, err := parseManifest(data)
	if err != nil {
		return nil, fmt.Errorf("%s is not a site that arena build made: %s: %w", shown(dir), Marker, err)
	}
	return m, nil
}

func parseManifest(data []byte) (Manifest, error) {
	lines, ok := bytes.CutPrefix(data, []byte(markerHead))
	if !ok {
		return nil, fmt.Errorf("does not begin with %q", strings.TrimSpace(markerHead))
	}
	var m Manifest
	for line := range strings.Lines(string(lines)) {
		sum, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		f := File{Path: name}
		n, err := hex.Decode(f.Sum[:], []byte(sum[:min(len(sum), 2*sha256.Size)]))
		if !ok || err != nil || n != sha256.Size || len(sum) != 2*sha256.Size || !fs.ValidPath(name) {
			return nil, fmt.Errorf("line %d is not a SHA-256 and a path", len(m)+2)
		}
		m = append(m, f)
	}
	return m, nil
}

// foreign lists the files below dir that the manifest does not name, sorted.
func (m Manifest) foreign(dir string) ([]string, error) {
	known := map[string]bool{Marker: true, Unfinished: true} // the disk may have kept the mark
	for _, f := range m {
		known[f.Path] = true
	}
	var list []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !known[name] {
			list = append(list, name)
		}
		return err
	})
	return list, err
}
