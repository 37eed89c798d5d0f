package xref

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"patina/code/imports"
	"patina/code/lang"
	"patina/store/doc"
)

// A verdict is the strength of the evidence that a definition is called.
type verdict int

const (
	excluded verdict = iota // ruled out by the language or the qualifier
	possible                // has the same name
	near                    // an import leads near it
)

// The gap above near is for bases of bases, because each generation counts one less.
const (
	inherited = near + 1 + maxBases + iota // a base of the own type has it
	inScope                                // in the same file or package, imported, or of the own type
	announced                              // in C: declared by an included header
	beside                                 // in C: beside the caller
	ownType                                // the own type has it, in the same file
	innermost                              // a function around the call defines it
)

// otherName is the reason for x.F if an imported package may have a name unlike its path.
const otherName = "module under another name?"

// unknownReceiver is the reason for a method of which only the name is known.
const unknownReceiver = "receiver unknown"

// mayOverride is the reason for a method that may override the called one.
const mayOverride = "may override"

// notFollowed is the reason for a method if the type of the receiver could not be found.
const notFollowed = "type of the receiver not followed"

// otherNamespace is the reason for a method of a type with the written name in another namespace.
const otherNamespace = "another namespace"

// mayInherit is the reason for a method that the own object may inherit from an unseen base.
const mayInherit = "may be inherited"

// isGuess reports whether a definition for a reason is not likelier if it is the only one of its
// name.
func isGuess(reason string) bool {
	switch reason {
	case otherName, otherType, mayOverride, notFollowed, otherNamespace, mayInherit, globalName:
		return true
	}
	return false
}

// globalName is the reason for a name that a file of JavaScript does not import. It may be global,
// because components are registered globally, a build imports names itself, or a page loads several
// scripts.
const globalName = "not imported, may be global"

// declaredByName is the reason for a method of a type that has the declared name but may be another
// type.
const declaredByName = "declared type by its name"

// A judge weighs definitions against the calls of a file.
type judge struct{ typeTable }

// weigh judges one definition against a call, with the reason.
func (s *judge) weigh(r *reference, d *Definition) (verdict, string) {
	if !s.isVisible(d) {
		return excluded, ""
	}
	modules := s.rules.Modules
	if modules == lang.HeaderIncludes && isStandard(r.qualifier) {
		return excluded, "" // only the library defines it
	}
	if modules == lang.CrateModules && s.delegates(r, d) && strings.Contains(r.Name, "::") && r.last != d.owner {
		return excluded, "" // imp::f inside f
	}
	if slices.ContainsFunc(r.means, func(t imports.Target) bool { return s.means(t, d) }) {
		return inScope, "imported"
	}
	switch {
	case r.qualifier == "":
		return s.judgeBare(r, d)
	case r.self:
		return s.judgeOwn(r, d)
	case r.qualifier == "_" && modules != lang.FolderPackages &&
		d.Path == s.path && d.Entry.Name == s.nameAt(r.Caller):
		return excluded, "" // super().f() inside f, which is read as _.f
	case d.owner != "":
		return s.method(r, d)
	}
	return s.member(r, d)
}

// isStandard reports whether a qualifier names the C++ library.
func isStandard(qualifier string) bool {
	rest, ok := strings.CutPrefix(qualifier, "std")
	return ok && (rest == "" || rest[0] == '.' || rest[0] == ':')
}

// delegates reports whether x.f() is in f itself, and so delegates to another f.
func (s *judge) delegates(r *reference, d *Definition) bool {
	return r.qualifier != "" && !r.self && d.Path == s.path && d.Entry.Name == s.nameAt(r.Caller)
}

// isVisible reports whether the file can name a definition at all.
func (s *judge) isVisible(d *Definition) bool {
	switch s.rules.Modules {
	case lang.FolderPackages:
		return s.goVisible(d)
	case lang.HeaderIncludes:
		return s.cVisible(d)
	}
	return true
}

// goVisible reports whether a Go file can name a definition: other packages see only capitals, and
// only tests of a folder see its tests.
func (s *judge) goVisible(d *Definition) bool {
	here := s.folder == d.folder
	if strings.HasSuffix(d.Path, "_test.go") && !(here && strings.HasSuffix(s.path, "_test.go")) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(d.name)
	return here || unicode.IsUpper(first)
}

// cVisible reports whether a C file can name a definition. It must include the file of a static
// function.
func (s *judge) cVisible(d *Definition) bool {
	return d.Path == s.path || !d.isPrivate() || s.includes(d.Path)
}

// judgeBare judges f(), which the file, the package or an import must bring into scope.
func (s *judge) judgeBare(r *reference, d *Definition) (verdict, string) {
	same := d.Path == s.path
	if s.rules.Modules == lang.HeaderIncludes && s.usesStandard(r.name) {
		return possible, otherNamespace
	}
	if d.owner != "" && d.Entry.Sort != doc.Type && !d.isEnumerator() {
		return s.implicit(r, d)
	}
	if d.owner != "" && !same && s.rules.StrictPackages { // a nested type, by its bare name
		return s.nested(r, d)
	}
	if d.isLocal() {
		if same && d.parent.First <= r.Line && r.Line <= d.parent.Last &&
			!s.hasParameter(r.name, r.Call, d.parent) {
			return innermost, "same function"
		}
		return excluded, ""
	}
	switch {
	case s.hasParameter(r.name, r.Call, nil):
		return excluded, ""
	case r.bound && r.Name != r.name: // an alias of an import from elsewhere
		return excluded, ""
	case same:
		return inScope, "same file"
	case r.bound && len(r.means) == 0:
		return excluded, "" // imported from elsewhere
	case s.samePackage(d):
		return inScope, "same package"
	case s.importsAll(d, r.name):
		return inScope, "imported"
	}
	return s.unimported(r, d)
}

// isEnumerator reports whether a constant is visible around its type, as in C++ unless the type is
// an "enum class".
func (d *Definition) isEnumerator() bool {
	if d.rules.Modules != lang.HeaderIncludes || d.parent == nil || d.parent.Sort != doc.Type {
		return false
	}
	rest, ok := strings.CutPrefix(strings.TrimPrefix(d.parent.Title, "typedef "), "enum ")
	return ok && !strings.HasPrefix(rest, "class ") && !strings.HasPrefix(rest, "struct ")
}

// unimported judges f() in another file that is not imported.
func (s *judge) unimported(r *reference, d *Definition) (verdict, string) {
	macro := s.rules.Modules == lang.CrateModules && strings.HasPrefix(d.Entry.Title, "macro_rules!")
	if s.rules.MustImport && !macro {
		if r.bound && s.reach(d.Path) == imports.Nearby && s.rules.Modules != lang.FolderPackages {
			if s.keepsToItself(r) {
				return possible, notFollowed
			}
			return near, "near an import"
		}
		return s.global(r, d)
	}
	if s.rules.Modules == lang.HeaderIncludes && !d.renames() {
		switch s.reach(d.Path) {
		case imports.Exact:
			return inScope, "included"
		case imports.Nearby:
			return near, "near an include"
		}
	}
	return possible, "name"
}

// global judges f() in another file of JavaScript that is not imported.
func (s *judge) global(r *reference, d *Definition) (verdict, string) {
	l := lang.Named(s.language)
	switch {
	case s.rules.Modules != lang.ScriptModules || r.bound || d.owner != "":
	case l.IsPage && s.reach(d.Path) == imports.Exact:
		return inScope, "included"
	case l.GlobalNames, s.resolver.AutoImports():
		return possible, globalName
	}
	return excluded, ""
}

// nested judges the name of a nested type in another file: it must be imported, or inherited by a
// type around the call.
func (s *judge) nested(r *reference, d *Definition) (verdict, string) {
	if s.importsAll(d, r.name) {
		return inScope, "imported"
	}
	if v, ok := s.inherits(s.ownerAt(r.Caller), d); ok {
		return v, "base type"
	}
	if r.bound && len(r.means) == 0 {
		return excluded, ""
	}
	return possible, "name"
}

// implicit judges f() against a method, which the enclosing type may have if the language omits
// "this".
func (s *judge) implicit(r *reference, d *Definition) (verdict, string) {
	owner := s.ownerAt(r.Caller)
	switch {
	case d.name == d.owner, strings.HasPrefix(r.Name, "::"): // a constructor is called by its type
		return excluded, ""
	case s.importsAll(d, r.name):
		return inScope, "imported"
	case !s.rules.ImplicitThis, r.bound && s.rules.StrictPackages:
		return excluded, ""
	case owner != "" && owner == d.owner && d.Path == s.path && s.rules.FollowsTypes:
		return ownType, "same type"
	case owner != "" && owner == d.owner && (d.Path == s.path || d.folder == s.folder):
		return inScope, "same type"
	}
	if v, ok := s.inherits(owner, d); ok {
		return v, "base type"
	}
	switch {
	case owner != "" && s.extends(owner, d.owner):
		return inherited, "base type"
	case s.rules.Modules == lang.HeaderIncludes && s.hasParameter(r.name, r.Call, nil):
		return excluded, "" // the parameter hides methods of other types
	}
	return possible, "name"
}

// judgeOwn judges self.f(), a method of the enclosing type or one that it may inherit.
func (s *judge) judgeOwn(r *reference, d *Definition) (verdict, string) {
	owner, at := d.owner, s.ownerAt(r.Caller)
	switch {
	case owner == "":
		return excluded, ""
	case s.rules.Modules == lang.CrateModules && d.Path == s.path && d.Entry.Name == s.nameAt(r.Caller) &&
		s.isOutside(owner):
		return excluded, "" // the foreign type has the method itself
	case owner == at && (d.Path == s.path || d.folder == s.folder) &&
		r.qualifier != "super" && r.qualifier != "parent":
		return inScope, "own type"
	}
	if v, ok := s.inherits(at, d); ok {
		return v, "base type"
	}
	switch {
	case at != "" && s.extends(at, owner):
		return inherited, "base type"
	}
	return possible, mayInherit
}

// method judges x.f() against a method. x may be its type or a variable.
func (s *judge) method(r *reference, d *Definition) (verdict, string) {
	if r.typ != "" {
		if v, reason, known := s.declared(r, d); known {
			return v, reason
		}
	}
	if r.bound && len(r.means) == 0 || r.foreign && !d.ofTrait() {
		return excluded, "" // x is from elsewhere
	}
	if !r.bound && s.rules.BuiltinTypes.Has(r.qualifier) {
		return excluded, ""
	}
	if r.bound && !slices.ContainsFunc(r.means, func(t imports.Target) bool { return len(t.Names) > 1 }) {
		return excluded, "" // x is a module
	}
	if v, reason, known := s.typeNamed(r, d); known {
		return v, reason
	}
	// In Go, x is far more often a variable or a field.
	if r.last != d.owner || s.rules.Modules == lang.FolderPackages {
		return possible, unknownReceiver
	}
	switch {
	case r.bound: // from elsewhere, or re-exported in an unknown way
		return possible, "names the type"
	case d.Path == s.path, s.samePackage(d), !s.rules.MustImport && !s.rules.StrictPackages:
		return inScope, "names the type"
	case s.reach(d.Path) == imports.Exact:
		return near, "names the type"
	}
	return possible, "names the type"
}

// importsObject reports whether x in x.f() is an object literal that the file of d exports by
// default.
func (s *judge) importsObject(r *reference, d *Definition) bool {
	return d.parent == nil && slices.ContainsFunc(r.means, func(t imports.Target) bool {
		n := len(t.Names)
		return n > 0 && t.Names[n-1] == d.name && (n == 1 || n == 2 && t.Names[0] == doc.DefaultName) &&
			t.Reach(d.Path) == imports.Exact
	})
}

// member judges x.f() against a definition that is not a method. x must be its module.
func (s *judge) member(r *reference, d *Definition) (verdict, string) {
	if d.ofObject() {
		if v, reason, known := s.objectMember(r, d); known {
			return v, reason
		}
	}
	if r.qualifier == "_" || d.parent != nil {
		return excluded, ""
	}
	switch {
	case s.rules.Modules == lang.FolderPackages:
		plain := !r.bound && !strings.Contains(r.qualifier, ".")
		if plain && slices.Contains(s.unnamed, d.folder) {
			return possible, otherName
		}
		return excluded, ""
	case s.rules.Modules == lang.DottedModules:
		if r.bound && len(r.means) > 0 && s.reach(d.Path) == imports.Nearby {
			return near, "near an import"
		}
		return excluded, ""
	case s.rules.ClosedModules:
		return excluded, ""
	}
	if s.rules.Modules == lang.HeaderIncludes && strings.Contains(r.Name, "::") {
		if v, reason, known := s.namespaceMember(r, d); known {
			return v, reason
		}
	}
	if strings.Contains(r.Name, "::") || strings.Contains(r.Name, `\`) {
		return possible, "name"
	}
	return excluded, ""
}

// objectMember judges x.f() against a method of an object of JavaScript. known is false if an
// import brings x, and does not lead to that object.
func (s *judge) objectMember(r *reference, d *Definition) (v verdict, reason string, known bool) {
	switch {
	case r.bound && s.importsObject(r, d):
		return near, "of an imported object", true
	case r.bound:
		return 0, "", false
	case s.rules.BuiltinTypes.Has(r.qualifier):
		return excluded, "", true
	}
	if v, _, known := s.declared(r, d); known && v == excluded {
		return excluded, "", true
	}
	return possible, unknownReceiver, true
}

// namespaceMember judges x::f() of C++ against a function: x may be a namespace. A file that
// declares no namespace, or declares it by macros, may hold any. known is false if x is a type, or
// if no include leads to the function.
func (s *judge) namespaceMember(r *reference, d *Definition) (v verdict, reason string, known bool) {
	if s.typeSeen(typeName{ownFile, r.last}).OuterType != nil {
		return 0, "", false
	}
	parts := imports.SplitName(r.qualifier)
	switch {
	case len(parts) > 0 && len(s.namespacesOf(d)) > 0 && s.inOtherNamespace(parts, r.qualifier, d):
		return possible, otherNamespace, true
	case d.Path == s.path:
		return inScope, "same file", true
	case s.reach(d.Path) == imports.Exact:
		return inScope, "included", true
	}
	return 0, "", false
}

// judgeSymbol weighs a definition by its best evidence: itself, or a prototype of it.
func (s *judge) judgeSymbol(r *reference, y Symbol) (verdict, string) {
	v, reason := s.weigh(r, y.Definition)
	for _, p := range y.Declared {
		if by, why := s.weigh(r, p); by > v {
			v, reason = by, why
		}
	}
	if v == inScope && s.rules.Modules == lang.HeaderIncludes &&
		isFunction(y.Entry) && y.owner == "" && !y.Entry.Declares {
		v = s.platform(y)
	}
	return v, reason
}

// platform chooses between C functions with one name. Of functions for several platforms, the one
// beside the caller is meant. A function is preferred to a macro that replaces it in other builds.
func (s *judge) platform(y Symbol) verdict {
	switch {
	case y.Path == s.path, y.folder == s.folder && !y.isMacro() && !imports.IsHeader(y.Path):
		return beside
	case len(y.Declared) > 0:
		return announced
	}
	return inScope
}

// likelyOutside reports whether x.f() more likely means a method of a built-in value. Such values
// must have a method f, and x must not be named like the type of the definition.
func (s *judge) likelyOutside(r *reference, d *Definition) bool {
	return r.qualifier != "" && !r.self && s.rules.BuiltinMethods.Has(r.name) && !r.likeOwner(d)
}

// knows reports whether the file is related to a definition: it contains it, is beside it, or
// imports its file. A method that no other type of the index has may still be one of a library
// (click's ctx.invoke), but seldom in a file that knows its type.
func (s *judge) knows(r *reference, d *Definition) bool {
	if s.likelyOutside(r, d) {
		return false
	}
	if s.delegates(r, d) || s.rules.Modules == lang.DottedModules && r.self && s.ownerAt(r.Caller) == "" {
		return false
	}
	if d.hidden || r.qualifier != "" && d.ofObject() { // local definitions are seldom used elsewhere
		return false
	}
	isMethod := d.owner != "" && d.Entry.Sort != doc.Type
	if r.qualifier == "" && isMethod && (s.rules.FollowsTypes || s.rules.ImplicitThis) {
		return false // a method of another type, which only an unseen base could have
	}
	if d.renames() && d.Path != s.path {
		return false
	}
	if s.rules.Modules == lang.HeaderIncludes && r.qualifier == "" && s.folder != d.folder {
		return s.reach(d.Path) > imports.Unreached // else it is more likely one of a library: fclose
	}
	// In Rust, an import of a crate reaches all of its files.
	if s.rules.Modules == lang.CrateModules && r.qualifier != "" && !r.self {
		return d.Path == s.path || s.reach(d.Path) == imports.Exact || s.namesOwner(d)
	}
	return d.Path == s.path || s.reach(d.Path) > imports.Unreached || r.qualifier == "" || r.self ||
		s.samePackage(d)
}

// nearness orders equally possible definitions: a type named like the receiver, the same file, an
// imported file, the same folder, code before tests. Definitions that need a package of another
// name come last.
func (s *judge) nearness(r *reference, d *Definition, reason string) int {
	n := 0
	switch reason {
	case otherName, otherType:
		n -= 16
	case declaredByName:
		n += 16
	}
	if r.likeOwner(d) {
		n += 8
	}
	if d.Path == s.path {
		n += 4
	}
	switch {
	case d.Path != s.path && s.reach(d.Path) > imports.Unreached:
		n += 3
	case d.folder == s.folder:
		n += 2
	}
	if d.Class&(doc.TestFolder|doc.TestName) == 0 {
		n++
	}
	return n
}
