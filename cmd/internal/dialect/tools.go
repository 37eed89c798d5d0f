package dialect

// What a front end says of its calls before an agent makes one. "--help" begins with these texts,
// and other front ends describe their tools with them.
const (
	ScryTool = `Search codebase knowledge — USE THIS FIRST for any question about the code, its history, its beliefs and what was
learned in sessions.`

	ContextTool = `Get project patterns and conventions — USE THIS to understand design rules before making architectural changes:
principles, beliefs, conventions, how to build and test, central files, owners.`

	AssayTool = `Ask what calls, imports, defines or changes with what. The answer is a table of facts that a scrape has read, by name: a line
that begins with "?" is a candidate, since names alone do not tell what a variable is.`

	RememberTool = `Keep a note about this project for later sessions: a lesson, a decision, a gotcha. One that says the
same as a note before is merged into it.`
)
