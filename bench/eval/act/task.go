package act

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"patina/bench/eval"
)

// A Task is work for an agent. It is done if its check says so.
type Task struct {
	ID     string `json:"-"` // the file's name
	Prompt string `json:"prompt"`
	Setup  string `json:"setup"` // a command line that prepares the copy; may be empty
	Notes  []Note `json:"notes"` // kept before the work begins
	Check  string `json:"check"` // a command line with exit code 0 if the work is done
}

// A Note is what a task's project knows.
type Note struct {
	Text   string `json:"text"`
	Path   string `json:"path"`
	Symbol string `json:"symbol"`
}

// These bound a folder of tasks.
const (
	maxTasks    = 500
	maxTaskFile = 1 << 20
)

// LoadTasks reads the tasks of a folder: each file *.json is one. An error names the file and the
// line.
func LoadTasks(folder string) ([]Task, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err == nil && len(names) == 0 {
		err = errors.New("no *.json in it")
	}
	if err == nil && len(names) > maxTasks {
		err = fmt.Errorf("over %d files", maxTasks)
	}
	if err != nil {
		return nil, fmt.Errorf("read tasks %q: %w", folder, err)
	}
	slices.Sort(names)
	var tasks []Task
	for _, name := range names {
		t, err := loadTask(name)
		if err != nil {
			return nil, fmt.Errorf("read task %q: %w", name, err)
		}
		tasks = append(tasks, t)
	}
	return tasks, nil
}

func loadTask(name string) (t Task, err error) {
	info, err := os.Stat(name)
	if err != nil {
		return t, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxTaskFile {
		return t, fmt.Errorf("not a file of at most %d bytes", maxTaskFile)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return t, err
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields() // otherwise a misspelt "notes" would be a task without notes
	if err := d.Decode(&t); err != nil {
		return t, eval.AtLine(b, 0, err)
	}
	t.ID = strings.TrimSuffix(filepath.Base(name), ".json")
	for _, f := range [][2]string{{"prompt", t.Prompt}, {"check", t.Check}} {
		if strings.TrimSpace(f[1]) == "" {
			return t, fmt.Errorf("field %q: missing or empty", f[0])
		}
	}
	for i, n := range t.Notes {
		if strings.TrimSpace(n.Text) == "" {
			return t, fmt.Errorf(`field "notes": note %d has no text`, i+1)
		}
	}
	return t, nil
}
