package git

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"patina/internal/safeio"
)

// Limits in bytes for reading git's own files.
const (
	maxPointer = 64 << 10  // .git, commondir, gitdir, one ref: a path or an id
	maxConfig  = 1 << 20   // people write it by hand
	maxShallow = 64 << 20  // 41 bytes for each commit where a clone ends
	maxPacked  = 256 << 20 // packed-refs: some three million refs
)

// readSmall reads one of git's own files. It may be a symbolic link, as git-new-workdir makes, but
// must lead to a regular file. The error wraps safeio.ErrIrregular or safeio.ErrTooLarge otherwise.
func readSmall(name string, limit int64) ([]byte, error) {
	if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() && info.Size() > limit {
		// No byte of it is read.
		return nil, &fs.PathError{Op: "read", Path: name, Err: safeio.ErrTooLarge}
	}
	data, err := safeio.ReadFile(name, limit)
	if !errors.Is(err, safeio.ErrIrregular) {
		return data, err
	}
	target, linkErr := filepath.EvalSymlinks(name)
	if linkErr != nil {
		return nil, linkErr
	}
	return safeio.ReadFile(target, limit)
}

// commonDir returns the folder named in a linked worktree's file "commondir", else the git
// directory itself.
func commonDir(gitDir string) string {
	if dir := readPointer(filepath.Join(gitDir, "commondir"), ""); dir != "" {
		return physicalPath(dir)
	}
	return gitDir
}

// readPointer reads a file that has one path after a prefix, relative to the file's folder. It
// returns "" if there is no such file or it has other text.
func readPointer(name, prefix string) string {
	data, err := readSmall(name, maxPointer)
	if err != nil {
		return ""
	}
	path, ok := strings.CutPrefix(strings.TrimRight(string(data), "\r\n"), prefix)
	if path = strings.TrimLeft(path, " "); !ok || path == "" {
		return ""
	}
	return resolvePath(filepath.Dir(name), path)
}

func resolvePath(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// physicalPath returns a path without symbolic links, or the path itself if it does not exist.
func physicalPath(path string) string {
	if r, err := filepath.EvalSymlinks(path); err == nil {
		return r
	}
	return path
}

// Borrowed returns the places outside the working tree's repository from which git reads objects or
// refs: a separate git directory (git init --separate-git-dir), alternates (git clone --shared),
// and links as git-new-workdir makes them. Callers should show them, because a stranger may have
// made them. It returns nil if there are no such places.
func (t Tree) Borrowed() []string {
	var out []string
	add := func(place string) {
		if place = physicalPath(place); !slices.Contains(out, place) {
			out = append(out, place)
		}
	}
	if t.Root != "" && t.CommonDir == t.GitDir && !t.isOwn(t.Root) && t.config()["core.worktree"] == "" {
		add(t.GitDir)
	}
	objects := filepath.Join(t.CommonDir, "objects")
	places := []string{objects, filepath.Join(t.CommonDir, "refs"), filepath.Join(t.CommonDir, "packed-refs")}
	text, _ := readSmall(filepath.Join(objects, "info", "alternates"), maxPointer)
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimRight(line, "\r\n"); line != "" && line[0] != '#' {
			places = append(places, resolvePath(objects, strings.Trim(line, `"`)))
		}
	}
	for _, p := range places {
		if !isAtOrAbove(t.CommonDir, physicalPath(p)) {
			add(p)
		}
	}
	return out
}

// Sound returns an error that wraps safeio.ErrIrregular if git would block on a file in the git
// directory, because git reads a pipe or a device there without end.
func (t Tree) Sound() error {
	for _, name := range []string{"HEAD", "index", "config.worktree", "commondir", "gitdir", "info/sparse-checkout"} {
		if err := checkRegular(filepath.Join(t.GitDir, name)); err != nil {
			return err
		}
	}
	for _, name := range []string{
		"config", "packed-refs", "shallow", "info/exclude", "info/attributes", "info/grafts",
		"objects/info/alternates", "objects/info/commit-graph", "objects/info/packs",
	} {
		if err := checkRegular(filepath.Join(t.CommonDir, name)); err != nil {
			return err
		}
	}
	return nil
}

func checkRegular(name string) error {
	info, err := os.Stat(name)
	if err != nil || info.Mode().IsRegular() || info.IsDir() {
		return nil // git itself reports an unusable folder
	}
	return fmt.Errorf("read git directory: %w", &fs.PathError{Op: "open", Path: name, Err: safeio.ErrIrregular})
}
