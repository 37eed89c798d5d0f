package ab

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// A Record is a file of JSON lines, one for each event, written at once, so that an interrupt loses
// nothing. Each line is {"is": KIND, "of": …}. A nil Record writes nothing.
type Record struct {
	mu   sync.Mutex
	file *os.File
	err  error // first error of a write
	kept bool  // whether it has an answer
}

// NewRecord creates a file in a folder, named after the time, readable by this user only. It
// creates the folder if necessary. The caller must close the record.
func NewRecord(folder string, now time.Time) (*Record, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("keep a record: %w", err)
	}
	name := now.UTC().Format("20060102T150405Z")
	for i := 1; ; i++ {
		path := filepath.Join(folder, name+".jsonl")
		if i > 1 {
			path = filepath.Join(folder, fmt.Sprintf("%s-%d.jsonl", name, i))
		}
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		switch {
		case err == nil:
			return &Record{file: f}, nil
		case !errors.Is(err, fs.ErrExist):
			return nil, fmt.Errorf("keep a record: %w", err)
		}
	}
}

// Path returns the path of the file, "" for a nil Record.
func (r *Record) Path() string {
	if r == nil {
		return ""
	}
	return r.file.Name()
}

// keep appends one line. Close returns the first error.
func (r *Record) keep(is string, of any) {
	if r == nil {
		return
	}
	line, err := json.Marshal(struct {
		Is string `json:"is"`
		Of any    `json:"of"`
	}{is, of})
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kept = r.kept || is == "answer"
	if err == nil {
		_, err = r.file.Write(append(line, '\n'))
	}
	if r.err == nil {
		r.err = err
	}
}

// Begin writes the tasks, their file, the arms and the options.
func (r *Record) Begin(file string, tasks []Task, arms []Arm, o Options) {
	r.keep("begin", struct {
		File  string `json:"file"`
		Tasks []Task `json:"tasks"`
		Arms  []Arm  `json:"arms"`
		K     int    `json:"k"`
		Seed  uint64 `json:"seed"`
	}{file, tasks, arms, o.K, o.Seed})
}

// Kept reports whether the record has an answer. It is false for a nil Record.
func (r *Record) Kept() bool { return r != nil && r.kept }

// Close writes how the run ended and returns the record's first error. outcome is the run's error,
// nil after a complete run. A record without an answer is removed.
func (r *Record) Close(outcome error) error {
	if r == nil {
		return nil
	}
	said := "done"
	if outcome != nil {
		said = outcome.Error()
	}
	r.keep("end", said)
	if !r.kept {
		return errors.Join(r.file.Close(), os.Remove(r.file.Name()))
	}
	if err := errors.Join(r.err, r.file.Close()); err != nil {
		return fmt.Errorf("keep a record in %q: %w", r.file.Name(), err)
	}
	return nil
}
