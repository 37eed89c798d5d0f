package models

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"patina/internal/safeio"
	"patina/registry"
)

// format is the form of the files. A file of a higher one is refused.
const format = 1

// lockWait is the longest wait for other writers, each of which takes milliseconds.
const lockWait = 5 * time.Second

// change calls do while no other process changes the catalog or a choice.
func change(ctx context.Context, home string, do func() error) error {
	if err := os.MkdirAll(home, 0o700); err != nil {
		return fmt.Errorf("change models: %w", err)
	}
	const flags = os.O_CREATE | os.O_RDWR | syscall.O_NOFOLLOW | syscall.O_NONBLOCK
	f, err := os.OpenFile(filepath.Join(home, "models.lock"), flags, 0o600)
	if err != nil {
		return fmt.Errorf("change models: %w", err)
	}
	registry.GiveToOwner(home, f.Name())
	defer func() { _ = f.Close() }() // ends the lock
	if err := safeio.Lock(ctx, f, lockWait); err != nil {
		return fmt.Errorf("change models: %s: %w", f.Name(), err)
	}
	return do()
}

// readFields returns the fields of a file, or an empty set if it does not exist.
func readFields(file string) (map[string]json.RawMessage, error) {
	content, err := safeio.ReadFile(file, maxFile)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return map[string]json.RawMessage{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read models: %w", err)
	}
	fields, err := parseFields(content)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	return fields, nil
}

func parseFields(content []byte) (map[string]json.RawMessage, error) {
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(content, &fields); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	var n int
	if err := decode(fields["format"], &n); err != nil || n < 1 {
		return nil, fmt.Errorf("%w: no format", ErrDamaged)
	}
	if n > format {
		return nil, fmt.Errorf("%w: format %d", ErrNewer, n)
	}
	return fields, nil
}

// decode decodes a value, if there is one.
func decode(content json.RawMessage, to any) error {
	if content == nil || string(content) == "null" {
		return nil
	}
	return json.Unmarshal(content, to)
}

// putField sets a field, or deletes it if it holds nothing.
func putField(fields map[string]json.RawMessage, key string, value any, count int) error {
	if count == 0 {
		delete(fields, key)
		return nil
	}
	content, err := json.Marshal(value)
	fields[key] = content
	return err
}

// writeFields replaces a file. A reader sees either the old content or the new, also after a crash.
func writeFields(home, file string, fields map[string]json.RawMessage) error {
	fields["format"] = json.RawMessage("1")
	content, err := json.MarshalIndent(fields, "", "  ")
	if err == nil && len(content) >= maxFile {
		err = safeio.ErrTooLarge
	}
	if err == nil {
		err = os.MkdirAll(filepath.Dir(file), 0o700)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	f, err := os.CreateTemp(filepath.Dir(file), ".models.json.*") // mode 0600
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	_, err = f.Write(append(content, '\n'))
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		registry.GiveToOwner(home, f.Name())
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", file, err), os.Remove(f.Name()))
	}
	return nil
}
