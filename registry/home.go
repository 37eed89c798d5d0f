// Package registry keeps what patina knows of one user rather than of one repository: projects, the query log, settings.
//
// All of it lives under $PATINA_HOME and none of it can be derived again, so every write either happens whole or not at
// all, and a damaged file costs its damaged part only. The package holds no index and asks no question; that is the
// business of store and actors.
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
