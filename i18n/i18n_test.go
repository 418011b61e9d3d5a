package i18n

import "testing"

// load returns the committed catalogs.
func load(t testing.TB) *Catalogs {
	t.Helper()
	c, err := Load(FS)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCatalogs(t *testing.T) {
	t.Parallel()
	load(t)
}
