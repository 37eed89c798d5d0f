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
	"patina/store/folder"
)

// A Place is where a command works. It may be a repository that other machines answer for
// (registry.Project.Far): then names are read from its root, and nothing of it is on this machine.
type Place struct {
	registry.Project
	Home string // folder of the user's records
	From string // folder in which names are typed; empty means the working folder

	Scoring recall.Scoring // of notes, from the settings; empty means recall.Measured
}

// Here finds the project around the working folder. storeDir is the folder of its index, or empty
// for the default.
func Here(storeDir string) (Place, error) {
	dir, err := os.Getwd()
	if err != nil {
		return Place{}, err
	}
	p, err := At(dir, storeDir)
	p.From = ""
	return p, err
}

// At finds the project around a folder, from which names are read. storeDir is as in Here.
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

// Indexed finds the project to ask: the one for which storeDir was made, or else the one around the
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

// oneRepository reports whether two folders are working trees of the same repository.
func oneRepository(a, b string) bool {
	x, errX := git.Find(a)
	y, errY := git.Find(b)
	return errX == nil && errY == nil && x.CommonDir == y.CommonDir
}

// Known returns the same user's place for a project from the registry.
func (p Place) Known(x registry.Project) Place {
	return Place{Project: believed(x), Home: p.Home}
}

// Of returns the same user's place for another project.
func (p Place) Of(root, storeDir string) Place {
	return Place{Project: registry.Lookup(p.Home, root, storeDir), Home: p.Home, From: p.From}
}

// Settings merges the settings of the place with those given with a call, by name. It also lists
// them with the origin of each.
func (p Place) Settings(given map[string]string) (registry.Settings, []registry.Setting, error) {
	s, list, err := registry.SettingSources{Flags: given, Root: p.Root, Home: p.Home}.Read()
	if err != nil {
		err = AddHint(err, `run "patina config --help" for the settings that exist`)
	}
	return s, list, err
}

// Published reports whether the place's store holds an index, whether or not it is usable.
func (p Place) Published() bool { return p.Far == "" && folder.Published(p.Store) }

// View names the place's working tree among those that share its store. Another working tree may
// later be in the same folder.
func (p Place) View() string {
	tree, err := git.Find(p.Root)
	if err != nil {
		return store.MainView
	}
	return tree.View()
}

// sealed returns the index's seal. The error wraps store.ErrForeign if the index is not trusted, or
// walk.ErrTracked if git tracks its folder, because a change of branch could then replace it.
func (p Place) sealed(ctx context.Context) (store.Seal, error) {
	if p.Doubt != "" {
		return store.Seal{}, doubted{p.Store, p.Doubt}
	}
	return p.Seal(), scrape.Untracked(ctx, p.Root, p.Store)
}

// Clear removes the place's index, and returns the names of foreign files that it left in the
// folder.
func (p Place) Clear() (kept []string, err error) { return folder.Clear(p.Store, p.Anyone) }

// IsWritable reports whether this user may write the place's index.
func (p Place) IsWritable() bool { return !p.Anyone && p.Doubt == "" }

// A Repository describes the git repository of a working tree.
type Repository struct {
	Head    string // empty before the first commit
	Branch  string // empty if HEAD is detached
	HeadErr error  // why neither can be read, or nil
	Bare    bool
	Linked  bool // it shares its repository with a main working tree
	Shallow bool // older commits are missing
	Partial bool // some objects were left with the remote
	Sparse  bool // some files are not checked out
}

// Repository describes the place's git repository. It returns nil without an error if there is no
// repository.
func (p Place) Repository() (*Repository, error) {
	tree, err := git.Find(p.Root)
	if errors.Is(err, git.ErrNoGit) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r := &Repository{
		Bare: tree.Bare, Linked: tree.IsLinked(),
		Shallow: tree.Shallow(), Partial: tree.Partial(), Sparse: tree.Sparse(),
	}
	r.Head, r.Branch, r.HeadErr = tree.Head()
	return r, nil
}

// RepositoryName returns the name of the place's repository on all machines, from the address that
// it is fetched from. It returns "" if there is no repository, no such address, or one without a
// host.
func (p Place) RepositoryName() string {
	if p.Far != "" {
		return p.Far
	}
	tree, err := git.Find(p.Root)
	if err != nil {
		return ""
	}
	return git.NameOfURL(tree.Origin())
}

// ErrNoProject means that a folder is too wide to be a project: the whole machine, or the user's
// home folder.
var ErrNoProject = errors.New("is no project: everything below it would be read")

// narrow returns an error that wraps ErrNoProject for a folder that is too wide. A git repository
// is never too wide.
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
