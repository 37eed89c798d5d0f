package scrape

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"patina/store"
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
	l, err := walkRepository(ctx, root, storeDir)
	if err != nil {
		return listing{}, err
	}
	l.notes = append(l.notes, foreignIgnores(root, l.files)...)
	l.files, err = dropIgnored(ctx, root, l.files)
	return l, err
}

// walkRepository lists the files of one repository and of the submodules in it.
func walkRepository(ctx context.Context, root, storeDir string) (listing, error) {
	l, err := listed(ctx, root, storeDir)
	if err != nil {
		return listing{}, err
	}
	return l, l.enter(ctx, root, storeDir)
}

// listed are the files of one repository, of everything or of what paths name, without what is in submodules.
func listed(ctx context.Context, root, storeDir string, paths ...string) (listing, error) {
	g, names, done, err := list(ctx, root, paths)
	if err != nil {
		return listing{}, err
	}
	defer done()
	l, err := stats(root, counting(names, root, storeDir))
	if err = cmp.Or(ctx.Err(), err); err != nil {
		return listing{}, err
	}
	return l, readMarks(ctx, g, l.files)
}

// list names what git would track in a folder: everything, or what paths name. A folder without git gets an empty repository in a
// temporary folder, which done removes; a repository without a work tree has nothing to list.
func list(ctx context.Context, root string, paths []string) (g git, names []string, done func(), err error) {
	g, done = git{folder: root}, func() {}
	if liesOutside(root) {
		return listWithout(ctx, root, paths)
	}
	var group errgroup.Group // git starts twice at once: most of the time of either is its start
	group.Go(func() (err error) {
		names, err = g.names(ctx, paths, "--cached")
		return err
	})
	inside, err := g.run(ctx, nil, "rev-parse", "--is-inside-work-tree")
	refused := group.Wait()
	switch {
	case err == nil && strings.TrimSpace(string(inside)) != "true":
		return g, nil, done, nil
	case err == nil:
		return g, names, done, refused
	case !errors.Is(err, errNoRepository):
		return g, nil, done, err
	}
	if _, statErr := os.Lstat(filepath.Join(root, ".git")); statErr == nil {
		return g, nil, done, fmt.Errorf("%w: %q holds a .git that git does not take for a repository (hint: run git status there)", ErrGit, root)
	}
	return listWithout(ctx, root, paths)
}

// listWithout is list for a folder that lies in no repository.
func listWithout(ctx context.Context, root string, paths []string) (git, []string, func(), error) {
	g, done, err := emptyRepository(root)
	if err != nil {
		return git{}, nil, func() {}, err
	}
	names, err := g.names(ctx, paths)
	if err != nil {
		done()
	}
	return g, names, done, err
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

// emptyRepository gives git an index and a place for itself outside of the folder, which stays as it is.
func emptyRepository(root string) (git, func(), error) {
	dir, err := os.MkdirTemp("", "patina-git-")
	if err != nil {
		return git{}, func() {}, fmt.Errorf("make empty repository: %w", err)
	}
	done := func() { os.RemoveAll(dir) }
	// What git asks of a repository (gitrepository-layout(5)); starting "git init" for it would take longer than the listing.
	err = errors.Join(os.Mkdir(filepath.Join(dir, "objects"), 0o755), os.Mkdir(filepath.Join(dir, "refs"), 0o755),
		os.WriteFile(filepath.Join(dir, "HEAD"), []byte("ref: refs/heads/main\n"), 0o644))
	if err != nil {
		done()
		return git{}, func() {}, fmt.Errorf("make empty repository: %w", err)
	}
	return git{folder: root, env: []string{"GIT_DIR=" + dir, "GIT_WORK_TREE=" + root}}, done, nil
}

// names returns the names of untracked files that git does not ignore, and those that more options add: of everything, or of what
// paths name.
func (g git) names(ctx context.Context, paths []string, more ...string) ([]string, error) {
	args := append([]string{"ls-files", "-z", "--others", "--exclude-standard"}, more...)
	if len(paths) > 0 {
		g.env = append(g.env[:len(g.env):len(g.env)], "GIT_LITERAL_PATHSPECS=1")
		args = append(append(args, "--"), paths...)
	}
	out, err := g.run(ctx, nil, args...)
	return splitZero(out), err
}

// counting sorts names and leaves out what never counts.
func counting(names []string, root, storeDir string) []string {
	own, err := filepath.Rel(root, storeDir)
	if err != nil || own == "." || strings.HasPrefix(own, "..") {
		own = ""
	}
	names = slices.DeleteFunc(names, func(n string) bool { return neverCounts(n, filepath.ToSlash(own)) })
	slices.Sort(names)
	return slices.Compact(names) // a file in conflict is listed once for each side
}

// neverCounts is true of a nested repository (git ends its name with a slash) and of what git and patina keep for themselves.
func neverCounts(name, own string) bool {
	if strings.HasSuffix(name, "/") || own != "" && strings.HasPrefix(name, own+"/") {
		return true
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == ".git" || part == ".patina" {
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
