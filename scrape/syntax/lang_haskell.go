package syntax

import (
	"strings"

	haskell "github.com/tree-sitter/tree-sitter-haskell/bindings/go"

	"patina/store"
	"patina/store/text"
)

func init() {
	grammars["Haskell"] = &grammar{
		language: haskell.Language, most: maxBytes / 2,
		rules: map[string]rule{
			// A type signature and the equations below it are one symbol.
			"signature":     {is: function, names: haskellSigned, when: haskellDeclares, joins: true},
			"function bind": {is: function, names: haskellFunction, when: haskellDefines, ends: haskellHead, joins: true, otherwise: function},
			"data_type newtype type_synomym type_family data_family": {is: typ, flat: true, ends: haskellTypeHead},
			"class":    {is: typ, ends: haskellTypeHead},
			"instance": {is: scope, names: haskellInstance},
			"data_constructor gadt_constructor newtype_constructor": {is: member, names: haskellConstructor},
			"field_name":         {is: member, names: haskellField},
			"pattern_synonym":    {is: function, names: haskellPattern, joins: true},
			"comment haddock":    {is: comment},
			"lambda":             {is: closure},
			"apply":              {is: call, calls: haskellApplied},
			"infix":              {is: call, calls: haskellOperator},
			"variable qualified": {is: call, calls: haskellAction},
			"import":             {is: imports, name: "module", binds: haskellBindings},
		},
		predeclared: text.Set(`return pure fmap map foldr foldl foldl' mapM mapM_ forM forM_ when unless print putStrLn show error not
			fst snd id const flip otherwise fromIntegral maybe either concat concatMap filter length null head tail zip seq fail
			liftIO lift undefined`),
	}
}

// haskellDeclares reports whether a signature declares a name, and is no expression's type.
func haskellDeclares(t *tree, n int) bool {
	p := t.parent(n)
	return t.is(p, "declarations", "class_declarations", "foreign_import") || t.is(p, "haskell")
}

// haskellDefines reports whether a function or a bind defines a name outside of "let" and "where",
// or a function there. Other local names are values.
func haskellDefines(t *tree, n int) bool {
	return t.is(n, "function") && t.field(n) != "type" && !t.is(t.parent(n), "signature") ||
		t.is(t.parent(n), "declarations", "class_declarations", "instance_declarations")
}

// haskellSigned are the names of a signature: "a, b :: Int".
func haskellSigned(t *tree, n int) (list []found) {
	for c := range t.children(n) {
		switch {
		case t.field(c) == "type":
			return list
		case t.is(c, "binding_list"):
			for b := range t.children(c) {
				list = append(list, t.haskellName(b))
			}
		case t.field(c) == "name":
			list = append(list, t.haskellName(c))
		}
	}
	return list
}

// haskellName is a name, or an operator without its parentheses.
func (t *tree) haskellName(n int) found {
	return found{node: n, name: strings.Trim(t.textOf(n), "() ")}
}

// haskellFunction names an equation: f x = …, x <+> y = …, (<+>) = …; a value that is a literal is
// a constant.
func haskellFunction(t *tree, n int) []found {
	if name := t.child(n, "name"); name >= 0 {
		f := t.haskellName(name)
		if t.is(n, "bind") && t.is(t.child(t.child(n, "match"), "expression"), "literal") {
			f.sort = store.Constant
		}
		return []found{f}
	}
	i := t.firstChild(n, "infix")
	if op := t.operatorOf(i); op != "" {
		return []found{{node: i, name: op}}
	}
	return nil
}

// operatorOf is the operator of an infix expression: +, or f of `f`.
func (t *tree) operatorOf(infix int) string {
	left, right := t.child(infix, "left_operand"), t.child(infix, "right_operand")
	if left < 0 || right < 0 || t.nodes[left].end > t.nodes[right].start {
		return ""
	}
	return strings.Trim(strings.TrimSpace(string(t.text[t.nodes[left].end:t.nodes[right].start])), "`")
}

// haskellHead finds the end of the head of an equation.
func haskellHead(t *tree, n int) int {
	if m := t.child(n, "match"); m >= 0 {
		return int(t.nodes[m].start)
	}
	return -1
}

// haskellTypeHead finds the end of the head of a type.
func haskellTypeHead(t *tree, n int) int {
	for c := range t.children(n) {
		switch t.field(c) {
		case "constructors", "constructor", "declarations", "closed_family", "deriving":
			return int(t.nodes[c].start)
		}
	}
	return -1
}

// haskellInstance names the type of an instance, not its class: instance Show (Cache k) is Cache.
func haskellInstance(t *tree, n int) []found {
	p := t.child(n, "patterns")
	if p < 0 {
		return []found{{node: t.child(n, "name")}}
	}
	for c := p + 1; c < int(t.nodes[p].next); c++ {
		if t.is(c, "name") {
			return []found{{node: c}}
		}
	}
	return []found{{node: t.child(n, "name")}}
}

// haskellConstructor names a constructor of a type.
func haskellConstructor(t *tree, n int) []found {
	for range 3 {
		if name := t.child(n, "name"); name >= 0 {
			return []found{{node: name}}
		}
		if n = t.child(n, "constructor"); n < 0 {
			break
		}
	}
	return nil
}

func haskellField(t *tree, n int) []found { return []found{{node: n}} }

func haskellPattern(t *tree, n int) []found {
	for c := range t.children(n) {
		if name := t.child(c, "synonym"); name >= 0 {
			return []found{{node: name}}
		}
	}
	return nil
}

// haskellApplied is the function of an application. That of "f x y", which is "(f x) y", is f.
func haskellApplied(t *tree, n int) string {
	if t.is(t.parent(n), "apply") && t.field(n) == "function" {
		return ""
	}
	for t.is(n, "apply") {
		n = t.child(n, "function")
	}
	return t.haskellVariable(n)
}

// haskellVariable is the name of a function: f, M.f; "" of a constructor.
func (t *tree) haskellVariable(n int) string {
	switch {
	case t.is(n, "variable"):
		return t.textOf(n)
	case t.is(n, "qualified") && t.is(t.child(n, "id"), "variable"):
		return strings.TrimSuffix(t.textOf(t.child(n, "module")), ".") + "." + t.textOf(t.child(n, "id"))
	}
	return ""
}

// haskellOperator is the function of x `f` y.
func haskellOperator(t *tree, n int) string {
	return t.haskellVariable(t.firstChild(t.child(n, "operator"), "variable", "qualified"))
}

// applying are operators whose operands are functions that are called.
var applying = text.Set("$ $! . <$> <$ <*> *> <* >>= =<< >> >=> <=< & <&> <|>")

// haskellAction is a name that stands for a call without arguments: a line of "do", what "<-" takes
// from, an operand of "$" and the like.
func haskellAction(t *tree, n int) string {
	p := t.parent(n)
	switch {
	case t.is(p, "exp"):
	case t.is(p, "bind") && t.field(n) == "expression" && t.child(p, "pattern") >= 0:
	case t.is(p, "infix") && applying[t.operatorOf(p)] && t.field(n) != "operator":
	default:
		return ""
	}
	return t.haskellVariable(n)
}

// haskellBindings binds what an import brings: M of "as M", the names of a list, or all names.
func haskellBindings(t *tree, n int) (list []store.Binding) {
	module := t.textOf(t.child(n, "module"))
	if alias := t.child(n, "alias"); alias >= 0 {
		list = append(list, store.Binding{Name: t.textOf(alias), Import: module})
	}
	head, _, _ := strings.Cut(t.textOf(n), "\n")
	if strings.Contains(head, "qualified") {
		return list
	}
	names := t.child(n, "names")
	if names < 0 || strings.Contains(string(t.text[t.nodes[n].start:t.nodes[names].start]), "hiding") {
		return append(list, store.Binding{Name: store.AllNames, Import: module, Of: store.AllNames})
	}
	for c := range t.children(names) {
		name := max(t.child(c, "variable"), t.child(c, "type"))
		if name >= 0 {
			bare := strings.Trim(t.textOf(name), "() ")
			list = append(list, store.Binding{Name: bare, Import: module, Of: bare})
		}
	}
	return list
}
