package lang

import (
	"strings"

	"patina/store/doc"
	"patina/store/text"
)

func addHaskell(register func(*Language)) {
	register(&Language{
		Name: "Haskell", Code: true, Files: ".hs .lhs", Interpreters: "runhaskell", Comments: dashComments,
		SummaryMarks: []string{"-- |", "-- ^", "{-|", "{-", "--", "|"},
		Grammar: &Grammar{
			MaxBytes: 512 << 10,
			Rules: map[string]Rule{
				// A type signature and the equations below it are one symbol.
				"signature": {Is: Function, Names: haskellSigned, When: haskellDeclares, Joins: true},
				"function bind": {
					Is: Function, Names: haskellFunction, When: haskellDefines, Ends: haskellHead, Joins: true,
					Otherwise: Function,
				},
				"data_type newtype type_synomym type_family data_family": {Is: Type, Flat: true, Ends: haskellTypeHead},
				"class":    {Is: Type, Ends: haskellTypeHead},
				"instance": {Is: Namespace, Names: haskellInstance},
				"data_constructor gadt_constructor newtype_constructor": {Is: Member, Names: haskellConstructor},
				"field_name":         {Is: Member, Names: haskellField},
				"pattern_synonym":    {Is: Function, Names: haskellPattern, Joins: true},
				"comment haddock":    {Is: Comment},
				"lambda":             {Is: Closure},
				"apply":              {Is: Call, Calls: haskellApplied},
				"infix":              {Is: Call, Calls: haskellOperator},
				"variable qualified": {Is: Call, Calls: haskellAction},
				"import":             {Is: Import, Name: "module", Binds: haskellBindings},
			},
			Predeclared: text.Set(`return pure fmap map foldr foldl foldl' mapM mapM_ forM forM_ when unless
				print putStrLn show error not fst snd id const flip otherwise fromIntegral maybe either concat
				concatMap filter length null head tail zip seq fail liftIO lift undefined`),
			NoEndlessScans: true,
		},
		Scope: Scope{
			Modules: NamedModules, ModulePlaces: haskellPlaces, ByPath: true, ImplicitThis: true,
			TypeReceivers: NoTypes,
		},
	})
}

// haskellDeclares reports whether a signature declares a name, and is not the type of an
// expression.
func haskellDeclares(t *Tree, n int) bool {
	p := t.Parent(n)
	return t.Is(p, "declarations", "class_declarations", "foreign_import") || t.Is(p, "haskell")
}

// haskellDefines reports whether a function or a bind defines a name outside "let" and "where", or
// a function there. Other local names are values.
func haskellDefines(t *Tree, n int) bool {
	return t.Is(n, "function") && t.Field(n) != "type" && !t.Is(t.Parent(n), "signature") ||
		t.Is(t.Parent(n), "declarations", "class_declarations", "instance_declarations")
}

// haskellSigned returns the names of a signature: "a, b :: Int".
func haskellSigned(t *Tree, n int) (list []Found) {
	for c := range t.Children(n) {
		switch {
		case t.Field(c) == "type":
			return list
		case t.Is(c, "binding_list"):
			for b := range t.Children(c) {
				list = append(list, haskellName(t, b))
			}
		case t.Field(c) == "name":
			list = append(list, haskellName(t, c))
		}
	}
	return list
}

// haskellName returns a name, or an operator without its parentheses.
func haskellName(t *Tree, n int) Found {
	return Found{Node: n, Name: strings.Trim(t.Text(n), "() ")}
}

// haskellFunction names an equation: f x = …, x <+> y = …, (<+>) = …. A value that is a
// literal is a constant.
func haskellFunction(t *Tree, n int) []Found {
	if name := t.Child(n, "name"); name >= 0 {
		f := haskellName(t, name)
		if t.Is(n, "bind") && t.Is(t.Child(t.Child(n, "match"), "expression"), "literal") {
			f.Sort = doc.Constant
		}
		return []Found{f}
	}
	i := t.FirstChild(n, "infix")
	if op := operatorOf(t, i); op != "" {
		return []Found{{Node: i, Name: op}}
	}
	return nil
}

// operatorOf returns the operator of an infix expression: +, or f of `f`.
func operatorOf(t *Tree, infix int) string {
	left, right := t.Child(infix, "left_operand"), t.Child(infix, "right_operand")
	if left < 0 || right < 0 || t.End(left) > t.Start(right) {
		return ""
	}
	return strings.Trim(strings.TrimSpace(string(t.Source[t.End(left):t.Start(right)])), "`")
}

// haskellHead returns the end of the head of an equation, or -1.
func haskellHead(t *Tree, n int) int {
	if m := t.Child(n, "match"); m >= 0 {
		return t.Start(m)
	}
	return -1
}

// haskellTypeHead returns the end of the head of a type, or -1.
func haskellTypeHead(t *Tree, n int) int {
	for c := range t.Children(n) {
		switch t.Field(c) {
		case "constructors", "constructor", "declarations", "closed_family", "deriving":
			return t.Start(c)
		}
	}
	return -1
}

// haskellInstance names the type of an instance, and not its class: instance Show (Cache k) is
// Cache.
func haskellInstance(t *Tree, n int) []Found {
	p := t.Child(n, "patterns")
	if p < 0 {
		return []Found{{Node: t.Child(n, "name")}}
	}
	for c := p + 1; c < t.Next(p); c++ {
		if t.Is(c, "name") {
			return []Found{{Node: c}}
		}
	}
	return []Found{{Node: t.Child(n, "name")}}
}

// haskellConstructor names a constructor of a type.
func haskellConstructor(t *Tree, n int) []Found {
	for range 3 {
		if name := t.Child(n, "name"); name >= 0 {
			return []Found{{Node: name}}
		}
		if n = t.Child(n, "constructor"); n < 0 {
			break
		}
	}
	return nil
}

func haskellField(t *Tree, n int) []Found { return []Found{{Node: n}} }

func haskellPattern(t *Tree, n int) []Found {
	for c := range t.Children(n) {
		if name := t.Child(c, "synonym"); name >= 0 {
			return []Found{{Node: name}}
		}
	}
	return nil
}

// haskellApplied returns the function of an application. That of "f x y", which is "(f x) y", is f.
func haskellApplied(t *Tree, n int) string {
	if t.Is(t.Parent(n), "apply") && t.Field(n) == "function" {
		return ""
	}
	for t.Is(n, "apply") {
		n = t.Child(n, "function")
	}
	return haskellVariable(t, n)
}

// haskellVariable returns the name of a function: f, M.f. It returns "" for a constructor.
func haskellVariable(t *Tree, n int) string {
	switch {
	case t.Is(n, "variable"):
		return t.Text(n)
	case t.Is(n, "qualified") && t.Is(t.Child(n, "id"), "variable"):
		return strings.TrimSuffix(t.Text(t.Child(n, "module")), ".") + "." + t.Text(t.Child(n, "id"))
	}
	return ""
}

// haskellOperator returns the function of x `f` y.
func haskellOperator(t *Tree, n int) string {
	return haskellVariable(t, t.FirstChild(t.Child(n, "operator"), "variable", "qualified"))
}

// applying are operators whose operands are functions that are called.
var applying = text.Set("$ $! . <$> <$ <*> *> <* >>= =<< >> >=> <=< & <&> <|>")

// haskellAction returns a name that is a call without arguments: a line of "do", the right side of
// "<-", an operand of "$" and the like. It returns "" for any other name.
func haskellAction(t *Tree, n int) string {
	p := t.Parent(n)
	switch {
	case t.Is(p, "exp"):
	case t.Is(p, "bind") && t.Field(n) == "expression" && t.Child(p, "pattern") >= 0:
	case t.Is(p, "infix") && applying.Has(operatorOf(t, p)) && t.Field(n) != "operator":
	default:
		return ""
	}
	return haskellVariable(t, n)
}

// haskellBindings binds the names that an import brings: M of "as M", the names of a list, or all
// names.
func haskellBindings(t *Tree, n int) (list []doc.Binding) {
	module := t.Text(t.Child(n, "module"))
	if alias := t.Child(n, "alias"); alias >= 0 {
		list = append(list, doc.Binding{Name: t.Text(alias), Import: module})
	}
	head, _, _ := strings.Cut(t.Text(n), "\n")
	if strings.Contains(head, "qualified") {
		return list
	}
	names := t.Child(n, "names")
	if names < 0 || strings.Contains(string(t.Source[t.Start(n):t.Start(names)]), "hiding") {
		return append(list, doc.Binding{Name: doc.AllNames, Import: module, Of: doc.AllNames})
	}
	for c := range t.Children(names) {
		name := max(t.Child(c, "variable"), t.Child(c, "type"))
		if name >= 0 {
			bare := strings.Trim(t.Text(name), "() ")
			list = append(list, doc.Binding{Name: bare, Import: module, Of: bare})
		}
	}
	return list
}

// haskellPlaces returns the path of a module: Data.Map is in Data/Map.
func haskellPlaces(module string) []string { return []string{strings.ReplaceAll(module, ".", "/")} }
