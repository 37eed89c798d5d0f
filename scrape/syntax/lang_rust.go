package syntax

import (
	"slices"
	"strings"

	rust "github.com/tree-sitter/tree-sitter-rust/bindings/go"

	"patina/store"
	"patina/store/text"
)

func init() {
	grammars["Rust"] = &grammar{
		language: rust.Language,
		rules: map[string]rule{
			"function_item function_signature_item":                 {is: function},
			"macro_definition":                                      {is: function, body: "macro_rule"},
			"struct_item enum_item union_item trait_item type_item": {is: typ},
			"associated_type":                                       {is: typ, flat: true},
			"const_item":                                            {is: constant},
			"static_item":                                           {is: variable},
			"impl_item":                                             {is: scope, names: implementedType},
			"closure_expression":                                    {is: closure},
			"attribute_item":                                        {is: attribute},
			"line_comment block_comment":                            {is: comment},
			"field_declaration mod_item":                            {is: member},
			"enum_variant":                                          {is: member},
			"call_expression":                                       {is: call, receiver: rustReceiver},
			"token_tree":                                            {is: tokens},
			"macro_invocation":                                      {is: call, name: "macro"},
			"use_declaration":                                       {is: imports, names: usedPaths, binds: usedNames},
			"extern_crate_declaration":                              {is: imports},
		},
		typed:       rustVariables,
		predeclared: text.Set("Some None Ok Err Box::new Vec::new String::new vec assert assert_eq assert_ne panic format println write writeln"),
	}
}

// implementedType names the type of an impl, without references, parameters and path.
func implementedType(t *tree, n int) []found {
	return []found{{node: t.bareType(t.child(n, "type"))}}
}

// usedPaths spells out a use declaration: a::{b, c::d} is a::b and a::c::d.
func usedPaths(t *tree, n int) []found {
	var list []found
	modules := t.inlineModules(n)
	for _, p := range spelledOut(t, n) {
		p, _, _ = strings.Cut(p, "#")
		list = append(list, found{node: n, name: fromFile(strings.TrimSuffix(p, "::self"), modules)})
	}
	return list
}

// maxInline bounds the modules around a declaration that are looked at.
const maxInline = 20

// inlineModules are the modules of the file around a node, the outermost first: "mod tests { … }".
func (t *tree) inlineModules(n int) (names []string) {
	for p := t.parent(n); p >= 0 && len(names) < maxInline; p = t.parent(p) {
		if t.is(p, "mod_item") {
			names = append([]string{t.textOf(t.child(p, "name"))}, names...)
		}
	}
	return names
}

// fromFile spells a path in an inline module as the file itself would: in "mod tests", super::a is
// self::a, and self::a is self::tests::a.
func fromFile(p string, modules []string) string {
	if len(modules) == 0 {
		return p
	}
	rest, isSelf := strings.CutPrefix(p, "self::")
	up := false
	for strings.HasPrefix(rest, "super") && len(modules) > 0 {
		rest = strings.TrimPrefix(strings.TrimPrefix(rest, "super"), "::")
		modules, up = modules[:len(modules)-1], true
	}
	switch {
	case !isSelf && !up:
		return p
	case up && len(modules) == 0 && strings.HasPrefix(rest, "super"):
		return rest
	}
	return strings.TrimSuffix("self::"+strings.Join(append(slices.Clone(modules), rest), "::"), "::")
}

// spelledOut returns the paths of a use declaration. An alias stands behind its path, after "#".
func spelledOut(t *tree, n int) []string {
	return spellOut(strings.Join(strings.Fields(strings.ReplaceAll(t.textOf(t.child(n, "argument")), " as ", "#")), ""))
}

// usedNames binds the last names of a use declaration, or their aliases.
func usedNames(t *tree, n int) (list []store.Binding) {
	modules := t.inlineModules(n)
	for _, p := range spelledOut(t, n) {
		p, alias, _ := strings.Cut(p, "#")
		p = fromFile(strings.TrimSuffix(p, "::self"), modules)
		b := store.Binding{Name: or(alias, p[strings.LastIndexByte(p, ':')+1:]), Import: p}
		if b.Name == store.AllNames {
			b.Of = store.AllNames
		}
		list = append(list, b)
	}
	return list
}

// maxSpelled bounds the paths of one declaration. Braces in braces multiply nothing, but a hostile
// text can be long.
const maxSpelled = 1000

// spellOut takes the braces out of a path.
func spellOut(text string) (paths []string) {
	var before []string // prefixes at each open brace
	start, prefix := 0, ""
	flush := func(end int) {
		if part := text[start:end]; part != "" && len(paths) < maxSpelled && len(prefix) < NameBytes {
			paths = append(paths, prefix+part)
		}
	}
	for i := range len(text) {
		switch text[i] {
		case '{':
			before = append(before, prefix)
			if len(prefix) < NameBytes {
				prefix += text[start:i]
			}
			start = i + 1
		case ',', '}':
			flush(i)
			start = i + 1
			if text[i] == '}' && len(before) > 0 {
				prefix, before = before[len(before)-1], before[:len(before)-1]
			}
		}
	}
	flush(len(text))
	return paths
}
