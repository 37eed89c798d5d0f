// Package registry knows the repositories that a user has indexed: an id for each that stays, where
// its indexes lie, and by what secret they are known.
//
// It is one database, mother.db in $PATINA_HOME, which many processes change at once, and beside it
// a record of each project that older versions read and write: copy.go. Neither can be derived
// again. A question changes nothing, and is answered from the records where the database cannot be
// read. The package holds no index and asks no question; that is the business of store and actors.
package registry

import (
	"fmt"
	"os"
	"path/filepath"
)

// Home returns the folder of this user: $PATINA_HOME, or ~/.patina. It does not create it.
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

// The modes of what is kept: questions and paths are nobody else's business.
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
