package syntax

import (
	bash "github.com/tree-sitter/tree-sitter-bash/bindings/go"

	"patina/store/text"
)

func init() {
	grammars["Shell"] = &grammar{
		language: bash.Language,
		rules: map[string]rule{
			"function_definition": {is: function},
			"variable_assignment": {is: variable, when: standsAlone},
			"declaration_command": {is: wrapper},
			"comment":             {is: comment},
			"command":             {is: call, name: "name"},
		},
		predeclared: text.Set(`echo printf cd test true false return exit local export read set unset shift eval exec trap wait kill type command
			builtin cat grep sed awk tr cut sort head tail rm mkdir mv cp ls chmod touch [ [[ :`),
		importers: text.Set("source ."),
	}
}

// standsAlone reports whether an assignment is a statement of the file, not the environment of a
// command.
func standsAlone(t *tree, n int) bool {
	p := t.parent(n)
	return t.is(p, "program") || t.is(p, "declaration_command") && t.is(t.parent(p), "program")
}
