// Package models keeps the catalog of the models that a user has added, and the choice of the model
// that embeds each group of texts.
//
// Both are the user's own and cannot be derived again. The catalog and the choice for all projects
// are in $PATINA_HOME/models.json, the choice for one project is beside its record, in
// projects/<id>/models.json. Nothing is read from a repository, because a repository must not
// choose which files and which native library are opened. Fields that this version does not know
// stay. A file that cannot be read is an error that names it, and is never replaced.
package models

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Errors of the catalog and of choices.
var (
	// ErrUnknown means that the catalog has no model with the name.
	ErrUnknown = errors.New("no such model")
	// ErrTaken means that a model of other files has the name.
	ErrTaken = errors.New("another model has this name")
	// ErrDamaged means that a file cannot be understood. The error names the file.
	ErrDamaged = errors.New("damaged")
	// ErrNewer means that a newer patina has written a file in a form unknown to this one.
	ErrNewer = errors.New("written by a newer patina")
	// ErrName means that a text cannot be the name of a model.
	ErrName = errors.New("a name has 1 to 64 letters, digits, dots, dashes and underscores, begins with a letter or digit, " +
		"and is neither built-in nor none")
	// ErrGroup means that there is no such group of texts.
	ErrGroup = errors.New("no such group of texts")
)

// A Model is an entry of the catalog. Its files stay where the user has put them.
type Model struct {
	Name string `json:"-"`
	Dir  string `json:"dir"` // absolute
	// Graph is the file of the graph, relative to Dir. Runtime is the absolute file of the
	// native library; it is searched in the usual places if empty.
	Graph   string `json:"graph,omitempty"`
	Runtime string `json:"runtime,omitempty"`
	// ID is that of doc.BatchEmbedder.Model when the model was added. Another one now means that
	// the files have changed.
	ID string `json:"id"`
	// Stamp changes with the sizes and times of the files behind ID (transformer.Description).
	Stamp         string    `json:"stamp,omitempty"`
	Pooling       string    `json:"pooling,omitempty"`        // a transformer.Pooling
	QueryPrefix   string    `json:"query_prefix,omitempty"`   // before a question
	PassagePrefix string    `json:"passage_prefix,omitempty"` // before any other text
	Dimension     int       `json:"dimension"`
	MaxTokens     int       `json:"max_tokens,omitempty"` // 0: not known
	Bytes         int64     `json:"bytes"`                // of the graph with its data
	Added         time.Time `json:"added"`
	Tested        bool      `json:"tested"` // it has embedded a text on this machine
}

// List returns the models of a home, sorted by name.
func List(home string) ([]Model, error) {
	c, err := readCatalog(home)
	if err != nil {
		return nil, err
	}
	all := make([]Model, 0, len(c.models))
	for _, m := range c.models {
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b Model) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

// Find returns the model with a name. The error wraps ErrUnknown if no model has it.
func Find(home, name string) (Model, error) {
	c, err := readCatalog(home)
	if err != nil {
		return Model{}, err
	}
	m, ok := c.models[name]
	if !ok {
		return Model{}, fmt.Errorf("%w: %.80q", ErrUnknown, name)
	}
	return m, nil
}

// Add adds a model to the catalog, or changes the entry of the same name and the same files. The
// error wraps ErrTaken if the name is that of other files, or ErrName.
func Add(home string, m Model) error {
	if err := m.checkEntry(); err != nil {
		return fmt.Errorf("add model %.80q: %w", m.Name, err)
	}
	return change(context.Background(), home, func() error {
		c, err := readCatalog(home)
		if err != nil {
			return err
		}
		if old, ok := c.models[m.Name]; ok && (old.Dir != m.Dir || old.Graph != m.Graph) {
			return fmt.Errorf("add model %q: %w: that of %s", m.Name, ErrTaken, filepath.Join(old.Dir, old.Graph))
		}
		if len(c.models) >= maxModels {
			return fmt.Errorf("add model %q: there are %d models: remove one first", m.Name, len(c.models))
		}
		if err := c.put(m); err != nil {
			return err
		}
		return c.writeCatalog(home)
	})
}

// Remove takes a model out of the catalog and out of all choices, so that the built-in model embeds
// those texts again. The model's files stay. The error wraps ErrUnknown if there is no such model.
func Remove(home, name string) error {
	return change(context.Background(), home, func() error {
		c, err := readCatalog(home)
		if err != nil {
			return err
		}
		if _, ok := c.models[name]; !ok {
			return fmt.Errorf("%w: %.80q", ErrUnknown, name)
		}
		// The model goes last, so that no choice names one that is missing.
		for _, id := range projectsWithChoice(home) {
			own, err := readOwn(home, id)
			if err != nil {
				return err
			}
			if own.removeModel(name) {
				if err := own.writeOwn(home, id); err != nil {
					return err
				}
			}
		}
		c.everywhere.removeModel(name)
		delete(c.models, name)
		delete(c.raw, name)
		return c.writeCatalog(home)
	})
}

// Bounds of the files and their values.
const (
	maxModels    = 1000
	maxName      = 64
	maxPath      = 4096
	maxPrefix    = 1000
	maxDimension = 1 << 16
	maxFile      = 4 << 20
)

// checkEntry returns an error if a model cannot be an entry.
func (m Model) checkEntry() error {
	if !isModelName(m.Name) {
		return ErrName
	}
	for _, path := range []string{m.Dir, m.Graph, m.Runtime} {
		if len(path) > maxPath || strings.ContainsRune(path, 0) {
			return fmt.Errorf("%.80q: not a path", path)
		}
	}
	switch {
	case !filepath.IsAbs(m.Dir):
		return fmt.Errorf("folder %.80q: not an absolute path", m.Dir)
	case m.Runtime != "" && !filepath.IsAbs(m.Runtime):
		return fmt.Errorf("runtime %.80q: not an absolute path", m.Runtime)
	case len(m.QueryPrefix) > maxPrefix || len(m.PassagePrefix) > maxPrefix:
		return fmt.Errorf("a prefix has more than %d bytes", maxPrefix)
	case m.Dimension < 0 || m.Dimension > maxDimension:
		return fmt.Errorf("%d dimensions: want at most %d", m.Dimension, maxDimension)
	case m.MaxTokens < 0 || m.Bytes < 0:
		return errors.New("a size is negative")
	}
	return nil
}

// isModelName reports whether a text can be the name of a model.
func isModelName(s string) bool {
	if s == "" || len(s) > maxName || isBuiltIn(s) {
		return false
	}
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if !letter && (i == 0 || !strings.ContainsRune("._-", r)) {
			return false
		}
	}
	return true
}

// NameFor returns a name for the model in a folder: the last part of its path that is no common
// word such as onnx, in characters that a name may have. It returns "" if nothing is left.
func NameFor(dir string) string {
	for ; ; dir = filepath.Dir(dir) {
		base := strings.ToLower(filepath.Base(dir))
		if base == "onnx" || base == "model" || base == "models" {
			continue
		}
		name := strings.Trim(strings.Map(func(r rune) rune {
			if isModelName("a" + string(r)) {
				return r
			}
			return '-'
		}, base), "-._")
		name = strings.TrimRight(name[:min(len(name), maxName)], "-._")
		if !isModelName(name) {
			return ""
		}
		return name
	}
}

// A catalog is the content of models.json.
type catalog struct {
	fields     map[string]json.RawMessage // all of the file
	raw        map[string]json.RawMessage // the entries as they stand there
	models     map[string]Model
	everywhere choices
}

func catalogFile(home string) string { return filepath.Join(home, "models.json") }

// readCatalog returns the catalog of a home, which is empty if there is no file.
func readCatalog(home string) (*catalog, error) {
	fields, err := readFields(catalogFile(home))
	if err != nil {
		return nil, err
	}
	c, err := parseCatalog(fields)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w: %w", catalogFile(home), ErrDamaged, err)
	}
	return c, nil
}

func parseCatalog(fields map[string]json.RawMessage) (*catalog, error) {
	c := &catalog{fields: fields, raw: map[string]json.RawMessage{}, models: map[string]Model{}}
	if err := decode(fields["models"], &c.raw); err != nil {
		return nil, fmt.Errorf("models: %w", err)
	}
	if len(c.raw) > maxModels {
		return nil, fmt.Errorf("%d models: want at most %d", len(c.raw), maxModels)
	}
	for name, content := range c.raw {
		m := Model{}
		err := decode(content, &m)
		m.Name = name
		if err == nil {
			err = m.checkEntry()
		}
		if err != nil {
			return nil, fmt.Errorf("model %.80q: %w", name, err)
		}
		c.models[name] = m
	}
	var err error
	if c.everywhere, err = parseChoices(fields["default"]); err != nil {
		return nil, fmt.Errorf("default: %w", err)
	}
	return c, nil
}

// put writes an entry. Its unknown fields stay.
func (c *catalog) put(m Model) error {
	fields := map[string]json.RawMessage{}
	if err := decode(c.raw[m.Name], &fields); err != nil {
		return err
	}
	for _, key := range modelKeys {
		delete(fields, key)
	}
	known, err := json.Marshal(m)
	if err == nil {
		err = json.Unmarshal(known, &fields)
	}
	if err != nil {
		return err
	}
	c.models[m.Name] = m
	c.raw[m.Name], err = json.Marshal(fields)
	return err
}

// modelKeys are the fields of an entry that may be left out, so that an old value must be deleted.
var modelKeys = []string{"stamp", "graph", "runtime", "pooling", "query_prefix", "passage_prefix", "max_tokens"}

func (c *catalog) writeCatalog(home string) error {
	if err := putField(c.fields, "models", c.raw, len(c.raw)); err != nil {
		return err
	}
	if err := putField(c.fields, "default", c.everywhere, len(c.everywhere)); err != nil {
		return err
	}
	return writeFields(home, catalogFile(home), c.fields)
}
