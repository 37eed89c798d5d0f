package xref

import (
	"slices"
	"strings"

	"patina/code/imports"
	"patina/store/doc"
	"patina/store/text"
)

// otherType is the reason for a method of another type than the declared one, which may lead to it.
const otherType = "declared type is another"

// pointerMethods are those of Box, Arc, Rc and Pin themselves; any other is of what they hold.
var pointerMethods = text.Set("clone as_ref as_mut borrow get_mut get_ref set into_inner")

// optionMethods are those of Option and Result, beside those that most values have.
var optionMethods = text.Set(`as_deref as_deref_mut and is_some_and is_ok_and is_none_or
	get_or_insert get_or_insert_with map_or map_or_else unwrap_or_else unwrap_or_default
	unwrap_err expect_err ok_or_else or xor zip cloned copied transpose inspect inspect_err`)

// typeOfRust returns the declared type of a receiver: of self.a.b, x or x.a. Types of fields are
// known in the file that declares them.
func (s *Scope) typeOfRust(c doc.Call, qualifier string) string {
	if strings.ContainsAny(qualifier, ":?") {
		return ""
	}
	parts := strings.Split(qualifier, ".")
	typ := ""
	if qualifier == "_" {
		typ = s.declaredIn(c.Caller, c.Name)
	} else if parts[0] == "self" {
		typ = s.ownerAt(c.Caller)
	} else if typ = s.declaredIn(c.Caller, parts[0]); typ == "" {
		typ = s.declaredIn(-1, parts[0])
	}
	for _, field := range parts[1:] {
		if typ == "" || typ == doc.AnyType {
			return ""
		}
		typ = s.rustField(Unqualified(s.heldType(typ, field)), field)
	}
	return typ
}

// declaredIn returns the type of a variable that an entry declares; none if it declares two.
func (s *Scope) declaredIn(entry int, name string) (typ string) {
	for _, t := range s.typed {
		switch {
		case t.Entry != entry || t.Name != name:
		case typ != "" && sameChain(typ, t.Type):
			typ = doc.FluentType + strings.TrimPrefix(typ, doc.FluentType)
		case typ != "" && typ != t.Type:
			return doc.AnyType
		default:
			typ = t.Type
		}
	}
	return typ
}

// sameChain reports whether one of two types is that of a chain which begins with a function of the
// other: T::new().f().f().
func sameChain(a, b string) bool {
	return a != b && strings.TrimPrefix(a, doc.FluentType) == strings.TrimPrefix(b, doc.FluentType)
}

// rustField returns the type of a field of a type of this file.
func (s *Scope) rustField(of, field string) (typ string) {
	for i, e := range s.entries {
		if e.Sort != doc.Type || doc.LastName(doc.BareName(e.Name)) != of {
			continue
		}
		found := s.declaredIn(i, field)
		if typ != "" && found != "" && found != typ {
			return ""
		}
		typ = or(typ, found)
	}
	return typ
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// heldType returns the type that has a method, of one that may hold another: the pool of Arc<Pool>.
func (s *Scope) heldType(typ, method string) string {
	for {
		holder, rest, ok := strings.Cut(typ, "<")
		if !ok {
			return typ
		}
		switch Unqualified(holder) {
		case "Option", "Result":
			if optionMethods[method] || s.rules.BuiltinMethods[method] {
				return holder
			}
		default:
			if pointerMethods[method] {
				return holder
			}
		}
		typ = strings.TrimSuffix(rest, ">")
	}
}

// declaredRust judges x.f() against a method by the declared type of x. A type from outside has
// methods of the index through traits alone. One of the index may lead to another (Deref).
func (s *Scope) declaredRust(r *reference, d *Definition) (v verdict, reason string, known bool) {
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
	outside := bound && len(means) == 0 || !bound && (s.rules.BuiltinTypes[typ] || primitives[typ])
	ofTrait := d.ofTrait()
	switch {
	case typ == d.owner && outside:
		return possible, declaredByName, true
	case typ == d.owner:
		v, reason = s.ownsRust(r, d, typ, means, bound)
		return v, reason, true
	case outside && !ofTrait && !(fluent && s.rules.BuiltinTypes[typ]):
		return excluded, "", true
	case fluent:
	case !ofTrait && (bound || s.defines(typ)):
		return possible, otherType, true
	}
	return 0, "", false
}

// ofTrait reports whether any type may have a method: a trait of Rust declares it, or a parameter
// stands for its type.
func (d *Definition) ofTrait() bool {
	return d.parent != nil && strings.Contains(d.parent.Title, "trait ") || len(d.owner) == 1
}

// ownsRust judges a method of a type with the declared name.
func (s *Scope) ownsRust(r *reference, d *Definition, typ string, means []imports.Target, bound bool) (verdict, string) {
	leads := slices.ContainsFunc(means, func(t imports.Target) bool {
		t.Names = append(slices.Clone(t.Names), d.name)
		return t.Reach(d.Path) == imports.Exact || s.means(t, d)
	})
	switch {
	case leads, !bound && (d.Path == s.path || s.importsAll(d, typ, d.name)):
		return inScope, "declared type"
	case len(means) > 0: // handed on in a way that is not seen
		return near, "declared type"
	}
	return possible, declaredByName
}

// defines reports whether the file defines a type.
func (s *Scope) defines(typ string) bool {
	return slices.ContainsFunc(s.entries, func(e doc.Entry) bool {
		return e.Sort == doc.Type && doc.LastName(doc.BareName(e.Name)) == typ
	})
}

// namesOwner reports whether an import brings the type of a method by its name.
func (s *Scope) namesOwner(d *Definition) bool {
	means, _ := s.meanings([]string{d.owner})
	return slices.ContainsFunc(means, func(t imports.Target) bool {
		t.Names = append(slices.Clone(t.Names), d.name)
		return s.means(t, d)
	})
}

// isOutside reports whether an import brings a type from outside of the index.
func (s *Scope) isOutside(typ string) bool {
	means, bound := s.meanings([]string{typ})
	return bound && len(means) == 0
}
