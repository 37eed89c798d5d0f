package hookcmd

const sessionHint = "This repository has a patina index: code, commits, documents and decisions.\n" +
	"For a question about the code, ask the MCP tool scry of patina first, or in a shell: patina scry \"QUESTION\".\n" +
	"Before a change of design: context (patina context --topic WORDS). For callers and imports: assay (patina assay --help)."

// answerStart returns the text for a session that begins.
func (a *app) answerStart(Event) string { return sessionHint }
