package xref

import (
	"slices"
	"strings"

	"patina/code/imports"
	"patina/code/lang"
	"patina/store/doc"
)

// declared judges x.f() against a method by the declared type of x. known is false if the type
// decides nothing, because it may inherit the method or mean any type.
func (s *judge) declared(r *reference, d *Definition) (v verdict, reason string, known bool) {
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
	if r.typFile != ownFile { // another file's imports apply
		if s.importsElsewhere(r.typFile, names[0]) {
			return possible, otherType, true
		}
		if v, reason, known := s.judgeForeignType(r, names, d); known {
			return v, reason, true
		}
		return s.unrelated(r, names, d)
	}
	return s.declaredHere(r, names, d)
}

// declaredHere judges x.f() against a method by the names of the type that the file itself declares
// for x.
func (s *judge) declaredHere(r *reference, names []string, d *Definition) (v verdict, reason string, known bool) {
	typ := names[len(names)-1]
	if to, ok := s.aliases[typ]; ok {
		typ = to
	}
	if of := d.extended(); of != "" {
		if Unqualified(of) == typ {
			return inScope, "declared type", true
		}
		return possible, otherType, true
	}
	means, bound := s.meanings(names)
	outside := bound && len(means) == 0
	isC := s.rules.Modules == lang.HeaderIncludes
	switch {
	case typ == d.owner && !outside:
		v, reason = s.ofDeclaredName(names, means, d)
		return v, reason, true
	case d.parent != nil && d.parent.Sort == doc.Type && namesBase(*d.parent, d.owner, typ):
		return possible, mayOverride, true
	case s.rules.LooseTypes:
		return possible, otherType, true
	case isC && pointsOn(names, r):
		return possible, notFollowed, true
	case outside, primitives.Has(typ), !bound && s.rules.BuiltinTypes.Has(typ), isC && names[0] == "std":
		return excluded, "", true
	}
	return s.unrelated(r, names, d)
}

// ofDeclaredName judges a method of a type with the name that the file declares for the receiver.
// means holds the targets of the imports that bring the name, and is nil if no import does.
func (s *judge) ofDeclaredName(names []string, means []imports.Target, d *Definition) (verdict, string) {
	switch bound := len(means) > 0; {
	case bound && !slices.ContainsFunc(means, func(t imports.Target) bool { return s.leadsTo(t, d) }):
		return possible, declaredByName
	case bound:
	case s.inOtherNamespace(names[:len(names)-1], "", d):
		return possible, otherNamespace
	case s.rules.LooseTypes && d.Path != s.path && !s.samePackage(d):
		return possible, declaredByName
	}
	return inScope, "declared type"
}

// unrelated judges x.f() against a method of another type than that of x. Where types are named,
// one that the view does not define rules out a method of a type without bases.
func (s *judge) unrelated(r *reference, names []string, d *Definition) (v verdict, reason string, known bool) {
	typ := names[len(names)-1]
	if len(typ) > 1 && s.rules.NominalTypes && !d.mayHaveBase() && s.definesNone(typ) {
		return excluded, "", true
	}
	return possible, otherType, true
}

// followedType judges x.f() by the type of x and its bases, if the type is found.
func (s *judge) followedType(r *reference, d *Definition) (v verdict, reason string, known bool) {
	t := s.typeSeen(typeName{r.typFile, s.seenName(r.typ)})
	if t.OuterType == nil {
		return 0, "", false
	}
	names := imports.SplitName(r.typ)
	switch n := s.generationsAbove(t, d); {
	case n == 0 && r.typFile == ownFile && s.rules.Modules != lang.FolderPackages &&
		s.inOtherNamespace(names[:len(names)-1], r.typ, d):
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

// judgeForeignType judges x.f() by the name of a type that another file declares.
func (s *judge) judgeForeignType(r *reference, names []string, d *Definition) (v verdict, reason string, known bool) {
	typ := names[len(names)-1]
	switch {
	case typ == d.owner:
		return possible, declaredByName, true
	case d.parent != nil && d.parent.Sort == doc.Type && namesBase(*d.parent, d.owner, typ):
		return possible, mayOverride, true
	case s.rules.Modules == lang.HeaderIncludes && pointsOn(names, r):
		return possible, notFollowed, true
	case primitives.Has(typ), s.rules.BuiltinTypes.Has(typ), s.rules.Modules == lang.HeaderIncludes && names[0] == "std":
		return excluded, "", true
	}
	return 0, "", false
}

// pointsOn reports whether p->f() in C++ calls a method of the value in a library type: a
// std::unique_ptr, an iterator or an optional.
func pointsOn(names []string, r *reference) bool {
	return names[0] == "std" && strings.HasSuffix(r.Name, "->"+r.name)
}

// declaredRust judges x.f() against a method by the declared type of x. A type from outside has
// methods of the index only through traits. A type of the index may lead to another (Deref).
func (s *judge) declaredRust(r *reference, d *Definition) (v verdict, reason string, known bool) {
	written, fluent := strings.CutPrefix(r.typ, doc.FluentType)
	names := imports.SplitName(s.heldType(written, r.name))
	if len(names) == 0 || names[0] == doc.AnyType {
		return 0, "", false
	}
	typ := names[len(names)-1]
	if to, ok := s.aliases[typ]; ok && len(names) == 1 {
		typ = to
	}
	means, bound := s.meanings(names)
	outside := bound && len(means) == 0 || !bound && (s.rules.BuiltinTypes.Has(typ) || primitives.Has(typ))
	ofTrait := d.ofTrait()
	switch {
	case typ == d.owner && outside:
		return possible, declaredByName, true
	case typ == d.owner:
		v, reason = s.ownsRust(r, d, typ, means, bound)
		return v, reason, true
	case outside && !ofTrait && !(fluent && s.rules.BuiltinTypes.Has(typ)):
		return excluded, "", true
	case fluent:
	case !ofTrait && (bound || s.defines(typ)):
		return possible, otherType, true
	}
	return 0, "", false
}

// ownsRust judges a method of a type with the declared name.
func (s *judge) ownsRust(
	r *reference, d *Definition, typ string, means []imports.Target, bound bool,
) (verdict, string) {
	leads := slices.ContainsFunc(means, func(t imports.Target) bool {
		t.Names = append(slices.Clone(t.Names), d.name)
		return t.Reach(d.Path) == imports.Exact || s.means(t, d)
	})
	switch {
	case leads, !bound && (d.Path == s.path || s.importsAll(d, typ, d.name)):
		return inScope, "declared type"
	case len(means) > 0: // re-exported in an unknown way
		return near, "declared type"
	}
	return possible, declaredByName
}

// inherits judges a method of the own object against the bases of its type, in any file.
func (s *judge) inherits(owner string, d *Definition) (verdict, bool) {
	if owner == "" {
		return 0, false
	}
	n := s.generationsAbove(s.typeSeen(typeName{ownFile, owner}), d)
	return inheritedFrom(n), n > 0
}

// inheritedFrom returns a better verdict for fewer generations, because a nearer base overrides.
func inheritedFrom(generations int) verdict {
	return inherited - verdict(max(generations, 1)) + 1
}
