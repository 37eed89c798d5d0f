package mine

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"patina/internal/safeio"
)

// A Dismissal is a sentence that the user does not want as a belief.
type Dismissal struct {
	Version int       `json:"v"`
	Key     string    `json:"key"` // of its words
	Text    string    `json:"text"`
	Source  string    `json:"source"` // its place
	Time    time.Time `json:"time"`
	Undone  bool      `json:"undone,omitempty"`
}

// dismissalVersion is the version of a line. A line of another version counts as broken.
const dismissalVersion = 1

// maxDismissal bounds a line, in bytes. A longer one counts as broken.
const maxDismissal = 64 << 10

// DismissalsFile returns the path of a project's dismissals.
func DismissalsFile(home, project string) string {
	return filepath.Join(home, "projects", project, "dismissed.jsonl")
}

// ReadDismissals returns the dismissed sentences, the newest first, and the number of broken lines.
// It returns nil if there is no file.
func ReadDismissals(home, project string) (all []Dismissal, broken int, err error) {
	f, err := safeio.Open(DismissalsFile(home, project))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("read dismissed sentences: %w", err)
	}
	defer func() { _ = f.Close() }()
	r := bufio.NewReaderSize(f, maxDismissal)
	for {
		line, err := r.ReadSlice('\n')
		long := errors.Is(err, bufio.ErrBufferFull)
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = r.ReadSlice('\n')
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, 0, fmt.Errorf("read dismissed sentences: %w", err)
		}
		var s Dismissal
		switch {
		case len(bytes.TrimSpace(line)) == 0: // two processes wrote at the same time
		case long || json.Unmarshal(line, &s) != nil || s.Version != dismissalVersion || s.Key == "":
			broken++
		default:
			all = slices.DeleteFunc(all, func(x Dismissal) bool { return x.Key == s.Key })
			if !s.Undone {
				all = append(all, s)
			}
		}
		if err != nil {
			break
		}
	}
	slices.Reverse(all)
	return all, broken, nil
}

// AppendDismissal adds a sentence to the file, or restores one if s.Undone is set. When it returns,
// the line is on disk.
func AppendDismissal(home, project string, s Dismissal) error {
	s.Version = dismissalVersion
	line, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("write dismissed sentence: %w", err)
	}
	name := DismissalsFile(home, project)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return fmt.Errorf("write dismissed sentence: %w", err)
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("write dismissed sentence: %w", err)
	}
	line = append(line, '\n')
	if !endsLine(f) { // an interrupted write must spoil one line, not two
		line = append([]byte{'\n'}, line...)
	}
	_, err = f.Write(line) // one call, so that lines of several processes do not mix
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("write dismissed sentence: %w", err)
	}
	return nil
}

// endsLine reports whether a file is empty or ends with a line break.
func endsLine(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return true
	}
	var last [1]byte
	_, err = f.ReadAt(last[:], info.Size()-1)
	return err != nil || last[0] == '\n'
}
