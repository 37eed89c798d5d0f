package lang

import (
	"patina/store/text"
)

func addRuby(register func(*Language)) {
	register(&Language{
		Name: "Ruby", Code: true,
		Files:        ".rb .rake .gemspec .ru gemfile rakefile podfile vagrantfile brewfile fastfile",
		Interpreters: "ruby", Comments: Comments{Lines: []string{"#"}, Blocks: [][2]string{{"=begin", "=end"}}},
		TestLines: []string{"describe ", "RSpec.describe", "it '", "it \"", "def test_", "test \""},
		Ecosystem: "RubyGems",
		Grammar: &Grammar{
			Recovers: true, KeepsFields: true,
			Prepare: withoutInnerHeredocs,
			Rules: map[string]Rule{
				"method singleton_method": {Is: Function},
				"class module":            {Is: Type, Names: constantPath},
				"assignment":              {Is: Constant, Names: assignedConstant},
				"alias":                   {Is: Function, Names: rubyAlias, Flat: true},
				"lambda":                  {Is: Closure},
				"comment":                 {Is: Comment},
				"call":                    {Is: Call, Name: "method", Object: "receiver", Dot: ".", By: rubyDefined},
			},
			Others: []Rule{*rubyNamed, *rubyMethod},
			Typed:  map[string]Typing{"assignment operator_assignment": {All: isAssigned}},
			Predeclared: text.Set(`puts print raise attr_reader attr_writer attr_accessor private public
				protected lambda proc`),
			Importers:    text.Set("require require_relative load"),
			TypesByValue: true, Maker: "new",
		},
		Scope: Scope{
			Modules: LoadPaths, ImplicitThis: true,
			DeclaredTypes: true, LocatesTypes: true, ReopensTypes: true, BasesAfterLess: true,
			CapitalsAreTypes: true, Constructors: []string{"initialize"},
		},
	})
}

// constantPath names a class by its last part: module A::B is B.
func constantPath(t *Tree, n int) []Found {
	return []Found{{Node: t.bareType(t.Child(n, "name"))}}
}

func assignedConstant(t *Tree, n int) []Found {
	left, right := t.Child(n, "left"), t.Child(n, "right")
	if !t.Is(left, "constant") {
		return nil
	}
	f := Found{Node: left}
	if name := t.Text(t.Child(right, "receiver")); (name == "Struct" || name == "Class" || name == "Data") &&
		t.Is(right, "call") {
		f.Sort = "type" // Point = Struct.new(:x, :y)
	}
	return []Found{f}
}
