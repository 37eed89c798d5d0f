package hookcmd

import (
	"bytes"
	"encoding/json"
)

// contextForms names the events in which a client shows its model the context that a hook adds, and
// the form of the answer. At other events a hook may only block or change a call, its answer is not
// read (Cursor's afterShellExecution), or is read after exit code 2 alone, which must not occur
// here (Copilot CLI's postToolUseFailure). goose and Windsurf read nothing but a veto, and
// OpenCode, Zed and Amp run no command. The sources are in the table of agentcmd.
var contextForms = map[string]map[string]contextForm{
	"claude": {
		"SessionStart": nestedContext, "UserPromptSubmit": nestedContext, "PreToolUse": nestedContext,
		"PostToolUse": nestedContext, "PostToolUseFailure": nestedContext,
	},
	"codex": {
		"SessionStart": nestedContext, "UserPromptSubmit": nestedContext, "PreToolUse": nestedContext,
		"PostToolUse": nestedContext,
	},
	"vscode": {"SessionStart": nestedContext, "PreToolUse": nestedContext, "PostToolUse": nestedContext},
	"gemini": {"SessionStart": nestedContext, "BeforeAgent": nestedContext, "AfterTool": nestedContext},
	"cursor": {"sessionStart": snakeContext, "postToolUse": snakeContext},
	"copilot-cli": {
		"sessionStart": flatContext, "SessionStart": flatContext, "postToolUse": flatContext, "PostToolUse": flatContext,
	},
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
func formOf(e Event) contextForm { return contextForms[e.Client][e.Name] }

// FormatContext returns the answer that adds a text to the context of a client's model: one line of
// JSON. It returns nil if the text is empty, or if the client takes no context at this event.
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
