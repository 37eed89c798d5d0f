package xref

import (
	"slices"
	"strings"

	"patina/code/lang"
	"patina/store/doc"
)

// maxValues bounds the chained values that are followed for one receiver.
const maxValues = 4

// valued replaces the value of a variable by its type: "f()" by the result of f, "=a.b" by the type
// of a.b. It returns doc.AnyType if the value is from outside the view, or not followed in a family
// with strict types, and "" if the type is unknown.
func (s *Scope) valued(c doc.Call, n typeName) typeName {
	unknown := typeName{file: ownFile}
	if s.rules.StrictTypes {
		unknown.name = doc.AnyType
	}
	of, isName := strings.CutPrefix(n.name, "=")
	f, result, isCall := strings.Cut(n.name, "()")
	switch {
	case !isName && !isCall:
		return n
	case n.file != ownFile || s.depth >= maxValues:
		return unknown
	}
	s.depth++
	defer func() { s.depth-- }()
	if isName {
		if n := s.typeOf(c, of); n.name != "" {
			return n
		}
		return typeName{file: ownFile}
	}
	if n := s.resultOf(doc.Call{Caller: c.Caller, Name: f, Line: c.Line}, result); n.name != "" {
		return n
	}
	return unknown
}

// resultOf returns the result type of the function that a call means, from its signature.
func (s *Scope) resultOf(c doc.Call, result string) typeName {
	if s.named == nil {
		return typeName{file: ownFile}
	}
	edges := s.Resolve(c, s.named(s.Unalias(c.Name)))
	switch {
	case len(edges) == 0:
		return typeName{ownFile, doc.AnyType}
	case !edges[0].Certain:
		return typeName{file: ownFile}
	}
	d := edges[0].Definition
	file, ok := s.fileOf(d)
	if !ok {
		return typeName{file: ownFile}
	}
	if d.Entry.Sort == doc.Type {
		return typeName{file, d.name}
	}
	name := resultType(d, result)
	if name == "Self" || name == "self" || name == "static" || name == "this" {
		name = d.owner
	}
	return typeName{file, name}
}

// wrappers are types that are replaced by the type in their brackets.
var wrappers = []string{
	"Promise", "Task", "ValueTask", "Awaitable", "Optional", "Coroutine", "unique_ptr", "shared_ptr",
}

// resultType returns the result type in the signature of a function, or "". result is the number of
// the result in Go, "" for the first.
func resultType(d *Definition, result string) string {
	head := d.Entry.Title
	at := strings.Index(head, d.name+"(")
	if at < 0 {
		if at = strings.Index(head, d.name); at < 0 {
			return ""
		}
	}
	if d.rules.Results == lang.ResultLast && strings.HasPrefix(head, "func (") {
		// A receiver may have the same name.
		if i := strings.Index(head, ") "+d.name+"("); i >= 0 {
			at = i + 2
		}
	}
	before, behind := head[:at], head[at+len(d.name):]
	switch d.rules.Results {
	case lang.ResultFirst:
		if _, trailing, ok := strings.Cut(behind, "->"); ok && d.rules.Modules == lang.HeaderIncludes {
			return plainType(trailing)
		}
		before = strings.TrimRight(before, " *&:~")
		before = strings.TrimRight(strings.TrimSuffix(before, d.owner), " *&:")
		words := strings.Fields(withoutSpaces(before))
		if len(words) == 0 {
			return ""
		}
		return plainType(words[len(words)-1])
	}
	lists := 100
	if d.rules.Results == lang.ResultLast {
		lists = 1
		if strings.HasPrefix(behind, "[") {
			lists = 2
		}
	}
	rest := behindParameters(behind, lists)
	switch d.rules.Results {
	case lang.ResultLast:
		return goResult(rest, result)
	case lang.ResultAfterArrow:
		_, typ, ok := strings.Cut(rest, "->")
		if !ok {
			return ""
		}
		return plainType(typ)
	}
	typ, ok := strings.CutPrefix(strings.TrimSpace(rest), ":")
	if !ok {
		return ""
	}
	return plainType(typ)
}

// withoutSpaces removes blanks between angle brackets, so that Map<A, B> is one word.
func withoutSpaces(head string) string {
	var b strings.Builder
	depth := 0
	for _, c := range head {
		switch c {
		case '<':
			depth++
		case '>':
			depth--
		case ' ':
			if depth > 0 {
				continue
			}
		}
		b.WriteRune(c)
	}
	return b.String()
}

// behindParameters returns the rest of a signature after at most lists parameter lists.
func behindParameters(s string, lists int) string {
	for range lists {
		s = strings.TrimLeft(s, " ")
		if s == "" || !strings.ContainsRune("([<", rune(s[0])) {
			return s
		}
		depth, end := 0, -1
		for i, c := range s {
			switch c {
			case '(', '[', '{', '<':
				depth++
			case ')', ']', '}':
				depth--
			case '>':
				if i > 0 && s[i-1] != '=' && s[i-1] != '-' {
					depth--
				}
			}
			if depth == 0 {
				end = i + 1
				break
			}
		}
		if end < 0 { // the signature is incomplete
			return ""
		}
		s = s[end:]
	}
	return s
}

// goResult returns one of the results of a Go function.
func goResult(rest, result string) string {
	list, several := strings.CutPrefix(strings.TrimSpace(rest), "(")
	if !several {
		if result != "" {
			return ""
		}
		return plainType(rest)
	}
	n := 0
	for _, digit := range result {
		n = 10*n + int(digit-'0')
	}
	parts := strings.Split(strings.TrimSuffix(list, ")"), ",")
	if n >= len(parts) {
		return ""
	}
	words := strings.Fields(parts[n])
	if len(words) == 0 {
		return ""
	}
	return plainType(words[len(words)-1])
}

// plainType returns the name of a type without pointers, parameters and wrappers. It returns
// doc.AnyType for a type without a name.
func plainType(written string) string {
	t := strings.Trim(strings.TrimSpace(written), `"'`)
	for _, w := range wrappers {
		for _, open := range []string{"<", "["} {
			if i := strings.Index(t, w+open); i == 0 || i > 0 && strings.HasSuffix(t[:i], "::") {
				t = strings.TrimSpace(t[i+len(w)+1:])
				t = strings.TrimRight(strings.TrimRight(t, " {"), ">]")
			}
		}
	}
	t = strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(t, "| None"), "| null"))
	t = strings.TrimLeft(strings.TrimPrefix(t, "const "), "*&?")
	isList := strings.HasPrefix(t, "[") || strings.HasSuffix(t, "[]") || strings.HasPrefix(t, "map[")
	if isList || strings.ContainsAny(t, "|(") {
		return doc.AnyType
	}
	if i := strings.IndexAny(t, "<[ {=,"); i >= 0 {
		t = t[:i]
	}
	t = strings.TrimRight(t, "*&?!:;")
	isOther := func(r rune) bool { return !isWord(r) && r != '.' && r != ':' && r != '\\' }
	if t == "" || slices.ContainsFunc([]rune(t), isOther) {
		return ""
	}
	return t
}
