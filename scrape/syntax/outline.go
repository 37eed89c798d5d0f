package syntax

import (
	"bytes"
	"slices"
	"strings"

	"patina/code/lang"
	"patina/store/doc"
)

const (
	titleBytes = 200     // of a Symbol's Title
	docBytes   = 4 << 10 // of a Symbol's Doc
)

// A reader walks the nodes once, in the order of the text. It keeps the open nodes on a stack of
// its own, so that the depth of the text does not matter.
type reader struct {
	*tree
	out   Outline
	stack []frame
	at    int // the node that is read

	// Attributes in front of the next node with this parent; start is -1 without any.
	pending struct{ start, parent int }
	// The node with attributes in front, and where they start; node is -1 without any.
	adorned struct{ node, start int }

	trees    []tokenTree // not read yet
	inTokens bool        // the text is the content of such trees

	imported map[string]bool
	bound    map[doc.Binding]bool
}

// A frame is a node with a role, around the current node.
type frame struct {
	last int // first node after it
	place
}

// A place describes the surroundings of a node. Each frame has one, so that nothing must search the
// stack.
type place struct {
	scope             string // the nearest type, inside the nearest function
	function, closure bool   // inside one
	symbol            int    // the innermost, or -1
}

func (r *reader) readTree() {
	r.pending.start, r.adorned.node = -1, -1
	r.imported, r.bound = map[string]bool{}, map[doc.Binding]bool{}
	for n := 0; n < len(r.Nodes); n++ {
		for len(r.stack) > 0 && n >= r.stack[len(r.stack)-1].last {
			r.stack = r.stack[:len(r.stack)-1]
		}
		r.at = n
		if r.visit(n) {
			n = r.Next(n) - 1
		}
	}
	r.readTokens()
	// In a chain the last call is the outermost node, which comes first.
	slices.SortStableFunc(r.out.Calls, func(a, b Call) int { return a.At - b.At })
	r.out.Broken, r.out.Wrong = r.broken, r.wrong()
}

// wrong returns the number of bytes in errors. It counts no byte twice.
func (t *tree) wrong() (bytes int) {
	for n := 0; t.broken && n < len(t.Nodes); n++ {
		if t.KindNumber(n) >= len(t.kinds) {
			bytes += t.End(n) - t.Start(n)
			n = t.Next(n) - 1
		}
	}
	return bytes
}

func (r *reader) rule(n int) *lang.Rule {
	k := r.KindNumber(n)
	if k >= len(r.rules) {
		r.keepError(n)
		return &lang.Rule{}
	}
	u := &r.rules[k]
	if u.By != nil {
		if other := u.By(&r.Tree, n); other != nil {
			return other
		}
	}
	return u
}

// keepError adds the range of an ERROR node, if the node has more than one line.
func (r *reader) keepError(n int) {
	x := r.extent(n)
	if bytes.IndexByte(r.Source[x.Start:x.End], '\n') >= 0 {
		r.out.Errors = append(r.out.Errors, x)
	}
}

// visit reads a node. closed is true if nothing inside the node must be read.
func (r *reader) visit(n int) (closed bool) {
	u := r.rule(n)
	if r.pending.start >= 0 && u.Is != lang.Attribute && u.Is != lang.Comment && r.Parent(n) == r.pending.parent {
		r.adorned.node, r.adorned.start = n, r.pending.start
		r.pending.start = -1
	}
	if k := r.KindNumber(n); k < len(r.typed) && r.typed[k] != nil {
		r.enterDeclared(n, r.typed[k])
	}
	if u.Is == lang.Nothing && u.Binds == nil && !u.Closed || u.When != nil && !u.When(&r.Tree, n) {
		return u.Closed
	}
	switch u.Is {
	case lang.Function, lang.Type, lang.Constant, lang.Variable:
		r.symbol(n, u)
	case lang.Namespace:
		name := ""
		for _, f := range r.namesByRule(n, u) {
			name = f.Name
		}
		r.push(n, -1, name, lang.Namespace)
	case lang.Closure:
		r.push(n, -1, "", lang.Closure)
	case lang.Attribute:
		if r.pending.start < 0 || r.pending.parent != r.Parent(n) {
			r.pending.start, r.pending.parent = r.Start(n), r.Parent(n)
		}
	case lang.Comment:
		r.out.Comments = append(r.out.Comments, r.extent(n))
	case lang.Docstring:
		r.docstring(n, u)
	case lang.Member:
		r.member(n, u)
	case lang.Call:
		r.call(n, u)
	case lang.Body:
		r.callsIn(n)
	case lang.Tokens:
		r.keepTokens(n)
	case lang.Import:
		for _, f := range r.namesByRule(n, u) {
			r.imports(f.Name)
		}
	}
	if u.Binds != nil {
		r.Bind(u.Binds(&r.Tree, n))
	}
	return u.Closed
}

func (r *reader) extent(n int) Range { return Range{r.Start(n), r.End(n)} }

// push goes inside a node. symbol is its index, or -1, and name may be "".
func (r *reader) push(n, symbol int, name string, is lang.Role) {
	p := r.around()
	switch is {
	case lang.Function:
		p.scope, p.function = "", true
	case lang.Closure:
		p.scope, p.closure = "", true
	default:
		p.scope = or(name, p.scope)
	}
	if symbol >= 0 {
		p.symbol = symbol
	}
	r.stack = append(r.stack, frame{r.Next(n), p})
}

// around returns the surroundings of the current node.
func (r *reader) around() place {
	if len(r.stack) == 0 {
		return place{symbol: -1}
	}
	return r.stack[len(r.stack)-1].place
}

// namesByRule returns the names of a node by its rule. It drops "", "_" and names longer than
// lang.NameBytes.
func (r *reader) namesByRule(n int, u *lang.Rule) []lang.Found {
	var list []lang.Found
	if u.Names != nil {
		list = u.Names(&r.Tree, n)
	} else {
		list = []lang.Found{{Node: r.Child(n, or(u.Name, "name"))}}
	}
	kept := list[:0]
	for _, f := range list {
		if f.Node >= 0 && f.Name == "" {
			f.Name = r.Text(f.Node)
			f.Name = strings.TrimPrefix(f.Name, r.RawPrefix)
		}
		if f.Node >= 0 && f.Name != "" && f.Name != "_" && len(f.Name) <= lang.NameBytes {
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

func (r *reader) docstring(n int, u *lang.Rule) {
	r.out.Comments = append(r.out.Comments, r.extent(n))
	if u.Names != nil {
		n = u.Names(&r.Tree, n)[0].Node
	}
	if s := r.around().symbol; s >= 0 && r.out.Symbols[s].Doc == "" {
		r.out.Symbols[s].Doc = shorten(r.Text(n), docBytes)
	}
}

func (r *reader) member(n int, u *lang.Rule) {
	for _, f := range r.namesByRule(n, u) {
		r.out.Labels = append(r.out.Labels, Label{r.Start(f.Node), f.Name})
	}
}
