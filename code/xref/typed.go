package xref

import (
	"slices"
	"strings"

	"patina/code/imports"
	"patina/code/lang"
	"patina/store/doc"
	"patina/store/text"
)

// primitives are types that have no methods of the project's.
var primitives = text.Set(`bool boolean byte char char8_t char16_t char32_t decimal double dynamic
	float int long nint nuint object sbyte short string uint ulong ushort void symbol bigint number
	size_t auto`)

// typeOf returns the type that the source declares for the receiver of a call, as written, with the
// file that writes it: that of a variable of the function around it or of one around that, or of a
// field, or of a field of those (a.b.c). "" is none; a name that is declared with two types in one
// place has none.
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
	if bare := strings.TrimPrefix(first, s.selfOf(first)); n.name == "" && (bare != first || s.rules.Modules != lang.ScriptModules) {
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

// sharedVariable is the type of a variable outside of functions that another file of the package
// declares, or that an import brings, as its first line says it.
func (s *Scope) sharedVariable(c doc.Call, name string) typeName {
	none, folders := typeName{file: ownFile}, s.rules.Modules == lang.FolderPackages
	if !s.rules.SharedVariables || name == "" || s.hasParameter(name, c, nil) {
		return none
	}
	if s.rules.Modules == lang.DottedModules && slices.ContainsFunc(s.bindings, func(b doc.Binding) bool {
		return b.Name == name && b.Import != "" && b.Of == ""
	}) {
		return none // a module
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
		if strings.Contains(of, ".") { // another file's imports are not seen here
			return typeName{ownFile, doc.AnyType}
		}
		file = ownFile
	}
	return typeName{file, typ}
}

// typeOfVariable reads the type of a variable from the line that declares it: "var x T",
// "x: T = …", "const x = new T(…)".
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

// selfOf is what a qualifier begins with if it is a field of the own object.
func (s *Scope) selfOf(qualifier string) string {
	if lang.Named(s.language).NoSelf {
		return ""
	}
	for _, self := range []string{"this.", "this->", "self.", "$this->"} {
		if strings.HasPrefix(qualifier, self) {
			return self
		}
	}
	return ""
}

// firstOfChain splits a.b->c into a and its fields. isChain is false for a single name and for
// names of scopes.
func (s *Scope) firstOfChain(qualifier string) (first string, rest []string, isChain bool) {
	self := s.selfOf(qualifier)
	if strings.Contains(qualifier, "::") {
		return qualifier, nil, false
	}
	names := imports.SplitName(qualifier[len(self):])
	if len(names) < 2 {
		return qualifier, nil, false
	}
	return self + names[0], names[1:], true
}

// typeHere is the type that the file itself declares for a receiver.
func (s *Scope) typeHere(c doc.Call, qualifier string) string {
	if len(s.typed) == 0 {
		return ""
	}
	at, field := c.Caller, false
	if self := s.selfOf(qualifier); self != "" {
		qualifier, field = qualifier[len(self):], true
	}
	qualifier = strings.TrimPrefix(strings.TrimRight(qualifier, "?!"), "$")
	for range len(s.entries) + 1 { // bounded: parents come from the file
		isType := at >= 0 && at < len(s.entries) && s.entries[at].Sort == doc.Type
		if !field || isType {
			found := ""
			for _, t := range s.typed {
				switch {
				case t.Entry != at || t.Name != qualifier:
				case found != "" && found != t.Type:
					return doc.AnyType
				default:
					found = t.Type
				}
			}
			if found != "" {
				return found
			}
		}
		if at < 0 || at >= len(s.entries) {
			return ""
		}
		at = s.entries[at].Parent
	}
	return ""
}

// declared judges x.f() against a method by the declared type of x. known is false if that says
// nothing: the type may inherit the method, or stand for any.
func (s *Scope) declared(r *reference, d *Definition) (v verdict, reason string, known bool) {
	if s.rules.Modules == lang.CrateModules {
		return s.declaredRust(r, d)
	}
	names := imports.SplitName(r.typ)
	if len(names) == 0 {
		return 0, "", false
	}
	if r.typ == doc.AnyType {
		return possible, notFollowed, true
	}
	if v, reason, known := s.followedType(r, d); known {
		return v, reason, true
	}
	if r.typFile != ownFile { // its imports are those of another file
		if s.importsElsewhere(r.typFile, names[0]) {
			return possible, otherType, true
		}
		if v, reason, known := s.judgeForeignType(r, names, d); known {
			return v, reason, true
		}
		return s.unrelated(r, names, d)
	}
	typ := names[len(names)-1]
	if to, ok := s.aliases[typ]; ok {
		typ = to
	}
	means, bound := s.meanings(names)
	extends := d.parent != nil && d.parent.Sort == doc.Type && namesBase(*d.parent, d.owner, typ)
	if of := d.extended(); of != "" {
		if Unqualified(of) == typ {
			return inScope, "declared type", true
		}
		return possible, otherType, true
	}
	switch {
	case typ == d.owner && !bound && s.inOtherNamespace(names[:len(names)-1], "", d):
		return possible, otherNamespace, true
	case typ == d.owner && bound && len(means) > 0 && !slices.ContainsFunc(means, func(t imports.Target) bool { return s.leadsTo(t, d) }):
		return possible, declaredByName, true
	case typ == d.owner && !bound && s.rules.LooseTypes && d.Path != s.path && !s.samePackage(d):
		return possible, declaredByName, true
	case typ == d.owner && !(bound && len(means) == 0):
		return inScope, "declared type", true
	case extends:
		return possible, mayOverride, true
	case s.rules.LooseTypes:
		return possible, otherType, true
	case s.rules.Modules == lang.HeaderIncludes && pointsOn(names, r):
		return possible, notFollowed, true
	case bound && len(means) == 0, primitives[typ], !bound && s.rules.BuiltinTypes[typ], s.rules.Modules == lang.HeaderIncludes && names[0] == "std":
		return excluded, "", true
	}
	return s.unrelated(r, names, d)
}

// unrelated judges x.f() against a method of another type than that of x. Where types are named,
// one that the view does not define rules out a method of a type without bases.
func (s *Scope) unrelated(r *reference, names []string, d *Definition) (v verdict, reason string, known bool) {
	typ := names[len(names)-1]
	if len(typ) > 1 && s.rules.NominalTypes && !d.mayHaveBase() && s.definesNone(typ) {
		return excluded, "", true
	}
	return possible, otherType, true
}

// mayHaveBase reports whether the type of a method names bases, or cannot be seen.
func (d *Definition) mayHaveBase() bool {
	if d.parent == nil || d.parent.Sort != doc.Type {
		return true
	}
	head := d.parent.Title
	_, rest, _ := strings.Cut(head, d.owner)
	for _, word := range []string{":", "extends ", "implements ", "partial "} {
		if strings.Contains(rest, word) || strings.Contains(head, "partial ") || strings.Contains(head, "trait ") || strings.Contains(head, "interface ") {
			return true
		}
	}
	return false
}

// definesNone reports whether the view is known to define nothing of a name.
func (s *Scope) definesNone(name string) bool {
	return s.named != nil && !slices.ContainsFunc(s.named(name), func(d Definition) bool {
		return d.family == s.family && d.Entry.Sort != doc.Section
	})
}

// extended is the type that a method of C# extends: that of its parameter "this".
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

// followedType judges x.f() by the type of x where that is found, with its bases.
func (s *Scope) followedType(r *reference, d *Definition) (v verdict, reason string, known bool) {
	t := s.typeSeen(typeName{r.typFile, s.seenName(r.typ)})
	if t.OuterType == nil {
		return 0, "", false
	}
	names := imports.SplitName(r.typ)
	switch n := s.generationsAbove(t, d); {
	case n == 0 && r.typFile == ownFile && s.rules.Modules != lang.FolderPackages && s.inOtherNamespace(names[:len(names)-1], r.typ, d):
		return possible, otherNamespace, true
	case n == 0:
		return inScope, "declared type", true
	case n > 0:
		return inheritedFrom(n), "base of the declared type", true
	case t.Name == d.owner && (d.Path == s.path || s.pathOf(t.file) != d.Path) && !d.sourceOf(s.pathOf(t.file)):
		return possible, declaredByName, true
	}
	return 0, "", false
}

// sourceOf reports whether a method of C++ may be defined for a class that a header holds.
func (d *Definition) sourceOf(header string) bool {
	return d.rules.Modules == lang.HeaderIncludes && imports.IsHeader(header) && !imports.IsHeader(d.Path)
}

// importsElsewhere reports whether another file imports a name from outside of the view.
func (s *Scope) importsElsewhere(file int, name string) bool {
	f := s.resolver.File(file)
	return s.rules.ByPath && slices.ContainsFunc(s.othersOf(f).Bindings, func(b doc.Binding) bool {
		return b.Name == name && b.Import != "" && len(s.resolver.ResolveBinding(f.Language, f.Path, b, nil)) == 0
	})
}

// judgeForeignType judges x.f() by the name of a type that another file declares.
func (s *Scope) judgeForeignType(r *reference, names []string, d *Definition) (v verdict, reason string, known bool) {
	typ := names[len(names)-1]
	switch {
	case typ == d.owner:
		return possible, declaredByName, true
	case d.parent != nil && d.parent.Sort == doc.Type && namesBase(*d.parent, d.owner, typ):
		return possible, mayOverride, true
	case s.rules.Modules == lang.HeaderIncludes && pointsOn(names, r):
		return possible, notFollowed, true
	case primitives[typ], s.rules.BuiltinTypes[typ], s.rules.Modules == lang.HeaderIncludes && names[0] == "std":
		return excluded, "", true
	}
	return 0, "", false
}

// pointsOn reports whether p->f() of C++ is a call on what a type of the library holds: that of a
// std::unique_ptr, an iterator or an optional.
func pointsOn(names []string, r *reference) bool {
	return names[0] == "std" && strings.HasSuffix(r.Name, "->"+r.name)
}

// leadsTo reports whether an import leads to the file or package of a definition.
func (s *Scope) leadsTo(t imports.Target, d *Definition) bool {
	if t.Reach(d.Path) > imports.Unreached {
		return true
	}
	w := newWalk()
	return slices.ContainsFunc(t.At, func(i int) bool {
		return s.exports(i, append(slices.Clone(t.Names), d.name), d, w)
	})
}

// namesBase reports whether the head of a type's definition names another type behind its own name.
func namesBase(e doc.Entry, typ, base string) bool {
	_, rest, _ := strings.Cut(withoutParameters(e.Title), typ)
	words := strings.FieldsFunc(rest, func(r rune) bool { return !isWord(r) })
	return typ != base && slices.Contains(words, base)
}
