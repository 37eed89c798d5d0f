package scrape

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"patina/store"
	"patina/store/scrape/git"
	"patina/store/scrape/history"
)

// A found file is one that counts: tracked or not, but not ignored, and a regular file.
type found struct {
	path  string // relative to the root, with slashes; bytes as the file system has them, also where they are no UTF-8
	stat  store.Stat
	marks marks // what .gitattributes say
}

// A listing is the outcome of a walk.
type listing struct {
	files   []found        // by path
	skipped map[string]int // reason → files
	folders []string       // names that git tracks and that are folders: submodules
	missing []string       // submodules that are not checked out
	notes   []string       // what a user should know
}

// walk lists the files of a folder. git is the ignore engine, in a repository and outside of one, so that what is ignored
// is exactly what git ignores; .patinaignore files (same syntax, any folder) take out more, tracked files too.
//
// Submodules that are checked out are listed under their path, each by its own rules. Never listed: symbolic links and what lies
// behind them, nested repositories that are no submodules, .git, .patina, the folder store.
func walk(ctx context.Context, root, storeDir string) (listing, error) {
	b, err := beginListing(ctx, root, nil)
	if err != nil {
		return listing{}, err
	}
	return b.walk(ctx, storeDir)
}

// walk is walk of a listing that has begun.
func (b *begun) walk(ctx context.Context, storeDir string) (listing, error) {
	root := b.root
	l, err := b.repository(ctx, storeDir)
	if err != nil {
		return listing{}, err
	}
	at, err := openFolder(root)
	if err != nil {
		return listing{}, err
	}
	defer at.Close()
	l.notes = append(l.notes, foreignIgnores(at, l.files)...)
	err = l.drop(ctx, at)
	return l, err
}

// drop takes out what .patinaignore files name.
func (l *listing) drop(ctx context.Context, at *folder) error {
	left, notes, err := dropIgnored(ctx, at, l.files)
	l.files, l.notes = left, append(l.notes, notes...)
	return err
}

// repository lists the files of one repository and of the submodules in it.
func (b *begun) repository(ctx context.Context, storeDir string) (listing, error) {
	l, err := b.listed(ctx, storeDir)
	if err != nil {
		return listing{}, err
	}
	err = l.enter(ctx, b.root, storeDir)
	return l, err
}

// listed are the files of one repository, of everything or of the paths that were named, without those in submodules.
func (b *begun) listed(ctx context.Context, storeDir string) (listing, error) {
	defer b.end()
	names, err := b.names()
	if err != nil {
		return listing{}, err
	}
	g, root := b.repo, b.root
	at, err := openFolder(root)
	if err != nil {
		return listing{}, fmt.Errorf("walk %q: %w", root, err)
	}
	defer at.Close()
	names, strange := counting(names, root, storeDir)
	l := stats(at, names)
	if strange > 0 {
		l.skipped[outside] += strange
	}
	if g.ignored != "" {
		l.notes = append(l.notes, notFollowed(g.ignored))
	}
	if err := ctx.Err(); err != nil {
		return listing{}, err
	}
	err = readMarks(ctx, g, at, &l)
	return l, err
}

// notFollowed is the note on a core.worktree that leads elsewhere.
func notFollowed(work string) string {
	return fmt.Sprintf("core.worktree is not followed: %q neither holds the git directory nor leads back to it (git config --unset core.worktree)", work)
}

// agree is an error unless git has listed the working tree that was found.
func agree(root, within, gitDir string, tree history.Tree) error {
	if real, err := filepath.EvalSymlinks(gitDir); err == nil && within == "true" && real == tree.GitDir {
		return nil
	}
	return fmt.Errorf("%w: git takes %q for a part of %q, and patina for one of %q (hint: run git status there)", ErrGit, root, gitDir, tree.GitDir)
}

// liesOutside is true of a folder in which git need not be asked for a repository: neither it nor any above holds a .git, or the
// HEAD that every bare repository has.
func liesOutside(root string) bool {
	dir, err := filepath.EvalSymlinks(root) // as git does: parents are those of the real folder
	if err != nil {
		return false
	}
	for ; ; dir = filepath.Dir(dir) {
		for _, name := range []string{".git", "HEAD"} {
			if _, err := os.Lstat(filepath.Join(dir, name)); !errors.Is(err, os.ErrNotExist) {
				return false
			}
		}
		if dir == filepath.Dir(dir) {
			return true
		}
	}
}

// names returns the names of untracked files that git does not ignore, and those that more options add: of everything, or of what
// paths name.
func (g repo) names(ctx context.Context, paths []string, more ...string) ([]string, error) {
	args := append([]string{"ls-files", "-z", "--others", "--exclude-standard"}, more...)
	if len(paths) > 0 {
		g.literal = true
		args = append(append(args, "--"), paths...)
	}
	out, err := g.run(ctx, nil, args...)
	if g.sparse && errors.Is(err, ErrGit) && !errors.Is(err, git.ErrLate) {
		// A folder that is left out as a whole may be one whose files the clone does not know. Git before 2.36 lists no other way.
		if known, sparseErr := g.run(ctx, nil, slices.Insert(args, 1, "--sparse")...); sparseErr == nil {
			return splitZero(known), nil
		}
	}
	return splitZero(out), err
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
		if part == store.FolderName {
			return true
		}
	}
	return false
}

func splitZero(out []byte) []string {
	if len(out) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}

// folderOf is path.Dir of a name as git lists it, which needs no cleaning.
func folderOf(name string) string {
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		return name[:i]
	}
	return "."
}
