// Package compress packs bytes as they are served and as raw files are kept: the same
// bytes always become the same. It reads nothing and keeps nothing; package cache
// keeps.
package compress

import (
	"bytes"
	"compress/gzip"
	"io"

	"github.com/andybalholm/brotli"
)

// Gzip compresses at level 9, with no time and no name in the result.
func Gzip(data []byte) ([]byte, error) {
	return pack(data, func(w io.Writer) (io.WriteCloser, error) {
		return gzip.NewWriterLevel(w, gzip.BestCompression)
	})
}

// Brotli compresses at a quality from 0 to 11.
func Brotli(data []byte, quality int) ([]byte, error) {
	return pack(data, func(w io.Writer) (io.WriteCloser, error) {
		return brotli.NewWriterLevel(w, quality), nil
	})
}

// pack returns what a compressing writer makes of data.
func pack(data []byte, writer func(io.Writer) (io.WriteCloser, error)) ([]byte, error) {
	var b bytes.Buffer
	w, err := writer(&b)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
