package site

import (
	"context"
	"errors"
	"testing"

	"example.org/arena/i18n"
	"example.org/arena/site/render"
)

// The error of a page that cannot be made names the page and the file of the
// bundle behind it.
func TestFaultOfPageNamesBundle(t *testing.T) {
	t.Parallel()
	cause := errors.New("draw chat-1: no chart")
	for file, want := range map[string]string{
		"dgx-spark/Example--M/p/x.json": "dgx-spark/Example--M/p/x.json: page /en/models/m/p/: draw chat-1: no chart",
		"":                              "page /en/models/m/p/: draw chat-1: no chart",
	} {
		b := &builder{in: input(t), printers: map[i18n.Lang]*i18n.Printer{}}
		failing := func(*i18n.Printer) (*render.Page, error) { return nil, cause }
		err := b.addPart(t.Context(), part{file: file, make: func(ctx context.Context, to *files) error {
			return b.makePage(ctx, to, "models/m/p/", false, failing, i18n.EN)
		}})
		if !errors.Is(err, cause) || err.Error() != want {
			t.Errorf("error = %v, want %s", err, want)
		}
	}
}
