package scrape

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

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
	g, done, err := openGit(ctx, root)
	if err != nil {
		return listing{}, err
	}
	defer done()
	names, err := g.names(ctx, root, storeDir)
	if err != nil {
		return listing{}, err
	}
	l := stats(root, names)
	if err := ctx.Err(); err != nil {
		return listing{}, err
	}
	if err := readMarks(ctx, g.git, l.files); err != nil {
		return listing{}, err
	}
	return l, l.enter(ctx, root, storeDir)
}

// A lister is git in a folder, with or without a repository of its own.
type lister struct {
	git
	bare     bool // a repository without a work tree: nothing to list
	borrowed bool // an empty repository elsewhere, over a folder that has none
}

// openGit finds out what git knows of a folder. A folder without git gets an empty repository in a temporary folder, which
// done removes.
func openGit(ctx context.Context, root string) (l lister, done func(), err error) {
	l, done = lister{git: git{folder: root}}, func() {}
	out, err := l.run(ctx, nil, "rev-parse", "--is-inside-work-tree")
	if err == nil {
		l.bare = strings.TrimSpace(string(out)) != "true"
		return l, done, nil
	}
	if !errors.Is(err, errNoRepository) {
		return l, done, err
	}
	if _, statErr := os.Lstat(filepath.Join(root, ".git")); statErr == nil {
		return l, done, fmt.Errorf("%w: %q holds a .git that git does not take for a repository (hint: run git status there)", ErrGit, root)
	}
	l.git, done, err = emptyRepository(root)
	l.borrowed = true
	return l, done, err
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

// names returns the sorted names of what git would track, without what never counts: of everything, or of what paths name.
func (l lister) names(ctx context.Context, root, storeDir string, paths ...string) ([]string, error) {
	if l.bare {
		return nil, nil
	}
	args := []string{"ls-files", "-z", "--others", "--exclude-standard"}
	if !l.borrowed {
		args = append(args, "--cached")
	}
	if len(paths) > 0 {
		args = append(append(args, "--"), paths...)
	}
	out, err := l.run(ctx, nil, args...)
	if err != nil {
		return nil, err
	}
	names := splitZero(out)
	own, err := filepath.Rel(root, storeDir)
	if err != nil || own == "." || strings.HasPrefix(own, "..") {
		own = ""
	}
	names = slices.DeleteFunc(names, func(n string) bool { return neverCounts(n, filepath.ToSlash(own)) })
	slices.Sort(names)
	return slices.Compact(names), nil // a file in conflict is listed once for each side
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

// statWorkers hide the latency of lstat; more gained nothing on two cores.
const statWorkers = 8

// stats keeps the regular files that exist, in order. Deleted files are left out in silence, the others are counted.
func stats(root string, names []string) listing {
	real := realFolders(root, names)
	files := make([]found, len(names))
	reasons, folders := make([]string, len(names)), make([]bool, len(names))
	var wg sync.WaitGroup
	for w := range statWorkers {
		wg.Go(func() {
			for i := w; i < len(names); i += statWorkers {
				if !real[path.Dir(names[i])] {
					continue
				}
				info, err := os.Lstat(filepath.Join(root, names[i]))
				switch {
				case errors.Is(err, os.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
				case err != nil:
					reasons[i] = unreadable
				case info.Mode().IsRegular():
					files[i] = found{path: names[i], stat: statOf(info)}
				case info.IsDir():
					folders[i] = true
				case info.Mode()&os.ModeSymlink != 0:
					reasons[i] = symbolicLink
				default:
					reasons[i] = unreadable
				}
			}
		})
	}
	wg.Wait()
	l := listing{skipped: map[string]int{}}
	for i, f := range files {
		switch {
		case f.path != "":
			l.files = append(l.files, f)
		case folders[i]:
			l.folders = append(l.folders, names[i])
		case reasons[i] != "":
			l.skipped[reasons[i]]++
		}
	}
	return l
}

// realFolders says of each folder of names whether it is one, all the way up: a tracked folder may have been replaced by
// a symbolic link that leads out of the tree.
func realFolders(root string, names []string) map[string]bool {
	real := map[string]bool{".": true}
	var check func(dir string) bool
	check = func(dir string) bool {
		if known, ok := real[dir]; ok {
			return known
		}
		ok := check(path.Dir(dir))
		if ok {
			info, err := os.Lstat(filepath.Join(root, dir))
			// A folder that may not be looked into is judged by its files, which are counted as unreadable.
			ok = err != nil && errors.Is(err, os.ErrPermission) || err == nil && info.IsDir()
		}
		real[dir] = ok
		return ok
	}
	for _, n := range names {
		check(path.Dir(n))
	}
	return real
}

func statOf(info os.FileInfo) store.Stat {
	s := store.Stat{Size: info.Size(), ModTime: info.ModTime().UnixNano()}
	if sys, ok := info.Sys().(*syscall.Stat_t); ok {
		s.Inode = sys.Ino
	}
	return s
}
