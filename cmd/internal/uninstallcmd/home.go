package uninstallcmd

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"patina/internal/lazyregexp"
)

// A part is a file or folder of the home that patina writes.
type part struct {
	pattern func() *regexp.Regexp // of the path in the home
	what    string
	why     string // for people
}

// parts are everything that patina writes into its home, by path. Everything else is left.
// The folders of a project and of a persona are looked into, because they hold both.
var parts = []part{
	{lazyregexp.New(`^queries$`), logItem, "the log of your questions"},
	{lazyregexp.New(`^(run|eval|models-unrelated\.json|models\.lock|projects/lock)$`), derivedItem, ""},
	{lazyregexp.New(`^projects/[0-9a-f]{16}/(sketch|sessions\.json)$`), derivedItem, ""},
	{lazyregexp.New(`^personas/[^/]+/materialized$`), derivedItem, "made of your log of notes"},
	{lazyregexp.New(`^repos$`), cloneItem, "repositories that patina has cloned, with what you changed in them"},
	{lazyregexp.New(`^mother\.db(-wal|-shm|-journal)?$`), yoursItem, "your repositories and their links"},
	{lazyregexp.New(`^config\.toml$`), yoursItem, "your settings"},
	{lazyregexp.New(`^models\.json$`), yoursItem, "the models that you chose"},
	{lazyregexp.New(`^(certificates|cluster|ca)$`), yoursItem, "your part in nodes"},
	{lazyregexp.New(`^projects/[0-9a-f]{16}/.+$`), yoursItem, "what you wrote about a project: notes, decisions on proposals"},
	{lazyregexp.New(`^personas/[^/]+/.+$`), yoursItem, "your notes for all projects"},
}

// opened matches the folders that are looked into.
var opened = lazyregexp.New(`^(projects|projects/[0-9a-f]{16}|personas|personas/[^/]+)$`)

// homeItems lists the content of patina's home. The record of installations into agents is
// left out, because the plan for the agents removes it. A home that is a link is left as it is.
func homeItems(home string, all, authored bool) ([]Item, error) {
	info, err := os.Lstat(home)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []Item{{What: otherItem, Path: home, Action: leave, Why: "it is a link or no folder"}}, nil
	}
	var items []Item
	var look func(folder string) error
	look = func(folder string) error {
		entries, err := os.ReadDir(filepath.Join(home, folder))
		if err != nil {
			return err
		}
		for _, e := range entries {
			name := path.Join(folder, e.Name())
			switch {
			case name == "agents.json":
			case e.IsDir() && opened().MatchString(name):
				if err := look(name); err != nil {
					return err
				}
			default:
				items = append(items, homeItem(home, name, all, authored))
			}
		}
		return nil
	}
	if err := look("."); err != nil {
		return nil, err
	}
	return items, nil
}

// homeItem returns the item for a path in the home.
func homeItem(home, name string, all, authored bool) Item {
	x := Item{What: otherItem, Path: filepath.Join(home, filepath.FromSlash(name)), Action: leave, Why: "patina does not know it"}
	i := slices.IndexFunc(parts, func(p part) bool { return p.pattern().MatchString(name) })
	if i < 0 {
		return x
	}
	x.What, x.Why, x.Bytes = parts[i].what, parts[i].why, sizeOf(x.Path)
	x.Authored = x.What == yoursItem
	x.Action = remove
	switch {
	case x.Authored && !(all && authored), x.What == cloneItem && !all:
		x.Action = keep
	}
	x.take = func() error { return removeIn(home, name) }
	return x
}

// removeIn removes everything at a path in a home, without following links.
func removeIn(home, name string) error {
	root, err := os.OpenRoot(home)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	return root.RemoveAll(name)
}

// removeEmpty removes the folders of a home that hold nothing, and the home.
func removeEmpty(home string) {
	if info, err := os.Lstat(home); err != nil || !info.IsDir() {
		return
	}
	var folders []string
	_ = filepath.WalkDir(home, func(name string, e os.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			rel, _ := filepath.Rel(home, name)
			if rel == "." || opened().MatchString(filepath.ToSlash(rel)) {
				folders = append(folders, name)
				return nil
			}
			return filepath.SkipDir
		}
		return nil
	})
	slices.SortFunc(folders, func(a, b string) int { return strings.Count(b, "/") - strings.Count(a, "/") })
	for _, dir := range folders {
		_ = os.Remove(dir) // fails if the folder is not empty
	}
}
