package uninstallcmd

import (
	"errors"
	"os"
	"strings"

	"patina/registry"
	"patina/store/folder"
)

// indexItems lists the indexes that the registry knows. One whose folder is not the registered one
// is left, because nothing says that patina has made it for this user.
func indexItems(home string) (items []Item, err error) {
	stores, err := registry.Stores(home)
	if err != nil {
		return nil, err
	}
	for _, p := range stores {
		x := Item{What: indexItem, Path: p.Store, Bytes: sizeOf(p.Store), Action: remove}
		switch {
		case registry.IsClone(home, p.Root): // it goes with the clone
			x.Action, x.Why = keep, "it lies in a clone of patina's"
		case p.ID == "" || p.Doubt != "":
			x.Action, x.Why = leave, p.Doubt
		}
		x.take = func() error { return clearIndex(p) }
		items = append(items, x)
	}
	return items, nil
}

// A keptError says that an index is removed, and names the files in its folder that stay because
// patina has not made them.
type keptError []string

func (e keptError) Error() string {
	return "kept, since patina did not make it: " + strings.Join(e, ", ")
}

// clearIndex removes an index. Its error is a keptError if other files were in the folder.
func clearIndex(p registry.Project) error {
	kept, err := folder.Clear(p.Store, p.Anyone)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err == nil && len(kept) > 0 {
		return keptError(kept)
	}
	return err
}
