package syntax

import (
	"bytes"
	"strings"

	"patina/code/lang"
	"patina/internal/lazyregexp"
	"patina/store/doc"
	"patina/store/text"
)

// importName returns an imported name without its quotes. The brackets of C stay, because a header
// in brackets is not looked for next to the file.
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

// Bind adds names that an import binds, and the import itself if it is not known yet. It skips
// names that are empty, "_" or longer than lang.NameBytes.
func (r *reader) Bind(list []doc.Binding) {
	for _, b := range list {
		b.Import = importName(b.Import)
		if b.Name == "" || b.Name == "_" || b.Import == "" && b.Of == "" ||
			max(len(b.Name), len(b.Of)) > lang.NameBytes || r.bound[b] {
			continue
		}
		r.bound[b] = true
		r.imports(b.Import)
		r.out.Bindings = append(r.out.Bindings, b)
	}
}

func (r *reader) call(n int, u *lang.Rule) {
	name := r.called(n, u)
	if r.Importers.Has(name) {
		if arg := r.firstArgument(n); arg >= 0 && strings.Contains(r.Kind(arg), "string") || r.Is(arg, "word") {
			r.imports(r.Text(arg))
			return
		}
	}
	if name == "" || len(name) > lang.NameBytes || r.Predeclared.Has(name) {
		return
	}
	r.out.Calls = append(r.out.Calls, Call{Name: name, At: r.nameAt(n, name), Symbol: r.around().symbol})
	if u.Receiver != nil && strings.HasPrefix(name, "_.") {
		r.Enter(name, or(u.Receiver(&r.Tree, n), doc.AnyType), n)
	} else if r.TypesByValue && strings.HasPrefix(name, "_.") {
		r.Enter(name, r.ValueType(r.object(n, u)), n)
	}
}

// nameAt returns the place of the last part of the name of a call, which must be before the
// arguments. In a chain over several lines it is not where the call begins.
func (t *tree) nameAt(n int, name string) int {
	start, end := t.Start(n), t.End(n)
	for c := range t.Children(n) {
		if t.Field(c) == "arguments" || t.Is(c, "call_suffix", "constructor_suffix", "value_arguments",
			"annotated_lambda") {
			end = t.Start(c)
			break
		}
	}
	last := name[strings.LastIndexAny(name, ".:>\\/?!")+1:]
	return start + max(0, bytes.LastIndex(t.Source[start:end], []byte(last)))
}

// macroCall is a call in the body of a macro: a name, or names joined by dots and arrows, before a
// parenthesis.
var macroCall = lazyregexp.New(`([A-Za-z_][A-Za-z0-9_]*(?:(?:\.|->|::)[A-Za-z_][A-Za-z0-9_]*)*)[ \t]*\(`)

// literals are the strings and characters of C. They contain no calls.
var literals = lazyregexp.New(`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`)

// noCalls are words of C and C++ that come before parentheses and are not called.
var noCalls = text.Set(`if while for switch return sizeof defined catch alignof _Alignof alignas
	typeof __typeof__ decltype do else case __attribute__ __declspec __asm__ asm`)

// callsIn reads the calls in the body of a macro, which the grammar does not parse.
func (r *reader) callsIn(n int) {
	body := r.Bytes(n)
	for _, at := range literals().FindAllIndex(body, -1) {
		if &body[0] == &r.Source[r.Start(n)] {
			body = bytes.Clone(body)
		}
		lang.Blank(body[at[0]:at[1]])
	}
	for _, at := range macroCall().FindAllSubmatchIndex(body, -1) {
		name := string(body[at[2]:at[3]])
		if noCalls.Has(name) || r.Predeclared.Has(name) || len(name) > lang.NameBytes {
			continue
		}
		name = memberOf(body[:at[0]], name)
		r.out.Calls = append(r.out.Calls, Call{Name: name, At: r.Start(n) + at[2], Symbol: r.around().symbol})
	}
}

// memberOf marks a name in a macro that follows an expression: "f" of "(x)->f" is "_.f".
func memberOf(before []byte, name string) string {
	if bytes.HasSuffix(before, []byte("->")) || bytes.HasSuffix(before, []byte(".")) {
		return "_." + name
	}
	return name
}

func (r *tree) firstArgument(n int) int {
	for _, field := range []string{"argument", "arguments"} {
		a := r.Child(n, field)
		if a >= 0 && field == "arguments" {
			for c := range r.Children(a) {
				if r.Is(c, "argument") { // PHP and C# wrap them
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

// called returns the name of the function that a call calls, or "".
func (r *reader) called(n int, u *lang.Rule) string {
	if u.Calls != nil {
		return u.Calls(&r.Tree, n)
	}
	f := r.Child(n, or(u.Name, "function"))
	if f < 0 {
		return ""
	}
	if u.Object == "" {
		return r.callee(f)
	}
	name := r.callee(f)
	object := r.Child(n, u.Object)
	switch {
	case name == "" || object < 0:
		return name
	case lang.IsPath(r.Bytes(object)):
		return r.Text(object) + u.Dot + name
	case u.Dot != "":
		if made := r.madeType(r.unwrapped(object)); made != "" {
			return made + u.Dot + name
		}
	}
	return "_." + name
}

// callee returns the name of a called function. A name or a path of names is returned as written;
// of other expressions only the last name is. It loops and does not recurse, because calls nest as
// deep as the text is long.
func (r *reader) callee(f int) string {
	before := ""
	for f >= 0 {
		text := r.Bytes(f)
		if raw := r.RawPrefix; raw != "" && bytes.Contains(text, []byte(raw)) {
			text = bytes.ReplaceAll(text, []byte(raw), nil)
		}
		if lang.IsPath(text) {
			return before + strings.TrimLeft(string(text), ".")
		}
		if made := r.madeObject(f); made != "" {
			return made + "." + r.Text(r.Child(f, "property"))
		}
		if scope := r.Child(f, "scope"); scope >= 0 && before != "_." && r.Is(f, "qualified_identifier") &&
			lang.IsPath(r.Bytes(scope)) {
			if before += r.Text(scope) + "::"; len(before) > lang.NameBytes { // a::b<T>
				return ""
			}
			f = r.Child(f, "name")
			continue
		}
		// Vec::<T>::new is Vec::new.
		if path := r.Child(f, "path"); before == "" && r.Is(f, "scoped_identifier") && r.Is(path, "generic_type") {
			if of := r.Child(path, "type"); lang.IsPath(r.Bytes(of)) {
				return r.Text(of) + "::" + r.Text(r.Child(f, "name"))
			}
		}
		next := -1
		for c := range r.Children(f) {
			switch r.Field(c) {
			case "property", "attribute", "field", "name": // a.b().c: only the last name is known
				if !r.Is(f, "generic_name", "generic_type", "template_function", "template_method", "template_type") &&
					!strings.HasSuffix(before, "::") {
					before = "_."
				}
				next = c
			case "function", "type": // f::<T>
				if r.Is(f, "generic_function", "generic_type", "instantiation_expression") {
					next = c
				}
			}
		}
		if r.Is(f, "conditional_access_expression") { // a?.b
			before = "_."
			for c := range r.Children(f) {
				next = c
			}
		}
		if next < 0 && r.Is(f, "generic_name", "generic_type", "parenthesized_expression") {
			next = f + 1
			if next >= r.Next(f) {
				return ""
			}
		}
		f = next
	}
	return ""
}

// madeObject returns the type of T in "new T().f" of JavaScript, or "" for any other node.
func (t *tree) madeObject(n int) string {
	if !t.Is(n, "member_expression") {
		return ""
	}
	return t.madeType(t.unwrapped(t.Child(n, "object")))
}

// unwrapped returns the node inside up to three parentheses if it makes an object, else -1. A node
// without parentheses is returned as it is.
func (t *tree) unwrapped(n int) int {
	for range 3 {
		if !t.Is(n, "parenthesized_expression") {
			break
		}
		n = t.FirstChild(n, "object_creation_expression", "new_expression", "parenthesized_expression")
	}
	return n
}
