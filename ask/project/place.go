package project

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"patina/memory/recall"
	"patina/registry"
	"patina/scrape"
	"patina/scrape/git"
	"patina/store"
)

// A Place is where a command works.
type Place struct {
	registry.Project
	Home string // the folder of the user's records
	From string // the folder in which names are typed; empty: the working folder

	Scoring recall.Scoring // of notes, as the settings say; empty: as measured
}

// Here finds the project around the working folder. storeDir is its index's folder, or empty for
// the usual one.
func Here(storeDir string) (Place, error) {
	dir, err := os.Getwd()
	if err != nil {
		return Place{}, err
	}
	p, err := At(dir, storeDir)
	p.From = ""
	return p, err
}

// At finds the project around a folder, in which names are typed.
func At(dir, storeDir string) (Place, error) {
	home, err := registry.Home()
	if err != nil {
		return Place{}, err
	}
	root, storeDir, err := locate(dir, storeDir, home)
	if err != nil {
		return Place{}, err
	}
	return Place{Project: believed(registry.Lookup(home, root, storeDir)), Home: home, From: dir}, nil
}

// Indexed finds the project to ask: the one that storeDir was made for, else the one around the
// working folder. Another working tree of the store's repository is asked about itself.
func Indexed(storeDir string) (Place, error) {
	p, err := Here(storeDir)
	if err != nil || storeDir == "" {
		return p, err
	}
	if known, ok := registry.Whereabouts(p.Home, p.Store); ok && !oneRepository(p.Root, known.Root) {
		p.Project = believed(known)
	}
	return p, nil
}

// oneRepository reports whether two folders are working trees of one repository.
func oneRepository(a, b string) bool {
	x, errX := git.Find(a)
	y, errY := git.Find(b)
	return errX == nil && errY == nil && x.CommonDir == y.CommonDir
}

// Known is the same user's place for a project as the registry knows it.
func (p Place) Known(x registry.Project) Place {
	return Place{Project: believed(x), Home: p.Home}
}

// Of is the same user's place for another project.
func (p Place) Of(root, storeDir string) Place {
	return Place{Project: registry.Lookup(p.Home, root, storeDir), Home: p.Home, From: p.From}
}

// Settings merges the settings that hold in the place with those that came with a call, by name. It
// lists them with where each comes from.
func (p Place) Settings(given map[string]string) (registry.Settings, []registry.Setting, error) {
	s, list, err := registry.SettingSources{Flags: given, Root: p.Root, Home: p.Home}.Read()
	if err != nil {
		err = AddHint(err, `run "patina config --help" for the settings that exist`)
	}
	return s, list, err
}

// Published reports whether the place's store holds an index, whatever it is worth.
func (p Place) Published() bool { return store.Published(p.Store) }

// view names the place's working tree among the ones that share its store.
func (p Place) view() string {
	tree, err := git.Find(p.Root)
	if err != nil {
		return store.MainView
	}
	return tree.View()
}

// sealed returns the index's seal, or the error that it is not believed. An index is not believed
// where git tracks the folder, either: a change of branch would put another index there.
func (p Place) sealed(ctx context.Context) (store.Seal, error) {
	if p.Doubt != "" {
		return store.Seal{}, doubted{p.Store, p.Doubt}
	}
	return p.Seal(), scrape.Untracked(ctx, p.Root, p.Store)
}

// Clear removes the place's index, and returns the names of foreign files in its folder.
func (p Place) Clear() (kept []string, err error) { return store.Clear(p.Store, p.Anyone) }

// IsWritable reports whether the place's index is this user's to write.
func (p Place) IsWritable() bool { return !p.Anyone && p.Doubt == "" }

// A Repository is git's view of a working tree.
type Repository struct {
	Head    string // empty before the first commit
	Branch  string // empty where HEAD is detached
	HeadErr error  // why neither can be read
	Bare    bool
	Linked  bool // it shares its repository with a main working tree
	Shallow bool // older commits are missing
	Partial bool // some objects were left with the remote
	Sparse  bool // some files are not checked out
}

// Repository describes the place's git repository; nil without one.
func (p Place) Repository() (*Repository, error) {
	tree, err := git.Find(p.Root)
	if errors.Is(err, git.ErrNoGit) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r := &Repository{
		Bare: tree.Bare, Linked: tree.GitDir != tree.CommonDir,
		Shallow: tree.Shallow(), Partial: tree.Partial(), Sparse: tree.Sparse(),
	}
	r.Head, r.Branch, r.HeadErr = tree.Head()
	return r, nil
}

// ErrNoProject refuses a folder too wide to be meant as a project: the whole machine, or all a user
// has.
var ErrNoProject = errors.New("is no project: everything below it would be read")

// narrow refuses folders too wide to be a project. A git repository always is one.
func narrow(root string) error {
	if _, err := git.Find(root); err == nil {
		return nil
	}
	home, err := registry.UserHome()
	if root != filepath.Dir(root) && (err != nil || !sameFolder(root, home)) {
		return nil
	}
	return fmt.Errorf("%q %w", root, ErrNoProject)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
