// Package walk lists the files of a folder that count.
//
// Git decides what is ignored, also in a folder without a repository (git.go, temprepo.go).
// A .patinaignore takes out more (ignore.go). Submodules are listed under their path.
// Every listed file is a regular one, with its stat (stats.go) and attributes.
//
// Nothing is written to the tree, and nothing that a repository names is run.
package walk

import (
	"context"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"patina/store"
	"patina/store/scrape/class"
	"patina/store/scrape/content"
	"patina/store/scrape/openat"
)

// A File file is one that counts: tracked or not, but not ignored, and a regular file.
type File struct {
	Path       string // relative to the root, with slashes; bytes as the file system has them, also where they are no UTF-8
	Stat       store.Stat
	Attributes class.Attributes // what .gitattributes say
}

// A Listing is the outcome of a walk.
type Listing struct {
	Files   []File         // by path
	Skipped map[string]int // reason → files
	folders []string       // names that git tracks and that are folders: submodules
	Missing []string       // submodules that are not checked out
	Notes   []string       // what a user should know
}

// Files lists the files of a folder. git is the ignore engine, in a repository and outside of one, so that what is ignored
// is exactly what git ignores; .patinaignore files (same syntax, any folder) take out more, tracked files too.
//
// Submodules that are checked out are listed under their path, each by its own rules. Never listed: symbolic links and what lies
// behind them, nested repositories that are no submodules, .git, .patina, the folder store.
func Files(ctx context.Context, root, storeDir string, paths []string) (Listing, error) {
	w, err := Begin(ctx, root, paths)
	if err != nil {
		return Listing{}, err
	}
	return w.Files(ctx, storeDir)
}

// Files ends the listing.
func (w *Walk) Files(ctx context.Context, storeDir string) (Listing, error) {
	list := w.repository
	if w.Named {
		list = w.listed
	}
	l, err := list(ctx, storeDir)
	if err != nil {
		return Listing{}, err
	}
	at, err := openat.Open(w.root)
	if err != nil {
		return Listing{}, err
	}
	defer at.Close()
	if !w.Named {
		l.Notes = append(l.Notes, foreignIgnores(at, l.Files)...)
	}
	err = l.drop(ctx, at)
	return l, err
}

// Paths are the names of the files.
func (l Listing) Paths() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, f := range l.Files {
			if !yield(f.Path) {
				return
			}
		}
	}
}

// drop takes out what .patinaignore files name.
func (l *Listing) drop(ctx context.Context, at *openat.Folder) error {
	left, notes, err := dropIgnored(ctx, at, l.Files)
	l.Files, l.Notes = left, append(l.Notes, notes...)
	return err
}

// repository lists the files of one repository and of the submodules in it.
func (w *Walk) repository(ctx context.Context, storeDir string) (Listing, error) {
	l, err := w.listed(ctx, storeDir)
	if err != nil {
		return Listing{}, err
	}
	err = l.enter(ctx, w.root, storeDir)
	return l, err
}

// listed are the files of one repository, of everything or of the paths that were named, without those in submodules.
func (w *Walk) listed(ctx context.Context, storeDir string) (Listing, error) {
	defer w.End()
	names, err := w.names()
	if err != nil {
		return Listing{}, err
	}
	g, root := w.repo, w.root
	at, err := openat.Open(root)
	if err != nil {
		return Listing{}, fmt.Errorf("walk %q: %w", root, err)
	}
	defer at.Close()
	names, strange := counting(names, root, storeDir)
	l := stats(at, names)
	if strange > 0 {
		l.Skipped[content.Outside] += strange
	}
	if g.ignored != "" {
		l.Notes = append(l.Notes, NotFollowed(g.ignored))
	}
	if err := ctx.Err(); err != nil {
		return Listing{}, err
	}
	err = readAttributes(ctx, g, at, &l)
	return l, err
}

// NotFollowed is the note on a core.worktree that leads elsewhere.
func NotFollowed(work string) string {
	return fmt.Sprintf("core.worktree is not followed: %q neither holds the git directory nor leads back to it (git config --unset core.worktree)", work)
}

// counting sorts names and leaves out what never counts. strange is how many of these no file of the tree can have: git writes none
// such, but an index may be made by hand.
func counting(names []string, root, storeDir string) (counted []string, strange int) {
	own, err := filepath.Rel(root, storeDir)
	if err != nil || own == "." || strings.HasPrefix(own, "..") {
		own = ""
	}
	own = filepath.ToSlash(own)
	names = slices.DeleteFunc(names, func(n string) bool {
		if isStrange(n) {
			strange++
			return true
		}
		return neverCounts(n, own)
	})
	slices.Sort(names)
	return slices.Compact(names), strange // a file in conflict is listed once for each side
}

// isStrange is true of a name that leads out of the tree or into a git directory: one with a part that is "..", ".", ".git" or empty.
func isStrange(name string) bool {
	name = strings.TrimSuffix(name, "/")
	for start := 0; start <= len(name); {
		end := strings.IndexByte(name[start:], '/')
		if end < 0 {
			end = len(name) - start
		}
		switch part := name[start : start+end]; {
		case part == "", part[0] == '.' && (part == "." || part == ".." || strings.EqualFold(part, ".git")):
			return true
		}
		start += end + 1
	}
	return false
}

// neverCounts is true of a nested repository (git ends its name with a slash) and of what patina keeps for itself.
func neverCounts(name, own string) bool {
	if strings.HasSuffix(name, "/") || own != "" && strings.HasPrefix(name, own+"/") {
		return true
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == storeName {
			return true
		}
	}
	return false
}
