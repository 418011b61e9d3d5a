package site_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// repository leads from this folder to that of the repository.
const repository = "../"

// A keyUse is one look-up of a text in the sources. Its pattern is the key, with
// a * for each part that is not written there.
type keyUse struct {
	where   string // file:line
	pattern string
	call    string // "T", "N", "Parts", "Has", or "@" for a look-up from within a text
}

// Sources holds what the repository's code says about texts.
type sources struct {
	literals map[string]bool // every string that stands in the code
	uses     []keyUse
	joined   []string // the pattern of every string that is put together
}

// scanSources reads every Go file that is no test, every template and every
// look-up directive in the catalogs.
func scanSources(t *testing.T) sources {
	t.Helper()
	s := sources{literals: map[string]bool{}}
	root := os.DirFS(repository)
	counts := map[string]int{}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if base := d.Name(); name != "." && (base[0] == '.' || base == "testdata" || base == "node_modules" || base == "public") {
				return fs.SkipDir
			}
			return nil
		}
		ext := path.Ext(name)
		switch {
		case ext == ".go" && !strings.HasSuffix(name, "_test.go"):
			s.scanGo(t, name)
		case ext == ".tmpl":
			s.scanTemplate(t, root, name)
		case ext == ".toml" && strings.HasPrefix(name, "i18n/"):
			s.scanDirectives(t, root, name)
		default:
			return nil
		}
		counts[ext]++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, ext := range []string{".go", ".tmpl", ".toml"} {
		if counts[ext] == 0 {
			t.Fatalf("no %s file found", ext)
		}
	}
	return s
}

// scanGo collects the strings and look-ups of a Go file.
func (s *sources) scanGo(t *testing.T, name string) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, repository+name, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
				s.literals[text] = true
			}
		case *ast.BinaryExpr:
			if pattern := keyPattern(n); strings.Contains(pattern, "*") {
				s.joined = append(s.joined, pattern)
			}
		case *ast.CallExpr:
			sel, ok := n.Fun.(*ast.SelectorExpr)
			if !ok || len(n.Args) == 0 {
				return true
			}
			switch call := sel.Sel.Name; call {
			case "T", "N", "Parts", "Has":
				if pattern := keyPattern(n.Args[0]); strings.Contains(pattern, ".") {
					s.uses = append(s.uses, keyUse{fset.Position(n.Pos()).String(), pattern, call})
				}
			}
		}
		return true
	})
}

// keyPattern returns the string that an expression makes, with a * for each
// operand that is no literal.
func keyPattern(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil {
			return text
		}
	case *ast.BinaryExpr:
		return strings.ReplaceAll(keyPattern(e.X)+keyPattern(e.Y), "**", "*")
	}
	return "*"
}

var (
	templateAction = regexp.MustCompile(`\{\{.*?\}\}`)
	templateLookup = regexp.MustCompile(`(?:^|[\s({|-])t\s+("[^"]*"|\S+)`)
	textDirective  = regexp.MustCompile(`\{[a-z_0-9]+:@([^}]+)\}`)
)

// scanTemplate collects the look-ups {{t "key"}} of a template.
func (s *sources) scanTemplate(t *testing.T, root fs.FS, name string) {
	t.Helper()
	for i, line := range fileLines(t, root, name) {
		where := name + ":" + strconv.Itoa(i+1)
		for _, action := range templateAction.FindAllString(line, -1) {
			for _, m := range templateLookup.FindAllStringSubmatch(action, -1) {
				key, err := strconv.Unquote(m[1])
				if err != nil {
					t.Errorf("%s: the key of a text is not written out: %s", where, action)
					continue
				}
				s.literals[key] = true
				s.uses = append(s.uses, keyUse{where, key, "T"})
			}
		}
	}
}

// scanDirectives collects the look-ups from within texts, {metric:@metric.*.name}.
func (s *sources) scanDirectives(t *testing.T, root fs.FS, name string) {
	t.Helper()
	for i, line := range fileLines(t, root, name) {
		for _, m := range textDirective.FindAllStringSubmatch(line, -1) {
			s.uses = append(s.uses, keyUse{name + ":" + strconv.Itoa(i+1), m[1], "@"})
			s.joined = append(s.joined, m[1])
		}
	}
}

func fileLines(t *testing.T, root fs.FS, name string) []string {
	t.Helper()
	data, err := fs.ReadFile(root, name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(data), "\n")
}

// matches reports whether key is what the pattern of a look-up may stand for. A *
// stands for anything but the empty string.
func matches(pattern, key string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == key
	}
	if !strings.HasPrefix(key, parts[0]) {
		return false
	}
	key = key[len(parts[0]):]
	for _, part := range parts[1 : len(parts)-1] {
		i := strings.Index(key, part)
		if i < 1 {
			return false
		}
		key = key[i+len(part):]
	}
	last := parts[len(parts)-1]
	return strings.HasSuffix(key, last) && len(key) > len(last)
}

// constantsOf returns the values of the string constants below dir that have the
// named type, or, when typeName ends in *, a name that begins so.
func constantsOf(t *testing.T, dir, typeName string) []string {
	t.Helper()
	files, err := os.ReadDir(repository + dir)
	if err != nil {
		t.Fatal(err)
	}
	prefix, byName := strings.CutSuffix(typeName, "*")
	var values []string
	for _, f := range files {
		if path.Ext(f.Name()) != ".go" || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), repository+dir+"/"+f.Name(), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Names) != 1 || len(spec.Values) != 1 {
				return true
			}
			typ, _ := spec.Type.(*ast.Ident)
			lit, _ := spec.Values[0].(*ast.BasicLit)
			named := byName && strings.HasPrefix(spec.Names[0].Name, prefix)
			typed := !byName && typ != nil && typ.Name == typeName
			if lit == nil || !named && !typed {
				return true
			}
			if v, err := strconv.Unquote(lit.Value); err == nil && v != "" {
				values = append(values, v)
			}
			return true
		})
	}
	if len(values) == 0 {
		t.Fatalf("%s: no constants %s", dir, typeName)
	}
	return values
}

// argumentsOf returns the literal first arguments of the calls of the named
// function or method below dir, and the literal values of the named field of composite
// literals.
func argumentsOf(t *testing.T, dir, function, field string) []string {
	t.Helper()
	files, err := os.ReadDir(repository + dir)
	if err != nil {
		t.Fatal(err)
	}
	var values []string
	add := func(e ast.Expr) {
		if lit, ok := e.(*ast.BasicLit); ok {
			if v, err := strconv.Unquote(lit.Value); err == nil {
				values = append(values, v)
			}
		}
	}
	for _, f := range files {
		if path.Ext(f.Name()) != ".go" || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), repository+dir+"/"+f.Name(), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				id, _ := n.Fun.(*ast.Ident)
				if sel, ok := n.Fun.(*ast.SelectorExpr); ok {
					id = sel.Sel
				}
				if id != nil && id.Name == function && len(n.Args) > 0 {
					add(n.Args[0])
				}
			case *ast.KeyValueExpr:
				if id, ok := n.Key.(*ast.Ident); ok && id.Name == field {
					add(n.Value)
				}
			}
			return true
		})
	}
	return values
}
