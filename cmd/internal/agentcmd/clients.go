package agentcmd

import "slices"

// A Client is one coding agent: the places of its files, and the form of our entries in them. Paths
// are templates (place.go). Of several paths, the first existing one is used, or the first if none
// exists.
type Client struct {
	Name  string // on the command line
	Title string

	programs []string // on PATH: any of them shows that the client is installed
	traces   []string // files and folders of its own: any of them shows the same

	entry        [2]spot // by scope
	instructions [2][]string
	skills       [2][]string
	hooks        []hook

	Source  string // where its format was documented
	Read    string // date of reading the source
	Unclear string // open questions
}

// A spot is a place for an entry: a file, and the form of the entry in it.
type spot struct {
	paths []string
	edit  edit
}

// A hook is one element of a client's list of hooks.
type hook struct {
	paths [2][]string
	act   bool // only with --hooks act
	edit  edit
}

// A Scope is a place that a client reads settings from.
type Scope string

// The scopes.
const (
	User    Scope = "user"    // the user's own settings
	Project Scope = "project" // files in the repository, for everybody who works on it
)

func (s Scope) index() int {
	if s == Project {
		return 1
	}
	return 0
}

// The command that clients start. It is a name and not a path, so that PATH finds it on every
// machine.
var (
	command = field{"command", "patina"}
	args    = field{"args", []any{"mcp"}}
)

func serversEdit(with ...field) edit {
	return jsonEdit{path: []string{"mcpServers", "patina"}, with: object(with)}
}

// bothScopes returns a place whose entry has the same form in both scopes.
func bothScopes(e edit, user, project string) [2]spot {
	return [2]spot{{[]string{user}, e}, {[]string{project}, e}}
}

func pathsOf(user, project string) (out [2][]string) {
	for i, p := range []string{user, project} {
		if p != "" {
			out[i] = []string{p}
		}
	}
	return out
}

// clients are in the order of printing.
var clients = []Client{
	{
		Name: "claude", Title: "Claude Code", programs: []string{"claude"},
		traces: []string{"$CLAUDE", "$CLAUDEJSON/.claude.json"},
		entry: bothScopes(serversEdit(field{"type", "stdio"}, command, args), "$CLAUDEJSON/.claude.json",
			"./.mcp.json"),
		instructions: pathsOf("$CLAUDE/CLAUDE.md", "./CLAUDE.md"),
		skills:       pathsOf("$CLAUDE/skills", "./.claude/skills"),
		hooks: commonHooks(pathsOf("$CLAUDE/settings.json", "./.claude/settings.json"),
			"Edit|Write|MultiEdit|NotebookEdit|Bash", "PostToolUse", "PostToolUseFailure"),
		Source: "https://code.claude.com/docs/en/mcp, https://code.claude.com/docs/en/hooks, https://github.com/anthropics/claude-code/issues/24479", Read: "2026-11-23",
		Unclear: "that every version since 2.1.9 shows the model what a hook before a tool adds (https://github.com/anthropics/claude-code/issues/55889), and that old versions pass over PostToolUseFailure",
	},
	{
		Name: "codex", Title: "Codex", programs: []string{"codex"}, traces: []string{"$CODEX"},
		entry: bothScopes(tomlEdit{table: []string{"mcp_servers", "patina"}, with: object{command, args}},
			"$CODEX/config.toml", "./.codex/config.toml"),
		instructions: pathsOf("$CODEX/AGENTS.md", "./AGENTS.md"),
		skills:       pathsOf("$CODEX/skills", "./.agents/skills"),
		hooks:        commonHooks(pathsOf("$CODEX/hooks.json", "./.codex/hooks.json"), "apply_patch|Edit|Write|Bash", "PostToolUse"),
		Source:       "https://developers.openai.com/codex/hooks, https://docs.pipeshub.com/mcp/codex. Answers: codex-rs/hooks/schema of https://github.com/openai/codex", Read: "2026-11-23",
		Unclear: "from which version on a hook before a tool adds context (https://github.com/openai/codex/pull/20692). Older versions want the feature flag codex_hooks. Files of a project count only where it is trusted",
	},
	{
		Name: "cursor", Title: "Cursor", programs: []string{"cursor", "cursor-agent"}, traces: []string{"~/.cursor"},
		entry: bothScopes(serversEdit(field{"type", "stdio"}, command, args), "~/.cursor/mcp.json",
			"./.cursor/mcp.json"),
		instructions: pathsOf("", "./AGENTS.md"),
		skills:       pathsOf("~/.cursor/skills", "./.agents/skills"),
		hooks: []hook{
			{paths: pathsOf("~/.cursor/hooks.json", "./.cursor/hooks.json"), edit: jsonEdit{
				path: []string{"hooks", "sessionStart"}, list: true, mark: "patina hook", head: object{{"version", 1}},
				with: object{{"command", "patina hook session-start"}, {"timeout", 2}},
			}},
			{paths: pathsOf("~/.cursor/hooks.json", "./.cursor/hooks.json"), act: true, edit: jsonEdit{
				path: []string{"hooks", "postToolUse"}, list: true, mark: "patina hook", head: object{{"version", 1}},
				with: object{{"command", "patina hook post-tool"}, {"matcher", "Shell"}, {"timeout", 2}},
			}},
		},
		Source: "https://docs.cursor.com/context/model-context-protocol, https://cursor.com/docs/hooks. The hook's answer: hooks/session-start of https://github.com/obra/superpowers", Read: "2026-11-23",
		Unclear: "a hook before a tool adds no context there, so \"act\" is for failed commands alone. It may run the hooks of Claude Code, too. Its rules for all projects are no file",
	},
	{
		Name: "vscode", Title: "VS Code", programs: []string{"code", "code-insiders"}, traces: []string{"$CODE"},
		entry: bothScopes(jsonEdit{path: []string{"servers", "patina"}, with: object{{"type", "stdio"}, command, args}},
			"$CODE/mcp.json", "./.vscode/mcp.json"),
		instructions: pathsOf("", "./AGENTS.md"),
		skills:       pathsOf("$COPILOT/skills", "./.agents/skills"),
		Source:       "https://code.visualstudio.com/docs/agents/reference/mcp-configuration, https://code.visualstudio.com/docs/agents/reference/hooks-reference", Read: "2026-11-27",
		Unclear: "profiles other than the default one. It runs the hooks in the files of Claude Code and of Copilot CLI, and has none of its own, so none are written",
	},
	{
		Name: "copilot-cli", Title: "GitHub Copilot CLI", programs: []string{"copilot"}, traces: []string{"$COPILOT"},
		entry: bothScopes(serversEdit(field{"type", "local"}, command, args, field{"tools", []any{"*"}}),
			"$COPILOT/mcp-config.json", "./.github/mcp.json"),
		instructions: pathsOf("$COPILOT/copilot-instructions.md", "./AGENTS.md"),
		skills:       pathsOf("$COPILOT/skills", "./.agents/skills"),
		hooks: []hook{{paths: pathsOf("$COPILOT/hooks/patina.json", "./.github/hooks/patina.json"), edit: jsonEdit{
			path: []string{"hooks", "sessionStart"}, list: true, mark: "patina hook", head: object{{"version", 1}},
			with: object{{"type", "command"}, {"command", "patina hook session-start"}, {"timeout", 2}},
		}}},
		Source:  "https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers, https://docs.github.com/en/copilot/reference/hooks-reference",
		Read:    "2026-11-27",
		Unclear: "versions before 1.0.11 ignore the text of the hook (https://github.com/github/copilot-cli/issues/2142), and some run it at each prompt (https://github.com/github/copilot-cli/issues/2491), where it prints nothing more. After a failed tool text counts only with exit code 2, so \"act\" adds nothing",
	},
	{
		Name: "opencode", Title: "OpenCode", programs: []string{"opencode", "opencode2"},
		traces: []string{"$CONFIG/opencode"},
		entry: [2]spot{
			{[]string{"$CONFIG/opencode/opencode.json", "$CONFIG/opencode/opencode.jsonc"}, opencode},
			{
				[]string{"./opencode.json", "./opencode.jsonc", "./.opencode/opencode.json", "./.opencode/opencode.jsonc"},
				opencode,
			},
		},
		instructions: pathsOf("$CONFIG/opencode/AGENTS.md", "./AGENTS.md"),
		skills:       pathsOf("$CONFIG/opencode/skills", "./.agents/skills"),
		Source:       "https://opencode.ai/docs/mcp-servers, https://opencode.ai/docs/migrate-v1", Read: "2026-11-23",
		Unclear: "whether every 2.x reads the form of 1.x, as its guide says: a file with mcp.servers gets the form of 2.x, others that of 1.x",
	},
	{
		Name: "zed", Title: "Zed", programs: []string{"zed", "zeditor"}, traces: []string{"$ZED"},
		entry: bothScopes(jsonEdit{
			path: []string{"context_servers", "patina"},
			with: object{command, args, {"env", object{}}},
		},
			"$ZED/settings.json", "./.zed/settings.json"),
		instructions: pathsOf("", "./AGENTS.md"),
		skills:       pathsOf("~/.agents/skills", "./.agents/skills"),
		Source:       "https://zed.dev/docs/ai/mcp. Settings of a project: zed's settings_content/project.rs",
		Read:         "2026-11-23",
		Unclear:      "a file of instructions for all projects",
	},
	{
		Name: "windsurf", Title: "Windsurf", programs: []string{"windsurf"}, traces: []string{"~/.codeium/windsurf"},
		entry:        [2]spot{{[]string{"~/.codeium/windsurf/mcp_config.json"}, serversEdit(command, args)}},
		instructions: pathsOf("~/.codeium/windsurf/memories/global_rules.md", "./AGENTS.md"),
		skills:       pathsOf("~/.codeium/windsurf/skills", "./.windsurf/skills"),
		Source:       "https://docs.windsurf.com/windsurf/cascade/memories, https://docs.windsurf.com/windsurf/cascade/hooks (a hook may only veto). The server by guides of others, such as https://github.com/confluentinc/mcp-confluent", Read: "2026-11-23",
		Unclear: "a file of a project. Its successor Devin Desktop reads ~/.config/devin/mcp_config.json, which is not written",
	},
	{
		Name: "amp", Title: "Amp", programs: []string{"amp"}, traces: []string{"~/.config/amp"},
		entry: [2]spot{
			{[]string{"~/.config/amp/settings.json", "~/.config/amp/settings.jsonc"}, amp},
			{[]string{"./.amp/settings.json", "./.amp/settings.jsonc"}, amp},
		},
		instructions: pathsOf("~/.config/amp/AGENTS.md", "./AGENTS.md"),
		skills:       pathsOf("~/.config/agents/skills", "./.agents/skills"),
		Source:       "https://www.developersdigest.tech/reference/amp/config-files, which quotes Amp's manual",
		Read:         "2026-11-23",
		Unclear:      "servers of a project need an approval in Amp",
	},
	{
		Name: "goose", Title: "goose", programs: []string{"goose"}, traces: []string{"$GOOSE"},
		entry: [2]spot{{[]string{"$GOOSE/config.yaml"}, yamlEdit{top: "extensions", key: "patina", with: object{
			{"enabled", true},
			{"type", "stdio"},
			{"name", "patina"},
			{"description", "Answers about this repository: its code, history and documents"},
			{"cmd", "patina"},
			args,
			{"envs", object{}},
			{"timeout", 300},
		}}}},
		instructions: pathsOf("$GOOSE/.goosehints", "./AGENTS.md"),
		skills:       pathsOf("$GOOSE/skills", "./.goose/skills"),
		Source:       "https://block.github.io/goose/docs/guides/config-files, documentation/docs/guides/context-engineering/hooks.md of https://github.com/block/goose (a hook may only veto)", Read: "2026-11-27",
		Unclear: "a file of a project. Goose writes its file anew when it saves, and loses comments then",
	},
	{
		Name: "gemini", Title: "Gemini CLI", programs: []string{"gemini"}, traces: []string{"~/.gemini"},
		entry:        bothScopes(serversEdit(command, args), "~/.gemini/settings.json", "./.gemini/settings.json"),
		instructions: pathsOf("~/.gemini/GEMINI.md", "./GEMINI.md"),
		skills:       pathsOf("~/.gemini/skills", "./.agents/skills"),
		hooks: []hook{
			geminiHook("SessionStart", "session-start", false),
			geminiHook("AfterTool", "post-tool", true, field{"matcher", "run_shell_command"}),
		},
		Source:  "https://geminicli.com/docs/cli/configuration, https://geminicli.com/docs/hooks/reference",
		Read:    "2026-11-23",
		Unclear: "a hook before a tool can add no context there, so \"act\" is for failed commands alone. Older versions want hooks switched on in the same file",
	},
}

var amp = jsonEdit{path: []string{"amp.mcpServers", "patina"}, with: object{command, args}}

// opencode has a new format since version 2, which still reads the old one.
var opencode = eitherEdit{
	probe: []string{"mcp", "servers"},
	new: jsonEdit{
		path: []string{"mcp", "servers", "patina"},
		with: object{{"type", "local"}, {"command", []any{"patina", "mcp"}}},
	},
	old: jsonEdit{
		path: []string{"mcp", "patina"},
		with: object{{"type", "local"}, {"command", []any{"patina", "mcp"}}, {"enabled", true}},
	},
}

// commonHooks returns hooks in the format of Claude Code, which other clients share. before matches
// the tools that something may govern; after are the events at the end of a tool that may have
// failed.
func commonHooks(at [2][]string, before string, after ...string) []hook {
	run := func(event string) []any {
		return []any{object{{"type", "command"}, {"command", "patina hook " + event}, {"timeout", 2}}}
	}
	one := func(event string, with object) edit {
		return jsonEdit{path: []string{"hooks", event}, list: true, mark: "patina hook", with: with}
	}
	hooks := []hook{
		{paths: at, edit: one("SessionStart", object{{"hooks", run("session-start")}})},
		{paths: at, act: true, edit: one("PreToolUse", object{{"matcher", before}, {"hooks", run("pre-tool")}})},
	}
	for _, event := range after {
		hooks = append(hooks, hook{paths: at, act: true, edit: one(event, object{{"matcher", "Bash"}, {"hooks", run("post-tool")}})})
	}
	return hooks
}

// geminiHook returns a hook of Gemini CLI, which wants a name and counts milliseconds.
func geminiHook(event, argument string, act bool, match ...field) hook {
	run := []any{object{
		{"name", "patina"},
		{"type", "command"},
		{"command", "patina hook " + argument},
		{"timeout", 2000},
	}}
	return hook{paths: pathsOf("~/.gemini/settings.json", "./.gemini/settings.json"), act: act, edit: jsonEdit{
		path: []string{"hooks", event}, list: true, mark: "patina hook", with: append(object(match), field{"hooks", run}),
	}}
}

// Clients lists all clients.
func Clients() []Client { return slices.Clone(clients) }

// Names lists the names of all clients.
func Names() (names []string) {
	for _, c := range clients {
		names = append(names, c.Name)
	}
	return names
}

// Named returns the client with a name, and false if there is no such client.
func Named(name string) (Client, bool) {
	for _, c := range clients {
		if c.Name == name {
			return c, true
		}
	}
	return Client{}, false
}

// An eitherEdit uses a new form in files that have an object at a path, else an old form.
type eitherEdit struct {
	probe    []string
	old, new jsonEdit
}

func (e eitherEdit) pick(file []byte) jsonEdit {
	root, err := scanJSON(file)
	if err != nil || root == nil {
		return e.old
	}
	trail, err := jsonEdit{path: e.probe}.reach(root)
	if err == nil && len(trail) > len(e.probe) && trail[len(e.probe)].kind == '{' && e.old.missing(file, root) {
		return e.new
	}
	return e.old
}

// missing reports whether the edit's value is absent from a file.
func (e jsonEdit) missing(file []byte, root *node) bool {
	_, _, state, err := e.findIn(file, root)
	return err == nil && state == Missing
}

func (e eitherEdit) name() string { return e.old.name() }

func (e eitherEdit) entryText() string { return e.old.entryText() }

func (e eitherEdit) putInto(file []byte) ([]byte, State, error) { return e.pick(file).putInto(file) }

func (e eitherEdit) cutFrom(file, origin []byte) ([]byte, State, error) {
	return e.pick(file).cutFrom(file, origin)
}
