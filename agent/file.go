package agent

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"patina/safeio"
)

// maxFile bounds the files that are read. Some clients keep whole conversations beside their
// settings.
const maxFile = 32 << 20

// backupSuffix names the copy of a file from before the first change.
const backupSuffix = ".patina-backup"

// A draft is one file while a plan is made.
type draft struct {
	path   string // as the client names it
	real   string // behind all links
	scope  Scope
	base   string // the folder that stays, whatever is removed in it
	exists bool
	mode   fs.FileMode
	owner  *syscall.Stat_t // of a file that exists
	before []byte
	now    []byte
	origin []byte // from before ours; nil: there was no file
	backed bool   // a backup is there
	stale  bool   // and nothing else of ours
	err    error
}

// load reads a file for a plan. A missing one is no error.
func load(path, base string, scope Scope) *draft {
	if real, err := filepath.EvalSymlinks(base); err == nil {
		base = real
	}
	d := &draft{path: path, real: path, scope: scope, base: base, mode: 0o644}
	if scope == User {
		d.mode = 0o600
	}
	d.err = d.read()
	return d
}

func (d *draft) read() error {
	_, err := os.Lstat(d.path)
	if errors.Is(err, fs.ErrNotExist) {
		return d.inside(filepath.Dir(d.path))
	}
	if err != nil {
		return err
	}
	if d.real, err = filepath.EvalSymlinks(d.path); err != nil {
		return err
	}
	if err := d.inside(d.real); err != nil {
		return err
	}
	if d.before, err = safeio.ReadFile(d.real, maxFile); err != nil {
		return err
	}
	info, err := os.Stat(d.real)
	if err != nil {
		return err
	}
	d.owner, _ = info.Sys().(*syscall.Stat_t)
	d.before = append([]byte{}, d.before...) // never nil: that stands for no file
	d.exists, d.mode, d.now = true, info.Mode().Perm(), d.before
	switch d.origin, err = safeio.ReadFile(d.real+backupSuffix, maxFile); {
	case err == nil:
		d.backed, d.origin = true, append([]byte{}, d.origin...)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return nil
}

// inside refuses a link that leads out of a project: whoever wrote the repository would choose the
// file. path need not exist.
func (d *draft) inside(path string) error {
	if d.scope != Project {
		return nil
	}
	for { // the nearest folder that exists
		real, err := filepath.EvalSymlinks(path)
		if errors.Is(err, fs.ErrNotExist) && filepath.Dir(path) != path {
			path = filepath.Dir(path)
			continue
		}
		if err != nil {
			return err
		}
		if real != d.base && !strings.HasPrefix(real, d.base+string(filepath.Separator)) {
			return errors.New("it is a link that leads out of the project")
		}
		return nil
	}
}

// readOnly reports whether a file asks not to be written.
func (d *draft) readOnly() bool { return d.exists && d.mode&0o200 == 0 }

// write brings a draft to disk.
func (d *draft) write(left bool) error {
	if d.stale {
		return os.Remove(d.real + backupSuffix)
	}
	if bytes.Equal(d.before, d.now) && d.exists == (d.now != nil) {
		return nil
	}
	is, err := safeio.ReadFile(d.real, maxFile)
	if errors.Is(err, fs.ErrNotExist) == d.exists || !bytes.Equal(is, d.before) {
		return fmt.Errorf("write %q: it has changed meanwhile", d.path)
	}
	if d.now == nil {
		if err := os.Remove(d.real); err != nil {
			return err
		}
		d.prune()
		return nil
	}
	if err := d.secure(); err != nil {
		return err
	}
	if err := replace(d.real, d.now, d.mode, d.owner); err != nil {
		return err
	}
	if d.backed && !left {
		return os.Remove(d.real + backupSuffix)
	}
	return nil
}

// secure keeps a copy of a file before the first change, and makes its folder.
func (d *draft) secure() error {
	if d.exists {
		if d.backed {
			return nil
		}
		return replace(d.real+backupSuffix, d.before, d.mode, d.owner)
	}
	folder := fs.FileMode(0o755)
	if d.scope == User {
		folder = 0o700
	}
	return os.MkdirAll(filepath.Dir(d.real), folder)
}

// prune removes the folders of a file that hold nothing any more.
func (d *draft) prune() {
	for dir := filepath.Dir(d.real); strings.HasPrefix(dir, d.base+string(filepath.Separator)); dir = filepath.Dir(dir) {
		if os.Remove(dir) != nil { // only empty folders can be removed so
			return
		}
	}
}

// keepOwner gives a new file the owner and the group of the one that it replaces.
func keepOwner(f *os.File, owner *syscall.Stat_t) error {
	if owner == nil {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if is, ok := info.Sys().(*syscall.Stat_t); ok && is.Uid == owner.Uid && is.Gid == owner.Gid {
		return nil
	}
	return f.Chown(int(owner.Uid), int(owner.Gid))
}

// replace writes a file whole or not at all, with a mode and, if one is given, an owner.
func replace(path string, content []byte, mode fs.FileMode, owner *syscall.Stat_t) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".patina-*")
	if err != nil {
		return fmt.Errorf("write %q: %w", path, err)
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
			err = fmt.Errorf("write %q: %w", path, err)
		}
	}()
	if _, err = f.Write(content); err != nil {
		return err
	}
	if err = keepOwner(f, owner); err != nil {
		return err
	}
	if err = f.Chmod(mode); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	if err = os.Rename(f.Name(), path); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil // renamed, as far as anybody can see
	}
	_ = dir.Sync()
	return dir.Close()
}
