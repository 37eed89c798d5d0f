package beliefcmd

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"patina/internal/safeio"
)

// placeFile writes a new file below the root, and makes its folder. It writes and reads back a
// draft, then renames it in one step, so no reader sees half a file. It never writes through a
// link. The error wraps fs.ErrExist if the file exists.
func placeFile(root *os.Root, name, text string) error {
	folder, err := openFolder(root, path.Dir(name))
	if err != nil {
		return err
	}
	defer func() { _ = folder.Close() }()
	base := path.Base(name)
	draft := "." + base + ".new"
	if err := writeDraft(folder, draft, text); err != nil {
		return err
	}
	defer func() { _ = folder.Remove(draft) }()
	err = folder.Link(draft, base)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	// The file system has no hard links.
	if _, err := folder.Lstat(base); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%q: %w", base, fs.ErrExist)
	}
	return folder.Rename(draft, base)
}

// writeDraft makes a file and reads it back. The draft of a killed process is replaced.
func writeDraft(folder *os.Root, name, text string) error {
	if info, err := folder.Lstat(name); err == nil && info.Mode().IsRegular() {
		_ = folder.Remove(name)
	}
	f, err := folder.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		var back []byte
		if back, err = safeio.ReadIn(folder, name, int64(len(text))); err == nil && string(back) != text {
			err = errors.New("it does not read back as written")
		}
	}
	if err != nil {
		_ = folder.Remove(name)
	}
	return err
}

// openFolder opens a folder below the root, and makes it if it is missing. A link on the way is an
// error.
func openFolder(root *os.Root, name string) (*os.Root, error) {
	at, err := root.OpenRoot(".")
	if err != nil {
		return nil, err
	}
	for part := range strings.SplitSeq(name, "/") {
		next, err := enterFolder(at, part)
		_ = at.Close()
		if err != nil {
			return nil, fmt.Errorf("open %q: %w", name, err)
		}
		at = next
	}
	return at, nil
}

func enterFolder(at *os.Root, part string) (*os.Root, error) {
	if err := at.Mkdir(part, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	info, err := at.Lstat(part)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%q is no folder", part)
	}
	return at.OpenRoot(part)
}
