package llamacpptest_test

import (
	"bytes"
	"testing"

	"example.org/arena/loadgen/openai/llamacpptest"
)

// TestModel: the same model, to the byte, every time.
func TestModel(t *testing.T) {
	t.Parallel()
	first, err := llamacpptest.Model()
	if err != nil {
		t.Fatal(err)
	}
	second, err := llamacpptest.Model()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first, second) {
		t.Error("two models differ")
	}
	if n := len(first); n < 3<<20 || n > 6<<20 {
		t.Errorf("%d bytes", n)
	}
}
