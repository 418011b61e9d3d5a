package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.org/arena/content"
	"example.org/arena/engine/runner/toolstest"
	"example.org/arena/results/bundle"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	tool := func(name string) func() {
		return func() { os.Exit(toolstest.Run(append([]string{name}, os.Args[1:]...))) }
	}
	testscript.Main(m, map[string]func(){"arena": main, "uvx": tool("uvx"), "docker": tool("docker")})
}

// The scripts are testdata/script/<command>_<case>.txtar. Beside the commands of
// testscript they know:
//
//	checkout            make the working folder a repository with our content
//	commit MESSAGE      record everything in it
//	example DIR [CREDIT]  write a valid bundle below DIR; its path is in $BUNDLE
//	simulated DIR         write a simulated bundle below DIR
//
// and the condition [charts]: the chart library is in the program.
func TestScript(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("found no scripts: %v", err)
	}
	example, err := os.ReadFile("../../results/bundle/testdata/example.json")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       os.Getenv("UPDATE_GOLDEN") != "",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
			e.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			for _, who := range []string{"AUTHOR", "COMMITTER"} {
				e.Setenv("GIT_"+who+"_NAME", "Ada")
				e.Setenv("GIT_"+who+"_EMAIL", "ada@example.org")
				e.Setenv("GIT_"+who+"_DATE", "2026-08-14T10:00:00Z")
			}
			return os.WriteFile(filepath.Join(e.WorkDir, "example.json"), example, 0o644)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"checkout":  scriptCheckout,
			"commit":    scriptCommit,
			"example":   scriptExample,
			"simulated": scriptSimulated,
		},
		Condition: scriptCondition,
	})
}

func scriptCheckout(ts *testscript.TestScript, _ bool, _ []string) {
	scriptGit(ts, "init", "-q", "-b", "main")
	ts.Check(os.CopyFS(ts.MkAbs("content"), content.FS))
	scriptCommit(ts, false, []string{"content"})
}

func scriptCommit(ts *testscript.TestScript, _ bool, args []string) {
	scriptGit(ts, "add", "-A")
	scriptGit(ts, "commit", "-q", "--allow-empty", "-m", args[0])
}

func scriptExample(ts *testscript.TestScript, _ bool, args []string) {
	data, err := os.ReadFile(ts.MkAbs("example.json"))
	ts.Check(err)
	b, err := bundle.Decode("example.json", data)
	ts.Check(err)
	list, err := contracts()
	ts.Check(err)
	for _, k := range list {
		if k.Version == b.Contract.Version {
			b.Contract.SHA256 = k.Digest
		}
	}
	b.Contract.Revision = scriptGit(ts, "log", "-1", "--format=%H", "--", "content/contracts")
	b.Engine.Revision = scriptGit(ts, "rev-parse", "HEAD")
	b.Tests[0].Files = nil
	b.Notes, b.Tests[1].Cells[1].Notes = nil, nil // made-up codes, which verify warns of
	if len(args) > 1 {
		b.Credit = args[1]
	}
	data, err = bundle.Encode(b)
	ts.Check(err)
	place, err := bundle.Path(b, data)
	ts.Check(err)
	name := args[0] + "/" + place
	ts.Check(os.MkdirAll(filepath.Dir(ts.MkAbs(name)), 0o755))
	ts.Check(os.WriteFile(ts.MkAbs(name), data, 0o644))
	ts.Setenv("BUNDLE", name)
}

func scriptGit(ts *testscript.TestScript, args ...string) string {
	cmd := exec.Command("git", append([]string{"-C", ts.MkAbs(".")}, args...)...)
	cmd.Env = os.Environ()
	for _, name := range []string{"CONFIG_GLOBAL", "CONFIG_NOSYSTEM", "AUTHOR_NAME", "AUTHOR_EMAIL", "AUTHOR_DATE", "COMMITTER_NAME", "COMMITTER_EMAIL", "COMMITTER_DATE"} {
		cmd.Env = append(cmd.Env, "GIT_"+name+"="+ts.Getenv("GIT_"+name))
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		ts.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}
