package site

import (
	"errors"
	"testing"

	"example.org/arena/i18n"
	"example.org/arena/site/render"
)

// The error of a page that cannot be made names the file of the bundle behind it.
func TestFaultOfPageNamesBundle(t *testing.T) {
	t.Parallel()
	cause := errors.New("draw chat-1: no chart")
	failing := func(*i18n.Printer) (*render.Page, error) { return nil, cause }
	for path, want := range map[string]string{
		"dgx-spark/Example--M/p/x.json": "dgx-spark/Example--M/p/x.json: draw chat-1: no chart",
		"":                              "draw chat-1: no chart",
	} {
		if _, err := fromFile(path, failing)(nil); !errors.Is(err, cause) || err.Error() != want {
			t.Errorf("error = %v, want %s", err, want)
		}
	}
	page := &render.Page{}
	made, err := fromFile("x.json", func(*i18n.Printer) (*render.Page, error) { return page, nil })(nil)
	if made != page || err != nil {
		t.Errorf("fromFile = %v, %v for a page without a fault", made, err)
	}
}
