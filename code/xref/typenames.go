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

// typeNamed judges T.f() and a.b.T.f() against a method, where T may be another type or one of the
// same name elsewhere. known is false if the receiver is not the name of a type, or is that of the
// method's own.
func (s *judge) typeNamed(r *reference, d *Definition) (v verdict, reason string, known bool) {
	if !s.namesType(r) {
		return 0, "", false
	}
	parts := imports.SplitName(r.qualifier)
	if r.last == d.owner {
		if !r.bound && s.inOtherNamespace(parts[:len(parts)-1], r.qualifier, d) {
			return possible, otherNamespace, true
		}
		return 0, "", false
	}
	if of := d.extended(); of != "" { // in C#, called on a value
		return possible, unknownReceiver, true
	}
	inEnum := d.parent != nil && strings.Contains(d.parent.Title, "enum ")
	if len(parts) > 1 && parts[len(parts)-2] == d.owner && inEnum {
		return inScope, "names the type", true // a constant of an enum
	}
	t := s.typeSeen(typeName{ownFile, s.seenName(strings.Join(parts, "."))})
	if n := s.generationsAbove(t, d); n > 0 {
		return inheritedFrom(n), "base type", true
	}
	if len(parts) == 1 && inEnum && !strings.ContainsFunc(r.last, unicode.IsLower) {
		return 0, "", false // one of its constants, in its own file
	}
	if s.rules.ClosedNames && t.OuterType == nil && s.definesNone(r.last) && !s.mayInherit(r) {
		return excluded, "", true
	}
	return possible, otherType, true
}

// mayInherit reports whether the name may be a property that the type around the call inherits,
// because properties of C# are spelled like types.
func (s *judge) mayInherit(r *reference) bool {
	if !s.rules.PropertiesAreTypes {
		return false
	}
	at := s.ownerAt(r.Caller)
	return slices.ContainsFunc(s.entries, func(e doc.Entry) bool {
		_, rest, _ := strings.Cut(e.Title, at)
		return e.Sort == doc.Type && doc.LastName(e.Name) == at && strings.Contains(rest, ":")
	}) && !primitives.Has(r.last)
}

// namesType reports whether the receiver of a call is spelled like a type.
func (s *judge) namesType(r *reference) bool {
	if r.qualifier == "" || r.qualifier == "_" || r.typ != "" || r.self {
		return false
	}
	switch s.rules.TypeReceivers {
	case lang.NoTypes:
		return false
	case lang.ClassTypes:
		return strings.Contains(r.Name, "::") && !strings.Contains(r.qualifier, "$")
	case lang.ColonTypes:
		return strings.Contains(r.Name, "::") && r.Name[strings.LastIndexAny(r.Name, ".:>")] == ':'
	}
	if strings.ContainsAny(r.qualifier, "?!@$") {
		return false
	}
	if primitives.Has(r.qualifier) && s.rules.PrimitivesAreTypes {
		return true
	}
	first, _ := utf8.DecodeRuneInString(r.last)
	switch {
	case !unicode.IsUpper(first):
		return false
	case len(r.last) < 2 || strings.ContainsFunc(r.last, unicode.IsLower) || s.rules.CapitalsAreTypes:
		return true
	}
	return s.rules.ClosedNames && s.definesNone(r.last) // UUID, not a constant of the project
}
