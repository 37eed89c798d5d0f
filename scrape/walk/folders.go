package walk

import (
	"bytes"
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"patina/scrape/openat"
)

// Folders lists the folders of a tree in which a file may count, parents first. below lists the
// paths to start at, relative to root with slashes; "." means all. storeDir is the folder of the
// index, which is left out. Links are not followed. If git does not run, no folder is known to be
// ignored.
//
// most limits the number of folders. whole is false if it was reached, because there may be more.
func Folders(
	ctx context.Context, root, storeDir string, below []string, most int,
) (folders []string, whole bool, err error) {
	at, err := openat.Open(root)
	if err != nil {
		return nil, false, err
	}
	defer at.Close()
	f := &foldersIn{at: at, root: root, own: ownFolder(root, storeDir), most: most}
	ignored := f.ignored(ctx, ".", below)
	for _, p := range below {
		if err := f.addFolder(ctx, path.Clean(p), ".", ignored); err != nil {
			return nil, false, err
		}
	}
	return f.found, len(f.found) < most, ctx.Err()
}

type foldersIn struct {
	at         *openat.Folder
	root, own  string
	most       int
	found      []string
	submodules map[string]map[string]bool // repository → the folders of its submodules
}

// ignored returns the folders that git ignores in a repository inside the tree. It is empty if git
// does not run.
func (f *foldersIn) ignored(ctx context.Context, repository string, below []string) map[string]bool {
	g := repo{folder: filepath.Join(f.root, filepath.FromSlash(repository)), literal: true}
	args := []string{"ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"}
	if !slices.Contains(below, ".") {
		args = append(append(args, "--"), below...)
	}
	out := map[string]bool{}
	listed, err := g.runGit(ctx, nil, args...)
	if err != nil {
		return out // git does not answer, so more folders are watched than needed
	}
	// A folder is also listed if all its files are ignored. But another file may come, so
	// check-ignore must say whether the folder itself is ignored.
	var maybe []string
	for _, name := range splitZero(listed) {
		if folder, ok := strings.CutSuffix(name, "/"); ok {
			maybe = append(maybe, folder)
		}
	}
	for len(maybe) > 0 && len(out) < f.most {
		input := strings.NewReader(strings.Join(maybe, "\x00") + "\x00")
		g.literal = false                                                   // it takes names
		matched, _ := g.runGit(ctx, input, "check-ignore", "-z", "--stdin") // it fails if no name matches
		for _, name := range splitZero(matched) {
			out[path.Join(repository, name)] = true
		}
		var inner []string
		for _, name := range maybe {
			if !out[path.Join(repository, name)] {
				inner = append(inner, f.foldersOf(repository, name)...)
			}
		}
		maybe = inner
	}
	return out
}

// foldersOf returns the folders in a folder of a repository.
func (f *foldersIn) foldersOf(repository, name string) (folders []string) {
	entries, _ := os.ReadDir(filepath.Join(f.root, filepath.FromSlash(repository), filepath.FromSlash(name)))
	for _, e := range entries {
		if e.IsDir() && e.Name() != ".git" {
			folders = append(folders, path.Join(name, e.Name()))
		}
	}
	return folders
}

// addFolder adds a folder and the folders in it.
func (f *foldersIn) addFolder(ctx context.Context, dir, repository string, ignored map[string]bool) error {
	if len(f.found) >= f.most || ignored[dir] || dir != "." && (isStrange(dir) || neverCounts(dir+"/x", f.own)) {
		return ctx.Err()
	}
	if dir != repository {
		if _, err := f.at.Lstat(path.Join(dir, ".git")); err == nil {
			if !f.isSubmodule(repository, dir) {
				return nil // a repository of its own or a working tree, whose files git does not list
			}
			repository, ignored = dir, f.ignored(ctx, dir, []string{"."})
		}
	}
	entries, err := os.ReadDir(filepath.Join(f.root, filepath.FromSlash(dir)))
	if err != nil {
		return ctx.Err() // it is gone, no folder, or unreadable
	}
	f.found = append(f.found, dir)
	for _, e := range entries {
		if e.IsDir() {
			if err := f.addFolder(ctx, path.Join(dir, e.Name()), repository, ignored); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// isSubmodule reports whether a repository names a folder in its .gitmodules.
func (f *foldersIn) isSubmodule(repository, dir string) bool {
	known, ok := f.submodules[repository]
	if !ok {
		known = map[string]bool{}
		text, _ := readPatterns(f.at, path.Join(repository, ".gitmodules"))
		for line := range bytes.Lines(text) {
			key, value, _ := strings.Cut(string(line), "=")
			if strings.TrimSpace(key) == "path" {
				known[path.Join(repository, strings.Trim(strings.TrimSpace(value), `"`))] = true
			}
		}
		if f.submodules == nil {
			f.submodules = map[string]map[string]bool{}
		}
		f.submodules[repository] = known
	}
	return known[dir]
}
