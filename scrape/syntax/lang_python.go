package syntax

import (
	"strings"

	python "github.com/tree-sitter/tree-sitter-python/bindings/go"

	"patina/store"
	"patina/store/text"
)

func init() {
	grammars["Python"] = &grammar{
		language: python.Language,
		rules: map[string]rule{
			"function_definition":                    {is: function},
			"class_definition":                       {is: typ},
			"type_alias_statement":                   {is: typ, name: "left"},
			"assignment":                             {is: variable, names: assignedNames, when: atModuleLevel, binds: pythonName},
			"decorated_definition":                   {is: wrapper},
			"decorator":                              {is: attribute},
			"comment":                                {is: comment},
			"string":                                 {is: docstring, when: startsBlock},
			"lambda":                                 {is: closure},
			"call":                                   {is: call, binds: (*tree).attached},
			"import_statement import_from_statement": {is: imports, names: pythonModules, binds: pythonBindings},
		},
		typed: map[string]typing{
			"typed_default_parameter": {},
			"typed_parameter":         {parts: pythonParameter},
			"assignment":              {all: pythonAssigned},
		},
		predeclared: text.Set("len str int float bool list dict set tuple isinstance print range type super repr getattr hasattr setattr"),
	}
}

// assignedNames returns the names that a statement of a module assigns: "x = 1" and "x: int = 1",
// not "a.b = 1". Capitals make a constant.
func assignedNames(t *tree, n int) []found {
	left := t.child(n, "left")
	if !t.is(left, "identifier") {
		return nil
	}
	f := found{node: left}
	if name := t.textOf(left); name == strings.ToUpper(name) {
		f.sort = "constant"
	}
	return []found{f}
}

func atModuleLevel(t *tree, n int) bool {
	p := t.parent(n)
	return t.is(p, "expression_statement") && t.is(t.parent(p), "module")
}

// startsBlock reports whether a string is the first statement of a module, a class or a function.
func startsBlock(t *tree, n int) bool {
	p := t.parent(n)
	if !t.is(p, "expression_statement") || n != p+1 {
		return false
	}
	block := t.parent(p)
	switch {
	case t.is(block, "module"):
	case !t.is(block, "block") || !t.is(t.parent(block), "function_definition", "class_definition"):
		return false
	}
	first := block + 1
	for n := 0; n < 100 && t.is(first, "comment"); n++ {
		first++
	}
	return first == p
}

// pythonModules names the modules of an import: a.b, .a; "from . import a" is .a.
func pythonModules(t *tree, n int) (list []found) {
	module := t.child(n, "module_name")
	base := t.textOf(module)
	if module >= 0 && strings.Trim(base, ".") != "" {
		return []found{{node: module}}
	}
	for c := range t.children(n) {
		if t.field(c) != "name" {
			continue
		}
		if t.is(c, "aliased_import") {
			c = t.child(c, "name")
		}
		if c >= 0 {
			list = append(list, found{node: c, name: base + t.textOf(c)})
		}
	}
	return list
}

// pythonBindings binds the names of imports. They are "import a.b", which is a.b itself, "import a
// as b", "from m import a as b", "from m import *".
func pythonBindings(t *tree, n int) (list []store.Binding) {
	module := t.child(n, "module_name")
	base := t.textOf(module)
	if t.firstChild(n, "wildcard_import") >= 0 {
		return []store.Binding{{Name: store.AllNames, Import: base, Of: store.AllNames}}
	}
	for c := range t.children(n) {
		if t.field(c) != "name" {
			continue
		}
		name, alias := c, c
		if t.is(c, "aliased_import") {
			name, alias = t.child(c, "name"), t.child(c, "alias")
		}
		b := store.Binding{Name: t.textOf(alias), Import: base, Of: t.textOf(name)}
		if strings.Trim(base, ".") == "" { // as pythonModules has it
			b.Import, b.Of = base+b.Of, ""
		}
		list = append(list, b)
	}
	return list
}

// pythonParameter is a parameter with its annotation.
func pythonParameter(t *tree, n int) (name, of int) {
	return t.firstChild(n, "identifier"), t.child(n, "type")
}

// pythonAssigned is a variable with its annotation, or with the class or the parameter that is
// assigned to it: x: T, x = T(), self.x = T(), self.x = x.
func pythonAssigned(r *reader, n int) {
	left, value, at := r.child(n, "left"), r.child(n, "right"), r.around().symbol
	if list := r.lazyBinding(n); list != nil {
		r.bind(list)
		return
	}
	r.bind(r.structure(n))
	name, typ := r.textOf(left), typeName(r.textOf(r.child(n, "type")))
	field := strings.HasPrefix(name, "self.")
	if name = strings.TrimPrefix(name, "self."); !isPath([]byte(name)) || strings.Contains(name, ".") || len(name) > NameBytes {
		return
	}
	switch {
	case typ != "":
	case r.child(n, "type") >= 0:
		typ = store.AnyType
	case field && r.is(value, "identifier"):
		typ = r.typedBefore(r.textOf(value), at)
	default:
		if typ = r.valueType(value); field && strings.HasPrefix(typ, "=") {
			typ = ""
		}
	}
	if typ == "" || len(typ) > NameBytes {
		return
	}
	place := int(r.nodes[left].start)
	if field {
		if at < 0 || r.out.Symbols[at].Parent < 0 {
			return
		}
		at = r.out.Symbols[at].Parent
		place = r.out.Symbols[at].At
	}
	r.out.Typed = append(r.out.Typed, Typed{name, typ, at, place})
}

// pythonName is the other name that a statement of a module gives: "run = work".
func pythonName(t *tree, n int) []store.Binding {
	left, right := t.child(n, "left"), t.child(n, "right")
	if !t.is(left, "identifier") || !t.is(right, "identifier", "attribute") || !isPath(t.extentOf(right)) {
		return nil
	}
	return []store.Binding{{Name: t.textOf(left), Of: t.textOf(right)}}
}
