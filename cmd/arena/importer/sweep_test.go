package importer

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"example.org/arena/results/bundle"
)

// What a killed import left half written is gone after the next one; what another
// import is writing at the moment stays.
func TestWritePlanSweeps(t *testing.T) {
	t.Parallel()
	dead := exec.Command(os.Args[0], "-test.run=^$")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	place := filepath.Join(dir, "p", "other--model", "x")
	if err := os.MkdirAll(filepath.Join(place, "raw"), 0o755); err != nil {
		t.Fatal(err)
	}
	put := func(name string, age time.Duration) string {
		path := filepath.Join(place, filepath.FromSlash(name))
		if err := os.WriteFile(path, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-age)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
		return path
	}
	gone := strconv.Itoa(dead.Process.Pid)
	live := strconv.Itoa(os.Getpid())
	put(".arena-"+gone+"-1", 0)
	put("raw/.arena-"+gone+"-2", 0)
	put(".arena-"+live+"-3", 2*time.Hour)
	put(".arena-x", 0)
	keep := []string{put(".arena-"+live+"-4", 0), put("20260814T100000Z-0123456789ab.json", 0)}
	plan, err := PlanWrites(dir, []*bundle.Bundle{exampleBundle(t, "c")}, exampleInputs(), false)
	if err != nil {
		t.Fatal(err)
	}
	if err := plan.Write(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := files(t, place)
	slices.Sort(keep)
	if !slices.Equal(got, keep) {
		t.Errorf("left %v, want %v", got, keep)
	}
}
