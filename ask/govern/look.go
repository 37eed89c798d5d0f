package govern

import (
	"context"
	"errors"
	"hash/fnv"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"patina/ask/project"
	"patina/memory"
	"patina/store"
	"patina/store/folder"
)

// Look finds the items that govern an act in a place, best first. It reads the index and the notes
// of the project as they are: it scrapes, migrates and embeds nothing. An index that is not trusted
// has no items, and neither has a missing one.
//
// Either source may fail without the other. The error tells of both, beside the items.
func Look(ctx context.Context, p project.Place, act Act) ([]Item, error) {
	var notes, held []Item
	errNotes := memory.Glance(ctx, memory.File(p.Home, p.ID), func(s *memory.Store) (err error) {
		notes, err = Find(ctx, Source{Root: p.Root, Notes: s}, act)
		return err
	})
	var errIndex error
	if act.Failure == "" { // of a failure, notes alone say something
		errIndex = project.Glance(ctx, p, func(r *store.Reader) (err error) {
			held, err = Find(ctx, Source{Root: p.Root, Index: r}, act)
			return err
		})
	}
	if errors.Is(errIndex, store.ErrForeign) || errors.Is(errIndex, store.ErrNoIndex) {
		errIndex = nil
	}
	all := append(notes, held...)
	sortItems(all)
	return all, errors.Join(errNotes, errIndex)
}

// WasShown reports whether something was shown in a session for each file of an act, so that
// nothing more may be. It costs less than Look.
func WasShown(p project.Place, session string, act Act) bool {
	if len(act.Paths) == 0 {
		return false
	}
	f, err := folder.Open(p.Store, p.Anyone)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	has := f.Shown()
	session = sinceCompaction(session, has)
	return !slices.ContainsFunc(act.Paths, func(path string) bool { return !has[mark(session, "file", path)] })
}

// ForgetShown notes that a model's context was compacted, so that items shown in the session before
// may be shown again.
func ForgetShown(ctx context.Context, p project.Place, session string) error {
	f, err := folder.Open(p.Store, p.Anyone)
	if err != nil {
		return err
	}
	err = f.AddShown(ctx, func(has map[string]bool) []string {
		return []string{mark(sinceCompaction(session, has), compacted)}
	})
	return errors.Join(err, f.Close())
}

// compacted marks a compaction of a session.
const compacted = "compacted"

// sinceCompaction returns the name under which the marks of a session are kept since its last
// compaction. Marks can only be added, so each compaction begins a new name.
func sinceCompaction(session string, has map[string]bool) string {
	for has[mark(session, compacted)] {
		session += "+"
	}
	return session
}

// ChooseNew returns the first item that was not shown in a session yet, and notes that it is shown.
// It returns false without an item, and if something was shown for its file before: an item is
// shown once in a session, and a file has one. What cannot be noted is not shown.
func ChooseNew(ctx context.Context, p project.Place, session string, all []Item) (chosen Item, ok bool, err error) {
	if len(all) == 0 {
		return Item{}, false, nil
	}
	f, err := folder.Open(p.Store, p.Anyone)
	if err != nil {
		return Item{}, false, err
	}
	err = f.AddShown(ctx, func(has map[string]bool) []string {
		session := sinceCompaction(session, has)
		for _, x := range all {
			item, file := mark(session, string(x.Kind), x.ID, x.Text), mark(session, "file", x.About)
			if has[item] || x.About != "" && has[file] {
				continue
			}
			chosen, ok = x, true
			return []string{item, file}
		}
		return nil
	})
	if err != nil {
		ok = false
	}
	return chosen, ok, errors.Join(err, f.Close())
}

// mark returns a short hash of texts. Nothing of a session can be read from it.
func mark(texts ...string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(strings.Join(texts, "\x00")))
	return strconv.FormatUint(h.Sum64(), 36)
}

// PathsWithin returns paths as an Act has them. Those outside of the root are left out. dir is
// where relative ones begin.
func PathsWithin(root, dir string, paths []string) (within []string) {
	for _, p := range paths {
		if !filepath.IsAbs(p) {
			p = filepath.Join(dir, p)
		}
		for _, at := range []string{p, resolved(p)} {
			if rel, err := filepath.Rel(resolved(root), at); err == nil && filepath.IsLocal(rel) && rel != "." {
				within = append(within, filepath.ToSlash(rel))
				break
			}
		}
	}
	return within
}

// resolved returns a path without links. The last component may be missing.
func resolved(p string) string {
	if real, err := filepath.EvalSymlinks(p); err == nil {
		return real
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(p)); err == nil {
		return filepath.Join(dir, filepath.Base(p))
	}
	return filepath.Clean(p)
}
