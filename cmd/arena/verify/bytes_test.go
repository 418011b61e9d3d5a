package verify

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/arena/results/bundle"
	"example.org/arena/results/tomlfile"
)

// Any changed byte of a bundle is caught, also when the file is renamed to fit.

func TestEveryByteOfOneBundle(t *testing.T) {
	t.Parallel()
	c := newCheckout(t)
	name := c.put(published, c.example())
	data, err := os.ReadFile(c.path(name))
	if err != nil {
		t.Fatal(err)
	}
	everyByte(t, name, data, 1)
}

// The published bundles are too many to try every byte of each in a test that is
// run often: nine or ten of each are tried.
func TestSomeBytesOfPublishedBundles(t *testing.T) {
	t.Parallel()
	root := filepath.FromSlash("../../../" + published)
	n := 0
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(p, ".json") {
			return err
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		n++
		below, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		everyByte(t, published+"/"+filepath.ToSlash(below), data, len(data)/9|1)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n == 0 {
		t.Fatal("there are no published bundles")
	}
}

// everyByte changes, and deletes, every byte whose offset is a multiple of step.
func everyByte(t *testing.T, name string, data []byte, step int) {
	t.Helper()
	at := place{strings.TrimPrefix(name, published+"/"), true}
	if _, faults := content(name, at, data); len(faults) > 0 {
		t.Fatalf("the bundle is invalid before any change: %v", tomlfile.Faults(faults))
	}
	before := map[string]entry{name: {regular, blobID(data, 40)}}
	for i := 0; i < len(data); i += step {
		flipped := append([]byte(nil), data...)
		flipped[i] ^= 1
		deleted := append(append([]byte(nil), data[:i]...), data[i+1:]...)
		for _, other := range [][]byte{flipped, deleted} {
			b, faults := content(name, at, other)
			if len(faults) == 0 {
				t.Fatalf("byte %d: a change is not caught", i)
			}
			if b == nil {
				continue // not even a bundle any more
			}
			// A forger would rename the file. Then it is not where it was.
			moved, err := bundle.Path(b, other)
			if err != nil {
				continue
			}
			now := map[string]entry{published + "/" + moved: {regular, blobID(other, 40)}}
			if len(changes(before, now)) == 0 {
				t.Fatalf("byte %d: a change with a new name is not caught", i)
			}
		}
	}
}
