package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/spf13/cobra"

	"patina/cmd/internal/deliver"
	"patina/registry"
	"patina/shell"
	"patina/store"
	"patina/workspace"
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
			if p, err = a.claim(p); err != nil {
				return err
			}
			fmt.Fprintf(a.out, "project %s (%s)\n  root   %s\n  store  %s\n  home   %s\nnext: patina scrape\n",
				spelled(p.Name), p.ID, spelled(p.Root), spelled(p.Store), spelled(p.Home))
			return nil
		},
	}
}

// spelled quotes a path for a shell, or writes one harmless line if no shell could read it back.
func spelled(path string) string { return cmp.Or(shell.Quote(path), deliver.OneLine(path)) }

// claim makes the store folder and registers the project.
func (a *app) claim(p workspace.Place) (workspace.Place, error) {
	p, err := p.Claim()
	if workspace.Claimed(err) {
		a.notNoted(err)
		err = nil
	}
	return p, unclaimed(err)
}

// notNoted warns that the home does not know a new index, or knows it only by its record.
func (a *app) notNoted(err error) {
	if errors.Is(err, registry.ErrUnused) {
		a.warn("%v (%s)", err, registryMend)
		return
	}
	a.warn("%v: the next command will not know this index (set PATINA_HOME, or PATINA_TRUST_STORE=1)", err)
}

// registryMend is the hint for an unusable mother.db: it is made again from the projects' records.
const registryMend = "move mother.db away; the records in the folder projects beside it are used meanwhile"

// elsewhere is the hint for a read-only store.
const elsewhere = "name a folder that can be written with --store DIR, and give it to scry as well"

func notWritable(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.ENOTDIR)
}

// unclaimed adds hints to an error from claiming a place.
func unclaimed(err error) error {
	if taken, ok := errors.AsType[*workspace.TakenError](err); ok {
		return hint(err, "name another folder with --store DIR", typed("or remove that index: ", "clean", "--store", taken.Store))
	}
	if notWritable(err) {
		return hint(err, elsewhere)
	}
	return unsafeFolder(err)
}

// unsafeFolder adds hints to an error about a store's folder.
func unsafeFolder(err error) error {
	switch {
	case errors.Is(err, store.ErrUnsafe):
		return hint(err, "if it is not yours, remove it", elsewhere)
	case errors.Is(err, store.ErrNotStore):
		return hint(err, "name an empty folder, or a new one, with --store DIR")
	}
	return err
}
