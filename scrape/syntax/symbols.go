package syntax

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"patina/code/lang"
	"patina/internal/lazyregexp"
	"patina/store/doc"
)

// symbol adds the symbols that a node defines, and goes inside the node.
func (r *reader) symbol(n int, u *lang.Rule) {
	in := r.around()
	if in.function && in.symbol < 0 {
		return // nothing inside a function without a name can be named
	}
	names := r.namesByRule(n, u)
	var dressed Symbol
	first := -1
	for _, f := range names {
		sort := sortOf(u.Is)
		if f.Sort != "" {
			sort = f.Sort
		}
		value := sort == doc.Constant || sort == doc.Variable
		if value && (in.function || in.closure) {
			continue
		}
		if first < 0 {
			dressed = r.dress(n, u, value) // once, because a declaration can have many names
			dressed.Parent = in.symbol
			dressed.Local = in.function || in.closure && bytes.IndexByte(r.Source[dressed.Start:dressed.End], '\n') < 0
			first = len(r.out.Symbols)
		}
		s := dressed
		s.Name, s.Sort, s.At = f.Name, sort, r.Start(f.Node)
		s.Declares = f.Declares
		if scope := or(f.Scope, in.scope); scope != "" {
			s.Name = scope + "." + f.Name
			if sort == doc.Function {
				s.Sort = doc.Method
			}
		}
		if before := r.symbolBefore(s); u.Joins && before >= 0 {
			r.out.Symbols[before].End = s.End
			r.push(n, before, f.Name, roleOf(s.Sort))
			return
		}
		r.out.Symbols = append(r.out.Symbols, s)
	}
	switch {
	case first >= 0 && u.Flat:
	case first >= 0:
		r.push(n, first, names[0].Name, roleOf(r.out.Symbols[first].Sort))
	case u.Otherwise == lang.Closure || u.Otherwise == lang.Function:
		r.push(n, -1, "", u.Otherwise)
	case u.Otherwise == lang.Member:
		r.member(n, &lang.Rule{Name: u.Name})
	}
}

// maxBefore is the most symbols that are searched for one to join, because several names may share
// a signature.
const maxBefore = 8

// symbolBefore returns the last symbol next to another one, if it has the same name, else -1.
// Symbols that start at the same place as the last one count too.
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

// roleOf returns the role of a symbol for its contents. Values may contain methods, like types.
func roleOf(s doc.Sort) lang.Role {
	if s == doc.Function || s == doc.Method {
		return lang.Function
	}
	return lang.Type
}

func sortOf(is lang.Role) doc.Sort {
	switch is {
	case lang.Function:
		return doc.Function
	case lang.Type:
		return doc.Type
	case lang.Constant:
		return doc.Constant
	}
	return doc.Variable
}

// dress returns a symbol with the range, the decorations and the signature of a node.
func (r *reader) dress(n int, u *lang.Rule, value bool) Symbol {
	outer := n
	for p := r.Parent(outer); p >= 0 && r.wraps(p) && r.leads(p, outer); p = r.Parent(outer) {
		outer = p
	}
	s := Symbol{Range: r.extent(outer)}
	head := r.behindAttributes(outer)
	if r.adorned.node == outer {
		s.Start = r.adorned.start
	}
	end := r.End(n)
	if body := r.body(n, u); body >= 0 && !value {
		end = r.Start(body)
	}
	if u.Ends != nil && !value {
		if at := u.Ends(&r.Tree, n); at >= 0 {
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

// maxSignature is the most bytes of a signature with its comments. It is needed because nested
// definitions without bodies would be read again and again.
const maxSignature = 16 * titleBytes

// withoutComments returns the signature of a node, from head to end, without its comments.
func (r *reader) withoutComments(n, head, end int) []byte {
	end = min(end, head+maxSignature)
	var kept []byte
	from := head
	for c := n + 1; c < r.Next(n) && r.Start(c) < end; c++ {
		if start := r.Start(c); r.rule(c).Is == lang.Comment && start >= from {
			kept = append(kept, r.Source[from:start]...)
			from = min(r.End(c), end)
		}
	}
	if kept == nil {
		return r.Source[head:end]
	}
	return append(kept, r.Source[from:end]...)
}

func (r *reader) wraps(n int) bool {
	u := r.rule(n)
	return u.Is == lang.Wrapper && (u.When == nil || u.When(&r.Tree, n))
}

// leads reports whether a child is the first of its kind below a wrapper. In "var a = 1, b = 2" the
// var belongs to a.
func (r *tree) leads(wrapping, child int) bool {
	for c := range r.Children(wrapping) {
		if c == child {
			return true
		}
		if r.KindNumber(c) == r.KindNumber(child) {
			return false
		}
	}
	return false
}

// body returns the node that ends a symbol's signature: its own body, or that of a function that is
// its value. It returns -1 without a body.
func (r *tree) body(n int, u *lang.Rule) int {
	field := or(u.Body, "body")
	if b := max(r.Child(n, field), r.FirstChild(n, field)); b >= 0 {
		return b
	}
	for _, f := range []string{"value", "right", "type"} {
		if v := r.Child(n, f); v >= 0 {
			if b := r.Child(v, field); b >= 0 {
				return b
			}
		}
	}
	return -1
}

// behindAttributes returns the start of a node after the attributes at its front and among its
// modifiers.
func (r *reader) behindAttributes(n int) int {
	head := r.Start(n)
	for c := n + 1; c < r.Next(n); c++ {
		switch {
		case r.rule(c).Is == lang.Attribute:
			head = r.End(c)
			c = r.Next(c) - 1
		case r.rule(c).Is == lang.Comment, r.Is(c, "modifiers"):
		default:
			return head
		}
	}
	return head
}

// directive is a line for the preprocessor of C or C#, which may be inside a signature.
var directive = lazyregexp.New(`(?m)^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif|else|endif|pragma|region|endregion` +
	`|nullable)\b.*$`)

// signatureTitle folds the white space of a signature and removes the marks that open its body.
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

// shorten cuts a text to at most limit bytes, and never within a rune.
func shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}

// isMember reports whether the grammar's rules take a node for the name of a field. It is needed
// because not every grammar names the parts of a definition.
func (r *reader) isMember(n int) bool {
	p := r.Parent(n)
	for range 3 { // patterns between a field and its name
		if p < 0 {
			return false
		}
		if u := r.rule(p); u.Is == lang.Member && (u.When == nil || u.When(&r.Tree, p)) {
			return slices.ContainsFunc(r.namesByRule(p, u), func(f lang.Found) bool {
				return f.Node <= n && r.Next(n) <= r.Next(f.Node)
			})
		}
		p = r.Parent(p)
	}
	return false
}
