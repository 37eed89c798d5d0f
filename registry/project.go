package registry

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// A Project is a repository that patina has indexed for this user.
type Project struct {
	ID    string `json:"id"`    // random, 16 hex digits: the same for ever, also when the folder moves
	Name  string `json:"name"`  // for display: the last part of the root
	Root  string `json:"root"`  // absolute
	Store string `json:"store"` // absolute folder of the index
}

// IDFile is the file of a store folder that holds the project's id.
const IDFile = "project"

// An id read from a repository becomes part of a path under $PATINA_HOME, so nothing else may pass.
var validID = regexp.MustCompile(`^[0-9a-f]{16}$`)

// Lookup describes the project of a store folder without writing anything. The ID is empty where none was given yet.
func Lookup(home, root, storeDir string) Project {
	p := Project{Name: filepath.Base(root), Root: root, Store: storeDir}
	if b, err := os.ReadFile(filepath.Join(storeDir, IDFile)); err == nil {
		if id := strings.TrimSpace(string(b)); validID.MatchString(id) {
			p.ID = id
			return p
		}
	}
	p.ID = remembered(home, root)
	return p
}

// Whereabouts returns the project that a store folder was registered for, wherever the caller is.
func Whereabouts(home, storeDir string) (Project, bool) {
	p := Lookup(home, "", storeDir)
	if p.ID == "" {
		return p, false
	}
	var known Project
	b, err := os.ReadFile(filepath.Join(home, "projects", p.ID, "project.json"))
	if err != nil || json.Unmarshal(b, &known) != nil || known.ID != p.ID || known.Store != storeDir {
		return p, false
	}
	return known, true
}

// remembered finds the id that a root had before its store was removed: what a user wrote is kept under that id.
func remembered(home, root string) string {
	files, _ := filepath.Glob(filepath.Join(home, "projects", "*", "project.json"))
	for _, file := range files {
		var p Project
		b, err := os.ReadFile(file)
		if err != nil || json.Unmarshal(b, &p) != nil {
			continue
		}
		if p.Root == root && validID.MatchString(p.ID) && p.ID == filepath.Base(filepath.Dir(file)) {
			return p.ID
		}
	}
	return ""
}

// Register gives a project its id on the first call, and notes in both places, store and home, where it lies now.
// The store folder must exist. Where only the home cannot be written, the project is valid and the error says so.
func Register(home, root, storeDir string) (Project, error) {
	p := Lookup(home, root, storeDir)
	if p.ID == "" {
		var b [8]byte
		_, _ = rand.Read(b[:]) // never fails
		p.ID = hex.EncodeToString(b[:])
	}
	idFile := filepath.Join(storeDir, IDFile)
	if old, _ := os.ReadFile(idFile); strings.TrimSpace(string(old)) != p.ID {
		if err := replace(idFile, []byte(p.ID+"\n")); err != nil {
			return p, fmt.Errorf("write project id: %w", err)
		}
	}
	return p, note(home, p)
}

// note writes projects/<id>/project.json if it says something else.
func note(home string, p Project) error {
	content, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	content = append(content, '\n')
	file := filepath.Join(home, "projects", p.ID, "project.json")
	if old, err := os.ReadFile(file); err == nil && bytes.Equal(old, content) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), folderMode); err != nil {
		return fmt.Errorf("note project %q: %w", p.Name, err)
	}
	if err := replace(file, content); err != nil {
		return fmt.Errorf("note project %q: %w", p.Name, err)
	}
	return nil
}
