package xref

import (
	"strings"

	"patina/code/imports"
	"patina/store/doc"
)

// Constructs returns the name of the type whose constructor it is, "" for none.
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

// TypeAmong returns the type that a member belongs to, of types of its owner's name: that of its
// file, else of the file of its name beside it, else the only one; nil if there is none.
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

// CanOverride reports whether it is a method that may stand in for another one of its name, if
// their types are related.
func (d *Definition) CanOverride(b *Definition) bool {
	if !isFunction(d.Entry) || !isFunction(b.Entry) || b.owner == "" || d.family != b.family || d.Constructs() != "" {
		return false
	}
	if d.owner == "" { // of an object without a class
		return d.rules.StrictPackages && d.parent != nil
	}
	return d.owner != b.owner || d.StandsFor(b)
}

// StandsFor reports whether it is what a platform gives for an expected method of Kotlin.
func (d *Definition) StandsFor(b *Definition) bool {
	return d.rules.ExpectedMethods && d.owner == b.owner && d.Path != b.Path && d.folder != b.folder &&
		!strings.HasPrefix(d.Entry.Title, "expect ")
}

// Near reports whether a type may be that of a member by the place of its definition.
func (d *Definition) Near(t *Definition) bool {
	return t.Path == d.Path || imports.WithoutExtension(t.Path) == imports.WithoutExtension(d.Path) || !d.rules.StrictPackages
}

// Bases are the words behind a type's name in the head of its definition: its bases are among them.
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

// OverriddenBy returns the edge to a method that may stand in for the one that is called.
func (e Edge) OverriddenBy(d *Definition) Edge {
	return Edge{Definition: d, Candidates: e.Candidates + 1, Reason: mayOverride}
}

// Constructing returns the edge to a constructor in place of its type. others are the constructors
// that the type has beside it. A type of Swift or Kotlin may have more, which no text defines.
func (e Edge) Constructing(d *Definition, others int) Edge {
	e.Definition = d
	if others > 0 || d.rules.HiddenConstructors {
		e.Certain, e.Candidates, e.Reason = false, e.Candidates+max(others, 1), "one of its constructors"
	}
	return e
}
