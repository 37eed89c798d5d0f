package lang

import (
	"strings"
	"unicode"

	"patina/store/doc"
	"patina/store/text"
)

// Go without syntax errors is read by go/parser, because that is ten times as fast. A test checks
// that both readers agree.
func addGolang(register func(*Language)) {
	register(&Language{
		Name: "Go", Code: true, Files: ".go", Comments: slashComments,
		ReExports:      "doc.go",
		TestNames:      []string{"Test", "Benchmark", "Example", "Fuzz"},
		Ecosystem:      "Go",
		ReadByCompiler: true, Exports: unicode.IsUpper,
		Grammar: &Grammar{
			Rules: map[string]Rule{
				"function_declaration": {Is: Function, Otherwise: Function}, // func _()
				"method_declaration":   {Is: Function, Names: methodOfReceiver},
				"type_spec type_alias": {Is: Type, Body: "type"},
				"const_spec":           {Is: Constant, Names: specNames},
				"var_spec":             {Is: Variable, Names: specNames, Binds: goNames},
				"type_declaration const_declaration var_declaration": {Is: Wrapper, When: hasNoParentheses},
				"field_declaration method_elem":                      {Is: Member},
				"func_literal":                                       {Is: Closure},
				"comment":                                            {Is: Comment},
				"call_expression":                                    {Is: Call},
				"import_spec":                                        {Is: Import, Name: "path", Binds: goBinding},
			},
			Predeclared: text.Set(`append cap complex copy delete imag len make new panic recover println bool
				byte complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint
				uint8 uint16 uint32 uint64 uintptr any`),
		},
		Scope: Scope{
			Modules: FolderPackages, ByPath: true, BindsModules: true, SharesFolder: true, MustImport: true,
			DeclaredTypes: true, LooseTypes: true, StrictTypes: true, LocatesTypes: true, SharedVariables: true,
			Results: ResultLast, TypeReceivers: NoTypes,
			BuiltinMethods: text.Set(`Add Bytes Close Command Context Del Done Err Error Errorf Fatal Fatalf Flush
				Format Get Header Helper Host Info Len Load Lock Log Logf Name Next Parse Path Query
				Read Reset Run Seek Set Size Skip Start Stop Store String Sub Unlock Unwrap Value Wait
				Write WriteString`),
		},
	})
}

// goBinding returns the name that an import gives to a package. It returns nil without one, because
// then only the package knows its name.
func goBinding(t *Tree, n int) []doc.Binding {
	switch name := t.Text(t.Child(n, "name")); name {
	case "", "_":
		return nil
	case ".":
		return []doc.Binding{{Name: doc.AllNames, Import: t.Text(t.Child(n, "path")), Of: doc.AllNames}}
	default:
		return []doc.Binding{{Name: name, Import: t.Text(t.Child(n, "path"))}}
	}
}

// goNames binds the names that variables of a package give to something else: Run for "var Run =
// Work".
func goNames(t *Tree, n int) (list []doc.Binding) {
	p := t.Parent(n)
	if t.Is(p, "var_spec_list") {
		p = t.Parent(p)
	}
	if !t.Is(t.Parent(p), "source_file") {
		return nil
	}
	var values []int
	for c := range t.Children(t.Child(n, "value")) {
		if !t.Is(c, "comment") {
			values = append(values, c)
		}
	}
	names := specNames(t, n)
	if len(names) != len(values) {
		return nil
	}
	for i, f := range names {
		of := t.Text(values[i])
		isName := t.Is(values[i], "identifier") || t.Is(values[i], "selector_expression") &&
			t.Is(t.Child(values[i], "operand"), "identifier")
		if name := t.Text(f.Node); isName && IsPath([]byte(of)) && name != "_" && len(name) <= NameBytes &&
			len(of) <= NameBytes {
			list = append(list, doc.Binding{Name: name, Of: of})
		}
	}
	return list
}

func methodOfReceiver(t *Tree, n int) []Found {
	f := Found{Node: t.Child(n, "name")}
	for p := range t.Children(t.Child(n, "receiver")) {
		d := t.Child(p, "type")
		for t.Is(d, "pointer_type", "parenthesized_type") {
			d++
		}
		if t.Is(d, "qualified_type") { // of another package, which does not compile
			continue
		}
		if d = t.bareType(d); t.Is(d, "type_identifier") {
			f.Scope = t.Text(d)
		}
	}
	f.Sort = "method"
	return []Found{f}
}

func specNames(t *Tree, n int) (list []Found) {
	for c := range t.Children(n) {
		if t.Field(c) == "name" {
			list = append(list, Found{Node: c})
		}
	}
	return list
}

// hasNoParentheses reports whether a declaration has no parentheses. Only then do its lines belong
// to its one spec.
func hasNoParentheses(t *Tree, n int) bool {
	for c := range t.Children(n) {
		if t.Is(c, "type_spec", "type_alias", "const_spec", "var_spec") {
			head := textBefore(t, n, c)
			return !strings.Contains(head, "(")
		}
	}
	return false
}
