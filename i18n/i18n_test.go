package i18n

import "testing"

// TestCatalogs fails for anything that Load finds wrong with the committed texts.
func TestCatalogs(t *testing.T) {
	t.Parallel()
	c, err := Load(FS)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Keys()) == 0 {
		t.Fatal("no texts")
	}
}
