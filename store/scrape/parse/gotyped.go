package parse

import (
	"go/ast"
	"slices"
	"strings"

	"patina/store"
)

// declaredTypes collects the variables of a function that calls are written on and whose types the
// text says: parameters, var x T, x := T{} and x := &T{}. The receiver is known by itself.
func (g *goReader) declaredTypes(d *ast.FuncDecl, entry int, calls []store.Call) {
	if len(calls) == 0 {
		return
	}
	receivers := make(map[string]bool)
	for _, c := range calls {
		if x, _, ok := strings.Cut(c.Name, "."); ok && strings.Count(c.Name, ".") == 1 {
			receivers[x] = true
		}
	}
	add := func(n *ast.Ident, typ ast.Expr) {
		t := store.Typed{Entry: entry, Name: n.Name, Type: typeOfGo(typ)}
		if t.Type != "" && receivers[n.Name] && !slices.Contains(g.typed, t) {
			g.typed = append(g.typed, t)
		}
	}
	ast.Inspect(d, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.FuncType:
			for _, f := range x.Params.List {
				for _, n := range f.Names {
					add(n, f.Type)
				}
			}
		case *ast.ValueSpec:
			for _, n := range x.Names {
				add(n, x.Type)
			}
		case *ast.AssignStmt:
			for i, v := range x.Rhs {
				if len(x.Lhs) != len(x.Rhs) {
					break
				}
				if n, ok := x.Lhs[i].(*ast.Ident); ok {
					add(n, madeOfGo(v))
				}
			}
		}
		return true
	})
}

// madeOfGo is the type of T{} and &T{}.
func madeOfGo(v ast.Expr) ast.Expr {
	if u, ok := v.(*ast.UnaryExpr); ok {
		v = u.X
	}
	if c, ok := v.(*ast.CompositeLit); ok {
		return c.Type
	}
	return nil
}

// typeOfGo is the name of a type, without pointer and type parameters: "T", "pkg.T".
func typeOfGo(typ ast.Expr) string {
	switch x := typ.(type) {
	case *ast.StarExpr:
		return typeOfGo(x.X)
	case *ast.IndexExpr:
		return typeOfGo(x.X)
	case *ast.IndexListExpr:
		return typeOfGo(x.X)
	case *ast.Ident:
		if named(x) {
			return x.Name
		}
	case *ast.SelectorExpr:
		if p, ok := x.X.(*ast.Ident); ok && named(p) && named(x.Sel) {
			return p.Name + "." + x.Sel.Name
		}
	}
	return ""
}
