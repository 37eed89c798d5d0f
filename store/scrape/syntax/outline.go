package syntax

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"patina/store"
)

const (
	titleBytes = 200     // of a Symbol's Title
	nameBytes  = 200     // of any name; what is longer is no name that anybody looks for
	docBytes   = 4 << 10 // of a Symbol's Doc
)

// A reader walks the nodes once, in the order of the text. It holds what it is inside of on a stack of its own, so that the
// depth of the text does not matter.
type reader struct {
	*tree
	out   Outline
	stack []frame
	at    int // the node that is read

	// Attributes that stand in front of the next node with this parent; start is -1 if there are none.
	pending struct{ start, parent int }
	// The node that attributes stand in front of, and where they start.
	adorned struct{ node, start int }

	imported map[string]bool
}

// A frame is a node with a role that the reader is inside of.
type frame struct {
	last   int // first node behind it
	symbol int // index in the outline, or -1
	name   string
	is     role // function, closure, or another
}

func (r *reader) read() {
	r.pending.start, r.adorned.node, r.imported = -1, -1, map[string]bool{}
	for n := range r.nodes {
		for len(r.stack) > 0 && n >= r.stack[len(r.stack)-1].last {
			r.stack = r.stack[:len(r.stack)-1]
		}
		r.at = n
		r.visit(n)
	}
	r.out.Broken = r.broken
}

func (r *reader) rule(n int) *rule {
	if k := int(r.nodes[n].kind); k < len(r.compiled.rules) {
		return &r.compiled.rules[k]
	}
	return &rule{} // ERROR
}

func (r *reader) visit(n int) {
	u := r.rule(n)
	if r.pending.start >= 0 && u.is != attribute && u.is != comment && r.parent(n) == r.pending.parent {
		r.adorned.node, r.adorned.start = n, r.pending.start
		r.pending.start = -1
	}
	if u.is == nothing || u.when != nil && !u.when(r.tree, n) {
		return
	}
	switch u.is {
	case function, typ, constant, variable:
		r.symbol(n, u)
	case scope:
		name := ""
		for _, f := range r.names(n, u) {
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
		r.docstring(n)
	case member:
		r.member(n, u)
	case call:
		r.call(n, u)
	case imports:
		for _, f := range r.names(n, u) {
			r.imports(f.name)
		}
	}
}

func (r *reader) extent(n int) Range { return Range{int(r.nodes[n].start), int(r.nodes[n].end)} }

func (r *reader) push(n, symbol int, name string, is role) {
	r.stack = append(r.stack, frame{int(r.nodes[n].next), symbol, name, is})
}

// around describes where the reader is: the name of the nearest type, inside the nearest function; whether there is a function
// or a closure; and the innermost symbol.
func (r *reader) around() (scopeName string, inFunction, inClosure bool, symbol int) {
	symbol = -1
	for i := len(r.stack) - 1; i >= 0; i-- {
		f := &r.stack[i]
		switch {
		case f.is == function:
			inFunction = true
		case f.is == closure:
			inClosure = true
		case scopeName == "" && !inFunction && !inClosure:
			scopeName = f.name
		}
		if symbol < 0 {
			symbol = f.symbol
		}
		if inFunction && symbol >= 0 {
			break
		}
	}
	return scopeName, inFunction, inClosure, symbol
}

// names finds the names of a node by its rule. Names that are no names are left out.
func (r *reader) names(n int, u *rule) []found {
	var list []found
	if u.names != nil {
		list = u.names(r.tree, n)
	} else {
		list = []found{{node: r.child(n, or(u.name, "name"))}}
	}
	kept := list[:0]
	for _, f := range list {
		if f.node >= 0 && f.name == "" {
			f.name = r.written(f.node)
		}
		if f.node >= 0 && f.name != "" && f.name != "_" && len(f.name) <= nameBytes {
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

func (r *reader) symbol(n int, u *rule) {
	inScope, inFunction, inClosure, parent := r.around()
	value := u.is == constant || u.is == variable
	first := -1
	names := r.names(n, u)
	for _, f := range names {
		sort := sortOf(u.is)
		if f.sort != "" {
			sort, value = f.sort, f.sort == store.Constant || f.sort == store.Variable
		}
		if value && (inFunction || inClosure) {
			continue
		}
		s := Symbol{Range: r.extent(n), Name: f.name, Sort: sort, At: int(r.nodes[f.node].start), Parent: parent, Local: inFunction}
		if f.scope == "" {
			f.scope = inScope
		}
		if f.scope != "" {
			s.Name = f.scope + "." + f.name
			if sort == store.Function {
				s.Sort = store.Method
			}
		}
		r.dress(&s, n, u, value)
		s.Local = s.Local || inClosure && bytes.IndexByte(r.text[s.Start:s.End], '\n') < 0
		r.out.Symbols = append(r.out.Symbols, s)
		if first < 0 {
			first = len(r.out.Symbols) - 1
		}
	}
	switch {
	case first >= 0 && u.flat:
	case first >= 0:
		r.push(n, first, names[0].name, roleOf(r.out.Symbols[first].Sort))
	case u.otherwise == closure:
		r.push(n, -1, "", closure)
	case u.otherwise == member:
		r.member(n, &rule{name: u.name})
	}
}

// roleOf is what a symbol is to what stands inside: values may hold methods, as types do.
func roleOf(s store.Sort) role {
	if s == store.Function || s == store.Method {
		return function
	}
	return typ
}

func sortOf(is role) store.Sort {
	switch is {
	case function:
		return store.Function
	case typ:
		return store.Type
	case constant:
		return store.Constant
	}
	return store.Variable
}

// dress finds the signature of a symbol, and what around the node belongs to it.
func (r *reader) dress(s *Symbol, n int, u *rule, value bool) {
	outer := n
	for p := r.parent(outer); p >= 0 && r.wraps(p) && r.leads(p, outer); p = r.parent(outer) {
		outer = p
	}
	s.Range = r.extent(outer)
	head := r.behindAttributes(outer)
	if r.adorned.node == outer {
		s.Start = r.adorned.start
	}
	end := int(r.nodes[n].end)
	body := r.body(n, u)
	switch {
	case value:
		if i := bytes.IndexByte(r.text[head:end], '\n'); i >= 0 {
			end = head + i
		}
	case body >= 0:
		end = int(r.nodes[body].start)
	}
	s.Bare = value || body < 0
	s.Title = title(r.text[min(head, end):end])
}

func (r *reader) wraps(n int) bool {
	u := r.rule(n)
	return u.is == wrapper && (u.when == nil || u.when(r.tree, n))
}

// leads tells whether a child is the first of its kind below a wrapper: what goes with "var a = 1, b = 2" goes with a.
func (r *reader) leads(wrapping, child int) bool {
	for c := range r.children(wrapping) {
		if c == child {
			return true
		}
		if r.nodes[c].kind == r.nodes[child].kind {
			return false
		}
	}
	return false
}

// body finds what ends the signature of a symbol: its own body, or that of a function that is its value.
func (r *reader) body(n int, u *rule) int {
	field := or(u.body, "body")
	if b := max(r.child(n, field), r.first(n, field)); b >= 0 {
		return b
	}
	for _, f := range []string{"value", "right", "type"} {
		if v := r.child(n, f); v >= 0 {
			if b := r.child(v, field); b >= 0 {
				return b
			}
		}
	}
	return -1
}

// behindAttributes returns where a node starts without the attributes at its front, also those among its modifiers.
func (r *reader) behindAttributes(n int) int {
	head := int(r.nodes[n].start)
	for c := n + 1; c < int(r.nodes[n].next); c++ {
		switch {
		case r.rule(c).is == attribute:
			head = int(r.nodes[c].end)
			c = int(r.nodes[c].next) - 1
		case r.rule(c).is == comment, r.is(c, "modifiers"):
		default:
			return head
		}
	}
	return head
}

// title folds the white space of a signature and takes off what opens its body.
func title(text []byte) string {
	text = text[:min(len(text), 8*titleBytes)]
	s := strings.Join(strings.Fields(string(text)), " ")
	for open := ""; open != s; {
		open = s
		for _, end := range []string{"=>", " =", "{", ":", ";", ",", " ("} {
			s = strings.TrimRight(strings.TrimSuffix(s, end), " ")
		}
	}
	return shorten(s, titleBytes)
}

// shorten cuts a text at the start of a rune.
func shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}

func (r *reader) docstring(n int) {
	r.out.Comments = append(r.out.Comments, r.extent(n))
	if _, _, _, s := r.around(); s >= 0 && r.out.Symbols[s].Doc == "" {
		r.out.Symbols[s].Doc = shorten(r.written(n), docBytes)
	}
}

func (r *reader) member(n int, u *rule) {
	for _, f := range r.names(n, u) {
		r.out.Labels = append(r.out.Labels, Label{int(r.nodes[f.node].start), f.name})
	}
}

func (r *reader) imports(name string) {
	name = strings.TrimSpace(strings.Trim(strings.TrimSpace(name), "\"'`<>"))
	if name != "" && !r.imported[name] {
		r.imported[name] = true
		r.out.Imports = append(r.out.Imports, name)
	}
}

func (r *reader) call(n int, u *rule) {
	name := r.called(n, u)
	if r.importers[name] {
		if arg := r.firstArgument(n); arg >= 0 && strings.Contains(r.kind(arg), "string") || r.is(arg, "word") {
			r.imports(r.written(arg))
			return
		}
	}
	if name == "" || len(name) > nameBytes || r.predeclared[name] {
		return
	}
	_, _, _, s := r.around()
	r.out.Calls = append(r.out.Calls, Call{Name: name, At: int(r.nodes[n].start), Symbol: s})
}

func (r *reader) firstArgument(n int) int {
	for _, field := range []string{"argument", "arguments"} {
		a := r.child(n, field)
		if a >= 0 && field == "arguments" {
			for c := range r.children(a) {
				if r.is(c, "argument") { // PHP and C# wrap them
					return c + 1
				}
				return c
			}
			return -1
		}
		if a >= 0 {
			return a
		}
	}
	return -1
}

// called returns what a call calls.
func (r *reader) called(n int, u *rule) string {
	f := r.child(n, or(u.name, "function"))
	if f < 0 {
		return ""
	}
	if u.object == "" {
		return r.callee(f)
	}
	name := r.callee(f)
	object := r.child(n, u.object)
	switch {
	case name == "" || object < 0:
		return name
	case isPath(r.extentOf(object)):
		return r.written(object) + u.dot + name
	}
	return "_." + name
}

func (t *tree) extentOf(n int) []byte { return t.text[t.nodes[n].start:t.nodes[n].end] }

// callee names what is called: as written if that is a name or a path of names, else by its last name. It loops, because calls
// nest as deep as the text is long.
func (r *reader) callee(f int) string {
	before := ""
	for f >= 0 {
		if text := r.extentOf(f); isPath(text) {
			return before + strings.TrimLeft(string(text), ".")
		}
		next := -1
		for c := range r.children(f) {
			switch r.field(c) {
			case "property", "attribute", "field", "name": // a.b().c: only the last name is known
				if !r.is(f, "generic_name", "generic_type", "template_function", "template_method", "template_type") {
					before = "_."
				}
				next = c
			case "function", "type": // f::<T>
				if r.is(f, "generic_function", "generic_type", "instantiation_expression") {
					next = c
				}
			}
		}
		if r.is(f, "conditional_access_expression") { // a?.b
			before = "_."
			for c := range r.children(f) {
				next = c
			}
		}
		if next < 0 && r.is(f, "generic_name", "parenthesized_expression") {
			next = f + 1
			if next >= int(r.nodes[f].next) {
				return ""
			}
		}
		f = next
	}
	return ""
}

// isPath is true of a name, and of names with dots, colons, arrows or backslashes between them.
func isPath(text []byte) bool {
	if len(text) == 0 || len(text) > nameBytes {
		return false
	}
	for i, c := range text {
		word := c == '_' || c == '$' || c == '@' || c >= utf8.RuneSelf || unicode.IsLetter(rune(c))
		switch {
		case word:
		case c >= '0' && c <= '9':
			if i == 0 {
				return false
			}
		case c == '.' || c == ':' || c == '-' || c == '>' || c == '?' || c == '!' || c == '\\' || c == '~':
			if i == 0 && c != ':' && c != '\\' && c != '.' && c != '~' {
				return false
			}
		default:
			return false
		}
	}
	last := text[len(text)-1]
	return last != '.' && last != ':' && last != '-' && last != '>' && last != '\\'
}
