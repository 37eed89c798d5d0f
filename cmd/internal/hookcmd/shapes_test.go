package hookcmd

// A shape is an event as a client writes it, by the client's reference (the table of agentcmd names
// the sources). The values are our own.
type shape struct {
	client, argument, input string
	takes                   bool // the client's reference lets the hook add context
	want                    Event
}

var shapes = []shape{
	// Claude Code: snake case, the event by name; a failing tool has an event of its own.
	{
		"claude", "session-start", `{"session_id":"s1","transcript_path":"/h/.claude/projects/p/s1.jsonl","cwd":"/p",
		"hook_event_name":"SessionStart","source":"compact","model":"m"}`, true,
		Event{Kind: SessionStart, Session: "s1", Cwd: "/p", Reason: Compact},
	},
	{
		"claude", "pre-tool", `{"session_id":"s1","transcript_path":"/t","cwd":"/p","permission_mode":"default",
		"hook_event_name":"PreToolUse","tool_name":"MultiEdit","tool_use_id":"t","tool_input":{"file_path":"/p/a.go",
		"edits":[{"old_string":"a","new_string":"b"},{"old_string":"c","new_string":"d","replace_all":true}]}}`, true,
		Event{
			Kind: BeforeTool, Session: "s1", Cwd: "/p", Tool: EditTool, Paths: []string{"/p/a.go"},
			Old: []string{"a", "c"}, New: []string{"b", "d"},
		},
	},
	{
		"claude", "pre-tool", `{"session_id":"s1","transcript_path":"/t","cwd":"/p","permission_mode":"default",
		"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"/p/a.go","content":"x"}}`, true,
		Event{Kind: BeforeTool, Session: "s1", Cwd: "/p", Tool: WriteTool, Paths: []string{"/p/a.go"}, New: []string{"x"}},
	},
	{
		"claude", "pre-tool", `{"session_id":"s1","transcript_path":"/t","cwd":"/p","permission_mode":"plan",
		"hook_event_name":"PreToolUse","tool_name":"Grep","tool_input":{"pattern":"x","path":"src"}}`, true,
		Event{Kind: BeforeTool, Session: "s1", Cwd: "/p", Tool: SearchTool},
	},
	{
		"claude", "post-tool", `{"session_id":"s1","transcript_path":"/t","cwd":"/p","permission_mode":"default",
		"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"make","description":"d"},
		"tool_response":{"stdout":"ok","stderr":"warn","interrupted":false,"isImage":false},"tool_use_id":"t"}`, true,
		Event{Kind: AfterTool, Session: "s1", Cwd: "/p", Tool: ShellTool, Command: "make", Output: "ok\nwarn"},
	},
	{
		"claude", "post-tool", `{"session_id":"s1","transcript_path":"/t","cwd":"/p","permission_mode":"default",
		"hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_input":{"command":"make"},
		"error":"Exit code 2\nno rule","is_interrupt":false,"tool_use_id":"t"}`, true,
		Event{
			Kind: AfterTool, Session: "s1", Cwd: "/p", Tool: ShellTool, Command: "make", Output: "Exit code 2\nno rule",
			ExitCode: 2, Failed: true,
		},
	},

	// Codex: as Claude Code, always with a model and a mode, and with a turn at a tool.
	{
		"codex", "session-start", `{"session_id":"s2","transcript_path":null,"cwd":"/p","hook_event_name":"SessionStart","model":"m",
		"permission_mode":"default","source":"resume"}`, true,
		Event{Kind: SessionStart, Session: "s2", Cwd: "/p", Reason: Resume},
	},
	{
		"codex", "pre-tool", `{"session_id":"s2","turn_id":"1","transcript_path":null,"cwd":"/p","hook_event_name":"PreToolUse","model":"m",
		"permission_mode":"default","tool_name":"apply_patch","tool_use_id":"t","tool_input":{"command":
		"*** Begin Patch\n*** Update File: a/b.go\n@@ f\n x\n-old\n+new\n*** Add File: c.go\n+all\n*** End Patch"}}`, true,
		Event{
			Kind: BeforeTool, Session: "s2", Cwd: "/p", Tool: EditTool, Paths: []string{"a/b.go", "c.go"},
			Old: []string{"old\n"}, New: []string{"new\nall\n"},
		},
	},
	{
		"codex", "post-tool", `{"session_id":"s2","turn_id":"1","transcript_path":null,"cwd":"/p","hook_event_name":"PostToolUse","model":"m",
		"permission_mode":"default","tool_name":"Bash","tool_use_id":"t","tool_input":{"command":"go test"},
		"tool_response":"Process exited with code 1\nOutput:\nFAIL"}`, true,
		Event{
			Kind: AfterTool, Session: "s2", Cwd: "/p", Tool: ShellTool, Command: "go test",
			Output: "Process exited with code 1\nOutput:\nFAIL", ExitCode: 1, Failed: true,
		},
	},

	// Cursor: camel case for the event, snake case for the members.
	{
		"cursor", "session-start", `{"conversation_id":"c3","generation_id":"g","model":"m","hook_event_name":"sessionStart",
		"cursor_version":"2.4","workspace_roots":["/p"],"user_email":null,"session_id":"c3","is_background_agent":false}`, true,
		Event{Kind: SessionStart, Session: "c3", Cwd: "/p", Reason: Startup},
	},
	{
		"cursor", "pre-tool", `{"conversation_id":"c3","generation_id":"g","hook_event_name":"preToolUse","cursor_version":"2.4",
		"workspace_roots":["/p"],"tool_name":"Shell","tool_input":{"command":"ls","working_directory":"/p/x"},"cwd":"/p"}`, false,
		Event{Kind: BeforeTool, Session: "c3", Cwd: "/p", Tool: ShellTool, Command: "ls"},
	},
	{
		"cursor", "pre-tool", `{"conversation_id":"c3","generation_id":"g","hook_event_name":"beforeShellExecution","cursor_version":"2.4",
		"workspace_roots":["/p"],"command":"ls","cwd":"/p"}`, false,
		Event{Kind: BeforeTool, Session: "c3", Cwd: "/p", Tool: ShellTool, Command: "ls"},
	},
	{
		"cursor", "post-tool", `{"conversation_id":"c3","generation_id":"g","hook_event_name":"afterFileEdit","cursor_version":"2.4",
		"workspace_roots":["/p"],"file_path":"/p/a.ts","edits":[{"old_string":"a","new_string":"b"}]}`, false,
		Event{Kind: AfterTool, Session: "c3", Cwd: "/p", Tool: EditTool, Paths: []string{"/p/a.ts"}, Old: []string{"a"}, New: []string{"b"}},
	},
	{
		"cursor", "post-tool", `{"conversation_id":"c3","generation_id":"g","hook_event_name":"postToolUse","cursor_version":"2.4",
		"workspace_roots":["/p"],"tool_name":"Shell","tool_input":{"command":"make"},"tool_output":"{\"exitCode\":2,\"stdout\":\"x\"}",
		"tool_use_id":"t","cwd":"/p","duration":5}`, true,
		Event{Kind: AfterTool, Session: "c3", Cwd: "/p", Tool: ShellTool, Command: "make", Output: "x", ExitCode: 2, Failed: true},
	},

	// VS Code: camel case for the session and the event.
	{
		"vscode", "session-start", `{"timestamp":"2026-02-09T10:30:00.000Z","cwd":"/p","sessionId":"v4","hookEventName":"SessionStart",
		"transcript_path":"/t.json","source":"new"}`, true,
		Event{Kind: SessionStart, Session: "v4", Cwd: "/p", Reason: Startup},
	},
	{
		"vscode", "pre-tool", `{"timestamp":"2026-02-09T10:30:00.000Z","cwd":"/p","sessionId":"v4","hookEventName":"PreToolUse",
		"transcript_path":"/t.json","tool_name":"editFiles","tool_input":{"files":["a.ts","b.ts"]},"tool_use_id":"t"}`, true,
		Event{Kind: BeforeTool, Session: "v4", Cwd: "/p", Tool: EditTool, Paths: []string{"a.ts", "b.ts"}},
	},
	{
		"vscode", "post-tool", `{"timestamp":"2026-02-09T10:30:00.000Z","cwd":"/p","sessionId":"v4","hookEventName":"PostToolUse",
		"transcript_path":"/t.json","tool_name":"run_in_terminal","tool_input":{"command":"ls"},"tool_response":"a","tool_use_id":"t"}`, true,
		Event{Kind: AfterTool, Session: "v4", Cwd: "/p", Tool: ShellTool, Command: "ls", Output: "a"},
	},

	// GitHub Copilot CLI: camel case without a name of the event, or the names of VS Code.
	{
		"copilot-cli", "session-start", `{"sessionId":"p5","timestamp":1767000000000,"cwd":"/p","source":"new","initialPrompt":"x"}`, true,
		Event{Kind: SessionStart, Session: "p5", Cwd: "/p", Reason: Startup},
	},
	{
		"copilot-cli", "pre-tool", `{"sessionId":"p5","timestamp":1767000000000,"cwd":"/p","toolName":"bash","toolArgs":"{\"command\":\"ls\"}"}`, false,
		Event{Kind: BeforeTool, Session: "p5", Cwd: "/p", Tool: ShellTool, Command: "ls"},
	},
	{
		"copilot-cli", "post-tool", `{"sessionId":"p5","timestamp":1767000000000,"cwd":"/p","toolName":"edit","toolArgs":{"path":"/p/a.go",
		"old_str":"a","new_str":"b"},"toolResult":{"resultType":"success","textResultForLlm":"done"}}`, true,
		Event{
			Kind: AfterTool, Session: "p5", Cwd: "/p", Tool: EditTool, Paths: []string{"/p/a.go"}, Old: []string{"a"}, New: []string{"b"},
			Output: "done",
		},
	},
	{
		"copilot-cli", "session-start", `{"hook_event_name":"SessionStart","session_id":"p5","timestamp":"2026-02-09T10:30:00Z","cwd":"/p",
		"source":"startup"}`, true,
		Event{Kind: SessionStart, Session: "p5", Cwd: "/p", Reason: Startup},
	},
	{
		"copilot-cli", "post-tool", `{"hook_event_name":"PostToolUseFailure","session_id":"p5","timestamp":"2026-02-09T10:30:00Z","cwd":"/p",
		"tool_name":"Bash","tool_input":{"command":"ls"},"error":"no"}`, false,
		Event{Kind: AfterTool, Session: "p5", Cwd: "/p", Tool: ShellTool, Command: "ls", Output: "no", Failed: true},
	},

	// Windsurf: an action with its details; a hook answers with its exit code alone.
	{
		"windsurf", "pre-tool", `{"agent_action_name":"pre_run_command","trajectory_id":"w6","execution_id":"e","timestamp":"2026-02-09T10:30:00Z",
		"tool_info":{"command_line":"ls","cwd":"/p"}}`, false,
		Event{Kind: BeforeTool, Session: "w6", Cwd: "/p", Tool: ShellTool, Command: "ls"},
	},
	{
		"windsurf", "post-tool", `{"agent_action_name":"post_write_code","trajectory_id":"w6","execution_id":"e","timestamp":"2026-02-09T10:30:00Z",
		"tool_info":{"file_path":"/p/a.py","edits":[{"old_string":"a","new_string":"b"}]}}`, false,
		Event{Kind: AfterTool, Session: "w6", Tool: EditTool, Paths: []string{"/p/a.py"}, Old: []string{"a"}, New: []string{"b"}},
	},

	// goose: "event", and tools with the prefix of their extension. It reads a veto alone.
	{
		"goose", "session-start", `{"event":"SessionStart","session_id":"g7"}`, false,
		Event{Kind: SessionStart, Session: "g7", Reason: Startup},
	},
	{
		"goose", "pre-tool", `{"event":"PreToolUse","session_id":"g7","matcher_context":"developer__edit","tool_name":"developer__edit",
		"tool_input":{"path":"a.go","before":"a","after":"b"},"working_dir":"/p","tool_call_id":"t"}`, false,
		Event{Kind: BeforeTool, Session: "g7", Cwd: "/p", Tool: EditTool, Paths: []string{"a.go"}, Old: []string{"a"}, New: []string{"b"}},
	},

	// Gemini CLI: events of its own names, with a time.
	{
		"gemini", "session-start", `{"session_id":"m8","transcript_path":"/t.json","cwd":"/p","hook_event_name":"SessionStart",
		"timestamp":"2026-02-09T10:30:00Z","source":"startup"}`, true,
		Event{Kind: SessionStart, Session: "m8", Cwd: "/p", Reason: Startup},
	},
	{
		"gemini", "pre-tool", `{"session_id":"m8","transcript_path":"/t.json","cwd":"/p","hook_event_name":"BeforeTool",
		"timestamp":"2026-02-09T10:30:00Z","tool_name":"replace","tool_input":{"file_path":"/p/a.go","old_string":"a","new_string":"b"}}`, false,
		Event{Kind: BeforeTool, Session: "m8", Cwd: "/p", Tool: EditTool, Paths: []string{"/p/a.go"}, Old: []string{"a"}, New: []string{"b"}},
	},
	{
		"gemini", "post-tool", `{"session_id":"m8","transcript_path":"/t.json","cwd":"/p","hook_event_name":"AfterTool",
		"timestamp":"2026-02-09T10:30:00Z","tool_name":"run_shell_command","tool_input":{"command":"make"},"tool_response":{
		"llmContent":"Command: make\nError: no rule\nExit Code: 2","returnDisplay":"no rule","error":null}}`, true,
		Event{
			Kind: AfterTool, Session: "m8", Cwd: "/p", Tool: ShellTool, Command: "make",
			Output: "Command: make\nError: no rule\nExit Code: 2", ExitCode: 2, Failed: true,
		},
	},
}

// unknownShapes are inputs that no client with hooks writes. OpenCode, Zed and Amp run no command;
// what a plugin of theirs might send in its own words has no answer.
var unknownShapes = []string{
	`{}`, `{"type":"tool.execute.before","tool":"bash","sessionID":"o9","callID":"c"}`,
	`{"tool":"edit_file","threadID":"T-1","event":"tool:pre-execute"}`, `{"jsonrpc":"2.0","method":"session/update"}`,
	`{"hook_event_name":"Stop","session_id":"x"}`, `{"hook_event_name":7}`, `{"hook_event_name":"PreToolUse "}`, `null`, `7`, `"x"`, `[]`,
}
