package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"example.org/arena/cmd/arena/compress"
)

// Values is what a Compressor keeps its results in.
type Values interface {
	Get(key string) (value []byte, ok bool)
	Put(key string, value []byte)
}

// Compressor returns a function that compresses as a site is served, Brotli and
// gzip, and keeps both results in values.
func Compressor(values Values) func(data []byte, quality int) (br, gz []byte, err error) {
	return func(data []byte, quality int) (br, gz []byte, err error) {
		sum := sha256.Sum256(data)
		key := hex.EncodeToString(sum[:])
		brotli := func(data []byte) ([]byte, error) { return compress.Brotli(data, quality) }
		if br, err = cached(values, fmt.Sprintf("br%d %s", quality, key), data, brotli); err != nil {
			return nil, nil, err
		}
		if gz, err = cached(values, "gz "+key, data, compress.Gzip); err != nil {
			return nil, nil, err
		}
		return br, gz, nil
	}
}

// cached returns what pack makes of data, from values where it is there.
func cached(values Values, key string, data []byte, pack func([]byte) ([]byte, error)) ([]byte, error) {
	if small, ok := values.Get(key); ok {
		return small, nil
	}
	small, err := pack(data)
	if err != nil {
		return nil, err
	}
	values.Put(key, small)
	return small, nil
}
