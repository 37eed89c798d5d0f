// Package registry knows the repositories that a user has indexed. It keeps a lasting id for each,
// the folders of its indexes, and the secret by which they are recognised.
//
// It is one database, mother.db in $PATINA_HOME, which many processes may change at once. Beside it
// is a record for each project, which older versions read and write (copy.go). Neither can be
// derived again. Reading changes nothing, and falls back to the records if the database cannot be
// read. Package store keeps the indexes, and package actors answers questions.
package registry

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"patina/store/folder"
)

// Errors of a home that must not be used.
var (
	// ErrRelative means that a variable names a folder by a relative path. It is refused because
	// the folder would be made in whatever repository the user is in.
	ErrRelative = errors.New("is not an absolute path")
	// ErrOtherUser means that the folder belongs to another user, who decides about its contents.
	ErrOtherUser = errors.New("belongs to another user")
)

// Home returns this user's folder: $PATINA_HOME, or ~/.patina. It does not create the folder. The
// error wraps ErrRelative or ErrOtherUser if the folder must not be used.
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

// UserHome returns the user's home folder. The error wraps ErrRelative if $HOME is not an absolute
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

// checkOwner returns an error that wraps ErrOtherUser if a folder belongs to another user. It
// accepts folders of root, because root may give one to a user, and under sudo those of the user
// who called it. It returns nil for a folder that it cannot examine.
func checkOwner(name, dir string) error {
	info, err := os.Stat(dir)
	if err != nil || folder.OwnedByUser(info) {
		return nil // whoever opens it reports errors
	}
	if owner := folder.Owner(info); owner != 0 {
		return fmt.Errorf("%s: %q %w (uid %d): name a folder of yours in PATINA_HOME, or run as that user",
			name, dir, ErrOtherUser, owner)
	}
	return nil
}

// The modes of files and folders. Only the user may read them, because they hold questions and
// paths.
const (
	folderMode = 0o700
	fileMode   = 0o600
)

// ReplaceFile replaces a file by rename, so that a reader sees either the old content or the new.
func ReplaceFile(path string, content []byte) error {
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

// ClonesFolder returns the folder in a home that holds the repositories cloned for the user.
func ClonesFolder(home string) string { return filepath.Join(home, "repos") }

// IsClone reports whether a working tree is in the folder of ClonesFolder. Links are resolved.
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
