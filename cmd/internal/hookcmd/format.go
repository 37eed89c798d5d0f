package hookcmd

import (
	"bytes"
	"encoding/json"
	"slices"
)

// contextForms names the events in which a client shows its model the context that a hook adds, and
// the form of the answer. Events that are missing cannot add any: at a tool of Cursor, Gemini CLI
// and Copilot CLI a hook may only block or change the call, goose and Windsurf read nothing but a
// veto, and OpenCode, Zed and Amp run no command. The sources are in the table of agentcmd.
var contextForms = map[string]map[EventKind]contextForm{
	"claude":      {SessionStart: nestedContext, BeforeTool: nestedContext, AfterTool: nestedContext, PromptSubmitted: nestedContext},
	"codex":       {SessionStart: nestedContext, BeforeTool: nestedContext, AfterTool: nestedContext, PromptSubmitted: nestedContext},
	"vscode":      {SessionStart: nestedContext, BeforeTool: nestedContext, AfterTool: nestedContext},
	"gemini":      {SessionStart: nestedContext, AfterTool: nestedContext, PromptSubmitted: nestedContext},
	"cursor":      {SessionStart: snakeContext, AfterTool: snakeContext},
	"copilot-cli": {SessionStart: flatContext, AfterTool: flatContext},
}

// withoutContext are events of a kind with context that take no context themselves. Those of Cursor
// have no answer. That of Copilot CLI reads one after exit code 2 alone, which must not occur here.
var withoutContext = map[string][]string{
	"cursor":      {"afterShellExecution", "afterMCPExecution", "afterFileEdit", "postToolUseFailure"},
	"copilot-cli": {"postToolUseFailure", "PostToolUseFailure"},
}

// A contextForm is the form of an answer that adds context and does nothing else.
type contextForm func(e Event, text string) any

// nestedContext is the form of Claude Code, which others share.
func nestedContext(e Event, text string) any {
	type specific struct {
		Name string `json:"hookEventName"`
		Text string `json:"additionalContext"`
	}
	return struct {
		Output specific `json:"hookSpecificOutput"`
	}{specific{e.Name, text}}
}

func flatContext(_ Event, text string) any {
	return struct {
		Text string `json:"additionalContext"`
	}{text}
}

func snakeContext(_ Event, text string) any {
	return struct {
		Text string `json:"additional_context"`
	}{text}
}

// formOf returns the form in which context may be added at an event, or nil if it may not.
func formOf(e Event) contextForm {
	if slices.Contains(withoutContext[e.Client], e.Name) {
		return nil
	}
	return contextForms[e.Client][e.Kind]
}

// FormatContext returns the answer that adds a text to what the model of a client reads: one line
// of JSON. It returns nil if the text is empty, or if the client takes no context at this event.
func FormatContext(e Event, text string) []byte {
	form := formOf(e)
	if form == nil || text == "" {
		return nil
	}
	var b bytes.Buffer
	to := json.NewEncoder(&b)
	to.SetEscapeHTML(false)
	if to.Encode(form(e, text)) != nil {
		return nil
	}
	return b.Bytes()
}
