package lang

import (
	"bytes"
	"strings"

	"patina/store/doc"
	"patina/store/text"
)

func addSolidity(register func(*Language)) {
	register(&Language{
		Name: "Solidity", Code: true, Files: ".sol", Comments: slashComments,
		SummaryMarks: []string{
			"/// @notice", "/// @title", "/// @dev", "* @notice", "* @title", "* @dev", "/**",
			"///", "//", "/*", "*",
		},
		TestLines: []string{
			"function test_", "function testFuzz", "function testFork", "function invariant_",
			"import {Test", `import "forge-std/Test.sol"`,
		},
		Definitions: &Definitions{Heads: heads(
			`+^(?:abstract\s+)?(?:contract|interface|library)\s+`+nameWord,
			`^(?:function|modifier|event|error|struct|enum)\s+`+nameWord,
		)},
		Grammar: &Grammar{
			Recovers: true, KeepsFields: true,
			Rules: map[string]Rule{
				"contract_declaration interface_declaration library_declaration": {Is: Type},
				"struct_declaration enum_declaration":                            {Is: Type},
				"user_defined_type_definition":                                   {Is: Type, Flat: true},
				"function_definition modifier_definition":                        {Is: Function},
				"event_definition error_declaration":                             {Is: Function},
				"constructor_definition fallback_receive_definition": {
					Is: Function, Names: solidityUnnamed,
				},
				"constant_variable_declaration": {Is: Constant},
				"state_variable_declaration": {
					Is: Constant, Names: solidityConstant, Otherwise: Member,
				},
				"struct_member": {Is: Member},
				"enum_value":    {Is: Member, Names: nodeItself},
				"comment":       {Is: Comment},
				"call_expression emit_statement revert_statement": {
					Is: Call, Calls: solidityCalled, Receiver: solidityReceiver,
				},
				"new_expression":      {Is: Call, Name: "name"},
				"modifier_invocation": {Is: Call, Calls: solidityModifier},
				"yul_block":           {Closed: true},
				"import_directive": {
					Is: Import, Name: "source", Binds: solidityBindings,
				},
			},
			Typed: map[string]Typing{
				"parameter variable_declaration state_variable_declaration struct_member": {},
			},
			Predeclared: text.Set(`require assert revert keccak256 sha256 ecrecover addmod mulmod blockhash gasleft
				selfdestruct abi.encode abi.encodePacked abi.encodeWithSelector abi.encodeWithSignature abi.encodeCall
				abi.decode`),
		},
		Scope: Scope{
			Modules: PathModules, ByPath: true, BindsModules: true, ImplicitThis: true, MustImport: true,
			DeclaredTypes: true, StrictTypes: true, ClosedNames: true, FollowsTypes: true,
			TypeFirst: true, Constructors: []string{"constructor"},
		},
	})
}

// solidityUnnamed names a function by its keyword: constructor, receive, fallback.
func solidityUnnamed(t *Tree, n int) []Found {
	if t.Is(n, "constructor_definition") {
		return []Found{{Node: n, Name: "constructor"}}
	}
	if bytes.HasPrefix(t.Bytes(n), []byte("receive")) {
		return []Found{{Node: n, Name: "receive"}}
	}
	return []Found{{Node: n, Name: "fallback"}}
}

// solidityConstant names the variables of a contract that are constant or immutable. All others are
// fields.
func solidityConstant(t *Tree, n int) []Found {
	name := t.Child(n, "name")
	for word := range strings.FieldsSeq(textBefore(t, n, name)) {
		if word == "constant" || word == "immutable" {
			return []Found{{Node: name}}
		}
	}
	return nil
}

// solidityInner returns the node in an expression, because the grammar wraps each of them. The
// options of a call, as in f{value: 1}(), are left out. It returns -1 if the nesting is too deep.
func solidityInner(t *Tree, n int) int {
	for range MaxAround {
		switch {
		case t.Is(n, "struct_expression"):
			n = t.Child(n, "type")
		case t.Is(n, "expression", "parenthesized_expression"):
			n = t.Inner(n)
		default:
			return n
		}
	}
	return -1
}

// solidityCallee returns the expression that a call, an emit or a revert names.
func solidityCallee(t *Tree, n int) int {
	return solidityInner(t, max(t.Child(n, "function"), t.Child(n, "name"), t.Child(n, "error")))
}

// solidityCalled returns the called name: f, a.f, and _.f after an expression that is no name.
func solidityCalled(t *Tree, n int) string {
	f := solidityCallee(t, n)
	if f < 0 {
		return ""
	}
	if path := t.Bytes(f); IsPath(path) {
		return string(path)
	}
	if last := t.Child(f, "property"); last >= 0 {
		return "_." + t.Text(last)
	}
	return ""
}

// solidityReceiver returns the type on which a call is made if a conversion shows it: IERC20 of
// IERC20(token).transfer().
func solidityReceiver(t *Tree, n int) string {
	of := solidityInner(t, t.Child(solidityCallee(t, n), "object"))
	if t.Is(of, "call_expression") {
		if name := solidityCalled(t, of); name != "" && name[0] >= 'A' && name[0] <= 'Z' {
			return name
		}
	}
	return ""
}

// solidityModifier returns the modifier, or the base, with which a function is declared.
func solidityModifier(t *Tree, n int) string { return t.Text(t.FirstChild(n, "identifier")) }

// solidityBindings binds the names of an import: all of a file, the listed ones, or the file under
// a name.
func solidityBindings(t *Tree, n int) (list []doc.Binding) {
	source := t.Text(t.Child(n, "source"))
	for c := range t.Children(n) {
		switch name := t.Text(c); t.Field(c) {
		case "import_name":
			list = append(list, doc.Binding{Name: name, Import: source, Of: name})
		case "alias":
			if last := len(list) - 1; last >= 0 {
				list[last].Name = name
			} else {
				list = append(list, doc.Binding{Name: name, Import: source})
			}
		}
	}
	if len(list) == 0 {
		list = append(list, doc.Binding{Name: doc.AllNames, Import: source, Of: doc.AllNames})
	}
	return list
}
