package syntax

import (
	"bytes"
	"slices"
	"strings"

	"patina/code/lang"
	"patina/internal/lazyregexp"
	"patina/store/doc"
	"patina/store/text"
)

// A tokenTree is a node that the grammar of Rust leaves as tokens: the arguments of a macro, the
// body of a macro_rules!, the arguments of an attribute.
type tokenTree struct {
	node   int
	around place
}

// keepTokens reads or keeps a tree of tokens. Arguments of macros are kept until the text has been
// read, because all of them are parsed together.
func (r *reader) keepTokens(n int) {
	at := r.around()
	switch p := r.Parent(n); {
	case r.Is(p, "macro_invocation"):
		switch {
		case r.inTokens:
			r.tokenCalls(n, at.symbol, nil)
		case r.holdsCode(n, at):
			r.trees = append(r.trees, tokenTree{n, at})
		}
	case r.Is(p, "macro_rule"):
		r.tokenCalls(n, at.symbol, nil)
	case r.Is(p, "attribute"):
		r.attributeCalls(n, at.symbol)
	}
}

// holdsCode reports whether a tree of tokens may contain a call or, outside functions, an item.
func (r *tree) holdsCode(n int, at place) bool {
	if !at.function && r.Source[r.Start(n)] == '{' {
		return true
	}
	for c := n; c < r.Next(n); c++ {
		start := r.Start(c)
		switch {
		case c > n && r.Source[start] == '(' && isNamePart(r.Source[start-1]), c > n && r.Source[start-1] == '!':
			return true
		case r.Source[start] == '(' && c > n && bytes.HasSuffix(bytes.TrimRight(r.Source[:start], " \t\r\n"),
			[]byte(">")):
			return true // f::<T>()
		}
	}
	return !at.function && itemAhead(r.Source[r.Start(n)+1:])
}

func isNamePart(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}

// itemWords begin an item of Rust.
var itemWords = text.Set("pub fn struct enum union trait impl mod static const type use unsafe extern async")

// itemAhead reports whether a text begins with an item of Rust, or an attribute of one.
func itemAhead(s []byte) bool {
	s = bytes.TrimLeft(s[:min(len(s), lang.NameBytes)], " \t\r\n")
	end := bytes.IndexFunc(s, func(c rune) bool { return c < 'a' || c > 'z' })
	return bytes.HasPrefix(s, []byte("#[")) || end > 0 && itemWords.Has(string(s[:end]))
}

// readTokens parses the arguments of all macros of a text as expressions and items. If they are
// neither, their calls are found by a name before a parenthesis. Symbols count outside functions.
func (r *reader) readTokens() {
	if len(r.trees) == 0 {
		return
	}
	masked := blankCopy(r.Source)
	for _, x := range r.trees {
		r.unmask(masked, x)
	}
	t, err := parseText(r.grammar, masked)
	if err != nil {
		for _, x := range r.trees {
			r.tokenCalls(x.node, x.around.symbol, nil)
		}
		return
	}
	defer t.free()
	inner := reader{tree: t, at: -1, inTokens: true}
	inner.readTree()
	r.joinReader(&inner)
}

// joinReader adds the outline of the arguments of macros.
func (r *reader) joinReader(inner *reader) {
	first := func(at int) int { // index of the first tree that ends after a byte
		i, _ := slices.BinarySearchFunc(r.trees, at, func(x tokenTree, at int) int { return r.End(x.node) - at - 1 })
		return i
	}
	broken := make([]bool, len(r.trees))
	for n := range inner.Nodes {
		if inner.Kind(n) == "ERROR" {
			if i := first(int(inner.Start(n))); i < len(broken) {
				broken[i] = true
			}
		}
	}
	for _, e := range inner.out.Errors {
		if i := first(e.Start); i < len(r.trees) && !r.trees[i].around.function {
			r.out.Errors = append(r.out.Errors, e)
		}
	}
	// The index of each symbol. For one that is left out, it is that of the symbol around it.
	now := make([]int, len(inner.out.Symbols))
	for i, s := range inner.out.Symbols {
		at := first(s.At)
		around := -1
		if at < len(r.trees) {
			around = r.trees[at].around.symbol
		}
		if s.Parent >= 0 {
			around = now[s.Parent]
		}
		now[i] = around
		if at < len(r.trees) && !r.trees[at].around.function {
			if scope := r.trees[at].around.scope; s.Parent < 0 && scope != "" && !strings.Contains(s.Name, ".") {
				s.Name = scope + "." + s.Name
				if s.Sort == doc.Function {
					s.Sort = doc.Method
				}
			}
			s.Parent = around
			now[i] = len(r.out.Symbols)
			r.out.Symbols = append(r.out.Symbols, s)
		}
	}
	whose := func(symbol, at int) int {
		if symbol >= 0 {
			return now[symbol]
		}
		if i := first(at); i < len(r.trees) {
			return r.trees[i].around.symbol
		}
		return -1
	}
	for _, c := range inner.out.Calls {
		if i := first(c.At); i < len(broken) && !broken[i] {
			c.Symbol = whose(c.Symbol, c.At)
			r.out.Calls = append(r.out.Calls, c)
		}
	}
	for i, x := range r.trees {
		if broken[i] {
			r.tokenCalls(x.node, x.around.symbol, func(at int) int {
				return whose(symbolAt(inner.out.Symbols, at), at)
			})
		}
	}
	for _, y := range inner.out.Typed {
		y.Symbol = whose(y.Symbol, y.At)
		r.out.Typed = append(r.out.Typed, y)
	}
	for _, imported := range inner.out.Imports {
		r.imports(imported)
	}
	r.Bind(inner.out.Bindings)
	r.out.sort()
}

// symbolAt returns the last symbol that begins before a byte and ends after it, or -1.
func symbolAt(symbols []Symbol, at int) int {
	found := -1
	for i, s := range symbols {
		if s.Start <= at && at < s.End {
			found = i
		}
	}
	return found
}

// sort sorts symbols in the order of the text, with enclosing ones first.
func (o *Outline) sort() {
	order := make([]int, len(o.Symbols))
	for i := range order {
		order[i] = i
	}
	depth := func(i int) (n int) {
		for i = o.Symbols[i].Parent; i >= 0; i = o.Symbols[i].Parent {
			n++
		}
		return n
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if d := o.Symbols[a].Start - o.Symbols[b].Start; d != 0 {
			return d
		}
		return depth(a) - depth(b)
	})
	now := make([]int, len(order))
	sorted := make([]Symbol, len(order))
	for to, from := range order {
		now[from], sorted[to] = to, o.Symbols[from]
	}
	moved := func(i *int) {
		if *i >= 0 {
			*i = now[*i]
		}
	}
	for i := range sorted {
		moved(&sorted[i].Parent)
	}
	for i := range o.Calls {
		moved(&o.Calls[i].Symbol)
	}
	for i := range o.Typed {
		moved(&o.Typed[i].Symbol)
	}
	o.Symbols = sorted
}

// blankCopy returns a copy of a text with spaces for everything but line breaks.
func blankCopy(text []byte) []byte {
	out := bytes.Repeat([]byte{' '}, len(text))
	for i, c := range text {
		if c == '\n' {
			out[i] = c
		}
	}
	return out
}

var staticRef = lazyregexp.New(`\bstatic\s+ref\b`)

// unmask copies a tree of tokens into a masked text, as statements: "(a, b)" and "[a, b]" are
// expressions, "{ a }" is a block. Macros inside it become calls or blocks as well, and the
// conditions of cfg_if! become true.
func (r *tree) unmask(masked []byte, x tokenTree) {
	n := x.node
	start, end := r.Start(n), r.End(n)
	copy(masked[start:end], r.Source[start:end])
	if start > 0 {
		masked[start-1] = ';'
	}
	if end-start > 1 && !x.around.function && masked[start] != '{' && itemAhead(r.Source[start+1:end]) {
		masked[start], masked[end-1] = '{', '}'
	}
	last := n
	for c := n + 1; c < r.Next(n); c++ {
		at := r.Start(c)
		before := r.Source[max(start, r.Start(last)):at]
		if r.End(last) <= at {
			before = r.Source[r.End(last):at]
		}
		gap := string(bytes.TrimSpace(before))
		switch {
		case r.Is(c, "token_tree") && gap == "!" && r.Is(last, "identifier", "metavariable"):
			mark := at - len(before) + bytes.IndexByte(before, '!')
			masked[mark] = ' '
			if r.Source[at] != '(' {
				lang.Blank(masked[pathStart(r.Source, start, r.Start(last)):mark])
			}
		case r.Is(c, "token_tree") && r.Source[at] == '[' && strings.HasSuffix(gap, "#"):
			if head := strings.TrimSpace(strings.TrimSuffix(gap, "#")); head == "if" ||
				strings.HasSuffix(head, " if") || strings.HasSuffix(head, "\nif") {
				hash := at - len(before) + bytes.LastIndexByte(before, '#')
				lang.Blank(masked[hash:r.End(c)])
				copy(masked[hash:r.End(c)], "true")
				c = r.Next(c) - 1
			}
		case gap == ":" && r.Source[start] == '(' && r.Is(last, "identifier") && r.Parent(last) == n:
			// target: "x"
			masked[at-len(before)+bytes.IndexByte(before, ':')] = '='
		}
		last = c
	}
	for _, at := range staticRef().FindAllIndex(masked[start:end], -1) {
		lang.Blank(masked[start+at[1]-len("ref") : start+at[1]])
	}
}

// pathStart returns where the path starts that ends with the name at a byte: log of log::info.
func pathStart(text []byte, least, at int) int {
	for at-2 > least && text[at-1] == ':' && text[at-2] == ':' {
		at -= 2
		for at > least && isNamePart(text[at-1]) {
			at--
		}
	}
	return at
}

// tokenCalls adds the calls in a tree of tokens: a name before a parenthesis. whose returns the
// symbol of a place; if it is nil, all calls belong to symbol.
func (r *reader) tokenCalls(n, symbol int, whose func(at int) int) {
	for c := n + 1; c < r.Next(n); c++ {
		if !r.Is(c, "identifier") || !r.isCalled(c) {
			continue
		}
		at := r.Start(c)
		if word := bytes.TrimRight(r.Source[:at], " \t\r\n"); bytes.HasSuffix(word, []byte("fn")) && len(word) < at {
			continue
		}
		owner := symbol
		if whose != nil {
			owner = whose(at)
		}
		r.tokenCall(c, owner)
	}
}

// tokenCall adds the call of a name among tokens.
func (r *reader) tokenCall(c, symbol int) {
	name := r.tokenPath(c)
	if name != "" && len(name) <= lang.NameBytes && !r.Predeclared.Has(name) {
		r.out.Calls = append(r.out.Calls, Call{Name: name, At: r.Start(c), Symbol: symbol})
	}
}

// isCalled reports whether a parenthesis follows a name among tokens, with types between or the
// mark of a macro.
func (t *tree) isCalled(n int) bool {
	rest := t.Source[t.End(n):]
	rest = bytes.TrimLeft(rest[:min(len(rest), lang.NameBytes)], " \t\r\n")
	if bytes.HasPrefix(rest, []byte("::<")) {
		depth := 0
		for i, c := range rest {
			if c == '<' {
				depth++
			} else if c == '>' {
				if depth--; depth == 0 {
					rest = rest[i+1:]
					break
				}
			}
		}
	}
	if len(rest) > 1 && rest[0] == '!' && (rest[1] == '(' || rest[1] == '[' || rest[1] == '{' || rest[1] == ' ') {
		return true
	}
	return bytes.HasPrefix(rest, []byte("("))
}

// tokenPath returns a name among tokens with the path before it: "a::f", "self.f", and "_.f" after
// an expression that is no name.
func (t *tree) tokenPath(n int) string {
	start, end := t.Start(n), t.End(n)
	name := strings.TrimPrefix(string(t.Source[start:end]), "r#")
	least := max(0, start-lang.NameBytes)
	for at := start; ; {
		p := len(bytes.TrimRight(t.Source[least:at], " \t\r\n")) + least
		mark := ""
		switch before := t.Source[least:p]; {
		case bytes.HasSuffix(before, []byte("::")):
			mark, p = "::", p-2
		case bytes.HasSuffix(before, []byte(".")) && !bytes.HasSuffix(before, []byte("..")):
			mark, p = ".", p-1
		default:
			return name
		}
		p = len(bytes.TrimRight(t.Source[least:p], " \t\r\n")) + least
		at = p
		for at > least && isNamePart(t.Source[at-1]) {
			at--
		}
		if at == p || at > least && t.Source[at-1] == '$' {
			if mark == "::" && at > least && t.Source[at-1] == '$' { // $crate::f
				return "crate::" + name
			}
			return "_." + name[strings.LastIndexAny(name, ".:")+1:]
		}
		name = string(t.Source[at:p]) + mark + name
	}
}

// namingKeys are the keys of attributes whose string names a function.
var namingKeys = text.Set("default serialize_with deserialize_with skip_serializing_if default_value_fn parse_with")

// callingAttributes are the attributes whose arguments are expressions.
var callingAttributes = text.Set("error case test_case values rstest")

// attributeCalls adds the calls in the arguments of an attribute: after "=", in a list of
// expressions, and functions that a string names: default = "size".
func (r *reader) attributeCalls(n, symbol int) {
	p := r.Parent(n)
	name := r.tokensBefore(p)
	for c := n + 1; c < r.Next(n); c++ {
		at := r.Start(c)
		behind := bytes.HasSuffix(bytes.TrimRight(r.Source[:at], " \t\r\n"), []byte("="))
		switch {
		case r.Is(c, "string_literal") && behind && namingKeys.Has(r.keyBefore(at)):
			named := strings.Trim(r.Text(c), `"`)
			if lang.IsPath([]byte(named)) && !r.Predeclared.Has(named) {
				r.out.Calls = append(r.out.Calls, Call{
					Name: named, At: at + 2 + strings.LastIndexAny(named, ".:"), Symbol: symbol,
				})
			}
		case r.Is(c, "identifier") && r.isCalled(c) && (callingAttributes.Has(name) || behind || r.behindEquals(at)):
			r.tokenCall(c, symbol)
		}
	}
}

// keyBefore returns the word before the "=" that ends before a byte. It reads the text because some
// keys are words of the language, and no nodes.
func (r *tree) keyBefore(at int) string {
	before := bytes.TrimRight(r.Source[max(0, at-lang.NameBytes):at], " \t\r\n=")
	i := bytes.LastIndexFunc(before, func(c rune) bool { return c >= 0x80 || !isNamePart(byte(c)) })
	return string(before[i+1:])
}

// behindEquals reports whether the path that ends with the name at a byte follows "=".
func (r *tree) behindEquals(at int) bool {
	from := pathStart(r.Source, max(0, at-lang.NameBytes), at)
	return bytes.HasSuffix(bytes.TrimRight(r.Source[:from], " \t\r\n"), []byte("="))
}

// tokensBefore returns the last name of an attribute.
func (r *tree) tokensBefore(attribute int) string {
	name := r.Text(r.FirstChild(attribute, "identifier", "scoped_identifier"))
	return name[strings.LastIndexByte(name, ':')+1:]
}
