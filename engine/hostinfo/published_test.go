package hostinfo

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/arena/results/bundle"
)

// What the servers of published bundles were started with passes unchanged: none of
// it is private, and looking for what is must not cost what matters.
func TestPublishedPasses(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../results/bundles/*/*/*/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("found no bundles: %v", err)
	}
	seen, drafts := 0, 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		b, faults := bundle.Check(file, data)
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		h := b.Host
		if h.Driver != "" && !driverForm.MatchString(h.Driver) || h.VBIOS != "" && !vbiosForm.MatchString(h.VBIOS) ||
			h.CUDA != "" && !cudaForm.MatchString(h.CUDA) || h.GPU != "" && !gpuForm.MatchString("NVIDIA "+h.GPU) {
			t.Errorf("%s: the forms do not fit %+v", file, h)
		}
		c := cleaner{private: newPrivate([]string{"spark-397a", "anna"})}
		want := b.Server.Argv
		if got := c.argv(want); !slices.Equal(got, want) {
			t.Errorf("%s: the arguments\n%q become\n%q", file, want, got)
		}
		s := newServiceReader(fakeSystem{}.system())
		for _, e := range b.Server.Env {
			if value, kept := s.variable(e.Name + "=" + e.Value); !kept || value != strings.TrimPrefix(e.Value, "/") {
				t.Errorf("%s: %v becomes %q, %v", file, e, value, kept)
			}
		}
		if ref := s.reference(b.Server.Image); ref != b.Server.Image {
			t.Errorf("%s: the image %s becomes %s", file, b.Server.Image, ref)
		}
		if len(want) == 0 || b.Server.Name != "vllm" {
			continue
		}
		seen++
		got := serviceOf(fakeSystem{}.system(), slices.Concat([]string{"vllm", "serve", b.Model.ID}, want))
		if got.Model != b.Model.ID {
			t.Errorf("%s: serves %q, not %q", file, got.Model, b.Model.ID)
		}
		if got.Draft == nil || b.Draft == nil {
			if (got.Draft == nil) != (b.Draft == nil) {
				t.Errorf("%s: speculates with %+v, not %+v", file, got.Draft, b.Draft)
			}
			continue
		}
		drafts++
		if got.Draft.Method != b.Draft.Method || got.Draft.Model != b.Draft.Model || got.Draft.TokensPerStep != b.Draft.TokensPerStep {
			t.Errorf("%s: speculates with %+v, not %+v", file, got.Draft, b.Draft)
		}
	}
	if seen == 0 || drafts == 0 {
		t.Errorf("looked at %d servers, %d with speculation", seen, drafts)
	}
	t.Logf("%d servers, %d with speculation", seen, drafts)
}
