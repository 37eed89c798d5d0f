package models

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"patina/store/doc"
	"patina/store/folder"
)

// BuiltIn is the name of the model that every patina has. It is in no catalog.
const BuiltIn = "built-in"

// isBuiltIn reports whether a name means the built-in model.
func isBuiltIn(name string) bool { return name == BuiltIn || name == "none" }

// A Choice is the model of each group of texts, by name. A group that is missing is embedded by the
// built-in model alone.
type Choice map[string]string

// Of returns the name of the model chosen for a kind of documents, or "" for the built-in model.
func (c Choice) Of(kind doc.Kind) string { return c[GroupOf(kind)] }

// For returns the groups that a model is chosen for, in the order of Groups.
func (c Choice) For(name string) (groups []string) {
	for _, g := range Groups() {
		if c[g] == name {
			groups = append(groups, g)
		}
	}
	return groups
}

// ChoiceOf returns the choice that holds in a project: for each group the project's own, else the
// one for all projects. An empty id means the choice for all projects. It is empty, and no error,
// where nothing was ever chosen.
func ChoiceOf(home, projectID string) (Choice, error) {
	c, err := readCatalog(home)
	if err != nil {
		return nil, err
	}
	merged := c.everywhere.knownGroups()
	if projectID != "" {
		own, err := readOwn(home, projectID)
		if err != nil {
			return nil, err
		}
		maps.Copy(merged, own.knownGroups())
	}
	maps.DeleteFunc(merged, func(_, name string) bool { return isBuiltIn(name) })
	return merged, nil
}

// Choose chooses a model for some groups of texts, in one project or, with an empty id, for all
// projects that choose nothing themselves. BuiltIn goes back to the built-in model. The error wraps
// ErrUnknown if there is no such model, or ErrGroup.
func Choose(home, projectID, name string, groups []string) error {
	for _, g := range groups {
		if !slices.Contains(Groups(), g) {
			return fmt.Errorf("%w: %.80q", ErrGroup, g)
		}
	}
	return change(context.Background(), home, func() error {
		c, err := readCatalog(home)
		if err != nil {
			return err
		}
		if _, ok := c.models[name]; !ok && !isBuiltIn(name) {
			return fmt.Errorf("%w: %.80q", ErrUnknown, name)
		}
		if projectID == "" {
			for _, g := range groups {
				c.everywhere.set(g, name, false)
			}
			return c.writeCatalog(home)
		}
		own, err := readOwn(home, projectID)
		if err != nil {
			return err
		}
		for _, g := range groups {
			_, elsewhere := c.everywhere.knownGroups()[g]
			own.set(g, name, elsewhere)
		}
		return own.writeOwn(home, projectID)
	})
}

// A Use is a project in which a model is chosen.
type Use struct {
	Project string // the id; empty: all projects that choose nothing themselves
	Groups  []string
}

// Uses returns where a model is chosen: for all projects first, then by project id.
func Uses(home, name string) (uses []Use, err error) {
	c, err := readCatalog(home)
	if err != nil {
		return nil, err
	}
	if groups := c.everywhere.knownGroups().For(name); len(groups) > 0 {
		uses = append(uses, Use{Groups: groups})
	}
	for _, id := range projectsWithChoice(home) {
		own, err := readOwn(home, id)
		if err != nil {
			return nil, err
		}
		if groups := own.knownGroups().For(name); len(groups) > 0 {
			uses = append(uses, Use{Project: id, Groups: groups})
		}
	}
	return uses, nil
}

// choices are the names of models by group as they stand in a file, with groups that only a newer
// patina knows.
type choices map[string]json.RawMessage

func parseChoices(content json.RawMessage) (choices, error) {
	c := choices{}
	if err := decode(content, &c); err != nil {
		return nil, err
	}
	for _, g := range Groups() {
		var name string
		if err := decode(c[g], &name); err != nil {
			return nil, fmt.Errorf("%s: %w", g, err)
		}
		if name != "" && !isModelName(name) && !isBuiltIn(name) {
			return nil, fmt.Errorf("%s: %.80q: %w", g, name, ErrName)
		}
	}
	return c, nil
}

// knownGroups returns the choices for the groups of this version. A name may be BuiltIn.
func (c choices) knownGroups() Choice {
	chosen := Choice{}
	for _, g := range Groups() {
		var name string
		if decode(c[g], &name) == nil && name != "" { // it was decoded before
			chosen[g] = name
		}
	}
	return chosen
}

// set chooses a model for a group. The built-in one is noted only if it must hide another choice.
func (c choices) set(group, name string, hides bool) {
	if isBuiltIn(name) {
		if name = BuiltIn; !hides {
			delete(c, group)
			return
		}
	}
	c[group], _ = json.Marshal(name) // a text is always encoded
}

// removeModel takes a model out of the choices, and reports whether it was in them.
func (c choices) removeModel(name string) bool {
	groups := c.knownGroups().For(name)
	for _, g := range groups {
		delete(c, g)
	}
	return len(groups) > 0
}

// An own is the content of a project's file.
type own struct {
	fields map[string]json.RawMessage // all of the file
	choices
}

func ownFile(home, id string) string { return filepath.Join(home, "projects", id, "models.json") }

// readOwn returns a project's own choice, which is empty if there is no file.
func readOwn(home, id string) (*own, error) {
	if !folder.IsProjectID(id) { // it becomes a part of a path
		return nil, fmt.Errorf("%.80q is no project", id)
	}
	fields, err := readFields(ownFile(home, id))
	if err != nil {
		return nil, err
	}
	c, err := parseChoices(fields["choice"])
	if err != nil {
		return nil, fmt.Errorf("read %s: %w: %w", ownFile(home, id), ErrDamaged, err)
	}
	return &own{fields, c}, nil
}

func (o *own) writeOwn(home, id string) error {
	if err := putField(o.fields, "choice", o.choices, len(o.choices)); err != nil {
		return err
	}
	return writeFields(home, ownFile(home, id), o.fields)
}

// projectsWithChoice returns the ids of the projects that have a file of their own.
func projectsWithChoice(home string) (ids []string) {
	entries, _ := os.ReadDir(filepath.Join(home, "projects"))
	for _, e := range entries {
		if !folder.IsProjectID(e.Name()) {
			continue
		}
		if _, err := os.Lstat(ownFile(home, e.Name())); err == nil {
			ids = append(ids, e.Name())
		}
	}
	return ids
}
