package lang

import "iter"

// A Node is a node of a Tree.
type Node struct {
	start, end   uint32
	parent, next int32
	kind, field  uint16
}

// A Tree is a parsed text. Its nodes are named by their index, in the order of the text, a node
// before those inside it; -1 means no node. Nodes without a name in the grammar are left out.
type Tree struct {
	Source []byte
	Nodes  []Node
	// The names that the grammar gives to kinds and fields, by number.
	Kinds, Fields []string
}

// KindNumber returns the number of a node's kind in Kinds. That of an error is no index of Kinds. n
// must not be -1.
func (t *Tree) KindNumber(n int) int { return int(t.Nodes[n].kind) }

// Kind returns the kind of a node, "" for -1, and "ERROR" for a part with a syntax error.
func (t *Tree) Kind(n int) string {
	if n < 0 {
		return ""
	}
	if k := int(t.Nodes[n].kind); k < len(t.Kinds) {
		return t.Kinds[k]
	}
	return "ERROR"
}

// Is reports whether a node is of one of the kinds. It returns false for -1.
func (t *Tree) Is(n int, kinds ...string) bool {
	k := t.Kind(n)
	for _, other := range kinds {
		if k == other {
			return true
		}
	}
	return false
}

// Start returns the byte where a node starts. n must not be -1.
func (t *Tree) Start(n int) int { return int(t.Nodes[n].start) }

// End returns the byte after a node. n must not be -1.
func (t *Tree) End(n int) int { return int(t.Nodes[n].end) }

// Next returns the first node that is not inside n, which may be the number of nodes. n must not be
// -1.
func (t *Tree) Next(n int) int { return int(t.Nodes[n].next) }

// Parent returns the node around another one, or -1.
func (t *Tree) Parent(n int) int {
	if n < 0 {
		return -1
	}
	return int(t.Nodes[n].parent)
}

// Children yields the children of a node. It yields nothing for -1.
func (t *Tree) Children(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		if n < 0 {
			return
		}
		for c := n + 1; c < int(t.Nodes[n].next); c = int(t.Nodes[c].next) {
			if !yield(c) {
				return
			}
		}
	}
}

// Child returns the first child in a field, or -1.
func (t *Tree) Child(n int, field string) int {
	for c := range t.Children(n) {
		if t.Field(c) == field {
			return c
		}
	}
	return -1
}

// Field returns the field of its parent that a node is in, or "". n must not be -1.
func (t *Tree) Field(n int) string { return t.Fields[t.Nodes[n].field] }

// FirstChild returns the first child of one of the kinds, or -1.
func (t *Tree) FirstChild(n int, kinds ...string) int {
	for c := range t.Children(n) {
		if t.Is(c, kinds...) {
			return c
		}
	}
	return -1
}

// Inner returns the first node inside another one, or -1. n must not be -1.
func (t *Tree) Inner(n int) int {
	if n+1 < t.Next(n) {
		return n + 1
	}
	return -1
}

// Text returns the text of a node, or "" for -1.
func (t *Tree) Text(n int) string {
	if n < 0 {
		return ""
	}
	return string(t.Bytes(n))
}

// Bytes returns the text of a node, which must not be changed. n must not be -1.
func (t *Tree) Bytes(n int) []byte { return t.Source[t.Nodes[n].start:t.Nodes[n].end] }

// textBefore returns the text of a node up to a child, or all of it if child is -1.
func textBefore(t *Tree, n, child int) string {
	if child < 0 {
		return t.Text(n)
	}
	return string(t.Source[t.Start(n):t.Start(child)])
}

// bareType returns the node of a type's own name, without pointers, parameters and qualifiers. It
// returns -1 for -1.
func (t *Tree) bareType(n int) int {
	for n >= 0 {
		next := -1
		for c := range t.Children(n) {
			switch t.Field(c) {
			case "name", "type", "declarator":
				next = c
			}
		}
		if next < 0 {
			break
		}
		n = next
	}
	return n
}

// MaxAround is the most nodes that one search looks at, in lists and around a node. It is needed
// because hostile texts nest deep.
const MaxAround = 100

// outward yields the nodes around a node, the innermost first, at most MaxAround.
func (t *Tree) outward(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		p := t.Parent(n)
		for i := 0; p >= 0 && i < MaxAround && yield(p); i++ {
			p = t.Parent(p)
		}
	}
}
