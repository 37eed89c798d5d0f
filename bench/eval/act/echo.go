package act

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// An EchoReport says what came back of planted notes, and what else was said.
type EchoReport struct {
	Client     string   `json:"client"`
	Planted    int      `json:"planted"`    // events that a planted note governs
	Echoed     int      `json:"echoed"`     // of them, answered with the note
	Repeated   int      `json:"repeated"`   // the same events again in the same session
	Quiet      int      `json:"quiet"`      // of them, silent
	Ungoverned int      `json:"ungoverned"` // events that nothing governs
	Silent     int      `json:"silent"`     // of them, silent
	Others     int      `json:"others"`     // edits of other files of the repository
	Known      int      `json:"known"`      // of them, answered by what the project knows
	Failed     int      `json:"failed"`     // events with an exit code or an invalid answer
	Late       int      `json:"late"`       // events fired again, because a hook was out of time
	MostBytes  int      `json:"most_bytes"` // of an added text
	UsedMS     float64  `json:"used_ms"`    // median processor time of a hook
	StartMS    float64  `json:"start_ms"`   // median processor time of patina version
	SlowestMS  float64  `json:"slowest_ms"` // wall clock
	Faults     []string `json:"faults,omitempty"`
}

// IsWhole reports whether every planted note came back once, at least 95 in 100 of the events that
// nothing governs were silent, and no event failed.
func (r *EchoReport) IsWhole() bool {
	return r.Planted > 0 && r.Echoed == r.Planted && r.Quiet == r.Repeated && r.Failed == 0 &&
		100*r.Silent >= 95*r.Ungoverned
}

const (
	plantedFiles = 8
	otherFiles   = 20
	maxFaults    = 10
	maxFileSize  = 256 << 10

	lateMS   = 150 // a silent hook that took longer may have run out of time (hookcmd: 200 ms)
	maxTries = 10
)

// An echo is a running measurement.
type echo struct {
	*place
	report  *EchoReport
	session string
	used    []float64
}

// Echo plants notes in a copy of a repository, fires the events of a session of Claude Code at
// "patina hook", and reports which notes came back.
func Echo(ctx context.Context, s Source) (*EchoReport, error) {
	p, err := newPlace(ctx, s, "echo")
	if err != nil {
		return nil, err
	}
	e := &echo{place: p, report: &EchoReport{Client: "claude"}, session: newWord()}
	files, err := textFiles(p.root)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, errors.New("the repository has no text files to plant notes about")
	}
	planted := spread(files, plantedFiles)
	if err := e.plant(ctx, planted); err != nil {
		return nil, err
	}
	e.ungoverned(ctx)
	rest := slices.DeleteFunc(files, func(f string) bool { return slices.Contains(planted, f) })
	for _, f := range spread(rest, otherFiles) {
		e.report.Others++
		if text := e.fire(ctx, "pre-tool", editOf(f)); text != "" {
			e.report.Known++
		}
	}
	var starts []float64
	for range 20 {
		if r, err := p.run(ctx, nil, "version"); err == nil {
			starts = append(starts, milliseconds(r.used))
		}
	}
	e.report.UsedMS, e.report.StartMS = median(e.used), median(starts)
	return e.report, ctx.Err()
}

// plant notes a word about each file, a command and an error, and looks for it in the answers.
func (e *echo) plant(ctx context.Context, files []string) error {
	type event struct {
		argument string
		input    map[string]any
		word     string
	}
	var events []event
	add := func(argument string, input map[string]any, word string, note ...string) error {
		events = append(events, event{argument, input, word})
		_, err := e.run(ctx, nil, append([]string{"memory", "add"}, note...)...)
		return err
	}
	for i, f := range files {
		word := newWord()
		input := editOf(f)
		switch i % 3 {
		case 1:
			input = toolEvent("Write", map[string]any{"file_path": f, "content": "rewritten\n"})
		case 2:
			input = toolEvent("MultiEdit", map[string]any{
				"file_path": f, "edits": []any{map[string]any{"old_string": "a", "new_string": "b"}},
			})
		}
		if err := add("pre-tool", input, word, "The value "+word+" is fixed here.", "--path", f, "--type", "gotcha"); err != nil {
			return err
		}
	}
	word, other := newWord(), newWord()
	if err := add("pre-tool", toolEvent("Bash", map[string]any{"command": "cd . && make " + word + " COUNT=3"}), word,
		"`make "+word+"` needs an idle machine."); err != nil {
		return err
	}
	failed := toolEvent("Bash", map[string]any{"command": "make all"})
	failed["hook_event_name"], failed["error"] = "PostToolUseFailure", "Exit code 2\nmake: the gate "+other+" is shut\n"
	if err := add("post-tool", failed, other, "\"the gate "+other+" is shut\" means that the port is taken."); err != nil {
		return err
	}
	for _, x := range events {
		e.report.Planted++
		if !e.echoes(ctx, x.argument, x.input, x.word) {
			e.fault("a planted note did not come back: %v", x.input["tool_input"])
			continue
		}
		e.report.Echoed++
		e.report.Repeated++
		if e.fire(ctx, x.argument, x.input) == "" {
			e.report.Quiet++
		} else {
			e.fault("said twice: %v", x.input["tool_input"])
		}
	}
	return nil
}

// echoes reports whether a planted word is in the answer to an event. An event that was not
// answered in time is fired again, in another session, because a busy machine makes hooks late.
func (e *echo) echoes(ctx context.Context, argument string, input map[string]any, word string) bool {
	for range maxTries {
		slowest := e.report.SlowestMS
		e.report.SlowestMS = 0
		text := e.fire(ctx, argument, input)
		took := e.report.SlowestMS
		e.report.SlowestMS = max(took, slowest)
		if text != "" || took < lateMS {
			return strings.Contains(text, word)
		}
		e.report.Late++
		e.session = newWord()
	}
	return false
}

// ungoverned fires events that nothing can govern.
func (e *echo) ungoverned(ctx context.Context) {
	for _, command := range []string{
		"ls -la", "git status", "git log --oneline -5", "pwd", "echo done", "cat README.md", "date", "which sh", "true", "env | sort",
	} {
		for _, event := range []struct{ argument, name string }{{"pre-tool", "PreToolUse"}, {"post-tool", "PostToolUse"}} {
			input := toolEvent("Bash", map[string]any{"command": command})
			input["hook_event_name"] = event.name
			input["tool_response"] = map[string]any{"stdout": "error: " + newWord(), "stderr": "", "interrupted": false}
			e.silent(ctx, event.argument, input)
		}
	}
	for range 20 {
		word := newWord()
		e.silent(ctx, "pre-tool", toolEvent("Write", map[string]any{"file_path": word + "/" + word + ".txt", "content": word + "\n"}))
		e.silent(ctx, "pre-tool", toolEvent("Edit", map[string]any{"file_path": "/" + word, "old_string": word, "new_string": "x"}))
		e.silent(ctx, "pre-tool", toolEvent("Read", map[string]any{"file_path": word}))
		e.silent(ctx, "pre-tool", toolEvent("Grep", map[string]any{"pattern": word}))
	}
}

func (e *echo) silent(ctx context.Context, argument string, input map[string]any) {
	e.report.Ungoverned++
	if text := e.fire(ctx, argument, input); text == "" {
		e.report.Silent++
	} else {
		e.fault("not silent: %v: %s", input["tool_input"], text)
	}
}

func (e *echo) fault(format string, args ...any) {
	if len(e.report.Faults) < maxFaults {
		e.report.Faults = append(e.report.Faults, lastWords(fmt.Sprintf(format, args...)))
	}
}

// fire starts a hook with an event and returns the text that it adds, or "".
func (e *echo) fire(ctx context.Context, argument string, input map[string]any) string {
	input["session_id"], input["transcript_path"] = e.session, filepath.Join(e.home, "transcript.jsonl")
	input["cwd"], input["permission_mode"] = e.root, "default"
	b, err := json.Marshal(input)
	if err != nil {
		e.fault("%v", err)
		return ""
	}
	r, err := e.run(ctx, b, "hook", argument)
	e.used = append(e.used, milliseconds(r.used))
	e.report.SlowestMS = max(e.report.SlowestMS, milliseconds(r.took))
	if err != nil {
		e.report.Failed++
		e.fault("%v", err)
		return ""
	}
	if r.out == "" {
		return ""
	}
	var answer struct {
		Output struct {
			Event string `json:"hookEventName"`
			Text  string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal([]byte(r.out), &answer); err != nil || answer.Output.Event != input["hook_event_name"] {
		e.report.Failed++
		e.fault("an answer is not as it must be: %s", r.out)
	}
	e.report.MostBytes = max(e.report.MostBytes, len(answer.Output.Text))
	return answer.Output.Text
}

// toolEvent is the input of a hook before a tool.
func toolEvent(tool string, input map[string]any) map[string]any {
	return map[string]any{"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input, "tool_use_id": "toolu_" + newWord()}
}

func editOf(file string) map[string]any {
	return toolEvent("Edit", map[string]any{"file_path": file, "old_string": "before", "new_string": "after", "replace_all": false})
}

// newWord returns a word that nobody can guess.
func newWord() string {
	var b [5]byte
	_, _ = rand.Read(b[:]) // never fails
	return "planted" + hex.EncodeToString(b[:])
}

// textFiles returns the text files of a tree, sorted, without those that hold knowledge themselves.
func textFiles(root string) (files []string, err error) {
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, name)
		if d.IsDir() {
			if rel == ".git" || rel == ".patina" || rel == "layer" {
				return filepath.SkipDir
			}
			return nil
		}
		info, err := d.Info()
		if err != nil || !info.Mode().IsRegular() || info.Size() == 0 || info.Size() > maxFileSize || strings.HasSuffix(name, ".md") {
			return nil
		}
		if b, err := os.ReadFile(name); err == nil && utf8.Valid(b) {
			files = append(files, filepath.ToSlash(rel))
		}
		return nil
	})
	slices.Sort(files)
	return files, err
}

// spread returns n of the files, evenly spread over them.
func spread(files []string, n int) (some []string) {
	n = min(n, len(files))
	for i := range n {
		some = append(some, files[i*len(files)/n])
	}
	return some
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	values = slices.Sorted(slices.Values(values))
	return values[len(values)/2]
}
