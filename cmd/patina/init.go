package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"github.com/spf13/cobra"

	"patina/cmd/internal/deliver"
	"patina/registry"
	"patina/shell"
	"patina/store"
	"patina/store/scrape/history"
)

func (a *app) init() *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Prepare a folder for an index",
		Long: `Make the store folder (.patina, which git ignores) and give the project its id. "patina scrape" does this too: init is
for looking at what would be where before anything is read.`,
		Example: `  patina init
  patina init --store /var/tmp/index   # for a tree that cannot be written`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			p, err := a.here()
			if err != nil {
				return err
			}
			if p, err = a.prepare(p); err != nil {
				return err
			}
			fmt.Fprintf(a.out, "project %s (%s)\n  root   %s\n  store  %s\n  home   %s\nnext: patina scrape\n",
				spelled(p.Name), p.ID, spelled(p.Root), spelled(p.Store), spelled(p.home))
			return nil
		},
	}
}

// spelled is a path that can be pasted, or one harmless line where no shell could read it back.
func spelled(path string) string { return cmp.Or(shell.Quote(path), deliver.OneLine(path)) }

// prepare makes the store folder and registers the project. That the home cannot be written is no reason to stop.
func (a *app) prepare(p place) (place, error) {
	main := p.Root // all working trees of a repository are one project
	if tree, err := history.Find(p.Root); err == nil {
		main = cmp.Or(tree.RootOf(store.MainView), p.Root)
	}
	if other, ok := registry.Whereabouts(p.home, p.Store); ok && other.Root != main && exists(other.Root) {
		return p, hint(fmt.Errorf("%s holds the index of %s", quoted(p.Store), quoted(other.Root)),
			"name another folder with --store DIR", typed("or remove that index: ", "clean", "--store", p.Store))
	}
	if trusting() && registry.Lookup(p.home, main, p.Store).Doubt != "" {
		if project, err := registry.Adopt(p.home, main, p.Store); err == nil || errors.Is(err, registry.ErrNotNoted) || errors.Is(err, registry.ErrUnused) {
			p.Project = project
			return p, nil
		}
	}
	project, err := registry.Register(p.home, main, p.Store)
	switch {
	case errors.Is(err, registry.ErrNotNoted):
		a.warn("%v: the next command will not know this index (set PATINA_HOME, or PATINA_TRUST_STORE=1)", err)
	case errors.Is(err, registry.ErrUnused):
		a.warn("%v (%s)", err, registryMend)
	case err != nil:
		return p, unwritable(err)
	}
	project.Root = p.Root
	p.Project = project
	return p, nil
}

// registryMend is the way out where mother.db cannot be used: it is made again from the records of projects.
const registryMend = "move mother.db away; the records in the folder projects beside it are used meanwhile"

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// elsewhere is the way out where a store cannot be written.
const elsewhere = "name a folder that can be written with --store DIR, and give it to scry as well"

func notWritable(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.ENOTDIR)
}

func unwritable(err error) error {
	err = fmt.Errorf("make store: %w", err)
	if notWritable(err) {
		return hint(err, elsewhere)
	}
	return unsafeFolder(err)
}

// unsafeFolder adds to an error about the folder of a store the way out.
func unsafeFolder(err error) error {
	switch {
	case errors.Is(err, store.ErrUnsafe):
		return hint(err, "if it is not yours, remove it", elsewhere)
	case errors.Is(err, store.ErrNotStore):
		return hint(err, "name an empty folder, or a new one, with --store DIR")
	}
	return err
}
