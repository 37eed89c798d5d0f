package ab

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
)

// The kinds of tasks.
const (
	TaskOriented     = "task"      // a change that is asked for
	KnowledgeSeeking = "knowledge" // a question
)

// A Task is a question or a change asked for, with what is needed for it.
type Task struct {
	ID        string `json:"id"`
	Kind      string `json:"kind"` // TaskOriented or KnowledgeSeeking
	Query     string `json:"query"`
	Knowledge []Need `json:"knowledge"`
	Code      []Need `json:"code"`
	Note      string `json:"note"` // for readers of the file
}

// A Need is satisfied by any one of its documents: doc_ids as answers have them ("belief:x",
// "pattern:docs/a.md#b", "commit:<sha>"), or paths from the root.
type Need []string

// UnmarshalJSON reads one document or a list of them.
func (n *Need) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*n = Need{one}
		return nil
	}
	var list []string
	if err := json.Unmarshal(b, &list); err != nil {
		return fmt.Errorf("%.40s is neither a document nor a list of documents", b)
	}
	*n = list
	return nil
}

// maxFile bounds a file of tasks, in bytes. Sixty tasks take 15,000.
const maxFile = 16 << 20

// Load reads a JSON list of tasks. An error names the file and the line.
func Load(path string) ([]Task, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read tasks: %w", err)
	}
	defer func() { _ = f.Close() }()
	b, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(b) > maxFile {
		err = fmt.Errorf("over %d MiB", maxFile>>20)
	}
	var tasks []Task
	if err == nil {
		tasks, err = parse(b)
	}
	if err != nil {
		return nil, fmt.Errorf("read tasks %q: %w", path, err)
	}
	return tasks, nil
}

func parse(b []byte) ([]Task, error) {
	var raw []json.RawMessage
	if err := json.Unmarshal(b, &raw); err != nil {
		if bad, ok := errors.AsType[*json.SyntaxError](err); ok {
			return nil, fmt.Errorf("line %d: %w", lineOf(b, bad.Offset), err)
		}
		return nil, errors.New("line 1: not a JSON list of tasks")
	}
	if len(raw) == 0 {
		return nil, errors.New("line 1: no tasks")
	}
	tasks := make([]Task, len(raw))
	lines := map[string]int{}
	at := int64(0)
	for i, x := range raw {
		at += int64(bytes.Index(b[at:], x))
		t, offset, err := parseOne(x)
		line := lineOf(b, at+offset)
		at += int64(len(x))
		if err == nil && lines[t.ID] > 0 {
			err = fmt.Errorf("field \"id\": %q is also that of line %d", t.ID, lines[t.ID])
		}
		if err != nil {
			if t.ID != "" {
				err = fmt.Errorf("task %q: %w", t.ID, err)
			}
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		tasks[i], lines[t.ID] = t, line
	}
	return tasks, nil
}

// lineOf returns the line of a byte, from 1.
func lineOf(b []byte, at int64) int {
	return 1 + bytes.Count(b[:min(int(max(at, 0)), len(b))], []byte("\n"))
}

// parseOne reads one task. With an error it returns where in the task it is, as far as that is
// known, and the task as far as it was read.
func parseOne(b []byte) (t Task, offset int64, err error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields() // a misspelt "knowledge" is a task that needs none
	if err := d.Decode(&t); err != nil {
		if bad, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			want := "text"
			switch bad.Type.Kind() {
			case reflect.Slice:
				want = "a list"
			case reflect.Struct:
				return t, 0, fmt.Errorf("a task is an object, not a %s", bad.Value)
			}
			return t, bad.Offset, fmt.Errorf("field %q: %s where %s belongs", bad.Field, bad.Value, want)
		}
		return t, 0, errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	return t, 0, t.check()
}

func (t Task) check() error {
	switch {
	case strings.TrimSpace(t.ID) == "":
		return errors.New(`field "id" is missing or empty`)
	case strings.TrimSpace(t.Query) == "":
		return errors.New(`field "query" is missing or empty`)
	case t.Kind != TaskOriented && t.Kind != KnowledgeSeeking:
		return fmt.Errorf("field \"kind\": %q is neither %q nor %q", t.Kind, TaskOriented, KnowledgeSeeking)
	case len(t.Knowledge)+len(t.Code) == 0:
		return errors.New(`nothing is needed: "knowledge" and "code" are missing or empty`)
	}
	for _, needs := range [][]Need{t.Knowledge, t.Code} {
		for i, n := range needs {
			if len(n) == 0 || slices.ContainsFunc(n, func(s string) bool { return strings.TrimSpace(s) == "" }) {
				return fmt.Errorf("need %d names no document", i+1)
			}
		}
	}
	return nil
}
