package arena_test

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strings"
)

// within reports whether p is one of the patterns, or below one that ends in
// "/**".
func within(p string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		tree, ok := strings.CutSuffix(pattern, "**")
		tree = strings.TrimSuffix(tree, "/")
		return p == pattern || ok && (tree == "" || p == tree || strings.HasPrefix(p, tree+"/"))
	})
}

// importArrows: packages import only what the table allows.
func importArrows(files []goFile) breaks {
	var b breaks
	for _, f := range files {
		var ours []string
		known := false
		for _, rule := range mayImport {
			if within(f.folder, []string{rule.folder}) {
				ours, known = rule.ours, true
				break
			}
		}
		if !known {
			b.add("%s: the architecture has no code folder %s", f.name, f.folder)
			continue
		}
		f.imports(func(spec *ast.ImportSpec, imported string) {
			to, ok := strings.CutPrefix(imported, modulePath)
			if ok && to != f.folder && !within(to, ours) {
				b.add("%s: %s must not import %s", f.at(spec), f.folder, to)
			}
		})
	}
	return b
}

// fewImporters: some libraries have one place.
func fewImporters(files []goFile) breaks {
	var b breaks
	for _, f := range files {
		f.imports(func(spec *ast.ImportSpec, imported string) {
			for _, rule := range onlyImportedBy {
				if !within(imported, []string{rule.library + "/**"}) {
					continue
				}
				if !within(f.folder, rule.folders) && (!rule.tests || !f.test) {
					b.add("%s: only %v may import %s", f.at(spec), rule.folders, rule.library)
				}
			}
		})
	}
	return b
}

// purePackages: no I/O, no log, no unseeded random numbers, no panic.
func purePackages(files []goFile) breaks {
	var b breaks
	for _, f := range files {
		if f.test || !within(f.folder, pureFolders) {
			continue
		}
		f.imports(func(spec *ast.ImportSpec, imported string) {
			if within(imported, impure) && !slices.Contains(harmless, imported) {
				b.add("%s: %s must not import %s", f.at(spec), f.folder, imported)
			}
		})
		ast.Inspect(f.ast, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if id, isName := callee(call, ok); isName && id == "panic" {
				b.add("%s: %s must not panic", f.at(n), f.folder)
			}
			return true
		})
	}
	return b
}

// callee returns the name of a called function without a package.
func callee(call *ast.CallExpr, ok bool) (string, bool) {
	if !ok {
		return "", false
	}
	id, ok := call.Fun.(*ast.Ident)
	if !ok {
		return "", false
	}
	return id.Name, true
}

// testPrograms stand in for other programs in tests of several packages. They may
// do what programs do, and only tests may import them.
var testPrograms = []string{"engine/runner/toolstest", "loadgen/openai/llamacpptest"}

// fixtures are what tests of several packages are made of. Only tests may import
// them.
var fixtures = []string{"site/page/pagetest"}

// onlyTests: what stands in for other programs, or is made for tests, is in no program
// of ours.
func onlyTests(files []goFile) breaks {
	var b breaks
	for _, f := range files {
		f.imports(func(spec *ast.ImportSpec, imported string) {
			if to, ok := strings.CutPrefix(imported, modulePath); ok && !f.test && within(to, slices.Concat(testPrograms, fixtures)) {
				b.add("%s: only tests may import %s", f.at(spec), to)
			}
		})
	}
	return b
}

// processAndClock: only cmd touches the process; only cmd, engine and loadgen read
// the clock; no test waits for it.
func processAndClock(files []goFile) breaks {
	var b breaks
	for _, f := range files {
		ast.Inspect(f.ast, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			pkg, ok := sel.X.(*ast.Ident)
			if !ok {
				return true
			}
			name := sel.Sel.Name
			if !f.test && path.Dir(f.folder) != "cmd" && !within(f.folder, testPrograms) && slices.Contains(process[pkg.Name], name) {
				b.add("%s: only a program in cmd may use %s.%s", f.at(n), pkg.Name, name)
			}
			clocked := within(f.folder, []string{"cmd/**", "engine/**", "loadgen/**"})
			if !f.test && !clocked && pkg.Name == "time" && slices.Contains(clock, name) {
				b.add("%s: %s must not use time.%s", f.at(n), f.folder, name)
			}
			if f.test && pkg.Name == "time" && name == "Sleep" {
				b.add("%s: a test must not sleep", f.at(n))
			}
			return true
		})
	}
	return b
}

// trustedMarkup: text becomes markup without escaping in two places only, where
// the program itself made it: rendered Markdown and drawn charts.
func trustedMarkup(files []goFile) breaks {
	var b breaks
	for _, f := range files {
		ast.Inspect(f.ast, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			pkg, ok := sel.X.(*ast.Ident)
			if !ok || pkg.Name != "template" || !slices.Contains(unescaped, sel.Sel.Name) {
				return true
			}
			if sel.Sel.Name != "HTML" || !within(f.folder, []string{"site", "site/markdown"}) {
				b.add("%s: template.%s trusts text as markup", f.at(n), sel.Sel.Name)
			}
			return true
		})
	}
	return b
}

// hiddenState: there is no init, and no package variable that changes.
func hiddenState(files []goFile) breaks {
	var b breaks
	globals := map[string]map[string]bool{} // folder → package variables
	for _, f := range files {
		if globals[f.folder] == nil {
			globals[f.folder] = map[string]bool{}
		}
		for _, d := range f.ast.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil && d.Name.Name == "init" {
					b.add("%s: no init functions", f.at(d))
				}
			case *ast.GenDecl:
				if d.Tok == token.VAR {
					declare(globals[f.folder], d.Specs)
				}
			}
		}
	}
	for _, f := range files {
		if f.test {
			continue
		}
		for _, d := range f.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				for _, n := range assigned(fn, globals[f.folder]) {
					b.add("%s: a package variable is changed", f.at(n))
				}
			}
		}
	}
	return b
}

// declare adds the names of variables.
func declare(names map[string]bool, specs []ast.Spec) {
	for _, s := range specs {
		if v, ok := s.(*ast.ValueSpec); ok {
			for _, id := range v.Names {
				names[id.Name] = true
			}
		}
	}
}

// assigned returns the assignments of a function to the given variables, or to
// their elements and fields. A name that the function itself declares anywhere
// is its own.
func assigned(fn *ast.FuncDecl, globals map[string]bool) []ast.Node {
	own := map[string]bool{}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			for _, id := range n.Names {
				own[id.Name] = true
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				own[id.Name] = true
			}
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				for _, e := range n.Lhs {
					own[base(e)] = true
				}
			}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE {
				own[base(n.Key)], own[base(n.Value)] = true, true
			}
		}
		return true
	})
	var found []ast.Node
	check := func(n ast.Node, e ast.Expr) {
		if name := base(e); name != "_" && globals[name] && !own[name] {
			found = append(found, n)
		}
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				check(n, e)
			}
		case *ast.IncDecStmt:
			check(n, n.X)
		case *ast.CallExpr:
			if name, ok := callee(n, true); ok && (name == "delete" || name == "clear") {
				check(n, n.Args[0])
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				check(n, n.X)
			}
		}
		return true
	})
	return found
}

// base returns the variable at the start of x.f[i].g, or "".
func base(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x.Name
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		default:
			return ""
		}
	}
}
