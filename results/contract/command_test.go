package contract_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.org/arena/results/contract"
)

var names = contract.Names{Model: "Qwen/Qwen3.6-27B-FP8", ServedName: "qwen3.6-27b-fp8"}

// printed writes all commands of a contract as its page shows them.
func printed(c *contract.Contract, n contract.Names) string {
	var b strings.Builder
	for _, t := range c.Tests {
		for _, command := range c.Commands(t, n) {
			if command.Comment != "" {
				fmt.Fprintf(&b, "# %s\n", command.Comment)
			}
			fmt.Fprintf(&b, "%s\n", command.Shell())
		}
	}
	return b.String()
}

func TestCommandsGolden(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"v1", "v2"} {
		file := filepath.Join("testdata", version+"-commands.txt")
		got := printed(load(t, version), contract.Names{})
		if os.Getenv("UPDATE_GOLDEN") == "1" {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want := string(readFile(t, file)); got != want {
			t.Errorf("%s: commands differ from %s:\n%s", version, file, got)
		}
	}
}

// joined removes continuations: what remains of a command is one line.
func joined(text string) string {
	return regexp.MustCompile(`[ \t]*\\\n[ \t]*`).ReplaceAllString(text, " ")
}

// commandsIn finds the commands in the text of a method page. The page's text
// runs on behind a command without a break, so a command ends where its last
// value does.
func commandsIn(text string) []string {
	command := regexp.MustCompile(`(?m)^(?:# [0-9.]+ req/s\n)?(?:uvx llama-benchy.*? --format md|docker exec vllm-bench.*? --result-filename [a-z0-9.-]+\.json|docker exec vllm-bench.*? --seed 42)`)
	return command.FindAllString(joined(text), -1)
}

// seeds returns the texts of the method pages whose tests ran with what
// ARENA_SEEDS names.
func seeds(t *testing.T, pick func(text string) bool) []string {
	t.Helper()
	dir := os.Getenv("ARENA_SEEDS")
	if dir == "" {
		t.Skip("NOT COMPARED with the published texts: ARENA_SEEDS names no folder of them")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("find texts in %s: %v, %v", dir, files, err)
	}
	var texts []string
	for _, file := range files {
		if text := string(readFile(t, file)); pick(text) {
			texts = append(texts, text)
		}
	}
	return texts
}

func TestCommandsEqualPublishedTexts(t *testing.T) {
	t.Parallel()
	texts := seeds(t, func(text string) bool { return strings.Contains(text, "llama-benchy==0.4.0") })
	if len(texts) != 2 {
		t.Fatalf("got %d texts of v2, want the English and the French one", len(texts))
	}
	want := strings.Split(strings.TrimSpace(joined(printed(load(t, "v2"), contract.Names{}))), "\n")
	for i, text := range texts {
		got := strings.Split(strings.Join(commandsIn(text), "\n"), "\n")
		if len(commandsIn(text)) != 16 || !slices.Equal(got, want) {
			t.Errorf("text %d: %d commands\nprinted there:\n%s\n\nours:\n%s", i, len(commandsIn(text)), strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// TestCommandsEqualFirstText compares v1, whose text has one placeholder for all
// names and decimal commas.
func TestCommandsEqualFirstText(t *testing.T) {
	t.Parallel()
	texts := seeds(t, func(text string) bool { return strings.Contains(text, "uvx llama-benchy \\") })
	if len(texts) != 1 {
		t.Fatalf("got %d texts of v1, want one", len(texts))
	}
	ours := printed(load(t, "v1"), contract.Names{Model: "<your-model>", ServedName: "<your-model>"})
	ours = strings.ReplaceAll(joined(ours), "'<your-model>'", "<your-model>")
	want := strings.Split(strings.TrimSpace(ours), "\n")
	got := commandsIn(texts[0])
	for i := range got {
		got[i] = regexp.MustCompile(`(\d),(\d+ --burst|\d+ --perc|\d+ --max)`).ReplaceAllString(got[i], "$1.$2")
	}
	if !slices.Equal(got, want) {
		t.Errorf("printed there:\n%s\n\nours:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestCommandsHaveDecimalPoints(t *testing.T) {
	t.Parallel()
	c := load(t, "v1")
	for slug, want := range map[string]string{
		"office-baseline": "--request-rate 0.30 --burstiness 0.7 --percentile-metrics",
		"monday-peak":     "--request-rate 1.50 --burstiness 1.0 --max-concurrency 25 --percentile-metrics",
		"reasoning":       "--request-rate 0.20 --burstiness 1.0 --percentile-metrics",
	} {
		got := c.Commands(test(t, c, slug), names)[0].OneLine()
		if !strings.Contains(got, want) {
			t.Errorf("%s: want %q in\n%s", slug, want, got)
		}
	}
}

func TestCommandWithNames(t *testing.T) {
	t.Parallel()
	c := load(t, "v2")
	got := c.Commands(test(t, c, "monday-peak"), names)[0].OneLine()
	want := "--model Qwen/Qwen3.6-27B-FP8 --tokenizer Qwen/Qwen3.6-27B-FP8 --served-model-name qwen3.6-27b-fp8 "
	if !strings.Contains(got, want) {
		t.Errorf("want %q in\n%s", want, got)
	}
	got = c.Commands(test(t, c, "chat"), names)[0].OneLine()
	if want := "--model qwen3.6-27b-fp8 --pp"; !strings.Contains(got, want) {
		t.Errorf("want %q in\n%s", want, got)
	}
	if got := c.Commands(contract.Test{}, names); got != nil {
		t.Errorf("test without parameters: got commands %v", got)
	}
}

// hostile are names that must stay what they are: one argument.
var hostile = []string{
	"", " ", "a b", "a'b", `a"b`, `a\b`, "a\nb", "$(touch /tmp/x)", "`id`", "${HOME}", "~", "*", "a;b", "a&b", "a|b",
	"a>b", "<x>", "#a", "!x", "=ls", "-x", "--format=json", "a\x1b[201~b", "a\tb", "\u202eabc", "é", "日本", "a\u00a0b", "\xff\xfe",
	"{a,b}", "[a]", "%s", "'", "''", `\'`, "a\\\nb", "\x7f1",
}

func TestHostileNamesStayArguments(t *testing.T) {
	t.Parallel()
	c := load(t, "v2")
	for _, name := range hostile {
		for _, slug := range []string{"chat", "sharegpt"} {
			command := c.Commands(test(t, c, slug), contract.Names{Model: name, ServedName: name})[0]
			for _, line := range []string{command.OneLine(), command.Shell()} {
				if got := words(t, line); !slices.Equal(got, command.Argv) {
					t.Errorf("name %q: bash reads\n%q\nwant\n%q", name, got, command.Argv)
				}
				if strings.ContainsAny(strings.ReplaceAll(line, " \\\n", ""), "\x1b\t\u202e\u00a0\x7f\n") {
					t.Errorf("name %q: the command hides characters: %q", name, line)
				}
			}
		}
	}
}

func TestCommandsArePasteable(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"v1", "v2"} {
		c := load(t, version)
		for _, tt := range c.Tests {
			for _, command := range c.Commands(tt, names) {
				for _, line := range []string{command.OneLine(), command.Shell()} {
					if got := words(t, line); !slices.Equal(got, command.Argv) {
						t.Errorf("%s %s: bash reads\n%q\nwant\n%q", version, tt.Slug, got, command.Argv)
					}
				}
			}
		}
	}
}

// words lets bash check and split a line.
func words(t *testing.T, line string) []string {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("NOT CHECKED with a shell: no bash")
	}
	check := exec.Command(bash, "-n")
	check.Stdin = strings.NewReader(line + "\n")
	if out, err := check.CombinedOutput(); err != nil {
		t.Fatalf("bash -n: %v\n%s\n%s", err, out, line)
	}
	split := exec.Command(bash, "-c", `printf '%s\0' `+line)
	split.Env = []string{"LC_ALL=C", "HOME=/nowhere"}
	split.Dir = t.TempDir()
	out, err := split.Output()
	if err != nil {
		t.Fatalf("bash: %v\n%s", err, line)
	}
	var list []string
	for word := range bytes.SplitSeq(bytes.TrimSuffix(out, []byte{0}), []byte{0}) {
		list = append(list, string(word))
	}
	return list
}

func TestSplitCommand(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]string{
		``:                     nil,
		` a  b	c `:             {"a", "b", "c"},
		`A=1 b "c d" 'e f'`:    {"A=1", "b", "c d", "e f"},
		`a'b'"c"d`:             {"abcd"},
		`'' ""`:                {"", ""},
		`a\ b \'`:              {"a b", "'"},
		"a \\\n  b":            {"a", "b"},
		`"a\"b\\c\d"`:          {`a"b\c\d`},
		"'a\nb'":               {"a\nb"},
		"a b\n":                {"a", "b"},
		`a#b`:                  {"a#b"},
		`--x=0.9 http://h:1/v`: {"--x=0.9", "http://h:1/v"},
	} {
		got, err := contract.SplitCommand(line)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: got %q, %v, want %q", line, got, err, want)
		}
	}
	for _, line := range []string{`a | b`, `a; b`, `a && b`, `$A`, `"$A"`, "`a`", "\"`a`\"", `a > b`, `a *`, `a {b,c}`, `'a`, `"a`, `a\`, "a\nb", `# a`, "a\x00"} {
		if got, err := contract.SplitCommand(line); err == nil {
			t.Errorf("%q: got %q, want an error", line, got)
		}
	}
}

func TestSplitUndoesOneLine(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"v1", "v2"} {
		c := load(t, version)
		for _, tt := range c.Tests {
			for _, command := range c.Commands(tt, contract.Names{Model: "a 'b' \"c\" $d", ServedName: `e\f`}) {
				for _, line := range []string{command.OneLine(), command.Shell()} {
					if got, err := contract.SplitCommand(line); err != nil || !slices.Equal(got, command.Argv) {
						t.Errorf("got %q, %v, want %q", got, err, command.Argv)
					}
				}
			}
		}
	}
}

func FuzzSplitCommand(f *testing.F) {
	for _, name := range hostile {
		f.Add(name)
	}
	f.Add(`PYTHONUNBUFFERED=1 stdbuf -oL -eL uvx llama-benchy==0.4.0 --pp 1024 "a b" 'c'`)
	f.Fuzz(func(t *testing.T, line string) {
		argv, err := contract.SplitCommand(line)
		if err != nil {
			return
		}
		quoted := contract.Command{Argv: argv}.OneLine()
		if strings.Contains(quoted, "$'") {
			return // spelled-out characters are for shells only
		}
		again, err := contract.SplitCommand(quoted)
		if err != nil || !slices.Equal(again, argv) {
			t.Errorf("%q: got %q, %v from %q, want %q", line, again, err, quoted, argv)
		}
	})
}
