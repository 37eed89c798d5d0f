package hookcmd

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// MaxInput bounds the input of a hook, in bytes. A longer input gets no answer. A client sends the
// text of one tool call, and the largest file that a question reads is as long.
const MaxInput = 1 << 20

// eventArguments are the words after "patina hook" that have an answer, with the kind of event that
// each is for.
var eventArguments = []struct {
	word string
	kind EventKind
}{
	{"session-start", SessionStart},
	{"pre-tool", BeforeTool},
	{"post-tool", AfterTool},
}

// Events lists the words after "patina hook" that have an answer.
func Events() (words []string) {
	for _, a := range eventArguments {
		words = append(words, a.word)
	}
	return words
}

// kindOf returns the kind of event that a word after "patina hook" is for.
func kindOf(argument string) EventKind {
	for _, a := range eventArguments {
		if a.word == argument {
			return a.kind
		}
	}
	return UnknownKind
}

// kindsByName are the events by the names that clients give them.
var kindsByName = map[string]EventKind{
	// Claude Code, Codex, VS Code, goose; most of them are Copilot CLI's, too.
	"SessionStart": SessionStart, "PreToolUse": BeforeTool, "PostToolUse": AfterTool,
	"PostToolUseFailure": AfterTool, "UserPromptSubmit": PromptSubmitted, "PreCompact": BeforeCompaction,
	"PostCompact": AfterCompaction, "SessionEnd": SessionEnd,
	"BeforeReadFile": BeforeTool, "BeforeShellExecution": BeforeTool, // goose alone
	"AfterFileEdit": AfterTool, "AfterShellExecution": AfterTool,
	// Gemini CLI
	"BeforeTool": BeforeTool, "AfterTool": AfterTool, "BeforeAgent": PromptSubmitted, "PreCompress": BeforeCompaction,
	// Cursor
	"sessionStart": SessionStart, "preToolUse": BeforeTool, "postToolUse": AfterTool, "postToolUseFailure": AfterTool,
	"beforeShellExecution": BeforeTool, "beforeMCPExecution": BeforeTool, "beforeReadFile": BeforeTool,
	"afterShellExecution": AfterTool, "afterMCPExecution": AfterTool, "afterFileEdit": AfterTool,
	"beforeSubmitPrompt": PromptSubmitted, "preCompact": BeforeCompaction, "sessionEnd": SessionEnd,
	// Windsurf
	"pre_run_command": BeforeTool, "pre_write_code": BeforeTool, "pre_read_code": BeforeTool, "pre_mcp_tool_use": BeforeTool,
	"post_run_command": AfterTool, "post_write_code": AfterTool, "post_read_code": AfterTool, "post_mcp_tool_use": AfterTool,
	"pre_user_prompt": PromptSubmitted,
}

// ReadEvent reads a client's input for "patina hook" with an argument. It returns false if the
// input is no object, is longer than MaxInput, is not of a known client, or is of another kind than
// the argument says. A member of an unexpected type counts as missing.
func ReadEvent(argument string, input []byte) (Event, bool) {
	var in members
	if len(input) > MaxInput || json.Unmarshal(bytes.TrimPrefix(input, []byte("\xef\xbb\xbf")), &in) != nil {
		return Event{}, false
	}
	e := Event{Kind: kindOf(argument), Name: in.textAt("hook_event_name", "hookEventName", "event", "agent_action_name")}
	if e.Name != "" && kindsByName[e.Name] != e.Kind { // only Copilot CLI omits the name
		return Event{}, false
	}
	if e.Client = clientOf(in, e.Name); e.Client == "" || e.Kind == UnknownKind {
		return Event{}, false
	}
	if e.Name == "" {
		e.Name = omittedName(in, e.Kind)
	}
	e.Session = in.textAt("session_id", "sessionId", "conversation_id", "trajectory_id")
	e.Cwd = in.textAt("cwd", "working_dir")
	if roots := in.textsAt("workspace_roots"); e.Cwd == "" && len(roots) > 0 {
		e.Cwd = roots[0]
	}
	switch e.Kind {
	case SessionStart:
		e.Reason = startReason(in)
	case PromptSubmitted:
		e.Prompt = in.textAt("prompt", "message")
	case BeforeTool, AfterTool:
		readTool(&e, in)
	}
	return e, true
}

// omittedName returns Copilot CLI's name of an event that it has not named.
func omittedName(in members, kind EventKind) string {
	switch kind {
	case SessionStart:
		return "sessionStart"
	case BeforeTool:
		return "preToolUse"
	case AfterTool:
		if in["toolResult"] == nil && in["error"] != nil {
			return "postToolUseFailure"
		}
		return "postToolUse"
	}
	return ""
}

// startReason returns why a session begins.
func startReason(in members) StartReason {
	if reason := StartReason(in.textAt("source", "trigger")); reason == Resume || reason == Clear || reason == Compact {
		return reason
	}
	return Startup
}

// clientOf returns the client that wrote an input, by the members that its reference names and no
// other one does. It returns "" if no client writes such an input.
func clientOf(in members, event string) string {
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool { _, ok := in[name]; return ok })
	}
	switch {
	case has("agent_action_name"):
		return "windsurf"
	case has("cursor_version", "conversation_id"):
		return "cursor"
	case has("hookEventName"):
		return "vscode"
	case event == "":
		if has("sessionId") && has("timestamp") {
			return "copilot-cli"
		}
		return ""
	case !has("hook_event_name"):
		return "goose"
	case event[0] >= 'a' && event[0] <= 'z':
		return "cursor"
	case strings.HasPrefix(event, "Before") || event == "AfterTool" || event == "PreCompress":
		return "gemini"
	case !has("timestamp"):
		if has("turn_id") || has("model") && has("permission_mode") {
			return "codex"
		}
		return "claude"
	case !has("transcript_path"):
		return "copilot-cli"
	case event != "SessionStart" && event != "SessionEnd" || in.textAt("source") == "new":
		return "vscode"
	}
	return "gemini"
}
