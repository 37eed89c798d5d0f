package parse

import (
	"go/ast"
	"go/token"
	"slices"

	"patina/store/doc"
	"patina/store/text"
)

// predeclared are functions and types of Go itself. They are left out because nobody asks who calls
// len. Names that packages often use for functions of their own (min, max, clear, close, print) are
// not here.
var predeclared = text.Set(`append cap complex copy delete imag len make new panic recover println
	bool byte complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16
	uint32 uint64 uintptr any`)

// collectCalls adds the calls below a node, in the order of the text. Conversions to named types
// are added too, because they look like calls. caller is the index of the entry around them, or -1.
func (g *goReader) collectCalls(n ast.Node, caller int) {
	type placed struct {
		doc.Call
		at token.Pos
	}
	var calls []placed
	ast.Inspect(n, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if name := calleeName(call.Fun); name != "" && !predeclared.Has(name) {
			at := nameOf(call.Fun)
			calls = append(calls, placed{doc.Call{Caller: caller, Name: name, Line: g.lineOf(at)}, at})
		}
		return true
	})
	// In a chain the last call is the outermost node, which comes first.
	slices.SortStableFunc(calls, func(a, b placed) int { return int(a.at - b.at) })
	for _, c := range calls {
		g.calls = append(g.calls, c.Call)
	}
}

// nameOf returns the position of the name of a called function. In a chain it is not where the call
// begins.
func nameOf(fun ast.Expr) token.Pos {
	switch x := fun.(type) {
	case *ast.ParenExpr:
		return nameOf(x.X)
	case *ast.IndexExpr:
		return nameOf(x.X)
	case *ast.IndexListExpr:
		return nameOf(x.X)
	case *ast.SelectorExpr:
		return x.Sel.Pos()
	}
	return fun.Pos()
}

// calleeName returns the name of a called function without type arguments: "f", "x.F", "a.b.F". An
// expression without a name before the last dot is "_", as in open().Close(). It returns "" for
// function literals and conversions to unnamed types.
func calleeName(fun ast.Expr) string {
	switch x := fun.(type) {
	case *ast.Ident:
		if isNamed(x) {
			return x.Name
		}
	case *ast.ParenExpr:
		return calleeName(x.X)
	case *ast.IndexExpr:
		return calleeName(x.X)
	case *ast.IndexListExpr:
		return calleeName(x.X)
	case *ast.SelectorExpr:
		return qualifierOf(x.X) + "." + x.Sel.Name
	}
	return ""
}

// qualifierOf returns the part before a dot, or "_" if it does not consist of names alone.
func qualifierOf(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		if q := qualifierOf(x.X); q != "_" {
			return q + "." + x.Sel.Name
		}
	}
	return "_"
}
