package lang

import (
	"slices"
	"strings"

	"patina/store/doc"
	"patina/store/text"
)

func addRust(register func(*Language)) {
	register(&Language{
		Name: "Rust", Code: true, Files: ".rs", Comments: slashComments,
		ReExports: "lib.rs",
		TestLines: []string{"#[test]", "#[cfg(test)]", "#[tokio::test"},
		Definitions: &Definitions{Heads: heads(`^`+visible+
			`(?:(?:default|const|async|unsafe|extern(?:\s+"[^"]*")?)\s+)*fn\s+`+nameWord,
			`+^`+visible+`(?:unsafe\s+)?(?:struct|enum|union|trait)\s+`+nameWord, `^macro_rules!\s*`+nameWord)},
		Ecosystem: "Cargo",
		Grammar: &Grammar{
			Recovers: true, KeepsChains: true,
			Rules: map[string]Rule{
				"function_item function_signature_item":                 {Is: Function},
				"macro_definition":                                      {Is: Function, Body: "macro_rule"},
				"struct_item enum_item union_item trait_item type_item": {Is: Type},
				"associated_type":                                       {Is: Type, Flat: true},
				"const_item":                                            {Is: Constant},
				"static_item":                                           {Is: Variable},
				"impl_item":                                             {Is: Namespace, Names: implementedType},
				"closure_expression":                                    {Is: Closure},
				"attribute_item":                                        {Is: Attribute},
				"line_comment block_comment":                            {Is: Comment},
				"field_declaration mod_item":                            {Is: Member},
				"enum_variant":                                          {Is: Member},
				"call_expression":                                       {Is: Call, Receiver: rustReceiver},
				"token_tree":                                            {Is: Tokens},
				"macro_invocation":                                      {Is: Call, Name: "macro"},
				"use_declaration": {
					Is: Import, Names: usedPaths, Binds: usedNames,
				},
				"extern_crate_declaration": {Is: Import},
			},
			Typed: rustVariables,
			Predeclared: text.Set(`Some None Ok Err Box::new Vec::new String::new vec assert assert_eq assert_ne
				panic format println write writeln`),
			RawPrefix: "r#",
		},
		Scope: Scope{
			Modules: CrateModules, ByPath: true, MustImport: true, ClosedModules: true, SaysOutside: true,
			TypeReceivers: NoTypes, Library: text.Set("std core alloc proc_macro test"),
			BuiltinMethods: text.Set(`and_then as_bytes as_mut as_ref as_slice as_str body borrow build chain clear
				clone cloned cmp collect contains contains_key copied drain drop end entry enumerate eq err
				expect extend field filter find first flatten fold from get get_mut header headers host
				into into_iter insert is_empty is_err is_none is_ok is_some iter iter_mut join keys kind
				last len lines lock map map_err max method min name next ok ok_or or_else parse
				partial_cmp path poll pop port post push push_str query read remove replace resize reverse
				rev send size_hint skip sort source split start start_with starts_with status uri version
				swap take then to_owned to_string to_vec trim truncate unwrap unwrap_or values
				with_capacity write zip`),
			BuiltinTypes: text.Set(`Arc Box Cow Option Pin Rc Result String Vec array bool char f32 f64 i128 i16 i32
				i64 i8 isize str u128 u16 u32 u64 u8 usize Iterator IntoIterator DoubleEndedIterator
				ExactSizeIterator Into From TryFrom TryInto AsRef AsMut ToString ToOwned Drop Fn FnMut
				FnOnce`),
		},
	})
}

// implementedType names the type of an impl, without references, parameters and path.
func implementedType(t *Tree, n int) []Found {
	return []Found{{Node: t.bareType(t.Child(n, "type"))}}
}

// usedPaths spells out a use declaration: a::{b, c::d} is a::b and a::c::d.
func usedPaths(t *Tree, n int) []Found {
	var list []Found
	modules := inlineModules(t, n)
	for _, p := range spelledOut(t, n) {
		p, _, _ = strings.Cut(p, "#")
		list = append(list, Found{Node: n, Name: fromFile(strings.TrimSuffix(p, "::self"), modules)})
	}
	return list
}

// maxInline is the most modules around a declaration that are looked at.
const maxInline = 20

// inlineModules returns the modules of the file around a node, the outermost first: "mod tests {
// … }".
func inlineModules(t *Tree, n int) (names []string) {
	for p := t.Parent(n); p >= 0 && len(names) < maxInline; p = t.Parent(p) {
		if t.Is(p, "mod_item") {
			names = append([]string{t.Text(t.Child(p, "name"))}, names...)
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

// spelledOut returns the paths of a use declaration. An alias follows its path, after "#".
func spelledOut(t *Tree, n int) []string {
	return spellOut(strings.Join(strings.Fields(strings.ReplaceAll(t.Text(t.Child(n, "argument")), " as ", "#")), ""))
}

// usedNames binds the last names of a use declaration, or their aliases.
func usedNames(t *Tree, n int) (list []doc.Binding) {
	modules := inlineModules(t, n)
	for _, p := range spelledOut(t, n) {
		p, alias, _ := strings.Cut(p, "#")
		p = fromFile(strings.TrimSuffix(p, "::self"), modules)
		b := doc.Binding{Name: or(alias, p[strings.LastIndexByte(p, ':')+1:]), Import: p}
		if b.Name == doc.AllNames {
			b.Of = doc.AllNames
		}
		list = append(list, b)
	}
	return list
}

// maxSpelled is the most paths of one declaration. Braces in braces multiply nothing, but a hostile
// text can be long.
const maxSpelled = 1000

// spellOut removes the braces from a path.
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
