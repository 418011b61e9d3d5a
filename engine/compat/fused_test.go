package compat

import (
	"os"
	"os/exec"
	"regexp"
	"testing"
)

// TestNothingIsFused compiles the package for arm64, where the compiler joins
// products and sums unless a product is converted to float64, and looks for such
// instructions: figures would differ from the tools' there.
func TestNothingIsFused(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compiles for another machine")
	}
	cmd := exec.Command("go", "build", "-gcflags=-S", ".")
	cmd.Env = append(os.Environ(), "GOARCH=arm64", "CGO_ENABLED=0")
	listing, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("compile for arm64: %v\n%s", err, listing)
	}
	for _, file := range []string{"benchy", "benchy_tokens", "vllm"} {
		if !regexp.MustCompile(`/` + file + `\.go:\d+\)\s+FMULD`).Match(listing) {
			t.Fatalf("the listing shows no product of %s.go: it is not what this test expects", file)
		}
	}
	if fused := regexp.MustCompile(`.*\sFN?M(ADD|SUB)D.*`).FindAll(listing, -1); fused != nil {
		t.Errorf("fused arithmetic:\n%s", fused)
	}
}
