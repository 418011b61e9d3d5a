package store

import (
	"path/filepath"

	"example.org/arena/results/bundle"
)

// WriteBundle writes a bundle below a folder, whole or not at all and never over
// another file.
func WriteBundle(out string, b *bundle.Bundle) (string, error) {
	data, err := bundle.Encode(b)
	if err != nil {
		return "", err
	}
	place, err := bundle.Path(b, data)
	if err != nil {
		return "", err
	}
	path := filepath.Join(out, filepath.FromSlash(place))
	_, err = Create(path, data)
	return path, err
}
