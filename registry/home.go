// Package registry knows the repositories indexed by a user. It keeps a lasting id for each, where
// its indexes lie, and the secret they are known by.
//
// It is one database, mother.db in $PATINA_HOME, which many processes change at once. Beside it
// lies a record for each project, which older versions read and write: copy.go. Neither can be
// derived again. A question changes nothing, and is answered from the records where the database
// cannot be read. Holding an index is left to package store, and asking questions to package
// actors.
package registry

import (
	"fmt"
	"os"
	"path/filepath"
)

// Home returns this user's folder: $PATINA_HOME, or ~/.patina. It does not create it.
func Home() (string, error) {
	if dir := os.Getenv("PATINA_HOME"); dir != "" {
		return filepath.Abs(dir)
	}
	dir, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find home folder: %w (set PATINA_HOME)", err)
	}
	return filepath.Join(dir, ".patina"), nil
}

// The modes for files and folders: questions and paths are nobody else's business.
const (
	folderMode = 0o700
	fileMode   = 0o600
)

// replace writes a file whole: readers see the old content or the new.
func replace(path string, content []byte) error {
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
