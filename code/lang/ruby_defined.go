package lang

import (
	"bytes"
	"slices"
	"strings"

	"patina/internal/lazyregexp"
)

// rubyMakers maps the calls that define methods to the arguments with their names: the first, the
// second, all, or all but the first.
var rubyMakers = map[string]string{
	"attr_accessor": "all", "attr_reader": "all", "attr_writer": "all", "attr": "all", "delegate": "all",
	"class_attribute": "all", "mattr_accessor": "all", "mattr_reader": "all", "mattr_writer": "all",
	"cattr_accessor": "all", "cattr_reader": "all", "cattr_writer": "all", "thread_mattr_accessor": "all",
	"thread_cattr_accessor": "all", "internal_attr_accessor": "all", "memoize": "all",
	"alias_attribute": "first", "define_method": "first", "define_singleton_method": "first",
	"alias_method": "first", "scope": "first", "attribute": "first", "has_many": "first", "has_one": "first",
	"belongs_to": "first", "has_and_belongs_to_many": "first", "embeds_many": "first", "embeds_one": "first",
	"has_one_attached": "first", "has_many_attached": "first", "has_rich_text": "first", "enum": "first",
	"def_delegators": "rest", "store_accessor": "rest", "def_instance_delegators": "rest",
	"def_delegator": "second", "def_instance_delegator": "second",
}

// A call that defines methods, and one whose block is the method.
var (
	rubyNamed  = &Rule{Is: Function, Names: rubyNames, Flat: true}
	rubyMethod = &Rule{Is: Function, Names: rubyNames}
)

// rubyDefined returns the rule of a call that defines methods of the class around it, or nil for
// any other call.
func rubyDefined(t *Tree, n int) *Rule {
	name := t.Child(n, "method")
	if name < 0 {
		return nil
	}
	called := t.Text(name)
	switch receiver := t.Child(n, "receiver"); {
	case receiver >= 0 &&
		(called == "new" && t.Text(receiver) == "Struct" || called == "define" && t.Text(receiver) == "Data"):
		if !t.Is(t.Parent(n), "assignment", "superclass") || t.Is(t.Parent(n), "assignment") &&
			!t.Is(t.Child(t.Parent(n), "left"), "constant") {
			return nil
		}
		return rubyNamed
	case receiver >= 0 && !t.Is(receiver, "self"), rubyMakers[called] == "", !insideClass(t, n):
		return nil
	case len(rubyNames(t, n)) == 0:
		return nil
	case called == "define_method" || called == "define_singleton_method":
		return rubyMethod
	}
	return rubyNamed
}

// insideClass reports whether a node is in the body of a class or module of Ruby, and in no method.
func insideClass(t *Tree, n int) bool {
	for p := t.Parent(n); p >= 0; p = t.Parent(p) {
		switch t.Kind(p) {
		case "class", "module", "singleton_class":
			return true
		case "method", "singleton_method", "lambda":
			return false
		}
	}
	return false
}

// rubyNames returns the names that a call defines.
func rubyNames(t *Tree, n int) (list []Found) {
	called := t.Text(t.Child(n, "method"))
	which := rubyMakers[called]
	i := -1
	for c := range t.Children(t.Child(n, "arguments")) {
		i++
		at := c
		if called == "enum" && t.Is(c, "pair") { // enum status: [...]
			at = t.Child(c, "key")
		}
		if !t.Is(at, "simple_symbol", "string", "delimited_symbol", "hash_key_symbol") {
			if which == "first" || which == "all" && !t.Is(c, "pair") {
				break
			}
			continue
		}
		name := strings.Trim(t.Text(at), `:"'`)
		switch {
		case which == "rest" && i == 0, which == "second" && i != 1, which == "first" && i > 0:
			continue
		case called == "attr_writer":
			name += "="
		}
		if rubyName().MatchString(name) {
			list = append(list, Found{Node: at, Name: name})
		}
	}
	return list
}

var rubyName = lazyregexp.New(`^[\pL_][\pL\pN_]*[!?=]?$`)

// rubyAlias names the new name of a method.
func rubyAlias(t *Tree, n int) []Found {
	if name := t.Child(n, "name"); t.Is(name, "identifier", "constant", "setter", "operator", "simple_symbol") {
		return []Found{{Node: name, Name: strings.TrimPrefix(t.Text(name), ":")}}
	}
	return nil
}

// heredoc is the beginning of a heredoc that may be indented.
var (
	heredoc     = lazyregexp.New("<<[~-][\"'`]?([A-Za-z_]\\w*)[\"'`]?")
	heredocName = lazyregexp.New(`^[A-Za-z_]\w*$`)
)

// withoutInnerHeredocs blanks heredocs that begin inside another one, because the grammar looks for
// the end of the inner one in the text after the outer.
func withoutInnerHeredocs(text []byte) []byte {
	if bytes.Count(text, []byte("<<~"))+bytes.Count(text, []byte("<<-")) < 2 {
		return text
	}
	clean, ends := text, wordLines(text)
	var outer, inner []string // names of the open ones, in their order
	at := 0
	for line := range bytes.Lines(text) {
		start := at
		at += len(line)
		word := string(bytes.TrimSpace(line))
		switch {
		case len(inner) > 0:
			blankLines(clean[start:at])
			if word == inner[0] {
				inner = inner[1:]
			}
		case len(outer) > 0 && word == outer[0]:
			outer = outer[1:]
		default:
			inside := len(outer) > 0
			for _, m := range heredoc().FindAllSubmatchIndex(line, -1) {
				name := string(line[m[2]:m[3]])
				end := nextPlace(ends[name], at)
				switch {
				case end < 0:
				case !inside:
					outer = append(outer, name)
				case end < nextPlace(ends[outer[0]], at):
					clean = ownCopy(text, clean)
					Blank(clean[start+m[0] : start+m[1]])
					copy(clean[start+m[0]:], `""`)
					inner = append(inner, name)
				}
			}
		}
	}
	return clean
}

// wordLines returns the places of the lines that are a single word, by that word.
func wordLines(text []byte) map[string][]int {
	lines, at := map[string][]int{}, 0
	for line := range bytes.Lines(text) {
		if word := bytes.TrimSpace(line); len(word) > 0 && len(word) < 100 && heredocName().Match(word) {
			lines[string(word)] = append(lines[string(word)], at)
		}
		at += len(line)
	}
	return lines
}

// nextPlace returns the first of some places that is not before a given one, or -1. places must be
// sorted.
func nextPlace(places []int, from int) int {
	if i, _ := slices.BinarySearch(places, from); i < len(places) {
		return places[i]
	}
	return -1
}
