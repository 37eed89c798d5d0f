package xref

import (
	"slices"
	"strings"

	"patina/code/imports"
	"patina/code/lang"
	"patina/store/doc"
	"patina/store/text"
)

// primitives are types that cannot have methods of the project.
var primitives = text.Set(`bool boolean byte char char8_t char16_t char32_t decimal double dynamic
	float int long nint nuint object sbyte short string uint ulong ushort void symbol bigint number
	size_t auto`)

// typeOf returns the declared type of the receiver of a call, as written, and the file that
// declares it. The receiver may be a variable of a function around the call, a field, or a field of
// those (a.b.c). The name is "" if no type is known, or if one place declares two.
func (s *Scope) typeOf(c doc.Call, qualifier string) typeName {
	switch {
	case s.rules.Modules == lang.CrateModules:
		return typeName{ownFile, s.typeOfRust(c, qualifier)}
	case !s.rules.DeclaredTypes:
		return typeName{}
	}
	if qualifier == "_" {
		return s.valued(c, typeName{ownFile, s.typeHere(c, "_."+Unqualified(c.Name))})
	}
	follows := s.rules.FollowsTypes || s.rules.LocatesTypes
	first, rest, isChain := s.firstOfChain(qualifier)
	if !isChain || !follows {
		if n := (typeName{ownFile, s.typeHere(c, qualifier)}); n.name != "" || !follows {
			return s.valued(c, n)
		}
	}
	n := s.valued(c, typeName{ownFile, s.typeHere(c, first)})
	if n.name == "" && s.rules.Modules == lang.FolderPackages && isChain && s.isSelf(c, first) {
		n.name = s.ownerAt(c.Caller)
	}
	if n.name == "" && s.named != nil && !strings.HasPrefix(first, s.selfOf(first)+".") && s.selfOf(first) == "" {
		n = s.valued(c, s.sharedVariable(c, first))
	}
	bare := strings.TrimPrefix(first, s.selfOf(first))
	if n.name == "" && (bare != first || s.rules.Modules != lang.ScriptModules) {
		// A field of a base, or of a class whose head is in another file.
		n = s.fieldType(s.typeSeen(typeName{ownFile, s.ownerAt(c.Caller)}), bare, maxBases)
	}
	if n.name != "" && len(rest) > 0 {
		if n = s.chain(n, rest); n.name == "" && s.rules.StrictTypes {
			n = typeName{ownFile, doc.AnyType}
		}
		n = s.valued(c, n)
	}
	return n
}

// sharedVariable returns the type of a variable outside of functions that another file of the
// package declares or that is imported, as in its first line.
func (s *Scope) sharedVariable(c doc.Call, name string) typeName {
	none, folders := typeName{file: ownFile}, s.rules.Modules == lang.FolderPackages
	if !s.rules.SharedVariables || name == "" || s.hasParameter(name, c, nil) {
		return none
	}
	if s.rules.Modules == lang.DottedModules && slices.ContainsFunc(s.bindings, func(b doc.Binding) bool {
		return b.Name == name && b.Import != "" && b.Of == ""
	}) {
		return none // it is a module
	}
	var found *Definition
	ds := s.named(s.Unalias(name))

	for i := range ds {
		d := &ds[i]
		if d.family != s.family || d.owner != "" || d.Entry.Sort != doc.Variable && d.Entry.Sort != doc.Constant {
			continue
		}
		means, _ := s.meanings([]string{name})
		switch {
		case folders && d.folder == s.folder, !folders && d.Path == s.path,
			slices.ContainsFunc(means, func(t imports.Target) bool { return s.means(t, d) }):
			if found != nil {
				return none
			}
			found = d
		}
	}
	if found == nil {
		return none
	}
	file, ok := s.fileOf(found)
	if !ok {
		return none
	}
	typ := typeOfVariable(found)

	if of, isCall := strings.CutSuffix(typ, "()"); isCall && file != ownFile && folders {
		if strings.Contains(of, ".") { // the imports of another file are unknown here
			return typeName{ownFile, doc.AnyType}
		}
		file = ownFile
	}
	return typeName{file, typ}
}

// typeOfVariable returns the type of a variable in the line that declares it: "var x T", "x: T =
// …", "const x = new T(…)".
func typeOfVariable(d *Definition) string {
	_, rest, ok := strings.Cut(d.Entry.Title, d.name)
	if !ok {
		return ""
	}
	typ, value, isSet := strings.Cut(rest, "=")
	if typ = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(typ), ":")); typ != "" {
		return plainType(typ)
	}
	if !isSet {
		return ""
	}
	value = strings.TrimLeft(value, " &*")
	if made, ok := strings.CutPrefix(value, "new "); ok {
		name, _, _ := strings.Cut(made, "(")
		return plainType(name)
	}
	i := strings.IndexFunc(value, func(r rune) bool { return !isWord(r) && r != '.' })
	switch {
	case i <= 0:
		return ""
	case value[i] == '(':
		return value[:i] + "()"
	case value[i] == '{' && d.rules.Modules == lang.FolderPackages:
		return value[:i]
	}
	return ""
}

// mayHaveBase reports whether the type of a method has bases, or is not known.
func (d *Definition) mayHaveBase() bool {
	if d.parent == nil || d.parent.Sort != doc.Type {
		return true
	}
	head := d.parent.Title
	_, rest, _ := strings.Cut(head, d.owner)
	for _, word := range []string{":", "extends ", "implements ", "partial "} {
		if strings.Contains(rest, word) || strings.Contains(head, "partial ") ||
			strings.Contains(head, "trait ") || strings.Contains(head, "interface ") {
			return true
		}
	}
	return false
}

// extended returns the type that a method of C# extends, which is that of its parameter "this", or
// "".
func (d *Definition) extended() string {
	if !d.rules.ExtensionMethods {
		return ""
	}
	_, rest, ok := strings.Cut(d.Entry.Title, "(this ")
	if !ok {
		return ""
	}
	typ, _, _ := strings.Cut(strings.TrimPrefix(rest, "in "), " ")
	return plainType(typ)
}

// sourceOf reports whether a method of C++ may be defined for a class in a header.
func (d *Definition) sourceOf(header string) bool {
	return d.rules.Modules == lang.HeaderIncludes && imports.IsHeader(header) && !imports.IsHeader(d.Path)
}

// namesBase reports whether the head of a type contains another type after its own name.
func namesBase(e doc.Entry, typ, base string) bool {
	_, rest, _ := strings.Cut(withoutParameters(e.Title), typ)
	words := strings.FieldsFunc(rest, func(r rune) bool { return !isWord(r) })
	return typ != base && slices.Contains(words, base)
}
