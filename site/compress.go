package site

import (
	"context"
	"strings"

	"github.com/andybalholm/brotli"
)

// compressible are the endings of text files: those are also written compressed,
// for servers that send such files as they are.
var compressible = []string{".html", ".css", ".js", ".json", ".csv", ".xml", ".svg", ".txt"}

// compressTree adds a .br and a .gz beside every text file that shrinks.
func (b *builder) compressTree(ctx context.Context) error {
	var paths []string
	for _, path := range b.tree.Paths() {
		for _, ext := range compressible {
			if strings.HasSuffix(path, ext) {
				paths = append(paths, path)
				break
			}
		}
	}
	return b.each(ctx, len(paths), func(i int) error {
		data, _ := b.tree.File(paths[i])
		br, gz, err := b.in.Compress(data, qualityOf(paths[i]))
		if err != nil {
			return err
		}
		if len(br) < len(data) {
			b.tree.add(paths[i]+".br", br)
		}
		if len(gz) < len(data) {
			b.tree.add(paths[i]+".gz", gz)
		}
		return nil
	})
}

// The qualities of Brotli. What every reader loads is worth the best one; data
// files are many, fetched one at a time, and cost ten times less at the other.
const (
	bestQuality = brotli.BestCompression
	dataQuality = 9
)

// qualityOf returns the Brotli quality for the file at path.
func qualityOf(path string) int {
	if strings.HasPrefix(path, "data/") {
		return dataQuality
	}
	return bestQuality
}
