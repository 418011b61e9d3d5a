package formats

import (
	"strings"
	"testing"

	"example.org/arena/results/ingest"
)

func TestImportUnknownFormat(t *testing.T) {
	t.Parallel()
	if _, err := Import("llama", nil, ingest.Metadata{}, ingest.Options{}); err == nil || !strings.Contains(err.Error(), "concurrency-csv") {
		t.Errorf("got %v", err)
	}
}
