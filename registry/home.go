// Package registry knows the repositories indexed by a user. It keeps a lasting id for each,
// where its indexes lie, and the secret they are known by.
//
// It is one database, mother.db in $PATINA_HOME, which many processes change at once. Beside it
// lies a record for each project, which older versions read and write: copy.go. Neither can be
// derived again. A question changes nothing, and is answered from the records where the database
// cannot be read. Holding an index is left to package store, and asking questions to package
// actors.
package registry

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"patina/store"
)

// Errors of a home that is not used.
var (
	// ErrRelative means that a variable names a folder by a path that depends on the working folder.
	// It would lie in whatever repository the user stands in.
	ErrRelative = errors.New("is not an absolute path")
	// ErrOtherUser means that the folder belongs to somebody else, who decides what is in it.
	ErrOtherUser = errors.New("belongs to another user")
)

// Home returns this user's folder: $PATINA_HOME, or ~/.patina. It does not create it. The error
// wraps ErrRelative or ErrOtherUser where it must not be used.
func Home() (string, error) {
	name, dir := "PATINA_HOME", os.Getenv("PATINA_HOME")
	if dir == "" {
		user, err := UserHome()
		if err != nil {
			return "", err
		}
		name, dir = "~/.patina", filepath.Join(user, ".patina")
	}
	if !filepath.IsAbs(dir) {
		return "", fmt.Errorf("%s: %q %w: name it from the root on", name, dir, ErrRelative)
	}
	return filepath.Clean(dir), checkOwner(name, dir)
}

// UserHome returns the user's home folder. The error wraps ErrRelative if $HOME is no absolute
// path.
func UserHome() (string, error) {
	dir, err := os.UserHomeDir()
	switch {
	case err != nil:
		return "", fmt.Errorf("find home folder: %w (set PATINA_HOME)", err)
	case !filepath.IsAbs(dir):
		return "", fmt.Errorf("HOME: %q %w: name it from the root on, or set PATINA_HOME", dir, ErrRelative)
	}
	return dir, nil
}

// checkOwner returns ErrOtherUser for a folder of somebody else. Root may be asked to serve the
// user of sudo. Another user may be given a folder by root.
func checkOwner(name, dir string) error {
	info, err := os.Stat(dir)
	if err != nil || store.OwnedByUser(info) {
		return nil // what is wrong with it is said by whoever opens it
	}
	if owner := store.Owner(info); owner != 0 {
		return fmt.Errorf("%s: %q %w (uid %d): name a folder of yours in PATINA_HOME, or run as that user", name, dir, ErrOtherUser, owner)
	}
	return nil
}

// The modes for files and folders: questions and paths are nobody else's business.
const (
	folderMode = 0o700
	fileMode   = 0o600
)

// replaceFile writes a file whole: readers see the old content or the new.
func replaceFile(path string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// ClonesFolder returns the folder that holds the clones made for the user, below the home.
func ClonesFolder(home string) string { return filepath.Join(home, "repos") }

// IsClone reports whether a working tree lies among the clones made for the user.
func IsClone(home, root string) bool {
	clones := ClonesFolder(home)
	if real, err := filepath.EvalSymlinks(clones); err == nil {
		clones = real
	}
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	rel, err := filepath.Rel(clones, root)
	return err == nil && filepath.IsLocal(rel)
}
