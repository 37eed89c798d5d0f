package syntax

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"patina/internal/lazyregexp"
	"patina/store"
)

// symbol enters the symbols that a node defines, and goes inside.
func (r *reader) symbol(n int, u *rule) {
	in := r.around()
	if in.function && in.symbol < 0 {
		return // nothing inside a function that has no name can be named
	}
	names := r.namesByRule(n, u)
	var dressed Symbol
	first := -1
	for _, f := range names {
		sort := sortOf(u.is)
		if f.sort != "" {
			sort = f.sort
		}
		value := sort == store.Constant || sort == store.Variable
		if value && (in.function || in.closure) {
			continue
		}
		if first < 0 {
			dressed = r.dress(n, u, value) // once: a declaration can have many names
			dressed.Parent = in.symbol
			dressed.Local = in.function || in.closure && bytes.IndexByte(r.text[dressed.Start:dressed.End], '\n') < 0
			first = len(r.out.Symbols)
		}
		s := dressed
		s.Name, s.Sort, s.At = f.name, sort, int(r.nodes[f.node].start)
		s.Declares = f.declares
		if scope := or(f.scope, in.scope); scope != "" {
			s.Name = scope + "." + f.name
			if sort == store.Function {
				s.Sort = store.Method
			}
		}
		if before := r.symbolBefore(s); u.joins && before >= 0 {
			r.out.Symbols[before].End = s.End
			r.push(n, before, f.name, roleOf(s.Sort))
			return
		}
		r.out.Symbols = append(r.out.Symbols, s)
	}
	switch {
	case first >= 0 && u.flat:
	case first >= 0:
		r.push(n, first, names[0].name, roleOf(r.out.Symbols[first].Sort))
	case u.otherwise == closure || u.otherwise == function:
		r.push(n, -1, "", u.otherwise)
	case u.otherwise == member:
		r.member(n, &rule{name: u.name})
	}
}

// maxBefore bounds the search for a symbol to join: several names share a signature.
const maxBefore = 8

// symbolBefore finds the last symbol beside another one, if it has the same name; else -1. Symbols
// that start at the same place as the last one count, too.
func (r *reader) symbolBefore(s Symbol) int {
	last := -1
	for i, n := len(r.out.Symbols)-1, 0; i >= 0 && n < maxBefore; i-- {
		x := &r.out.Symbols[i]
		if x.Parent != s.Parent {
			if x.Parent < s.Parent || i == s.Parent {
				return -1
			}
			continue
		}
		if last < 0 {
			last = i
		}
		if x.Start != r.out.Symbols[last].Start {
			return -1
		}
		if x.Name == s.Name {
			return i
		}
		n++
	}
	return -1
}

// roleOf returns the role of a symbol for its contents. Values may hold methods, as types do.
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

// dress finds the signature of a symbol, and its decorations around the node.
func (r *reader) dress(n int, u *rule, value bool) Symbol {
	outer := n
	for p := r.parent(outer); p >= 0 && r.wraps(p) && r.leads(p, outer); p = r.parent(outer) {
		outer = p
	}
	s := Symbol{Range: r.extent(outer)}
	head := r.behindAttributes(outer)
	if r.adorned.node == outer {
		s.Start = r.adorned.start
	}
	end := int(r.nodes[n].end)
	if body := r.body(n, u); body >= 0 && !value {
		end = int(r.nodes[body].start)
	}
	if u.ends != nil && !value {
		if at := u.ends(r.tree, n); at >= 0 {
			end = at
		}
	}
	signature := r.withoutComments(n, min(head, end), end)
	if i := bytes.IndexByte(signature, '\n'); i >= 0 && value {
		signature = signature[:i]
	}
	s.Title = signatureTitle(signature)
	return s
}

// maxSignature bounds the bytes of a signature with its comments. Nested definitions without
// bodies would be read again and again.
const maxSignature = 16 * titleBytes

// withoutComments returns the signature of a node, from head to end, without its comments.
func (r *reader) withoutComments(n, head, end int) []byte {
	end = min(end, head+maxSignature)
	var kept []byte
	from := head
	for c := n + 1; c < int(r.nodes[n].next) && int(r.nodes[c].start) < end; c++ {
		if start := int(r.nodes[c].start); r.rule(c).is == comment && start >= from {
			kept = append(kept, r.text[from:start]...)
			from = min(int(r.nodes[c].end), end)
		}
	}
	if kept == nil {
		return r.text[head:end]
	}
	return append(kept, r.text[from:end]...)
}

func (r *reader) wraps(n int) bool {
	u := r.rule(n)
	return u.is == wrapper && (u.when == nil || u.when(r.tree, n))
}

// leads reports whether a child is the first of its kind below a wrapper. In "var a = 1, b = 2" the
// var goes with a.
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

// body finds the end of a symbol's signature: its own body, or that of a function that is its
// value.
func (r *reader) body(n int, u *rule) int {
	field := or(u.body, "body")
	if b := max(r.child(n, field), r.firstChild(n, field)); b >= 0 {
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

// behindAttributes returns the start of a node without attributes at its front and among its
// modifiers.
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

// directive is a line for the preprocessor of C or C#, which may stand inside a signature.
var directive = lazyregexp.New(`(?m)^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif|else|endif|pragma|region|endregion|nullable)\b.*$`)

// signatureTitle folds the white space of a signature and takes off what opens its body.
func signatureTitle(text []byte) string {
	text = text[:min(len(text), 8*titleBytes)]
	if bytes.IndexByte(text, '#') >= 0 {
		text = directive().ReplaceAll(text, nil)
	}
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

// bareType returns the node of a type's own name, without pointers, parameters and qualifiers.
func (t *tree) bareType(n int) int {
	for n >= 0 {
		next := -1
		for c := range t.children(n) {
			switch t.field(c) {
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
