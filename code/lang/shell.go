package lang

import (
	"patina/store/text"
)

func addShell(register func(*Language)) {
	register(&Language{
		Name: "Shell", Code: true, Files: ".sh .bash .zsh .ksh .bats .bashrc .zshrc .profile",
		Interpreters: "sh bash zsh ksh dash ash bats", Comments: hashComments,
		TestLines: []string{"@test "},
		Definitions: &Definitions{Heads: heads(
			`^(?:function\s+)?([\pL_][\pL\pN_:.-]*)\s*\(\s*\)`,
			`^function\s+([\pL_][\pL\pN_:.-]*)`,
		)},
		Grammar: &Grammar{
			Recovers: true,
			Rules: map[string]Rule{
				"function_definition": {Is: Function},
				"variable_assignment": {Is: Variable, When: standsAlone},
				"declaration_command": {Is: Wrapper},
				"comment":             {Is: Comment},
				"command":             {Is: Call, Name: "name"},
			},
			Predeclared: text.Set(`echo printf cd test true false return exit local export read set unset shift
				eval exec trap wait kill type command builtin cat grep sed awk tr cut sort head tail rm mkdir mv
				cp ls chmod touch [ [[ :`),
			Importers: text.Set("source ."),
		},
	})
}

// standsAlone reports whether an assignment is a statement of the file, and not the environment of
// a command.
func standsAlone(t *Tree, n int) bool {
	p := t.Parent(n)
	return t.Is(p, "program") || t.Is(p, "declaration_command") && t.Is(t.Parent(p), "program")
}
