package store

import (
	"fmt"
	"path/filepath"

	"example.org/arena/cmd/arena/exit"
	"example.org/arena/content"
	"example.org/arena/results/ingest"
)

// ReadMetadata reads the metadata, which may be absent.
func ReadMetadata(file string) (ingest.Metadata, error) {
	if file == "" {
		return ingest.Metadata{}, nil
	}
	data, err := Read(file)
	if err != nil {
		return ingest.Metadata{}, exit.WithCode(exit.Usage, fmt.Errorf("read metadata: %w", err))
	}
	return content.ParseMetadata(filepath.ToSlash(file), data)
}
