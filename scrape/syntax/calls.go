package syntax

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"patina/internal/lazyregexp"
	"patina/store"
	"patina/store/text"
)

// importName returns an imported name without its quotes. The brackets of C stay: a header between
// them is not looked for beside the file.
func importName(written string) string {
	return strings.TrimSpace(strings.Trim(strings.TrimSpace(written), "\"'`"))
}

func (r *reader) imports(name string) {
	name = importName(name)
	if name != "" && !r.imported[name] {
		r.imported[name] = true
		r.out.Imports = append(r.out.Imports, name)
	}
}

// bind enters names that an import brings, and the import itself where it is not known yet.
func (r *reader) bind(list []store.Binding) {
	for _, b := range list {
		b.Import = importName(b.Import)
		if b.Name == "" || b.Name == "_" || b.Import == "" && b.Of == "" || max(len(b.Name), len(b.Of)) > NameBytes || r.bound[b] {
			continue
		}
		r.bound[b] = true
		r.imports(b.Import)
		r.out.Bindings = append(r.out.Bindings, b)
	}
}

func (r *reader) call(n int, u *rule) {
	name := r.called(n, u)
	if r.importers[name] {
		if arg := r.firstArgument(n); arg >= 0 && strings.Contains(r.kind(arg), "string") || r.is(arg, "word") {
			r.imports(r.textOf(arg))
			return
		}
	}
	if name == "" || len(name) > NameBytes || r.predeclared[name] {
		return
	}
	r.out.Calls = append(r.out.Calls, Call{Name: name, At: r.nameAt(n, name), Symbol: r.around().symbol})
	if u.receiver != nil && strings.HasPrefix(name, "_.") {
		r.enterTyped(name, or(u.receiver(r.tree, n), store.AnyType), n)
	} else if valued[r.lang] && strings.HasPrefix(name, "_.") {
		r.enterTyped(name, r.valueType(r.object(n, u)), n)
	}
}

// nameAt is where the last part of the name of a call stands: in a chain over several lines that is
// not where the call begins. It stands before the arguments.
func (t *tree) nameAt(n int, name string) int {
	start, end := int(t.nodes[n].start), int(t.nodes[n].end)
	for c := range t.children(n) {
		if t.field(c) == "arguments" || t.is(c, "call_suffix", "constructor_suffix", "value_arguments", "annotated_lambda") {
			end = int(t.nodes[c].start)
			break
		}
	}
	last := name[strings.LastIndexAny(name, ".:>\\/?!")+1:]
	return start + max(0, bytes.LastIndex(t.text[start:end], []byte(last)))
}

// macroCall is a call in the body of a macro: a name, or names with dots and arrows between them,
// before a parenthesis.
var macroCall = lazyregexp.New(`([A-Za-z_][A-Za-z0-9_]*(?:(?:\.|->|::)[A-Za-z_][A-Za-z0-9_]*)*)[ \t]*\(`)

// literals are the strings and characters of C, in which nothing is called.
var literals = lazyregexp.New(`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`)

// noCalls are words of C and C++ that stand before parentheses.
var noCalls = text.Set(`if while for switch return sizeof defined catch alignof _Alignof alignas
	typeof __typeof__ decltype do else case __attribute__ __declspec __asm__ asm`)

// callsIn reads the calls in the body of a macro, which the grammar leaves as it is written.
func (r *reader) callsIn(n int) {
	body := r.extentOf(n)
	for _, at := range literals().FindAllIndex(body, -1) {
		if &body[0] == &r.text[r.nodes[n].start] {
			body = bytes.Clone(body)
		}
		blankOut(body[at[0]:at[1]])
	}
	for _, at := range macroCall().FindAllSubmatchIndex(body, -1) {
		name := string(body[at[2]:at[3]])
		if noCalls[name] || r.predeclared[name] || len(name) > NameBytes {
			continue
		}
		name = memberOf(body[:at[0]], name)
		r.out.Calls = append(r.out.Calls, Call{Name: name, At: int(r.nodes[n].start) + at[2], Symbol: r.around().symbol})
	}
}

// memberOf marks a name in a macro that stands behind an expression: "f" of "(x)->f" is "_.f".
func memberOf(before []byte, name string) string {
	if bytes.HasSuffix(before, []byte("->")) || bytes.HasSuffix(before, []byte(".")) {
		return "_." + name
	}
	return name
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

// called returns the name of the function that a call calls.
func (r *reader) called(n int, u *rule) string {
	if u.calls != nil {
		return u.calls(r.tree, n)
	}
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
		return r.textOf(object) + u.dot + name
	case u.dot != "":
		if made := r.madeType(r.unwrapped(object)); made != "" {
			return made + u.dot + name
		}
	}
	return "_." + name
}

func (t *tree) extentOf(n int) []byte { return t.text[t.nodes[n].start:t.nodes[n].end] }

// callee returns the name of a called function. A name or a path of names is as written; of other
// expressions the last name counts. It loops, because calls nest as deep as the text is long.
func (r *reader) callee(f int) string {
	before := ""
	for f >= 0 {
		text := r.extentOf(f)
		if r.lang == "Rust" && bytes.Contains(text, []byte("r#")) { // a word of the language
			text = bytes.ReplaceAll(text, []byte("r#"), nil)
		}
		if isPath(text) {
			return before + strings.TrimLeft(string(text), ".")
		}
		if made := r.madeObject(f); made != "" {
			return made + "." + r.textOf(r.child(f, "property"))
		}
		if scope := r.child(f, "scope"); scope >= 0 && before != "_." && r.is(f, "qualified_identifier") && isPath(r.extentOf(scope)) {
			if before += r.textOf(scope) + "::"; len(before) > NameBytes { // a::b<T>
				return ""
			}
			f = r.child(f, "name")
			continue
		}
		// Vec::<T>::new is Vec::new.
		if path := r.child(f, "path"); before == "" && r.is(f, "scoped_identifier") && r.is(path, "generic_type") {
			if of := r.child(path, "type"); isPath(r.extentOf(of)) {
				return r.textOf(of) + "::" + r.textOf(r.child(f, "name"))
			}
		}
		next := -1
		for c := range r.children(f) {
			switch r.field(c) {
			case "property", "attribute", "field", "name": // a.b().c: only the last name is known
				if !r.is(f, "generic_name", "generic_type", "template_function", "template_method", "template_type") && !strings.HasSuffix(before, "::") {
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
		if next < 0 && r.is(f, "generic_name", "generic_type", "parenthesized_expression") {
			next = f + 1
			if next >= int(r.nodes[f].next) {
				return ""
			}
		}
		f = next
	}
	return ""
}

// isPath reports whether a text is a name, or names with dots, colons, arrows or backslashes
// between them.
func isPath(text []byte) bool {
	if len(text) == 0 || len(text) > NameBytes {
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

// madeObject is the type of T in "new T().f" of JavaScript, "" of anything else.
func (t *tree) madeObject(n int) string {
	if !t.is(n, "member_expression") {
		return ""
	}
	return t.madeType(t.unwrapped(t.child(n, "object")))
}

// unwrapped is what stands in parentheses, or the node.
func (t *tree) unwrapped(n int) int {
	for range 3 {
		if !t.is(n, "parenthesized_expression") {
			break
		}
		n = t.firstChild(n, "object_creation_expression", "new_expression", "parenthesized_expression")
	}
	return n
}
