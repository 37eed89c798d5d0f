package transcript

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// spoken returns the turns of a transcript, one a line.
func spoken(form, text string) string {
	p := NewParser(form, nil, func(s string) string { return strings.ReplaceAll(s, "hunter2", "[secret]") })
	for line := range strings.Lines(text) {
		p.AddLine([]byte(strings.TrimSuffix(line, "\n")))
	}
	return turnLines(p.Finish())
}

func turnLines(list []Spoken) string {
	var out []string
	for _, t := range list {
		out = append(out, fmt.Sprintf("%d %s %s", t.Line, t.Role, strings.ReplaceAll(t.Text, "\n", "|")))
	}
	return strings.Join(out, "\n")
}

const claudeTalk = `{"type":"summary","summary":"no"}
{"type":"user","timestamp":"2026-01-18T10:00:00.000Z","cwd":"/a","message":{"role":"user","content":"Why is the pool so small? <system-reminder>no</system-reminder> The password is hunter2"}}
{"type":"assistant","timestamp":"2026-01-18T10:01:00.000Z","message":{"content":[{"type":"thinking","thinking":"no"},{"type":"text","text":"I run the tests."},{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"cd sub && go test ./pool -run X"}}]}}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"Exit code 1\npool_test.go:12: undefined: Limit\nok other"}]}}
{"type":"assistant","message":{"content":[{"type":"text","text":"Limit was renamed."},{"type":"tool_use","id":"t2","name":"Edit","input":{"file_path":"/a/pool/pool.go","old_string":"x","new_string":"const Limit = 8"}}]}}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t2","content":[{"type":"text","text":"done"}]}]}}
{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t3","name":"Bash","input":{"command":"go test ./..."}},{"type":"tool_use","id":"t4","name":"Read","input":{"file_path":"/a/x.go"}}]}}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t3","content":"ok  pool 0.1s"},{"type":"tool_result","tool_use_id":"t4","content":"package x"}]}}
{"type":"user","isMeta":true,"message":{"content":"no"}}
{"type":"user","isSidechain":true,"message":{"content":"no"}}
{"type":"user","message":{"content":"<local-command-stdout>no</local-command-stdout>"}}
not json
`

func TestSpokenClaude(t *testing.T) {
	want := `2 user Why is the pool so small?  The password is [secret]
3 agent I run the tests.
5 agent Limit was renamed.
8 mend $ cd sub && go test ./pool -run X|failed: pool_test.go:12: undefined: Limit|fixed by editing pool/pool.go: const Limit = 8|then this succeeded: $ go test ./...|the agent said: Limit was renamed.`
	if got := spoken(FormClaude, claudeTalk); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestSpokenCodex(t *testing.T) {
	got := spoken(FormCodex, `{"timestamp":"2026-01-18T10:00:00Z","type":"session_meta","payload":{"id":"x","cwd":"/a"}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"no"}]}}
{"type":"event_msg","payload":{"type":"user_message","message":"Build it","kind":"plain"}}
{"type":"response_item","payload":{"type":"function_call","name":"shell","call_id":"a","arguments":"{\"command\":[\"bash\",\"-lc\",\"make build\"]}"}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"a","output":"{\"output\":\"gcc: fatal error: no input\",\"metadata\":{\"exit_code\":2}}"}}
{"type":"response_item","payload":{"type":"custom_tool_call","name":"apply_patch","call_id":"b","input":"*** Begin Patch\n*** Update File: src/Makefile\n@@\n-x\n+build: main.c\n*** End Patch"}}
{"type":"response_item","payload":{"type":"custom_tool_call_output","call_id":"b","output":"{\"output\":\"Success\",\"metadata\":{\"exit_code\":0}}"}}
{"type":"response_item","payload":{"type":"function_call","name":"shell_command","call_id":"c","arguments":"{\"command\":\"make build\"}"}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"c","output":"Exit code: 0\nWall time: 1 seconds\nOutput:\nbuilt"}}
{"type":"response_item","payload":{"type":"local_shell_call","call_id":"d","action":{"type":"exec","command":["ls","bin"]}}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"d","output":[{"type":"input_text","text":"app"}]}}
{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"It builds."}]}}
{"type":"event_msg","payload":{"type":"agent_message","message":"no"}}`)
	want := `3 user Build it
9 mend $ make build|failed: gcc: fatal error: no input|fixed by editing src/Makefile: build: main.c|
11 tool $ ls bin|app
12 agent It builds.`
	if strings.ReplaceAll(got, "|\n", "\n") != strings.ReplaceAll(want, "|\n", "\n") {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestSpokenGemini(t *testing.T) {
	message := `{"id":"2","type":"gemini","content":"Looking.","toolCalls":[{"id":"c","name":"run_shell_command","args":{"command":"npm run build"},"status":"%s","result":[{"functionResponse":{"response":{"output":"Output: TS2304: Cannot find name\nExit Code: 2"}}}]}]}`
	lines := `{"sessionId":"s","projectHash":"h","startTime":"2026-01-18T10:00:00Z"}
{"id":"1","timestamp":"2026-01-18T10:00:00Z","type":"user","content":[{"text":"Does it build?"}]}
` + fmt.Sprintf(message, "executing") + "\n" + fmt.Sprintf(message, "success") + `
{"$rewindTo":"9"}
{"$set":{"messages":[{"id":"1","type":"user","content":"Does it build?"}]}}
{"id":"3","type":"info","content":"no"}`
	want := `2 user Does it build?
3 agent Looking.
4 error $ npm run build|failed: Output: TS2304: Cannot find name`
	if got := spoken(FormGemini, lines); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	p := NewParser(FormGemini, nil, strings.Clone)
	p.AddDocument([]byte(`{"sessionId":"s","messages":[{"id":"1","type":"user","content":"Old form"},` +
		fmt.Sprintf(message, "error") + `]}`))
	if got := turnLines(p.Finish()); !strings.HasPrefix(got, "0 user Old form\n0 agent Looking.\n0 error $ npm run build|") {
		t.Errorf("document: %s", got)
	}
}

func TestSpokenOpenCode(t *testing.T) {
	p := NewParser(FormOpenCode, nil, strings.Clone)
	p.AddMessage([]byte(`{"role":"user","time":{"created":1768730400000}}`), [][]byte{
		[]byte(`{"type":"text","text":"Lint it"}`), []byte(`{"type":"text","synthetic":true,"text":"no"}`), []byte(`{`),
	})
	p.AddMessage([]byte(`{"role":"assistant"}`), [][]byte{
		[]byte(`{"type":"tool","tool":"bash","state":{"status":"completed","input":{"command":"ruff check"},"output":"F401 unused import: error","metadata":{"exit":1}}}`),
		[]byte(`{"type":"tool","tool":"edit","state":{"status":"completed","input":{"filePath":"a/b.py","newString":"import os"},"output":""}}`),
		[]byte(`{"type":"tool","tool":"bash","state":{"status":"completed","input":{"command":"ruff check"},"output":"All checks passed","metadata":{"exit":0}}}`),
	})
	got := p.Finish()
	want := `1 user Lint it
2 mend $ ruff check|failed: F401 unused import: error|fixed by editing a/b.py: import os`
	if turnLines(got) != want || p.Broken != 1 || got[0].At.Format("2006-01-02") != "2026-01-18" {
		t.Errorf("%d broken, got:\n%s\nwant:\n%s", p.Broken, turnLines(got), want)
	}
}

// A parser that goes on with the state of another one makes the same turns, but for failures and
// changes that
// the first one had to report before the mend was known.
func TestStateGoesOn(t *testing.T) {
	lines := strings.SplitAfter(claudeTalk, "\n")
	whole := spoken(FormClaude, claudeTalk)
	for cut := range lines {
		a := NewParser(FormClaude, nil, func(s string) string { return strings.ReplaceAll(s, "hunter2", "[secret]") })
		for _, l := range lines[:cut] {
			a.AddLine([]byte(strings.TrimSuffix(l, "\n")))
		}
		got := turnLines(a.Finish())
		if strings.Contains(string(a.State()), "hunter2") {
			t.Errorf("cut %d: the state holds a secret", cut)
		}
		b := NewParser(FormClaude, a.State(), strings.Clone)
		for _, l := range lines[cut:] {
			b.AddLine([]byte(strings.TrimSuffix(l, "\n")))
		}
		got = strings.TrimSpace(got + "\n" + turnLines(b.Finish()))
		var kept []string
		for l := range strings.Lines(got) {
			if !strings.Contains(l, " error $ ") && !strings.Contains(l, " tool edited ") {
				kept = append(kept, strings.TrimSuffix(l, "\n"))
			}
		}
		if cut > 2 && strings.Join(kept, "\n") != whole {
			t.Errorf("cut %d:\n%s\nwant:\n%s", cut, got, whole)
		}
	}
}

func TestCommandKey(t *testing.T) {
	for in, want := range map[string]string{
		"go test ./...":                       "go test",
		"cd a && FOO=1 go test -v ./b | tail": "go test",
		"npm run build -- --x":                "npm run build",
		"python3 -u tools/run.py --x":         "python3 run.py",
		"pytest tests/x.py":                   "pytest",
		"/usr/bin/make check":                 "make check",
		"":                                    "",
		"cd x; cargo build":                   "cargo build",
	} {
		if got := commandKey(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestTextsAreBounded(t *testing.T) {
	long := strings.Repeat("word \x1b[31mred\x1b[0m \u202e\x00é ", 40_000)
	c := composer{redact: strings.Clone}
	c.say(true, long)
	c.begin("a", toolInput{Command: commandWords(long)})
	c.end("a", long+"\nerror: it broke\n"+long, failedOutcome)
	for i := range 20 {
		c.begin("b", toolInput{Path: "f", New: long})
		c.end("b", long, succeededOutcome)
		c.begin("c", toolInput{Command: commandWords(fmt.Sprint("x", i))})
		c.end("c", strings.Repeat(fmt.Sprint("error ", i, "\n"), 20_000), failedOutcome)
	}
	c.completeTurns()
	size := 0
	for _, turn := range c.take() {
		size += len(turn.Text)
		if len(turn.Text) > maxPiece || !utf8.ValidString(turn.Text) || strings.ContainsAny(turn.Text, "\x1b\x00\u202e") {
			t.Fatalf("%s: %d bytes, %q", turn.Role, len(turn.Text), turn.Text)
		}
	}
	if state, _ := json.Marshal(c.failed); size > 200_000 || len(state) > 40_000 {
		t.Errorf("%d bytes of turns, %d of state", size, len(state))
	}
}

func FuzzSpoken(f *testing.F) {
	for _, form := range []string{FormClaude, FormCodex, FormGemini, FormOpenCode} {
		f.Add(form, claudeTalk)
	}
	f.Add(FormCodex, `{"type":"response_item","payload":{"type":"function_call","call_id":"a","arguments":"{\"command\":[]}"}}`)
	f.Add(FormGemini, `{"id":"1","type":"gemini","toolCalls":[{"args":{"content":[1]},"status":"error"}]}`)
	f.Add(FormClaude, strings.Repeat(`[`, 20_000))
	f.Fuzz(func(t *testing.T, form, text string) {
		p := NewParser(form, []byte(text), strings.Clone)
		for line := range strings.Lines(text) {
			p.AddLine([]byte(line))
		}
		if form == FormOpenCode {
			p.AddMessage([]byte(text), [][]byte{[]byte(text)})
		}
		p.AddDocument([]byte(text))
		for _, turn := range p.Finish() {
			if len(turn.Text) > maxPiece || !utf8.ValidString(turn.Text) || cleanText(turn.Text) != turn.Text {
				t.Fatalf("%q", turn.Text)
			}
		}
		if !json.Valid(p.State()) {
			t.Fatal("the state is no JSON")
		}
	})
}
