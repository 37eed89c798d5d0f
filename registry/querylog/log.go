// Package querylog remembers answers for 30 days. A result can be shown whole by the answer's id
// and its rank, from any folder and any process.
//
// The log can only be read by this user, and cannot be made again. A damaged line must not make
// other lines unreadable. The front ends show the results.
package querylog

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"patina/internal/secrets"
)

// keep is how long a query can be found: 30 days.
const keep = 30 * 24 * time.Hour

// The errors of Find. Other errors come from reading the file.
var (
	// ErrUnknown means that the log does not hold the id.
	ErrUnknown = errors.New("no such query")
	// ErrExpired means that the id is older than the log keeps queries.
	ErrExpired = errors.New("query has expired (they are kept for 30 days)")
)

// The modes of files and folders. Only the user may read them, because they hold questions and
// paths.
const (
	folderMode = 0o700
	fileMode   = 0o600
)

// A Query is the log's entry of one answer. It must be enough to show any result again, from any
// folder.
type Query struct {
	ID         string    `json:"id"`
	Text       string    `json:"query"`
	Root       string    `json:"root"`
	Store      string    `json:"store"`
	Far        string    `json:"far,omitempty"` // name on all machines, if others answered
	Generation int64     `json:"generation"`
	Time       time.Time `json:"time"`
	Results    []Place   `json:"results"` // by rank, which counts from 1
}

// A Place is one result in a logged answer.
type Place struct {
	DocID string `json:"doc_id"`          // as ranked; for code it is the path
	Shown string `json:"shown,omitempty"` // the part shown, if it is not the whole document
	Root  string `json:"root,omitempty"`  // of the result's project, if it is another one
	Store string `json:"store,omitempty"`
	Far   string `json:"far,omitempty"` // its project's name on all machines, if others answered
}

// IsElsewhere reports whether a result is of another project than its answer.
func (p Place) IsElsewhere() bool { return p.Root != "" || p.Far != "" }

// Place returns where the answer was given.
func (q Query) Place() Place { return Place{Root: q.Root, Store: q.Store, Far: q.Far} }

// A Log is a folder with files of JSON lines, one for each UTC day. It may be used concurrently,
// also by several processes, because each entry is one write to a file opened for appending, which
// the kernel does not interleave.
type Log struct {
	Dir string
	Now func() time.Time // nil means time.Now
}

// In returns the log of a home folder. It does not create the folder.
func In(home string) Log { return Log{Dir: filepath.Join(home, "queries")} }

func (l Log) currentTime() time.Time {
	if l.Now != nil {
		return l.Now().UTC()
	}
	return time.Now().UTC()
}

func (l Log) fileOfDay(day time.Time) string {
	return filepath.Join(l.Dir, day.Format(dayForm)+".jsonl")
}

// Append appends a query, without the secrets in its text. q.ID must come from NewID. The first
// query of a day also removes expired days.
func (l Log) Append(q Query) error {
	day, ok := timeOfID(q.ID)
	if !ok {
		return fmt.Errorf("log query: malformed id %q", q.ID)
	}
	q.Text = secrets.Redact(q.Text)
	line, err := json.Marshal(q)
	if err != nil {
		return fmt.Errorf("log query: %w", err)
	}
	if err := l.append(l.fileOfDay(day), line); err != nil {
		return fmt.Errorf("log query: %w", err)
	}
	return nil
}

// append writes one line to the end of a day's file. If it makes the file, it removes expired days.
func (l Log) append(file string, line []byte) error {
	f, first, err := l.openDay(file)
	if err != nil {
		return err
	}
	// The newline in front ends a line that a full disk or a crash has cut short. Readers skip
	// empty lines.
	_, err = f.Write(append(append([]byte{'\n'}, line...), '\n'))
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil && first {
		l.expire()
	}
	return err
}

// openDay opens a day's file and reports whether this call has made it.
func (l Log) openDay(file string) (*os.File, bool, error) {
	const flags = os.O_WRONLY | os.O_APPEND
	f, err := os.OpenFile(file, flags, fileMode)
	if !errors.Is(err, os.ErrNotExist) {
		return f, false, err
	}
	if err := os.MkdirAll(l.Dir, folderMode); err != nil {
		return nil, false, err
	}
	f, err = os.OpenFile(file, flags|os.O_CREATE|os.O_EXCL, fileMode)
	if errors.Is(err, os.ErrExist) { // another process was faster
		f, err = os.OpenFile(file, flags, fileMode)
		return f, false, err
	}
	return f, err == nil, err
}

// expire removes the files of days that have expired. Other files in the folder stay.
func (l Log) expire() {
	for _, file := range l.files() {
		day, _ := time.Parse(dayForm, strings.TrimSuffix(filepath.Base(file), ".jsonl"))
		if l.currentTime().Sub(day) > keep+24*time.Hour { // the day's last second, too
			_ = os.Remove(file) // if it fails, the next day tries again
		}
	}
}

// files returns the files of the log, sorted by day.
func (l Log) files() []string {
	all, _ := filepath.Glob(filepath.Join(l.Dir, "*.jsonl"))
	days := all[:0]
	for _, file := range all {
		if _, err := time.Parse(dayForm, strings.TrimSuffix(filepath.Base(file), ".jsonl")); err == nil {
			days = append(days, file)
		}
	}
	return days
}

// Find returns the query with an id. The error wraps ErrUnknown or ErrExpired if there is no such
// query. Lines that cannot be read are skipped.
func (l Log) Find(id string) (Query, error) {
	day, ok := timeOfID(id)
	if !ok {
		return Query{}, fmt.Errorf("find query %q: %w", id, ErrUnknown)
	}
	if l.currentTime().Sub(day) > keep {
		return Query{}, fmt.Errorf("find query %q: %w", id, ErrExpired)
	}
	f, err := os.Open(l.fileOfDay(day))
	if errors.Is(err, os.ErrNotExist) {
		return Query{}, fmt.Errorf("find query %q: %w", id, ErrUnknown)
	}
	if err != nil {
		return Query{}, fmt.Errorf("find query %q: %w", id, err)
	}
	defer f.Close()
	q, err := scanFor(f, id)
	if err != nil {
		return Query{}, fmt.Errorf("find query %q: %w", id, err)
	}
	return q, nil
}

func scanFor(r io.Reader, id string) (Query, error) {
	lines := bufio.NewReaderSize(r, 1<<16)
	for {
		line, err := lines.ReadBytes('\n')
		var q Query
		if bytes.Contains(line, []byte(id)) && json.Unmarshal(line, &q) == nil && q.ID == id {
			return q, nil
		}
		if errors.Is(err, io.EOF) {
			return Query{}, ErrUnknown
		}
		if err != nil {
			return Query{}, err
		}
	}
}

// Clear removes every day from the log and returns the number of removed days.
func (l Log) Clear() (int, error) {
	removed := 0
	for _, file := range l.files() {
		if err := os.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) {
			return removed, fmt.Errorf("remove query log: %w", err)
		}
		removed++
	}
	return removed, nil
}
