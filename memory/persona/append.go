package persona

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"patina/internal/safeio"
)

// LongestNote bounds a note's text, in bytes.
const LongestNote = 64 << 10

// turn is how long a writer waits for another one. After that it appends without the lock, because
// the kernel keeps an appended line whole.
const turn = 5 * time.Second

// The errors of Append.
var (
	ErrEmpty   = errors.New("the note is empty")
	ErrTooLong = fmt.Errorf("the note is longer than %d bytes", LongestNote)
)

const (
	dayForm = "20060102"
	ending  = ".jsonl"
)

// newID returns a new id for an event.
func newID() string {
	var b [6]byte
	_, _ = rand.Read(b[:]) // never fails
	return "evt_" + hex.EncodeToString(b[:])
}

// Append writes an event to the end of the log and returns its id. When it returns, the event
// survives a power loss. After an error the log is unchanged. Other events are never lost. It
// returns ErrEmpty or ErrTooLong for such a text.
func (l Log) Append(ctx context.Context, e Event) (id string, err error) {
	if e.Content = strings.TrimSpace(strings.ToValidUTF8(e.Content, "\ufffd")); e.Content == "" {
		return "", ErrEmpty
	}
	if len(e.Content) > LongestNote {
		return "", ErrTooLong
	}
	e.ID, e.Type = newID(), Captured
	line, err := e.jsonLine()
	if err != nil {
		return "", fmt.Errorf("write note: %w", err)
	}
	if err := os.MkdirAll(l.Events(), folderMode); err != nil {
		return "", fmt.Errorf("write note: %w", err)
	}
	name := filepath.Join(l.Events(), e.Time.UTC().Format(dayForm)+ending)
	if err := appendTo(ctx, name, line); err != nil {
		return "", fmt.Errorf("write note: %w", err)
	}
	return e.ID, nil
}

// appendTo appends a line in one write.
func appendTo(ctx context.Context, name string, line []byte) (err error) {
	const flags = os.O_RDWR | os.O_APPEND | os.O_CREATE | syscall.O_NOFOLLOW | syscall.O_NONBLOCK
	f, err := os.OpenFile(name, flags, fileMode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%q is no regular file", name)
	}
	locked := safeio.Lock(ctx, f, turn) == nil
	if info, err = f.Stat(); err != nil {
		return err
	}
	before := info.Size()
	if isTorn(f, before) { // a crash has cut off the last line
		line = append([]byte{'\n'}, line...)
	}
	n, err := f.Write(line)
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		// Remove a partly written line, unless another process has appended since.
		if info, e := f.Stat(); e == nil && locked && info.Size() == before+int64(n) {
			_ = f.Truncate(before)
		}
		return err
	}
	if before == 0 {
		return syncFolder(filepath.Dir(name))
	}
	return nil
}

// isTorn reports whether a file does not end with a newline.
func isTorn(f io.ReaderAt, size int64) bool {
	var last [1]byte
	if size == 0 {
		return false
	}
	_, err := f.ReadAt(last[:], size-1)
	return err == nil && last[0] != '\n'
}

// syncFolder syncs a folder, so that new names in it survive a power loss.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = f.Sync()
	if errors.Is(err, syscall.EINVAL) { // not supported by the file system
		err = nil
	}
	return errors.Join(err, f.Close())
}
