package hookcmd

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"patina/ask/session"
	"patina/cmd/internal/cli"
)

// answerWithoutIndex returns the answer where nothing of the project is read.
func answerWithoutIndex(argument string, input []byte) []byte {
	e, ok := ReadEvent(argument, input)
	if !ok {
		return nil
	}
	if e.Kind == SessionStart {
		return FormatContext(e, openingText(session.Opening{}, "app", e.Reason, time.Now()))
	}
	a := &app{App: &cli.App{}}
	return FormatContext(e, a.answerText(e))
}

func TestHookAnswer(t *testing.T) {
	for _, c := range []struct {
		event, input string
		want         string // contained in the answer; empty: there must be no answer
	}{
		{"session-start", `{"hook_event_name":"SessionStart","cwd":"/x","source":"startup"}`, "patina scry"},
		{"session-start", `{"hook_event_name":"sessionStart","cursor_version":"3"}`, `{"additional_context":"patina`},
		{"session-start", "\xef\xbb\xbf" + `{"hook_event_name":"SessionStart"}`, "patina scry"},
		{"session-start", `{"hook_event_name":"PreToolUse"}`, ""},
		{"session-start", `{"hook_event_name":"SessionStart"`, ""},
		{"session-start", ``, ""},
		{"session-start", `[]`, ""},
		{"pre-tool", `{"hook_event_name":"PreToolUse","tool_name":"Grep","tool_input":{"pattern":"x"}}`, ""},
		{"pre-tool", `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":[1]}}`, ""},
		{"pre-tool", `{"hook_event_name":"PreToolUse","tool_name":"Edit"}`, ""},
		{"stop", `{"hook_event_name":"Stop"}`, ""},
		{"session-start", `{"hook_event_name":"SessionStart","x":"` + strings.Repeat("x", MaxInput) + `"}`, ""},
	} {
		got := string(answerWithoutIndex(c.event, []byte(c.input)))
		if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s, %.60q: %q, want %q", c.event, c.input, got, c.want)
		}
	}
}

// An answer is JSON with context only. Nothing in it may block, decide or change anything.
func FuzzHookAnswer(f *testing.F) {
	f.Add("session-start", []byte(`{"hook_event_name":"SessionStart"}`))
	f.Add("pre-tool", []byte(`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rg x"}}`))
	f.Fuzz(func(t *testing.T, event string, input []byte) {
		out := answerWithoutIndex(event, input)
		if len(out) == 0 {
			return
		}
		var got map[string]any
		if err := json.Unmarshal(out, &got); err != nil || len(got) != 1 {
			t.Fatalf("%q: %v", out, err)
		}
		if nested, ok := got["hookSpecificOutput"].(map[string]any); ok {
			delete(nested, "hookEventName")
			got = nested
		}
		for _, name := range []string{"additionalContext", "additional_context"} {
			if text, ok := got[name].(string); ok && text != "" {
				delete(got, name)
			}
		}
		if len(got) > 0 {
			t.Fatalf("%q does more than add context", out)
		}
	})
}
