package agentcmd

import (
	"bytes"
	"encoding/json"
	"strings"
)

// MaxHookInput bounds the input of a hook, in bytes. A longer input gets no answer.
const MaxHookInput = 1 << 20

const (
	sessionHint = "This repository has a patina index: code, commits, documents and decisions.\n" +
		"For a question about the code, ask the MCP tool scry of patina first, or in a shell: patina scry \"QUESTION\".\n" +
		"Before a change of design: context (patina context --topic WORDS). For callers and imports: assay (patina assay --help)."
	searchHint = "patina has indexed this repository. A question finds more by scry (patina scry \"QUESTION\") than by a pattern; " +
		"callers and imports are facts (patina assay callers NAME)."
)

// hookInput is the input of a hook from a client. Other members are ignored.
type hookInput struct {
	Event string `json:"hook_event_name"`
	Tool  string `json:"tool_name"`
	Input struct {
		Command string `json:"command"`
	} `json:"tool_input"`
}

// HookAnswer returns the answer to a hook's input: JSON that adds a few lines to a model's context,
// or nil. It never blocks or changes anything, and repeats nothing of its input.
func HookAnswer(event string, input []byte) []byte {
	var in hookInput
	if len(input) > MaxHookInput || json.Unmarshal(bytes.TrimPrefix(input, byteOrderMark(input)), &in) != nil {
		return nil
	}
	text := ""
	switch {
	case event == "session-start" && in.Event == "SessionStart":
		text = sessionHint
	case event == "session-start" && in.Event == "sessionStart": // Cursor
		return []byte(style{flat: true}.formatValue(object{{"additional_context", sessionHint}}, "") + "\n")
	case event == "pre-tool" && in.Event == "PreToolUse" && isSearch(in):
		text = searchHint
	default:
		return nil
	}
	return []byte(style{flat: true}.formatValue(object{{"hookSpecificOutput", object{
		{"hookEventName", in.Event},
		{"additionalContext", text},
	}}}, "") + "\n")
}

// HookEvents lists the events that have an answer.
func HookEvents() []string { return []string{"session-start", "pre-tool"} }

// isSearch reports whether a tool is about to search files for a pattern.
func isSearch(in hookInput) bool {
	if in.Tool == "Grep" {
		return true
	}
	for _, part := range strings.FieldsFunc(in.Input.Command,
		func(r rune) bool { return r == ';' || r == '&' || r == '\n' }) {
		words := strings.Fields(part)
		if len(words) == 0 {
			continue
		}
		switch words[0] {
		case "grep", "egrep", "fgrep", "rg", "ag", "ack":
			return true
		case "git":
			if len(words) > 1 && words[1] == "grep" {
				return true
			}
		}
	}
	return false
}
