package syntax

import (
	"bytes"
	"strings"

	kotlin "github.com/tree-sitter-grammars/tree-sitter-kotlin/bindings/go"

	"patina/internal/lazyregexp"
	"patina/store"
	"patina/store/text"
)

func init() {
	grammars["Kotlin"] = &grammar{
		language: kotlin.Language,
		prepare:  withoutGuards,
		rules: map[string]rule{
			"function_declaration":                 {is: function, names: kotlinFunction, body: "function_body"},
			"secondary_constructor":                {is: function, names: kotlinConstructor, body: "block"},
			"class_declaration object_declaration": {is: typ, ends: kotlinHead},
			"type_alias":                           {is: typ, name: "type", flat: true},
			"property_declaration":                 {is: variable, names: kotlinProperty},
			"variable_declaration class_parameter": {is: member, names: kotlinMember},
			"enum_entry":                           {is: member, names: firstIdentifier},
			"anonymous_initializer anonymous_function lambda_literal": {is: closure},
			"annotation":                             {is: attribute, closed: true},
			"line_comment block_comment":             {is: comment},
			"call_expression constructor_invocation": {is: call, calls: kotlinCalled},
			"package_header":                         {binds: kotlinPackage},
			"import":                                 {is: imports, names: kotlinImported, binds: kotlinBinding},
		},
		typed: map[string]typing{
			"parameter class_parameter property_declaration catch_block": {all: kotlinTyped},
		},
		predeclared: text.Set(`println print listOf mapOf setOf mutableListOf mutableMapOf arrayOf emptyList require check error
			lazy let run apply also with TODO to`),
	}
}

// The grammar does not know the guard of a branch ("is A if b ->"), a lambda that is marked as
// suspending, context receivers above a declaration, and the marks of a string that takes a single
// dollar as it is. It takes get, set and where for keywords where they are names: between two
// operands, before arguments, before a dot or an assignment.
var guard = lazyregexp.New(`^\s*(?:is\s+[\w.<>?*, ]+|[\w."]+)\s(if)\s.*->|\b(suspend)\s*\{|^\s*(context\([^()]*\))|(\${2,})"|` +
	`[\w)}\]]\s+(get|set)\s+[\w"]|^\s*(get)\s*(?:\(\s*[^)\s]|\{)|^\s*(where)\s*(?:\?\.|\.\w|=[^=])`)

// The groups of guard: one that becomes a comma, and the first of those that stay names.
const (
	guardGroup = 2
	namesGroup = 10
)

// withoutGuards writes what the grammar does not know in a form that it knows, of the same length:
// a guard as a second condition, a name as another one, and nothing for the others. A function that
// ends a block of one line gets the new line that the grammar wants behind it, and a constructor on
// the line below its class has none before it.
func withoutGuards(text []byte) []byte {
	clean, start := text, 0
	head := false // whether the line before is the head of a class, and goes on
	for line := range bytes.Lines(text) {
		at := start
		start += len(line)
		found, ends := [][]int(nil), blockEnds(line)
		if mayGuard(line) {
			found = guard().FindAllSubmatchIndex(line, -1)
		}
		joins := head && bytes.Contains(line, []byte("constructor")) && classBelow().Match(line)
		head = bytes.Contains(line, []byte("class ")) && classHead().Match(line)
		if found == nil && ends == nil && !joins {
			continue
		}
		clean = ownCopy(text, clean)
		if joins {
			clean[at-1] = ' '
		}
		for _, i := range ends {
			clean[at+i] = '\n'
		}
		for _, groups := range found {
			rewriteMatch(clean[at:start], groups)
		}
	}
	return clean
}

// A class whose head ends with its name or its parameters, and a constructor on the line below.
var (
	classHead  = lazyregexp.New(`\bclass\s+\w+(?:\s*<[^{}()]*>)?\s*$`)
	classBelow = lazyregexp.New(`^\s*(?:(?:public|private|protected|internal|actual|expect)\s+|@\w+\s+)*constructor\s*\(`)
)

// rewriteMatch writes one match of guard.
func rewriteMatch(line []byte, groups []int) {
	for group := 2; group < len(groups); group += 2 {
		from := groups[group]
		switch {
		case from < 0:
		case group >= namesGroup:
			line[from] = '_'
		default:
			blankOut(line[from:groups[group+1]])
			if group == guardGroup {
				line[from] = ','
			}
		}
	}
}

// mayGuard is quicker than the expression, which fits few lines.
func mayGuard(line []byte) bool {
	for _, word := range [...]string{"suspend", "context(", " get ", " set ", " get(", "\tget(", " where", "\twhere", "$$"} {
		if bytes.Contains(line, []byte(word)) {
			return true
		}
	}
	return bytes.Contains(line, []byte(" if ")) && bytes.Contains(line, []byte("->"))
}

// blockEnds returns where blanks stand before a closing brace, on a line with a function and behind
// its last string.
func blockEnds(line []byte) (at []int) {
	if !bytes.Contains(line, []byte("fun ")) {
		return nil
	}
	for i := max(1, bytes.LastIndexByte(line, '"')+2); i < len(line); i++ {
		if line[i] == '}' && line[i-1] == ' ' {
			at = append(at, i-1)
		}
	}
	return at
}

// kotlinFunction names a function. One that extends a type, outside of classes, is its method.
func kotlinFunction(t *tree, n int) []found {
	f := found{node: t.child(n, "name")}
	if t.is(t.parent(n), "source_file") {
		f.scope = t.kotlinReceiver(n)
	}
	return []found{f}
}

// kotlinReceiver is the type that a function or a property extends, or "".
func (t *tree) kotlinReceiver(n int) string {
	for c := range t.children(n) {
		if t.field(c) == "name" || t.is(c, "variable_declaration") {
			return ""
		}
		if t.is(c, "nullable_type") {
			c = t.firstChild(c, "user_type")
		}
		if t.is(c, "user_type") {
			return t.textOf(t.firstChild(c, "identifier"))
		}
	}
	return ""
}

func kotlinConstructor(t *tree, n int) []found { return []found{{node: n, name: "constructor"}} }

// kotlinHead finds the end of the head of a class.
func kotlinHead(t *tree, n int) int {
	if b := t.firstChild(n, "class_body", "enum_class_body"); b >= 0 {
		return int(t.nodes[b].start)
	}
	return -1
}

// kotlinProperty names the properties of files and the constants of objects. Other ones are fields.
func kotlinProperty(t *tree, n int) []found {
	d := t.firstChild(n, "variable_declaration")
	f := found{node: t.firstChild(d, "identifier")}
	constant := strings.Contains(t.textOf(t.firstChild(n, "modifiers")), "const")
	top := t.is(t.parent(n), "source_file")
	switch {
	case constant || top && isUpper(t.textOf(f.node)):
		f.sort = store.Constant
	case !top:
		return nil
	}
	if top {
		f.scope = t.kotlinReceiver(n)
	}
	return []found{f}
}

// kotlinMember names a field: a property, or a parameter of the constructor.
func kotlinMember(t *tree, n int) []found {
	if t.is(n, "variable_declaration") && !t.is(t.parent(t.parent(n)), "class_body", "enum_class_body") {
		return nil
	}
	return firstIdentifier(t, n)
}

func firstIdentifier(t *tree, n int) []found { return []found{{node: t.firstChild(n, "identifier")}} }

// kotlinCalled returns what is called: f, a.f, A of its constructor, and _.f of what is no name.
func kotlinCalled(t *tree, n int) string {
	f := n + 1
	if t.parent(f) != n {
		return ""
	}
	if t.is(f, "user_type") {
		f = t.firstChild(f, "identifier")
	}
	if text := t.extentOf(f); isPath(text) {
		return strings.ReplaceAll(string(text), "?", "")
	}
	if !t.is(f, "navigation_expression") {
		return ""
	}
	last := -1
	for c := range t.children(f) {
		last = c
	}
	if !t.is(last, "identifier") {
		return ""
	}
	return "_." + t.textOf(last)
}

// kotlinPackage is the package that the file declares.
func kotlinPackage(t *tree, n int) []store.Binding {
	return []store.Binding{{Name: store.PackageName, Of: t.textOf(t.firstChild(n, "qualified_identifier"))}}
}

// kotlinImported is the name in an import: a.B, a.*.
func kotlinImported(t *tree, n int) []found {
	q := t.firstChild(n, "qualified_identifier", "identifier")
	name := t.textOf(q)
	if strings.HasSuffix(strings.TrimSpace(t.textOf(n)), "*") {
		name += ".*"
	}
	return []found{{node: q, name: name}}
}

// kotlinBinding is the last name of an import, or its alias.
func kotlinBinding(t *tree, n int) []store.Binding {
	target := kotlinImported(t, n)[0].name
	alias := ""
	for c := range t.children(n) {
		if t.is(c, "identifier") && t.firstChild(n, "qualified_identifier") >= 0 {
			alias = t.textOf(c)
		}
	}
	b := store.Binding{Name: or(alias, target[strings.LastIndexByte(target, '.')+1:]), Import: target}
	if b.Name == store.AllNames {
		b.Of = store.AllNames
	}
	return []store.Binding{b}
}

// kotlinTyped enters a parameter or a property with its type, or with that of its value.
func kotlinTyped(r *reader, n int) {
	d := n
	if r.is(n, "property_declaration") {
		d = r.firstChild(n, "variable_declaration")
	}
	name, typ := r.firstChild(d, "identifier"), ""
	for c := range r.children(d) {
		if name >= 0 && c > name && !r.is(c, "block") {
			typ = or(typeName(r.textOf(c)), store.AnyType)
			break
		}
	}
	if typ == "" && d != n {
		for c := range r.children(n) {
			if c > d && !r.is(c, "property_delegate", "getter", "setter", "type_constraints") {
				typ = r.valueType(c)
				break
			}
		}
	}
	if name >= 0 {
		r.enterTyped(r.textOf(name), typ, name)
	}
}
