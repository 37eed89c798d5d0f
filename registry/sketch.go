package registry

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"patina/internal/safeio"
	"patina/store/folder"
)

// A sketch says which words are common in a project. It is kept beside the project's record and
// made from the index with each scrape, because a question reads the sketches of all projects and
// cannot open all indexes.

func sketchFile(home, id string) string { return filepath.Join(home, "projects", id, "sketch") }

// PutSketch writes the sketch of a project. id must be the id of a project.
func PutSketch(home, id string, sketch []byte) error {
	if !folder.IsProjectID(id) {
		return fmt.Errorf("keep sketch: %q is no project", id)
	}
	file := sketchFile(home, id)
	if err := os.MkdirAll(filepath.Dir(file), folderMode); err != nil {
		return fmt.Errorf("keep sketch: %w", err)
	}
	if err := ReplaceFile(file, sketch); err != nil {
		return fmt.Errorf("keep sketch: %w", err)
	}
	return nil
}

// Sketch returns the sketch of a project, which must not be larger than most bytes. It returns nil
// if there is no sketch.
func Sketch(home, id string, most int) ([]byte, error) {
	b, err := safeio.ReadFile(sketchFile(home, id), int64(most))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}
