package chart

import (
	"os"
	"testing"
)

// hostile are names that a contributor might try.
var hostile = []string{
	`<script>alert(1)</script>`,
	`"quotes" & 'apostrophes'`,
	`__f__alert(1)__f__`,
	`{b}{c}{a|x}`,
	`</text><image href="x" onerror="alert(1)"/>`,
	`</script><script>alert(1)</script>`,
}

// library is the built chart library. Tests that need it are skipped without it.
func library(t testing.TB) *Bundle {
	t.Helper()
	b, err := OpenBundle(os.DirFS("../../templates/dist"))
	if err != nil {
		t.Skipf("SKIPPED, NOTHING WAS TESTED: %v", err)
	}
	return b
}

func newRenderer(t testing.TB, jobs int) *Renderer {
	t.Helper()
	r, err := New(Config{Bundle: library(t), Jobs: jobs})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}
