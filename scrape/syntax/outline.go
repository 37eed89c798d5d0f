package syntax

import (
	"bytes"
	"slices"
	"strings"

	"patina/store"
)

const (
	titleBytes = 200     // of a Symbol's Title
	docBytes   = 4 << 10 // of a Symbol's Doc

	// NameBytes is the length of the longest name. Nobody looks for longer ones.
	NameBytes = 200
)

// A reader walks the nodes once, in the order of the text. It keeps the open nodes on a stack of
// its own, so that the depth of the text does not matter.
type reader struct {
	*tree
	lang  string // the language by its name
	out   Outline
	stack []frame
	at    int // the node that is read

	// Attributes in front of the next node with this parent; start is -1 without any.
	pending struct{ start, parent int }
	// The node with attributes in front, and where they start.
	adorned struct{ node, start int }

	trees    []tokenTree // not read yet
	inTokens bool        // the text is what stands in such trees

	imported map[string]bool
	bound    map[store.Binding]bool
}

// A frame is a node with a role that the reader is inside of.
type frame struct {
	last int // first node behind it
	place
}

// A place describes the surroundings of a node. It is known for each frame, so that nothing has to
// search the stack.
type place struct {
	scope             string // the nearest type, inside the nearest function
	function, closure bool   // inside of one
	symbol            int    // the innermost, or -1
}

func (r *reader) readTree() {
	r.pending.start, r.adorned.node = -1, -1
	r.imported, r.bound = map[string]bool{}, map[store.Binding]bool{}
	for n := 0; n < len(r.nodes); n++ {
		for len(r.stack) > 0 && n >= r.stack[len(r.stack)-1].last {
			r.stack = r.stack[:len(r.stack)-1]
		}
		r.at = n
		if r.visit(n) {
			n = int(r.nodes[n].next) - 1
		}
	}
	r.readTokens()
	// Of a chain the last call is the outermost node, which comes first.
	slices.SortStableFunc(r.out.Calls, func(a, b Call) int { return a.At - b.At })
	r.out.Broken, r.out.Wrong = r.broken, r.wrong()
}

// wrong counts the bytes of errors, none of them twice.
func (t *tree) wrong() (bytes int) {
	for n := 0; t.broken && n < len(t.nodes); n++ {
		if x := &t.nodes[n]; int(x.kind) >= len(t.compiled.kinds) {
			bytes += int(x.end - x.start)
			n = int(x.next) - 1
		}
	}
	return bytes
}

func (r *reader) rule(n int) *rule {
	k := int(r.nodes[n].kind)
	if k >= len(r.compiled.rules) {
		r.keepError(n)
		return &rule{}
	}
	u := &r.compiled.rules[k]
	if u.by != nil {
		if other := u.by(r.tree, n); other != nil {
			return other
		}
	}
	return u
}

// keepError keeps the place of an ERROR node, if it goes over a line.
func (r *reader) keepError(n int) {
	x := r.extent(n)
	if bytes.IndexByte(r.text[x.Start:x.End], '\n') >= 0 {
		r.out.Errors = append(r.out.Errors, x)
	}
}

// visit reads a node, and reports whether nothing inside of it is read.
func (r *reader) visit(n int) (closed bool) {
	u := r.rule(n)
	if r.pending.start >= 0 && u.is != attribute && u.is != comment && r.parent(n) == r.pending.parent {
		r.adorned.node, r.adorned.start = n, r.pending.start
		r.pending.start = -1
	}
	if k := int(r.nodes[n].kind); k < len(r.compiled.typed) && r.compiled.typed[k] != nil {
		r.enterDeclared(n, r.compiled.typed[k])
	}
	if u.is == nothing && u.binds == nil && !u.closed || u.when != nil && !u.when(r.tree, n) {
		return u.closed
	}
	switch u.is {
	case function, typ, constant, variable:
		r.symbol(n, u)
	case scope:
		name := ""
		for _, f := range r.namesByRule(n, u) {
			name = f.name
		}
		r.push(n, -1, name, scope)
	case closure:
		r.push(n, -1, "", closure)
	case attribute:
		if r.pending.start < 0 || r.pending.parent != r.parent(n) {
			r.pending.start, r.pending.parent = int(r.nodes[n].start), r.parent(n)
		}
	case comment:
		r.out.Comments = append(r.out.Comments, r.extent(n))
	case docstring:
		r.docstring(n, u)
	case member:
		r.member(n, u)
	case call:
		r.call(n, u)
	case calls:
		r.callsIn(n)
	case tokens:
		r.keepTokens(n)
	case imports:
		for _, f := range r.namesByRule(n, u) {
			r.imports(f.name)
		}
	}
	if u.binds != nil {
		r.bind(u.binds(r.tree, n))
	}
	return u.closed
}

func (r *reader) extent(n int) Range { return Range{int(r.nodes[n].start), int(r.nodes[n].end)} }

// push goes inside a node, which may be a symbol and may have a name.
func (r *reader) push(n, symbol int, name string, is role) {
	p := r.around()
	switch is {
	case function:
		p.scope, p.function = "", true
	case closure:
		p.scope, p.closure = "", true
	default:
		p.scope = or(name, p.scope)
	}
	if symbol >= 0 {
		p.symbol = symbol
	}
	r.stack = append(r.stack, frame{int(r.nodes[n].next), p})
}

// around describes where the reader is.
func (r *reader) around() place {
	if len(r.stack) == 0 {
		return place{symbol: -1}
	}
	return r.stack[len(r.stack)-1].place
}

// namesByRule finds the names of a node by its rule. Names that are no names are left out.
func (r *reader) namesByRule(n int, u *rule) []found {
	var list []found
	if u.names != nil {
		list = u.names(r.tree, n)
	} else {
		list = []found{{node: r.child(n, or(u.name, "name"))}}
	}
	kept := list[:0]
	for _, f := range list {
		if f.node >= 0 && f.name == "" {
			f.name = r.textOf(f.node)
			if r.lang == "Rust" {
				f.name = strings.TrimPrefix(f.name, "r#")
			}
		}
		if f.node >= 0 && f.name != "" && f.name != "_" && len(f.name) <= NameBytes {
			kept = append(kept, f)
		}
	}
	return kept
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

func (r *reader) docstring(n int, u *rule) {
	r.out.Comments = append(r.out.Comments, r.extent(n))
	if u.names != nil {
		n = u.names(r.tree, n)[0].node
	}
	if s := r.around().symbol; s >= 0 && r.out.Symbols[s].Doc == "" {
		r.out.Symbols[s].Doc = shorten(r.textOf(n), docBytes)
	}
}

func (r *reader) member(n int, u *rule) {
	for _, f := range r.namesByRule(n, u) {
		r.out.Labels = append(r.out.Labels, Label{int(r.nodes[f.node].start), f.name})
	}
}
