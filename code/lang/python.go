package lang

import (
	"strings"

	"patina/store/doc"
	"patina/store/text"
)

func addPython(register func(*Language)) {
	register(&Language{
		Name: "Python", Code: true, Files: ".py .pyi .pyw .bzl sconstruct sconscript build.bazel workspace.bazel",
		Interpreters: "python pypy", Comments: pythonComments,
		ReExports: "__init__.py __init__.pyi", Declarations: ".pyi",
		TestLines: []string{"def test_", "async def test_", "import pytest", "import unittest"},
		Ecosystem: "PyPI",
		Exports:   func(first rune) bool { return first != '_' },
		Grammar: &Grammar{
			Recovers: true, KeepsFields: true,
			Rules: map[string]Rule{
				"function_definition":  {Is: Function},
				"class_definition":     {Is: Type},
				"type_alias_statement": {Is: Type, Name: "left"},
				"assignment": {
					Is: Variable, Names: assignedNames, When: atModuleLevel,
					Binds: pythonName,
				},
				"decorated_definition":                   {Is: Wrapper},
				"decorator":                              {Is: Attribute},
				"comment":                                {Is: Comment},
				"string":                                 {Is: Docstring, When: startsBlock},
				"lambda":                                 {Is: Closure},
				"call":                                   {Is: Call, Binds: attached},
				"import_statement import_from_statement": {Is: Import, Names: pythonModules, Binds: pythonBindings},
			},
			Typed: map[string]Typing{
				"typed_default_parameter": {},
				"typed_parameter":         {Parts: pythonParameter},
				"assignment":              {All: pythonAssigned},
			},
			Predeclared: text.Set(`len str int float bool list dict set tuple isinstance print range type super
				repr getattr hasattr setattr`),
			TypesByValue: true, CallsMakeTypes: true, TextType: "str",
		},
		Scope: Scope{
			Modules: DottedModules, ByPath: true, MustImport: true, SaysOutside: true,
			DeclaredTypes: true, LooseTypes: true, LocatesTypes: true, SharedVariables: true,
			Results: ResultAfterArrow, Constructors: []string{"__init__", "__new__"},
			BuiltinMethods: text.Set(`append add capitalize casefold clear close copy count decode difference
				discard encode endswith extend find flush format fromkeys get index insert intersection
				isdigit items join keys ljust lower lstrip partition pop popitem read readline remove
				replace reverse rpartition rsplit rstrip seek setdefault sort split splitlines
				startswith strip tell title translate union update upper values write`),
			BuiltinTypes: text.Set(`bool bytearray bytes dict float frozenset int list object set str tuple
				type`),
			Library: pythonLibrary,
		},
	})
}

// assignedNames returns the names that a statement of a module assigns: "x = 1" and "x: int = 1",
// not "a.b = 1". A name in capitals is a constant.
func assignedNames(t *Tree, n int) []Found {
	left := t.Child(n, "left")
	if !t.Is(left, "identifier") {
		return nil
	}
	f := Found{Node: left}
	if name := t.Text(left); name == strings.ToUpper(name) {
		f.Sort = "constant"
	}
	return []Found{f}
}

func atModuleLevel(t *Tree, n int) bool {
	p := t.Parent(n)
	return t.Is(p, "expression_statement") && t.Is(t.Parent(p), "module")
}

// startsBlock reports whether a string is the first statement of a module, a class or a function.
func startsBlock(t *Tree, n int) bool {
	p := t.Parent(n)
	if !t.Is(p, "expression_statement") || n != p+1 {
		return false
	}
	block := t.Parent(p)
	switch {
	case t.Is(block, "module"):
	case !t.Is(block, "block") || !t.Is(t.Parent(block), "function_definition", "class_definition"):
		return false
	}
	first := block + 1
	for n := 0; n < 100 && t.Is(first, "comment"); n++ {
		first++
	}
	return first == p
}

// pythonModules returns the modules of an import: a.b, .a; "from . import a" is .a.
func pythonModules(t *Tree, n int) (list []Found) {
	module := t.Child(n, "module_name")
	base := t.Text(module)
	if module >= 0 && strings.Trim(base, ".") != "" {
		return []Found{{Node: module}}
	}
	for c := range t.Children(n) {
		if t.Field(c) != "name" {
			continue
		}
		if t.Is(c, "aliased_import") {
			c = t.Child(c, "name")
		}
		if c >= 0 {
			list = append(list, Found{Node: c, Name: base + t.Text(c)})
		}
	}
	return list
}

// pythonBindings binds the names of imports: "import a.b", which is a.b itself, "import a as b",
// "from m import a as b", "from m import *".
func pythonBindings(t *Tree, n int) (list []doc.Binding) {
	module := t.Child(n, "module_name")
	base := t.Text(module)
	if t.FirstChild(n, "wildcard_import") >= 0 {
		return []doc.Binding{{Name: doc.AllNames, Import: base, Of: doc.AllNames}}
	}
	for c := range t.Children(n) {
		if t.Field(c) != "name" {
			continue
		}
		name, alias := c, c
		if t.Is(c, "aliased_import") {
			name, alias = t.Child(c, "name"), t.Child(c, "alias")
		}
		b := doc.Binding{Name: t.Text(alias), Import: base, Of: t.Text(name)}
		if strings.Trim(base, ".") == "" { // like pythonModules
			b.Import, b.Of = base+b.Of, ""
		}
		list = append(list, b)
	}
	return list
}

// pythonParameter returns a parameter with its annotation.
func pythonParameter(t *Tree, n int) (name, of, holder int) {
	return t.FirstChild(n, "identifier"), t.Child(n, "type"), n
}

// pythonAssigned adds a variable with its annotation, or with the class or the parameter that is
// assigned to it: x: T, x = T(), self.x = T(), self.x = x.
func pythonAssigned(v Variables, n int) {
	left, value := v.Child(n, "left"), v.Child(n, "right")
	if list := lazyBinding(v.Tree, n); list != nil {
		v.Bind(list)
		return
	}
	v.Bind(structure(v.Tree, n))
	name, typ := v.Text(left), TypeName(v.Text(v.Child(n, "type")))
	field := strings.HasPrefix(name, "self.")
	if name = strings.TrimPrefix(name, "self."); !IsPath([]byte(name)) || strings.Contains(name, ".") {
		return
	}
	switch {
	case typ != "":
	case v.Child(n, "type") >= 0:
		typ = doc.AnyType
	case field && v.Is(value, "identifier"):
		typ = v.TypeBefore(v.Text(value))
	default:
		if typ = v.ValueType(value); field && strings.HasPrefix(typ, "=") {
			typ = ""
		}
	}
	if field {
		v.EnterField(name, typ)
	} else {
		v.Enter(name, typ, left)
	}
}

// pythonName binds the name that a statement of a module gives to something else: "run = work".
func pythonName(t *Tree, n int) []doc.Binding {
	left, right := t.Child(n, "left"), t.Child(n, "right")
	if !t.Is(left, "identifier") || !t.Is(right, "identifier", "attribute") || !IsPath(t.Bytes(right)) {
		return nil
	}
	return []doc.Binding{{Name: t.Text(left), Of: t.Text(right)}}
}
