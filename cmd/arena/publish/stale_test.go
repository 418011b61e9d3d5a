package publish

import (
	"os"
	"path/filepath"
	"testing"
)

// abandoned makes a folder as a build that was killed leaves it.
func abandoned(t *testing.T, dir string) {
	t.Helper()
	for name, text := range map[string]string{Unfinished: unfinishedText, "en/index.html": "half"} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// The next build removes what a killed one left, and nothing that may be anything
// else: of another site, unmarked, in use, or a link to a folder elsewhere.
func TestReplaceSweeps(t *testing.T) {
	t.Parallel()
	if _, ok := seize(t.TempDir()); !ok {
		t.Skip("SKIPPED: folders cannot be locked here")
	}
	parent := t.TempDir()
	for _, name := range []string{".site-1", ".site-22", ".site-33", ".site-44", ".site-5.old", ".site-x", ".other-6", "elsewhere"} {
		abandoned(t, filepath.Join(parent, name))
	}
	if err := os.Remove(filepath.Join(parent, ".site-33", Unfinished)); err != nil {
		t.Fatal(err)
	}
	release := hold(filepath.Join(parent, ".site-44"))
	if err := os.Symlink("elsewhere", filepath.Join(parent, ".site-55")); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(parent, "site")
	for range 2 {
		if err := replace(t.Context(), dir, oldSite); err != nil {
			t.Fatal(err)
		}
		holds(t, dir, oldSite)
		alone(t, parent, ".other-6", ".site-33", ".site-44", ".site-5.old", ".site-55", ".site-x", "elsewhere", "site")
	}
	release()
	if err := replace(t.Context(), dir, newSite); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, newSite)
	alone(t, parent, ".other-6", ".site-33", ".site-5.old", ".site-55", ".site-x", "elsewhere", "site")
	if _, err := os.Stat(filepath.Join(parent, "elsewhere", "en", "index.html")); err != nil {
		t.Error(err)
	}
}

// A folder that holds a repository, or is the root, is never replaced, even if it
// were a site.
func TestCheckRefusesPreciousFolders(t *testing.T) {
	t.Parallel()
	if Check(string(filepath.Separator)) == nil {
		t.Error("the root of the file system is accepted")
	}
	dir := filepath.Join(t.TempDir(), "site")
	if err := replace(t.Context(), dir, oldSite); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".git"), []byte("gitdir: elsewhere\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	err := Check(dir)
	if want := dir + " holds a Git repository: a site is never put in its place"; err == nil || err.Error() != want {
		t.Errorf("error = %v, want %s", err, want)
	}
}
