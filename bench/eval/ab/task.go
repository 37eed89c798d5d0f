package ab

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"patina/bench/eval"
)

// The kinds of tasks.
const (
	TaskOriented     = "task"      // a change to make
	KnowledgeSeeking = "knowledge" // a question
)

// A Task is a question or a change to make, with its needs.
type Task struct {
	ID        string `json:"id"`
	Kind      string `json:"kind"` // TaskOriented or KnowledgeSeeking
	Query     string `json:"query"`
	Knowledge []Need `json:"knowledge"`
	Code      []Need `json:"code"`
	Note      string `json:"note"` // for readers of the file
}

// A Need is met by any one of its documents. They are doc_ids as in answers ("belief:x",
// "pattern:docs/a.md#b", "commit:<sha>") or paths from the root.
type Need []string

// UnmarshalJSON reads one document or a list of documents.
func (n *Need) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*n = Need{one}
		return nil
	}
	var list []string
	if err := json.Unmarshal(b, &list); err != nil {
		return fmt.Errorf("%.40s is neither a document nor a list of documents", bytes.TrimSpace(b))
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
		if _, ok := errors.AsType[*json.SyntaxError](err); ok {
			return nil, eval.AtLine(b, 0, err)
		}
		return nil, errors.New("line 1: not a JSON list of tasks")
	}
	if len(raw) == 0 {
		return nil, errors.New("line 1: no tasks")
	}
	tasks := make([]Task, len(raw))
	seen := map[string]int{}
	at := int64(0)
	for i, x := range raw {
		at += int64(bytes.Index(b[at:], x))
		t, err := parseOne(x)
		if first := seen[t.ID]; err == nil && first > 0 {
			err = fault("id", "%q is also that of task %d", t.ID, first)
		}
		if err != nil {
			return nil, eval.AtLine(b, at, err)
		}
		at += int64(len(x))
		tasks[i], seen[t.ID] = t, i+1
	}
	return tasks, nil
}

func parseOne(b []byte) (t Task, err error) {
	if b[0] != '{' {
		return t, fmt.Errorf("a task is an object, not %.40s", b)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields() // otherwise a misspelt "knowledge" would be a task without knowledge
	if err := d.Decode(&t); err != nil {
		if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
			return t, &eval.FieldError{Field: strings.Trim(name, `"`), Text: "unknown field " + name}
		}
		return t, err
	}
	return t, t.check()
}

func fault(field, problem string, args ...any) error {
	return &eval.FieldError{Field: field, Text: fmt.Sprintf("field %q: ", field) + fmt.Sprintf(problem, args...)}
}

func (t Task) check() error {
	switch {
	case strings.TrimSpace(t.ID) == "":
		return fault("id", "missing or empty")
	case strings.TrimSpace(t.Query) == "":
		return fault("query", "missing or empty")
	case t.Kind != TaskOriented && t.Kind != KnowledgeSeeking:
		return fault("kind", "%q is neither %q nor %q", t.Kind, TaskOriented, KnowledgeSeeking)
	case len(t.Knowledge)+len(t.Code) == 0:
		return errors.New(`nothing is needed: "knowledge" and "code" are missing or empty`)
	}
	for _, f := range []struct {
		name  string
		needs []Need
	}{{"knowledge", t.Knowledge}, {"code", t.Code}} {
		for i, n := range f.needs {
			if len(n) == 0 || slices.ContainsFunc(n, func(s string) bool { return strings.TrimSpace(s) == "" }) {
				return fault(f.name, "need %d names no document", i+1)
			}
		}
	}
	return nil
}
