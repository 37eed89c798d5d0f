package hookcmd

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// checkAnswer checks an answer by the relevant part of the client's published schema, in own words.
// It is stricter than the clients: only context may be added, because a hook must decide nothing.
func checkAnswer(client, event string, out []byte) error {
	if len(out) == 0 {
		return nil
	}
	if out[len(out)-1] != '\n' || strings.Count(string(out), "\n") != 1 {
		return fmt.Errorf("%q is not one line", out)
	}
	var got map[string]any
	if err := json.Unmarshal(out, &got); err != nil {
		return err
	}
	switch client {
	case "claude", "codex", "vscode", "gemini":
		// hookSpecificOutput: an object with hookEventName, which must be the event's name (Codex
		// takes no other and no further member), and additionalContext, a text.
		nested, ok := got["hookSpecificOutput"].(map[string]any)
		if !ok || len(got) != 1 || len(nested) != 2 || nested["hookEventName"] != event {
			return fmt.Errorf("%q is not of the form with hookSpecificOutput", out)
		}
		return checkText(nested["additionalContext"])
	case "cursor":
		if len(got) != 1 {
			return fmt.Errorf("%q has further members", out)
		}
		return checkText(got["additional_context"])
	case "copilot-cli":
		if len(got) != 1 {
			return fmt.Errorf("%q has further members", out)
		}
		return checkText(got["additionalContext"])
	}
	return fmt.Errorf("%s takes no answer, and got %q", client, out)
}

func checkText(v any) error {
	if s, ok := v.(string); !ok || s == "" {
		return fmt.Errorf("the context is %v", v)
	}
	return nil
}

// takesContext lists the events at which a client's reference lets a hook add context.
var takesContext = map[string][]string{
	"claude":      {"SessionStart", "PreToolUse", "PostToolUse", "PostToolUseFailure"},
	"codex":       {"SessionStart", "PreToolUse", "PostToolUse"},
	"vscode":      {"SessionStart", "PreToolUse", "PostToolUse"},
	"gemini":      {"SessionStart", "AfterTool"},
	"cursor":      {"sessionStart", "postToolUse"},
	"copilot-cli": {"sessionStart", "postToolUse", "SessionStart", "PostToolUse"},
}

// mayAnswer reports whether a client takes an answer to an event.
func mayAnswer(client, event string) bool { return slices.Contains(takesContext[client], event) }
