package xref

import (
	"strings"

	"patina/code/imports"
	"patina/store/doc"
)

// Constructs returns the name of the type that a constructor makes, or "" for other definitions.
func (d *Definition) Constructs() string {
	if d.owner == "" || !isFunction(d.Entry) {
		return ""
	}
	names := d.rules.Constructors
	if d.name == d.owner {
		return d.owner
	}
	for _, name := range names {
		if d.name == name {
			return d.owner
		}
	}
	return ""
}

// TypeAmong returns the type of a member among types of its owner's name: the one in its file,
// otherwise the one in the file of its name beside it, otherwise the only one. It returns nil if
// there is no such type.
func (d *Definition) TypeAmong(types []Definition) *Definition {
	var near, only *Definition
	n := 0
	for i := range types {
		t := &types[i]
		switch {
		case t.Entry.Sort != doc.Type || t.family != d.family || t.name != d.owner:
			continue
		case t.Path == d.Path && (d.parent == nil || d.parent.First == t.Entry.First):
			return t
		case imports.WithoutExtension(t.Path) == imports.WithoutExtension(d.Path):
			near = t
		}
		only, n = t, n+1
	}
	if near == nil && n == 1 {
		return only
	}
	return near
}

// CanOverride reports whether a method may override another one of its name if their types are
// related.
func (d *Definition) CanOverride(b *Definition) bool {
	if !isFunction(d.Entry) || !isFunction(b.Entry) || b.owner == "" || d.family != b.family || d.Constructs() != "" {
		return false
	}
	if d.owner == "" { // of an object without a class
		return d.rules.StrictPackages && d.parent != nil
	}
	return d.owner != b.owner || d.StandsFor(b)
}

// StandsFor reports whether a method implements an expected method of Kotlin for a platform.
func (d *Definition) StandsFor(b *Definition) bool {
	return d.rules.ExpectedMethods && d.owner == b.owner && d.Path != b.Path && d.folder != b.folder &&
		!strings.HasPrefix(d.Entry.Title, "expect ")
}

// Near reports whether a type may be the owner of a member by the place of its definition.
func (d *Definition) Near(t *Definition) bool {
	return t.Path == d.Path || imports.WithoutExtension(t.Path) == imports.WithoutExtension(d.Path) ||
		!d.rules.StrictPackages
}

// Bases returns the words after a type's name in its head, which include its bases.
func (d *Definition) Bases() []string {
	head := d.Entry.Title
	if !d.rules.BasesAfterLess { // class A < B
		head = withoutParameters(head)
	}
	_, rest, ok := strings.Cut(head, d.name)
	if !ok {
		return nil
	}
	return strings.FieldsFunc(rest, func(r rune) bool { return !isWord(r) })
}

// OverriddenBy returns the edge to a method that may override the called one.
func (e Edge) OverriddenBy(d *Definition) Edge {
	return Edge{Definition: d, Candidates: e.Candidates + 1, Reason: mayOverride}
}

// Constructing returns the edge to a constructor instead of its type. others is the number of
// further constructors. A type of Swift or Kotlin may have more that no text defines.
func (e Edge) Constructing(d *Definition, others int) Edge {
	e.Definition = d
	if others > 0 || d.rules.HiddenConstructors {
		e.Certain, e.Candidates, e.Reason = false, e.Candidates+max(others, 1), "one of its constructors"
	}
	return e
}
