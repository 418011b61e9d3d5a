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

// The qualities of Brotli. Files that every reader loads get the best one. Data files
// are many and each is fetched seldom: the other takes a tenth of the time.
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
