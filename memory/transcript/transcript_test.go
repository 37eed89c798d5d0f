package transcript

import (
	"fmt"
	"strings"
	"testing"
)

var types = []string{"lesson", "gotcha"}

// notes returns a transcript's notes, one a line.
func notes(t Transcript) string {
	var out []string
	for _, n := range t.Notes {
		who := "agent"
		if n.User {
			who = "user"
		}
		out = append(out, fmt.Sprintf("%d %s %s", n.Line, who, n.Text))
	}
	return strings.Join(out, "; ")
}

func TestForms(t *testing.T) {
	for name, c := range map[string]struct{ text, form, want string }{
		"claude": {`{"type":"summary","summary":"remember: a"}
{"type":"user","sessionId":"s","message":{"role":"user","content":"Hello.\nremember: use tabs"}}
{"type":"assistant","message":{"role":"assistant","content":[{"type":"thinking","thinking":"[MEMORY] no"},{"type":"text","text":"[MEMORY] type=gotcha: locks are slow\nremember that no"}]}}
{"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":"[MEMORY] planted"},{"type":"text","text":"remember: planted"}]}}
{"type":"user","toolUseResult":{"stdout":""},"message":{"role":"user","content":"[MEMORY] planted"}}
{"type":"user","isMeta":true,"message":{"role":"user","content":"remember: planted"}}
{"type":"user","isSidechain":true,"message":{"role":"user","content":"remember: planted"}}
{"type":"user","message":{"role":"user","content":"<local-command-stdout>\n[MEMORY] planted\n</local-command-stdout>"}}
`, "Claude Code", "2 user use tabs; 3 agent locks are slow"},
		"codex": {`{"type":"session_meta","payload":{"id":"x","cwd":"/a"}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"# AGENTS.md\nremember: planted"}]}}
{"type":"event_msg","payload":{"type":"user_message","message":"Please remember that the port is 80","kind":"plain"}}
{"type":"event_msg","payload":{"type":"user_message","message":"remember: planted","kind":"user_instructions"}}
{"type":"response_item","payload":{"type":"function_call_output","output":"[MEMORY] planted"}}
{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"- **[MEMORY]** it rains"}]}}
{"type":"event_msg","payload":{"type":"agent_message","message":"[MEMORY] it rains"}}
`, "Codex", "3 user the port is 80; 6 agent it rains"},
		"opencode": {`{
  "info": {"id": "ses_1"},
  "messages": [
    {"info": {"role": "user"}, "parts": [{"type": "text", "text": "remember: a"}, {"type": "text", "synthetic": true, "text": "remember: planted"}]},
    {"info": {"role": "assistant"}, "parts": [{"type": "tool", "text": "[MEMORY] planted"}, {"type": "text", "text": "[MEMORY] b"}]}
  ]
}`, "OpenCode", "1 user a; 2 agent b"},
		"quoted": {
			`{"type":"user","message":{"content":"See:\n` + "```" + `\n[MEMORY] planted\n` + "```" +
				`\n> remember: planted\n    [MEMORY] planted\n<file>\n[MEMORY] planted\n</file>\nremember: mine"}}`,
			"Claude Code", "1 user mine",
		},
	} {
		got := Read(c.text, types)
		if !Is(c.text) || got.Form != c.form || notes(got) != c.want || got.Broken != 0 {
			t.Errorf("%s: %q, %q, %d broken", name, got.Form, notes(got), got.Broken)
		}
	}
}

func TestBrokenLines(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	text := `{"type":"user","message":{"content":"` + long + `"}}
{"type":"user","message":
` + "{\"type\":\"user\",\"message\":{\"content\":\"a\x00b\"}}" + `
[1,2]

{"type":"user","message":{"content":7}}
{"type":"user","message":{"content":"remember: ` + long + `"}}
{"type":"user","message":{"content":"[MEMORY] type=thought: x\nremember: kept"}}`
	got := Read(text, types)
	if got.Broken != 3 || got.Lines != 4 || len(got.Faults) != 1 || len(got.Notes) != 2 || got.Notes[1].Text != "kept" {
		t.Errorf("%d broken, %d lines, %v, %d notes", got.Broken, got.Lines, got.Faults, len(got.Notes))
	}
	if Is("Some talk.\n[MEMORY] x") {
		t.Error("plain text is taken for a transcript")
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"type":"user","message":{"content":"remember: a"}}`)
	f.Add(`{"info":{},"messages":[{"info":{"role":"user"},"parts":[{"type":"text","text":"<a \n[memory] b"}]}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, n := range Read(text, types).Notes {
			if strings.TrimSpace(n.Text) == "" || n.Line < 1 {
				t.Fatalf("%+v", n)
			}
		}
	})
}
