package syntax

import (
	"strings"

	scala "github.com/tree-sitter/tree-sitter-scala/bindings/go"

	"patina/store"
	"patina/store/text"
)

func init() {
	grammars["Scala"] = &grammar{
		language: scala.Language,
		rules: map[string]rule{
			"function_definition function_declaration":                                           {is: function},
			"class_definition trait_definition object_definition enum_definition package_object": {is: typ},
			"type_definition":      {is: typ, flat: true, ends: scalaAlias},
			"given_definition":     {is: constant, ends: scalaAlias},
			"extension_definition": {is: scope, names: scalaExtended},
			"val_definition var_definition val_declaration var_declaration": {is: variable, names: scalaValue},
			"class_parameter simple_enum_case full_enum_case":               {is: member},
			"lambda_expression":     {is: closure},
			"annotation":            {is: attribute, closed: true},
			"comment block_comment": {is: comment},
			"call_expression":       {is: call, calls: scalaCalled},
			"instance_expression":   {is: call, calls: scalaNew},
			"infix_expression":      {is: call, calls: scalaInfix},
			"package_clause":        {binds: scalaPackage},
			"import_declaration":    {is: imports, names: scalaImported, binds: scalaBindings},
		},
		typed: map[string]typing{
			"parameter class_parameter val_definition var_definition val_declaration var_declaration": {parts: scalaTyped},
		},
		predeclared: text.Set("println print require assert assume Some None List Seq Map Set Option Array Right Left Vector this super"),
	}
}

// scalaAlias finds the end of the head of a type alias or a given.
func scalaAlias(t *tree, n int) int {
	for _, field := range []string{"type", "body"} {
		if c := t.child(n, field); c >= 0 {
			return int(t.nodes[c].start)
		}
	}
	return -1
}

// scalaExtended names the type that an extension adds to.
func scalaExtended(t *tree, n int) []found {
	p := t.firstChild(t.child(n, "parameters"), "parameter")
	typ := t.child(p, "type")
	for t.is(typ, "generic_type") {
		typ = t.child(typ, "type")
	}
	return []found{{node: typ}}
}

// scalaValue names the values of files and objects; those of classes are fields, those of functions
// nothing. Capitals or "final" make a constant.
func scalaValue(t *tree, n int) []found {
	pattern := max(t.child(n, "pattern"), t.child(n, "name"))
	if !t.is(pattern, "identifier") || t.textOf(pattern) == "" { // "val =" has a name of no letters
		return nil
	}
	p := t.parent(n)
	if t.is(p, "template_body") && !t.is(t.parent(p), "object_definition", "package_object") || t.is(p, "block", "indented_block", "case_clause", "enum_body") {
		return nil
	}
	f := found{node: pattern}
	name := t.textOf(pattern)
	if !t.is(n, "var_definition", "var_declaration") && (name[0] >= 'A' && name[0] <= 'Z' || strings.Contains(t.textOf(t.firstChild(n, "modifiers")), "final")) {
		f.sort = store.Constant
	}
	return []found{f}
}

// scalaCalled returns what is called: f, a.f, and _.f of what is no name.
func scalaCalled(t *tree, n int) string {
	f := t.child(n, "function")
	for range 3 {
		if t.is(f, "generic_function") {
			f = t.child(f, "function")
		}
	}
	if f < 0 || t.is(f, "call_expression") {
		return "" // a second list of arguments
	}
	if text := t.extentOf(f); isPath(text) {
		return string(text)
	}
	if last := t.child(f, "field"); last >= 0 && t.is(f, "field_expression") {
		return "_." + t.textOf(last)
	}
	return ""
}

// scalaNew returns the class of "new C(…)".
func scalaNew(t *tree, n int) string {
	c := t.firstChild(n, "type_identifier", "stable_type_identifier", "generic_type")
	for t.is(c, "generic_type") {
		c = t.child(c, "type")
	}
	if c < 0 || !isPath(t.extentOf(c)) {
		return ""
	}
	return t.textOf(c)
}

// scalaInfix returns the method of "a method b". Operators of signs are left out.
func scalaInfix(t *tree, n int) string {
	op := t.child(n, "operator")
	if !t.is(op, "identifier") {
		return ""
	}
	if left := t.child(n, "left"); left >= 0 && isPath(t.extentOf(left)) {
		return t.textOf(left) + "." + t.textOf(op)
	}
	return "_." + t.textOf(op)
}

// scalaPackage is a package that the file declares. One in braces holds a part of the file alone.
func scalaPackage(t *tree, n int) []store.Binding {
	if t.child(n, "body") >= 0 {
		return nil
	}
	return []store.Binding{{Name: store.PackageName, Of: t.textOf(t.child(n, "name"))}}
}

// scalaImported spells out an import: a.{B, C => D} is a.B and a.C.
func scalaImported(t *tree, n int) (list []found) {
	for _, b := range scalaBindings(t, n) {
		list = append(list, found{node: n, name: b.Import})
	}
	return list
}

// scalaBindings binds the names of an import, and those that it renames.
func scalaBindings(t *tree, n int) (list []store.Binding) {
	text := strings.TrimSpace(strings.TrimPrefix(t.textOf(n), "import"))
	for _, p := range spellOut(strings.Join(strings.Fields(text), " ")) {
		name, alias, renamed := strings.Cut(p, "=>")
		if !renamed {
			name, alias, _ = strings.Cut(p, " as ")
		}
		name, alias = strings.ReplaceAll(name, " ", ""), strings.TrimSpace(alias)
		i := strings.LastIndexByte(name, '.')
		if i <= 0 || name[i+1:] == "" {
			continue
		}
		if last := name[i+1:]; last == "_" || last == "*" || last == "given" {
			list = append(list, store.Binding{Name: store.AllNames, Import: name[:i] + ".*", Of: store.AllNames})
			continue
		}
		list = append(list, store.Binding{Name: or(alias, name[i+1:]), Import: name})
	}
	return list
}

// scalaTyped is the name of a value and its type.
func scalaTyped(t *tree, n int) (name, of int) {
	return max(t.child(n, "pattern"), t.child(n, "name")), t.child(n, "type")
}
