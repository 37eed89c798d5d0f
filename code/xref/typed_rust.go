package xref

import (
	"strings"

	"patina/store/doc"
	"patina/store/text"
)

// otherType is the reason for a method of a type other than the declared one, which may lead to it.
const otherType = "declared type is another"

// pointerMethods are methods of Box, Arc, Rc and Pin. Any other method is one of the value.
var pointerMethods = text.Set("clone as_ref as_mut borrow get_mut get_ref set into_inner")

// optionMethods are methods of Option and Result, in addition to those of most values.
var optionMethods = text.Set(`as_deref as_deref_mut and is_some_and is_ok_and is_none_or
	get_or_insert get_or_insert_with map_or map_or_else unwrap_or_else unwrap_or_default
	unwrap_err expect_err ok_or_else or xor zip cloned copied transpose inspect inspect_err`)

// typeOfRust returns the declared type of a receiver: self.a.b, x or x.a. Types of fields are known
// only in the file that declares them.
func (s *typeTable) typeOfRust(c doc.Call, qualifier string) string {
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

// declaredIn returns the type that an entry declares for a variable. It is doc.AnyType if there are
// two, and "" if there is no type.
func (s *typeTable) declaredIn(entry int, name string) (typ string) {
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

// sameChain reports whether one type is that of a chain that begins with a function of the other:
// T::new().f().f().
func sameChain(a, b string) bool {
	return a != b && strings.TrimPrefix(a, doc.FluentType) == strings.TrimPrefix(b, doc.FluentType)
}

// rustField returns the type of a field of a type in this file, or "".
func (s *typeTable) rustField(of, field string) (typ string) {
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

// heldType returns the type that has a method: Pool for Arc<Pool>.
func (s *typeTable) heldType(typ, method string) string {
	for {
		holder, rest, ok := strings.Cut(typ, "<")
		if !ok {
			return typ
		}
		switch Unqualified(holder) {
		case "Option", "Result":
			if optionMethods.Has(method) || s.rules.BuiltinMethods.Has(method) {
				return holder
			}
		default:
			if pointerMethods.Has(method) {
				return holder
			}
		}
		typ = strings.TrimSuffix(rest, ">")
	}
}

// ofTrait reports whether any type may have a method: a trait of Rust declares it, or its type is a
// parameter.
func (d *Definition) ofTrait() bool {
	return d.parent != nil && strings.Contains(d.parent.Title, "trait ") || len(d.owner) == 1
}
