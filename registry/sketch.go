package registry

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"patina/internal/safeio"
	"patina/store"
)

// A sketch says which words are common in a project. It lies beside the project's record, derived
// from its index with each scrape: a question reads the sketches of all projects, and no index.

func sketchFile(home, id string) string { return filepath.Join(home, "projects", id, "sketch") }

// PutSketch keeps the sketch of a project.
func PutSketch(home, id string, sketch []byte) error {
	if !store.IsProjectID(id) {
		return fmt.Errorf("keep sketch: %q is no project", id)
	}
	file := sketchFile(home, id)
	if err := os.MkdirAll(filepath.Dir(file), folderMode); err != nil {
		return fmt.Errorf("keep sketch: %w", err)
	}
	if err := replaceFile(file, sketch); err != nil {
		return fmt.Errorf("keep sketch: %w", err)
	}
	return nil
}

// Sketch returns the sketch of a project, of at most so many bytes; nil if there is none.
func Sketch(home, id string, most int) ([]byte, error) {
	b, err := safeio.ReadFile(sketchFile(home, id), int64(most))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}
