package parse

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"patina/code/lang"
	"patina/store/doc"
)

// declaredTypes adds the variables of a function on which methods are called, with the types that
// the text gives: parameters, results, var x T and assigned values. The receiver is left out
// because its type is known. Calls on other expressions are added under their name, as "_.f".
func (g *goReader) declaredTypes(d *ast.FuncDecl, entry int, calls []doc.Call) {
	if len(calls) == 0 {
		return
	}
	used, from := make(map[string]bool), len(g.typed)
	for _, c := range calls {
		if x, _, ok := strings.Cut(c.Name, "."); ok {
			used[x] = true
		}
	}
	collect := func(typ string) {
		if of, is := strings.CutPrefix(typ, "="); is {
			first, _, _ := strings.Cut(of, ".")
			used[first] = true
		}
	}
	add := func(name, typ string) {
		t := doc.Typed{Entry: entry, Name: name, Type: typ}
		if typ != "" && used[name] && len(typ) <= lang.NameBytes && !slices.Contains(g.typed[from:], t) {
			g.typed = append(g.typed, t)
		}
	}
	fields := func(list *ast.FieldList) {
		if list == nil {
			return
		}
		for _, f := range list.List {
			for _, n := range f.Names {
				add(n.Name, declaredOfGo(f.Type))
			}
		}
	}
	for range 2 { // a value may name a variable that is declared before
		ast.Inspect(d, func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.FuncType:
				fields(x.Params)
				fields(x.Results)
			case *ast.ValueSpec:
				for i, n := range x.Names {
					add(n.Name, specOfGo(x, i))
				}
			case *ast.AssignStmt:
				for i, left := range x.Lhs {
					n, ok := left.(*ast.Ident)
					if !ok || x.Tok != token.DEFINE && x.Tok != token.ASSIGN {
						continue
					}
					typ := assignedOfGo(x.Rhs, len(x.Lhs), i)
					if used[n.Name] {
						collect(typ)
					}
					if typ != "="+n.Name {
						add(n.Name, typ)
					}
				}
			case *ast.CallExpr:
				if s, ok := x.Fun.(*ast.SelectorExpr); ok && qualifierOf(s.X) == "_" {
					used["_"] = true
					typ := valueOfGo(s.X)
					collect(typ)
					t := doc.Typed{Entry: entry, Name: "_." + s.Sel.Name, Type: typ}
					if typ != "" && len(typ) <= lang.NameBytes && !slices.Contains(g.typed[from:], t) {
						g.typed = append(g.typed, t)
					}
				}
			}
			return true
		})
	}
}

// fieldTypes adds the fields of a type, and the types that it embeds.
func (g *goReader) fieldTypes(typ ast.Expr, entry int) {
	s, ok := typ.(*ast.StructType)
	if !ok || s.Fields == nil {
		return
	}
	for _, f := range s.Fields.List {
		of := typeOfGo(f.Type)
		if of == "" || predeclared.Has(of) {
			continue
		}
		names := f.Names
		for _, n := range names {
			if isNamed(n) {
				g.typed = append(g.typed, doc.Typed{Entry: entry, Name: n.Name, Type: of})
			}
		}
		if len(names) == 0 {
			g.typed = append(
				g.typed,
				doc.Typed{Entry: entry, Name: doc.EmbeddedName, Type: of},
				doc.Typed{Entry: entry, Name: of[strings.LastIndexByte(of, '.')+1:], Type: of},
			)
		}
	}
}

// specOfGo returns the type of variable i of "var a, b T = x, y", or "".
func specOfGo(s *ast.ValueSpec, i int) string {
	if s.Type != nil {
		return declaredOfGo(s.Type)
	}
	return assignedOfGo(s.Values, len(s.Names), i)
}

// assignedOfGo returns the type of the value for variable i of n, or "" if it is unknown.
func assignedOfGo(values []ast.Expr, n, i int) string {
	if len(values) == n {
		return valueOfGo(values[i])
	}
	if len(values) != 1 {
		return ""
	}
	typ := valueOfGo(values[0])
	switch {
	case i == 0:
		return typ
	case strings.HasSuffix(typ, "()"):
		return typ + strconv.Itoa(i)
	}
	return doc.AnyType // ok of x, ok := y.(T)
}

// declaredOfGo returns the name of a type, or doc.AnyType if it has no name.
func declaredOfGo(typ ast.Expr) string {
	if of := typeOfGo(typ); of != "" {
		return of
	}
	return doc.AnyType
}

// valueOfGo returns the type of a value if the text shows it: T for T{}, &T{}, new(T) and x.(T),
// "f()" for the result of f, "=a.b" for a name, doc.AnyType for a value without methods of its own.
// It returns "" for any other value.
func valueOfGo(v ast.Expr) string {
	switch x := v.(type) {
	case *ast.ParenExpr:
		return valueOfGo(x.X)
	case *ast.StarExpr:
		return valueOfGo(x.X)
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return valueOfGo(x.X)
		}
	case *ast.CompositeLit:
		if x.Type != nil {
			return declaredOfGo(x.Type)
		}
	case *ast.TypeAssertExpr:
		if x.Type != nil {
			return declaredOfGo(x.Type)
		}
	case *ast.BasicLit, *ast.FuncLit:
		return doc.AnyType
	case *ast.Ident, *ast.SelectorExpr:
		if of := typeOfGo(v); of != "" && of != "nil" && of != "true" && of != "false" {
			return "=" + of
		}
		if q := qualifierOf(v); q != "_" {
			return "=" + q
		}
	case *ast.CallExpr:
		if f, ok := x.Fun.(*ast.Ident); ok && predeclared.Has(f.Name) {
			if f.Name == "new" && len(x.Args) == 1 {
				return declaredOfGo(x.Args[0])
			}
			return doc.AnyType
		}
		if name := calleeName(x.Fun); name != "" && !strings.HasPrefix(name, "_") {
			return name + "()"
		}
	}
	return ""
}

// typeOfGo returns the name of a type, without pointer and type parameters: "T", "pkg.T". It
// returns "" for a type without a name.
func typeOfGo(typ ast.Expr) string {
	switch x := typ.(type) {
	case *ast.StarExpr:
		return typeOfGo(x.X)
	case *ast.ParenExpr:
		return typeOfGo(x.X)
	case *ast.IndexExpr:
		return typeOfGo(x.X)
	case *ast.IndexListExpr:
		return typeOfGo(x.X)
	case *ast.Ident:
		if isNamed(x) {
			return x.Name
		}
	case *ast.SelectorExpr:
		if p, ok := x.X.(*ast.Ident); ok && isNamed(p) && isNamed(x.Sel) {
			return p.Name + "." + x.Sel.Name
		}
	}
	return ""
}

// namesOfGo returns the names that variables of a package give to something else: Run for "var Run
// = Work".
func namesOfGo(f *ast.File) (list []doc.Binding) {
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, s := range g.Specs {
			v, ok := s.(*ast.ValueSpec)
			if !ok || len(v.Names) != len(v.Values) {
				continue
			}
			for i, n := range v.Names {
				if of := pathOfGo(v.Values[i]); of != "" && isNamed(n) && len(of) <= lang.NameBytes {
					list = append(list, doc.Binding{Name: n.Name, Of: of})
				}
			}
		}
	}
	return list
}

// pathOfGo returns an expression that is a name, or a name with its package: Work, jobs.Work. It
// returns "" for others, and for the constants of the language.
func pathOfGo(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		if x.Name != "nil" && x.Name != "true" && x.Name != "false" && x.Name != "iota" {
			return x.Name
		}
	case *ast.SelectorExpr:
		if of, ok := x.X.(*ast.Ident); ok {
			return of.Name + "." + x.Sel.Name
		}
	}
	return ""
}
