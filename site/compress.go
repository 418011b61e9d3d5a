package site

import (
	"path"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"
)

// compressible reports whether a file is text, which is also written compressed,
// for servers that send such files as they are.
func compressible(file string) bool {
	return slices.Contains([]string{".html", ".css", ".js", ".json", ".csv", ".xml", ".svg", ".txt"}, path.Ext(file))
}

// The qualities of Brotli. What every reader loads is worth the best one; data
// files are many, fetched one at a time, and cost ten times less at the other.
const (
	bestQuality = brotli.BestCompression
	dataQuality = 9
)

// qualityOf returns the Brotli quality for a file.
func qualityOf(file string) int {
	if strings.HasPrefix(file, "data/") {
		return dataQuality
	}
	return bestQuality
}
