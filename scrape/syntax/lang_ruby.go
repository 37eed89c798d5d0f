package syntax

import (
	ruby "github.com/tree-sitter/tree-sitter-ruby/bindings/go"

	"patina/store/text"
)

func init() {
	grammars["Ruby"] = &grammar{
		language: ruby.Language,
		prepare:  withoutInnerHeredocs,
		rules: map[string]rule{
			"method singleton_method": {is: function},
			"class module":            {is: typ, names: constantPath},
			"assignment":              {is: constant, names: assignedConstant},
			"alias":                   {is: function, names: rubyAlias, flat: true},
			"lambda":                  {is: closure},
			"comment":                 {is: comment},
			"call":                    {is: call, name: "method", object: "receiver", dot: ".", by: rubyDefined},
		},
		others:      []rule{*rubyNamed, *rubyMethod},
		typed:       map[string]typing{"assignment operator_assignment": {all: isAssigned}},
		predeclared: text.Set("puts print raise attr_reader attr_writer attr_accessor private public protected lambda proc"),
		importers:   text.Set("require require_relative load"),
	}
}

// constantPath names a class by the last part: module A::B is B.
func constantPath(t *tree, n int) []found {
	return []found{{node: t.bareType(t.child(n, "name"))}}
}

func assignedConstant(t *tree, n int) []found {
	left, right := t.child(n, "left"), t.child(n, "right")
	if !t.is(left, "constant") {
		return nil
	}
	f := found{node: left}
	if name := t.textOf(t.child(right, "receiver")); (name == "Struct" || name == "Class" || name == "Data") && t.is(right, "call") {
		f.sort = "type" // Point = Struct.new(:x, :y)
	}
	return []found{f}
}
