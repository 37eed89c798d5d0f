package cli

import (
	"errors"
	"io/fs"
	"syscall"

	"patina/ask/project"
	"patina/registry"
	"patina/store/folder"
	"patina/store/sqlite"
)

// Claim makes the store folder and registers the project.
func (a *App) Claim(p project.Place) (project.Place, error) {
	p, err := p.Claim()
	if project.Claimed(err) {
		a.NotNoted(err)
		err = nil
	}
	return p, unclaimed(err)
}

// NotNoted warns that the registry does not list a new index, or cannot be used.
func (a *App) NotNoted(err error) {
	if errors.Is(err, sqlite.ErrNewer) {
		a.Warn("%v: use the newer patina; the file is left as it is", err)
		return
	}
	if errors.Is(err, registry.ErrUnused) {
		a.Warn("%v (%s)", err, RegistryMend)
		return
	}
	a.Warn("%v: the next command will not know this index (set PATINA_HOME, or PATINA_TRUST_STORE=1)", err)
}

// RegistryMend is the hint for an unusable mother.db. It is rebuilt from the projects' records.
const RegistryMend = "move mother.db away; the records in the folder projects beside it are used meanwhile"

// elsewhere is the hint for a read-only store.
const elsewhere = "name a folder that can be written with --store DIR, and give it to scry as well"

func notWritable(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.ENOTDIR)
}

// unclaimed adds hints to an error from claiming a place.
func unclaimed(err error) error {
	if taken, ok := errors.AsType[*project.TakenError](err); ok {
		return Hint(err, "name another folder with --store DIR",
			typed("or remove that index: ", "clean", "--store", taken.Store))
	}
	if notWritable(err) {
		return Hint(err, elsewhere)
	}
	return UnsafeFolder(err)
}

// UnsafeFolder adds hints to an error about a store's folder. Other errors are returned unchanged.
func UnsafeFolder(err error) error {
	switch {
	case errors.Is(err, folder.ErrUnsafe):
		return Hint(err, "if it is not yours, remove it", elsewhere)
	case errors.Is(err, folder.ErrNotStore):
		return Hint(err, "name an empty folder, or a new one, with --store DIR")
	}
	return err
}
