// Package walk lists the files of a folder that count.
//
// Git decides which files are ignored (git.go), also in a folder without a repository
// (temprepo.go). A .patinaignore removes more (ignore.go). Submodules are listed under their path.
// Every listed file is a regular one, with its stat (stats.go) and attributes.
//
// Nothing is written to the tree, and no program that a repository names runs.
package walk

import (
	"context"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"patina/scrape/class"
	"patina/scrape/content"
	"patina/scrape/openat"
	"patina/store/doc"
	"patina/store/folder"
)

// A File is a regular file that counts: tracked or not, but not ignored.
type File struct {
	Path       string // relative, with slashes, as in the file system; it may be no UTF-8
	Stat       doc.Stat
	Attributes class.Attributes
}

// A Listing is the result of a walk.
type Listing struct {
	Files   []File         // sorted by path
	Skipped map[string]int // reason → number of files
	folders []string       // submodules: tracked names that are folders
	Missing []string       // submodules that are not checked out
	Nested  []string       // other repositories and working trees in the tree, which are left out
	Notes   []string       // messages for the user
}

// Files lists the files of a folder, or of the given paths in it. The paths must be relative to
// root, with slashes; nil means all. storeDir is the folder of the index, which may be outside
// root.
//
// Files that git ignores are left out, in a repository and outside of one. A .patinaignore (same
// syntax, any folder) removes more, also tracked files. Submodules that are checked out are listed
// under their path, each by its own rules.
//
// Never listed: symbolic links and files behind them, nested repositories that are no submodules,
// .git, .patina, .terraform, .terragrunt-cache, the folder storeDir.
//
// The error wraps ErrGit if git refuses the folder.
func Files(ctx context.Context, root, storeDir string, paths []string) (Listing, error) {
	w, err := Begin(ctx, root, paths)
	if err != nil {
		return Listing{}, err
	}
	return w.Files(ctx, storeDir)
}

// Files waits for git and returns the listing. It must be called once at most, and ends the walk.
func (w *Walk) Files(ctx context.Context, storeDir string) (Listing, error) {
	l, err := w.repository(ctx, storeDir)
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

// Paths returns the names of the files, in order.
func (l Listing) Paths() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, f := range l.Files {
			if !yield(f.Path) {
				return
			}
		}
	}
}

// drop removes the files that match a .patinaignore.
func (l *Listing) drop(ctx context.Context, at *openat.Folder) error {
	left, notes, err := dropIgnored(ctx, at, l.Files)
	l.Files, l.Notes = left, append(l.Notes, notes...)
	return err
}

// repository lists the files of one repository and of the submodules in it.
func (w *Walk) repository(ctx context.Context, storeDir string) (Listing, error) {
	l, err := w.listOne(ctx, storeDir)
	if err != nil {
		return Listing{}, err
	}
	err = l.addSubmodules(ctx, w.root, storeDir, w.paths)
	return l, err
}

// listOne lists the files of one repository without its submodules, and ends the walk.
func (w *Walk) listOne(ctx context.Context, storeDir string) (Listing, error) {
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
	nested := nestedIn(names)
	names, strange := dropUncounted(names, root, storeDir)
	l := statFiles(at, names)
	l.Nested = nested
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

// NotFollowed returns the note on a core.worktree that leads elsewhere.
func NotFollowed(work string) string {
	return fmt.Sprintf("core.worktree is not followed: %q neither holds the git directory nor leads back to it "+
		"(git config --unset core.worktree)", work)
}

// dropUncounted sorts names and drops all that never count. strange is the number of dropped names
// that no file of the tree can have. Git writes no such name, but an index may be made by hand.
func dropUncounted(names []string, root, storeDir string) (counted []string, strange int) {
	own := ownFolder(root, storeDir)
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

// nestedIn returns the names of nested repositories without the slash with which git ends them.
func nestedIn(names []string) (nested []string) {
	for _, n := range names {
		if dir, ok := strings.CutSuffix(n, "/"); ok && !isStrange(dir) {
			nested = append(nested, dir)
		}
	}
	return nested
}

// ownFolder returns the index's folder as a name in the tree, or "" if it is outside.
func ownFolder(root, storeDir string) string {
	own, err := filepath.Rel(root, storeDir)
	if err != nil || own == "." || strings.HasPrefix(own, "..") {
		return ""
	}
	return filepath.ToSlash(own)
}

// isStrange reports whether a name leads out of the tree or into a git directory, because a part of
// it is "..", ".", ".git" or empty.
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

// neverCounts reports whether a name is a nested repository, which git ends with a slash, or is in
// patina's or Terraform's own folders. own is the index's folder, or "".
func neverCounts(name, own string) bool {
	if strings.HasSuffix(name, "/") || own != "" && strings.HasPrefix(name, own+"/") {
		return true
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == folder.DefaultName || part == ".terraform" || part == ".terragrunt-cache" {
			return true
		}
	}
	return false
}
