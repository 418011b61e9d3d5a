package site

import (
	"errors"
	"testing"

	"example.org/arena/i18n"
)

// The error of a page that cannot be made names the page and the file of the
// bundle behind it.
func TestFaultOfPageNamesBundle(t *testing.T) {
	t.Parallel()
	cause := errors.New("draw chat-1: no chart")
	for file, want := range map[string]string{
		"dgx-spark/Example--M/p/x.json": "page /en/models/m/p/: dgx-spark/Example--M/p/x.json: draw chat-1: no chart",
		"":                              "page /en/models/m/p/: draw chat-1: no chart",
	} {
		m := pageMaker{route: "models/m/p/", file: file}
		if err := m.fault(i18n.EN, cause); !errors.Is(err, cause) || err.Error() != want {
			t.Errorf("error = %v, want %s", err, want)
		}
	}
}
