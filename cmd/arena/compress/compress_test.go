package compress

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

// What was packed can be unpacked, and is the same bytes each time.
func TestCompress(t *testing.T) {
	t.Parallel()
	data := []byte(strings.Repeat("a line of a page\n", 100))
	for name, c := range map[string]struct {
		pack   func([]byte) ([]byte, error)
		unpack func(io.Reader) (io.Reader, error)
	}{
		"gzip":   {Gzip, func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }},
		"brotli": {func(data []byte) ([]byte, error) { return Brotli(data, 9) }, func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil }},
	} {
		once, err := c.pack(data)
		if err != nil {
			t.Fatal(err)
		}
		twice, err := c.pack(data)
		if err != nil || !bytes.Equal(once, twice) || len(once) >= len(data) {
			t.Errorf("%s: %d and %d bytes of %d, %v", name, len(once), len(twice), len(data), err)
		}
		r, err := c.unpack(bytes.NewReader(once))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: unpacked %d bytes of %d, %v", name, len(got), len(data), err)
		}
	}
}
