package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The stamp calls a program dirty for whatever may be in it and is not in Git, and
// for nothing else.
func TestMakefileStampsDirt(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"make", "git"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("SKIPPED: %v", err)
		}
	}
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) string {
		t.Helper()
		c := exec.Command(args[0], args[1:]...)
		c.Dir = dir
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "MAKEFLAGS=")
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	write("Makefile", string(makefile))
	write(".gitignore", "/bin/\n*.swp\n")
	write("cmd/arena/main.go", "package main\n")
	write("content/site.toml", "")
	run("git", "init", "-q")
	run("git", "add", "-A")
	run("git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-q", "-m", "all")
	for _, c := range []struct {
		file  string // that is added or changed; empty for none
		dirty string
	}{
		{"", "false"},
		{"cmd/arena/more.go", "true"},
		{"cmd/new/embedded.txt", "true"},
		{"elsewhere/deep/x.go", "true"},
		{"x_test.go", "true"},
		{"content/models/x.toml", "true"},
		{"i18n/de/board.toml", "true"},
		{"templates/new.html", "true"},
		{"results/stat/x.csv", "true"},
		{"results/bundles/a/b/c/x.json", "false"},
		{"cmd/arena/.main.go.swp", "false"},
		{"notes.txt", "false"},
		{"bin/arena", "false"},
	} {
		if c.file != "" {
			write(c.file, "x\n")
		}
		got := run("make", "--no-print-directory", "--eval", "stamp: ; @echo '$(filter main.dirty=%,$(STAMP))'", "stamp")
		if got != "main.dirty="+c.dirty {
			t.Errorf("with %q: %s, want %s", c.file, got, c.dirty)
		}
		if c.file != "" {
			if err := os.Remove(filepath.Join(dir, c.file)); err != nil {
				t.Fatal(err)
			}
		}
	}
	write("cmd/arena/main.go", "package main // changed\n")
	if got := run("make", "--no-print-directory", "--eval", "stamp: ; @echo '$(filter main.dirty=%,$(STAMP))'", "stamp"); got != "main.dirty=true" {
		t.Errorf("with a changed file: %s", got)
	}
}
