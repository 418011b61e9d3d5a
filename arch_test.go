package arena_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// The architecture as rules. It reads the sources itself: a test that asks the
// Go tool is answered from the cache after an import was added.

const modulePath = "example.org/arena/"

// mayImport lists, per folder, which of our packages its files (tests included)
// may import. A folder with Go files that is not here, nor below one that ends
// in "/**", is a fault: there are no other code folders.
var mayImport = []struct {
	folder string
	ours   []string // packages, or trees that end in "/**"
}{
	{".", []string{"**"}}, // tests of the whole

	{"results/metric", nil},
	{"results/facts", []string{"results/metric"}},
	{"results/tomlfile", nil},
	{"results/numpy", []string{"results/metric", "results/facts"}},
	{"results/contract", []string{"results/metric", "results/facts", "results/tomlfile", "results/numpy"}},
	{"results/privacy", nil},
	{"results/bundle", []string{"results/metric", "results/facts", "results/tomlfile", "results/numpy", "results/contract"}},
	{"results/stat", []string{"results/metric", "results/facts", "results/tomlfile", "results/numpy", "results/contract", "results/bundle"}},
	{"results/audit", []string{"results/metric", "results/facts", "results/tomlfile", "results/numpy", "results/contract", "results/bundle", "results/stat"}},
	{"results/verdict", []string{"results/metric", "results/facts", "results/tomlfile", "results/numpy", "results/contract", "results/bundle", "results/stat", "results/audit"}},
	{"results/ingest/scan", belowIngest},
	{"results/ingest", slices.Concat(belowIngest, []string{"results/ingest/scan"})},
	{"results/ingest/ingesttest", slices.Concat(belowIngest, []string{"results/ingest", "results/ingest/scan"})},
	{"results/ingest/concurrencycsv", slices.Concat(belowIngest, []string{"results/ingest", "results/ingest/scan", "results/ingest/ingesttest"})},
	{"results/ingest/llamabenchy", slices.Concat(belowIngest, []string{"results/ingest", "results/ingest/scan", "results/ingest/ingesttest"})},
	{"results/ingest/vllmbench", slices.Concat(belowIngest, []string{"results/ingest", "results/ingest/scan", "results/ingest/ingesttest"})},
	{"results/ingest/sparksuite", slices.Concat(belowIngest, []string{"results/ingest", "results/ingest/scan", "results/ingest/ingesttest", "results/ingest/llamabenchy", "results/ingest/vllmbench"})},
	{"results/ingest/formats", []string{"results/**"}},

	{"content", []string{"results/**", "i18n"}},
	{"i18n", []string{"results/tomlfile"}},
	{"templates", nil},

	{"loadgen/**", []string{"loadgen/**", "results/metric", "results/numpy"}},
	{"engine/**", []string{"engine/**", "loadgen/**", "results/**", "content"}},

	{"site/board", []string{"results/**", "content"}},
	{"site/dataset", []string{"results/**", "site/board"}},
	{"site/chart", []string{"results/**", "site/board"}},
	{"site/markdown", nil},
	{"site/render", []string{"results/**", "content", "i18n", "templates", "site/board", "site/chart", "site/markdown"}},
	{"site/format", []string{"results/**", "i18n", "site/board", "site/chart", "site/render"}},
	{"site/report", []string{"results/**", "content", "i18n", "site/board", "site/chart", "site/format", "site/markdown", "site/render"}},
	{"site/page", []string{"results/**", "content", "i18n", "site/board", "site/markdown", "site/page/pagetest"}},
	{"site/page/**", []string{"results/**", "content", "i18n", "site/board", "site/chart", "site/format", "site/page", "site/page/pagetest", "site/render"}},
	{"site", []string{"results/**", "content", "i18n", "templates", "site/**"}},

	{"cmd/arena/bench/**", []string{"engine/**", "loadgen/**", "results/**", "content", "cmd/**"}}, // measuring knows no page
	{"cmd/**", []string{"**"}},
}

// belowIngest is what comes before results/ingest in the order of results.
var belowIngest = []string{
	"results/metric", "results/facts", "results/tomlfile", "results/numpy", "results/contract", "results/privacy", "results/bundle", "results/stat", "results/audit", "results/verdict",
}

// onlyImportedBy lists libraries that few packages may import, tests aside where
// tests is set.
var onlyImportedBy = []struct {
	library string // an import path, and everything below it
	folders []string
	tests   bool // tests anywhere may import it
}{
	{"github.com/go-echarts/go-echarts", []string{"site/chart"}, false},
	{"modernc.org/quickjs", []string{"site/chart"}, false},
	{"modernc.org/libquickjs", []string{"site/chart"}, false},
	{"github.com/yuin/goldmark", []string{"site/markdown"}, false},
	{"github.com/tdewolff", []string{"site"}, false},
	{"golang.org/x/text", []string{"i18n"}, false},
	{"github.com/nicksnyder/go-i18n", []string{"i18n"}, false},
	{"github.com/montanaflynn/stats", []string{"results/stat"}, false},
	{"github.com/BurntSushi/toml", []string{"results/tomlfile"}, false},
	{"github.com/spf13/cobra", []string{"cmd/**"}, false},
	{"github.com/invopop/jsonschema", []string{"cmd/gen"}, false},
	{"github.com/santhosh-tekuri/jsonschema", nil, true},
	{"github.com/rogpeppe/go-internal", nil, true},
	{"github.com/go-rod/rod", []string{"cmd/arena/browsertest"}, true},
}

// Pure folders do no I/O, read no clock, log nothing and draw no random numbers.
var pureFolders = []string{
	"results/metric", "results/facts", "results/tomlfile", "results/numpy", "results/contract", "results/privacy", "results/bundle", "results/stat",
	"results/audit", "results/verdict", "results/ingest", "results/ingest/scan", "results/ingest/concurrencycsv", "results/ingest/llamabenchy",
	"results/ingest/vllmbench", "results/ingest/sparksuite", "results/ingest/formats", "engine/plan", "site/**",
}

// impure lists what pure code never imports. Package net/url parses and net/mail
// reads addresses: both do no I/O.
var impure = []string{
	"net/**", "os/**", "log/**", "math/rand/**", "crypto/rand", "syscall", "path/filepath", "runtime/debug", "C",
}

var harmless = []string{"net/url", "net/mail"}

// process lists what only the programs in cmd touch, not the packages below them.
var process = map[string][]string{
	"os":  {"Args", "Exit", "Stdin", "Stdout", "Stderr", "Getenv", "LookupEnv", "Environ", "Setenv", "ExpandEnv"},
	"fmt": {"Print", "Printf", "Println"},
	"log": {"Print", "Printf", "Println", "Fatal", "Fatalf", "Fatalln", "Panic", "Panicf", "Panicln"},
}

// unescaped lists the types that html/template writes as they are.
var unescaped = []string{"HTML", "HTMLAttr", "CSS", "JS", "JSStr", "URL", "Srcset"}

var clock = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTicker", "NewTimer"}

// A goFile is one parsed source file.
type goFile struct {
	name   string // from the root, with forward slashes
	folder string
	test   bool
	ast    *ast.File
	set    *token.FileSet
}

func (f goFile) at(n ast.Node) string {
	return f.name + ":" + strconv.Itoa(f.set.Position(n.Pos()).Line)
}

// imports calls do for every import.
func (f goFile) imports(do func(spec *ast.ImportSpec, imported string)) {
	for _, spec := range f.ast.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value) // the parser has checked it
		do(spec, imported)
	}
}

// goFiles parses every Go file of a tree.
func goFiles(t *testing.T, fsys fs.FS) []goFile {
	t.Helper()
	var files []goFile
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "node_modules" || d.Name() == "public") {
				return fs.SkipDir
			}
			return nil
		}
		if path.Ext(name) != ".go" {
			return nil
		}
		src, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, name, src, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, goFile{name, path.Dir(name), strings.HasSuffix(name, "_test.go") || path.Base(path.Dir(name)) == "ingesttest", parsed, set})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// breaks lists what breaks a rule, each as "file:line: message".
type breaks []string

func (b *breaks) add(format string, args ...any) { *b = append(*b, fmt.Sprintf(format, args...)) }

// architecture lists the rules.
var architecture = []func([]goFile) breaks{
	importArrows, fewImporters, purePackages, onlyTests, processAndClock, hiddenState, trustedMarkup,
}

func TestArchitecture(t *testing.T) {
	t.Parallel()
	files := goFiles(t, os.DirFS("."))
	if len(files) < 50 {
		t.Fatalf("found %d Go files, too few to be the repository", len(files))
	}
	for _, check := range architecture {
		for _, broken := range check(files) {
			t.Error(broken)
		}
	}
}

// Every rule finds what was made to break it.
func TestArchitectureBites(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, source, want string }{
		{"site/a.go", `import _ "example.org/arena/engine"`, "site/a.go:2: site must not import engine"},
		{"site/board/a.go", `import _ "example.org/arena/loadgen/sse"`, "site/board/a.go:2: site/board must not import loadgen/sse"},
		{"results/metric/a.go", `import _ "example.org/arena/results/bundle"`, "results/metric/a.go:2: results/metric must not import results/bundle"},
		{"results/metric/a_test.go", `import _ "example.org/arena/results/bundle"`, "results/metric/a_test.go:2: results/metric must not import results/bundle"},
		{"i18n/a.go", `import _ "example.org/arena/content"`, "i18n/a.go:2: i18n must not import content"},
		{"loadgen/a.go", `import _ "example.org/arena/results/bundle"`, "loadgen/a.go:2: loadgen must not import results/bundle"},
		{"util/a.go", ``, "util/a.go: the architecture has no code folder util"},
		{"results/util/a.go", ``, "results/util/a.go: the architecture has no code folder results/util"},
		{"site/a.go", `import _ "github.com/yuin/goldmark/ast"`, "site/a.go:2: only [site/markdown] may import github.com/yuin/goldmark"},
		{"results/bundle/a.go", `import _ "github.com/invopop/jsonschema"`, "results/bundle/a.go:2: only [cmd/gen] may import github.com/invopop/jsonschema"},
		{"cmd/arena/a.go", `import _ "github.com/rogpeppe/go-internal/testscript"`, "cmd/arena/a.go:2: only [] may import github.com/rogpeppe/go-internal"},
		{"cmd/arena/bench/a.go", `import _ "example.org/arena/site/board"`, "cmd/arena/bench/a.go:2: cmd/arena/bench must not import site/board"},
		{"site/a.go", `import _ "example.org/arena/site/page/pagetest"`, "site/a.go:2: only tests may import site/page/pagetest"},
		{"site/page/model/a.go", `import _ "example.org/arena/site/page/method"`, "site/page/model/a.go:2: site/page/model must not import site/page/method"},
		{"site/a.go", `import _ "net/http"`, "site/a.go:2: site must not import net/http"},
		{"site/report/a.go", `import _ "example.org/arena/site"`, "site/report/a.go:2: site/report must not import site"},
		{"site/chart/a.go", `import _ "os"`, "site/chart/a.go:2: site/chart must not import os"},
		{"results/bundle/a.go", `import _ "log/slog"`, "results/bundle/a.go:2: results/bundle must not import log/slog"},
		{"results/stat/a.go", `import _ "math/rand/v2"`, "results/stat/a.go:2: results/stat must not import math/rand/v2"},
		{"results/audit/a.go", `func f() { panic("x") }`, "results/audit/a.go:2: results/audit must not panic"},
		{"content/a.go", `var x = os.Getenv("X")`, "content/a.go:2: only a program in cmd may use os.Getenv"},
		{"cmd/arena/bench/a.go", `var x = os.Getenv("X")`, "cmd/arena/bench/a.go:2: only a program in cmd may use os.Getenv"},
		{"i18n/a.go", `func f() { fmt.Println() }`, "i18n/a.go:2: only a program in cmd may use fmt.Println"},
		{"site/a.go", `var x = time.Now()`, "site/a.go:2: site must not use time.Now"},
		{"cmd/arena/a_test.go", `func f() { time.Sleep(1) }`, "cmd/arena/a_test.go:2: a test must not sleep"},
		{"content/a.go", `func init() {}`, "content/a.go:2: no init functions"},
		{"content/a.go", `var x map[string]int; func f() { x["a"]++ }`, "content/a.go:2: a package variable is changed"},
		{"content/a.go", `var x struct{ y []int }; func f() { x.y[0] = 1 }`, "content/a.go:2: a package variable is changed"},
		{"content/a.go", `var x int; func f() *int { return &x }`, "content/a.go:2: a package variable is changed"},
		{"site/render/a.go", `var x = template.HTML("x")`, "site/render/a.go:2: template.HTML trusts text as markup"},
		{"site/a.go", `var x = template.JS("x")`, "site/a.go:2: template.JS trusts text as markup"},

		{"site/a.go", `import ("net/url"; "example.org/arena/site/board"); var _ = url.Parse; var _ = board.X`, ""},
		{"site/a_test.go", `import "os"; var x = os.Getenv("ARENA_CORPUS")`, ""},
		{"content/a.go", `var x int; func f() { x := 1; x++ }`, ""},
		{"content/a.go", `var _ I = T{}; func f() { _ = 1 }`, ""},
		{"engine/a.go", `var x = time.Now()`, ""},
		{"site/markdown/a.go", `var x = template.HTML("x")`, ""},
	}
	for _, c := range cases {
		files := goFiles(t, fstest.MapFS{c.name: {Data: []byte("package a\n" + c.source + "\n")}})
		var got breaks
		for _, check := range architecture {
			got = append(got, check(files)...)
		}
		if text := strings.Join(got, "\n"); text != c.want {
			t.Errorf("%s: %s\n got %s\nwant %s", c.name, c.source, text, c.want)
		}
	}
}
