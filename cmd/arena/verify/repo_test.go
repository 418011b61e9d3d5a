package verify

import (
	"bytes"
	"compress/gzip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.org/arena/results/bundle"
	"example.org/arena/results/tomlfile"
)

const contractText = "version = \"v2\"\n"

// A checkout is a repository made for a test: a contract, a program, and results.
type checkout struct {
	t   *testing.T
	dir string
	env []string
}

// newCheckout returns a repository with one commit, which holds a contract.
func newCheckout(t *testing.T) *checkout {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := &checkout{t: t, dir: dir, env: append(os.Environ(),
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org",
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org",
		"GIT_AUTHOR_DATE=2026-08-14T10:00:00Z", "GIT_COMMITTER_DATE=2026-08-14T10:00:00Z",
	)}
	c.git("init", "-q", "-b", "main")
	c.write("content/contracts/v2.toml", contractText)
	c.commit("contract")
	return c
}

// git runs git in the checkout and returns what it prints.
func (c *checkout) git(args ...string) string {
	c.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", c.dir}, args...)...)
	cmd.Env = c.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		c.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// commit records everything and returns the revision.
func (c *checkout) commit(message string) string {
	c.t.Helper()
	c.git("add", "-A")
	c.git("commit", "-q", "--allow-empty", "-m", message)
	return c.git("rev-parse", "HEAD")
}

func (c *checkout) path(name string) string { return filepath.Join(c.dir, filepath.FromSlash(name)) }

func (c *checkout) write(name, text string) {
	c.t.Helper()
	if err := os.MkdirAll(filepath.Dir(c.path(name)), 0o755); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(c.path(name), []byte(text), 0o644); err != nil {
		c.t.Fatal(err)
	}
}

// example returns a valid bundle whose pins hold in the checkout.
func (c *checkout) example() *bundle.Bundle {
	c.t.Helper()
	data, err := os.ReadFile("../../../results/bundle/testdata/example.json")
	if err != nil {
		c.t.Fatal(err)
	}
	b, err := bundle.Decode("example.json", data)
	if err != nil {
		c.t.Fatal(err)
	}
	b.Engine.Revision = c.git("rev-parse", "HEAD")
	b.Contract.SHA256 = bundle.ID([]byte(contractText))
	b.Contract.Revision = c.git("log", "-1", "--format=%H", "--", "content/contracts/v2.toml")
	return b
}

// put writes a bundle to its place below dir, with the raw file that the example
// keeps, and returns its path from the root of the checkout.
func (c *checkout) put(dir string, b *bundle.Bundle) string {
	c.t.Helper()
	data, err := bundle.Encode(b)
	if err != nil {
		c.t.Fatal(err)
	}
	place, err := bundle.Path(b, data)
	if err != nil {
		c.t.Fatal(err)
	}
	name := dir + "/" + place
	c.write(name, string(data))
	c.write(filepath.ToSlash(filepath.Dir(name))+"/raw/"+bundle.ID([]byte("log\n"))+".gz", gzipped(c.t, "log\n"))
	return name
}

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// verify checks paths of the checkout, or results/bundles.
func (c *checkout) verify(base string, paths ...string) bundle.Report {
	c.t.Helper()
	if len(paths) == 0 {
		paths = []string{published}
	}
	for i, p := range paths {
		paths[i] = c.path(p)
	}
	r, err := Run(c.t.Context(), Options{
		Paths: paths, Base: base, Env: c.env,
		Contracts: map[string]string{"v2": bundle.ID([]byte(contractText))},
		Platforms: []string{"dgx-spark"},
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return r
}

// expect compares findings, as "code key" or "code" sorted, with want.
func expect(t *testing.T, what string, found []tomlfile.Fault, want ...string) {
	t.Helper()
	var got []string
	for _, f := range found {
		got = append(got, strings.TrimSpace(f.Code+" "+f.Key))
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s = %q, want %q\n%v", what, got, want, tomlfile.Faults(found))
	}
}
