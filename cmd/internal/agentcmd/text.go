package agentcmd

import _ "embed"

// instructionLines are added to a client's file of instructions, which subagents read too.
const instructionLines = "## Searching this code: patina\n" +
	"Ask the MCP tools of `patina` first about this code: `scry` finds code, commits, documents and beliefs by a question;\n" +
	"`context` gives the design rules and decisions on a topic before you change it; `assay` lists callers, definitions, imports.\n" +
	"Without MCP, the shell has the same: `patina scry \"how are rows locked\"`, `patina context --topic WORDS`, `patina assay --help`.\n" +
	"Exact strings and files that you know by name are for grep and reading. Pass these lines on to subagents."

//go:embed SKILL.md
var skillText string
