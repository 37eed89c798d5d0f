package walk

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"patina/internal/safeio"
	"patina/scrape/git"
)

// Work is the difference between a working tree and its last commit.
type Work struct {
	Changed, Added, Deleted, Untracked int // files; an untracked folder counts as one

	Paths []string // the first of them, from the root of the tree, in git's order
	More  bool     // there are more files than were counted
}

// Total returns the number of files.
func (w Work) Total() int { return w.Changed + w.Added + w.Deleted + w.Untracked }

// mostUncommitted bounds the files that are counted. A checkout of another version on top of an
// index has as many as the repository.
const mostUncommitted = 2_000

// mostExcludes bounds a repository's info/exclude, in bytes.
const mostExcludes = 1 << 20

// Uncommitted compares a working tree with its last commit, in at most the given time. It returns
// the paths of at most most files. A bare repository has no files.
//
// Git compares contents where times do not tell, and would run the filters that a repository names
// for its files. So it works in a temporary repository, which has the index and the objects of the
// real one, but neither its settings nor its attributes. The error wraps ErrGit if git refuses or
// is late.
func Uncommitted(ctx context.Context, tree git.Tree, within time.Duration, most int) (w Work, err error) {
	if tree.Root == "" {
		return w, nil
	}
	if err := tree.Sound(); err != nil {
		return w, fmt.Errorf("%w: %w", ErrGit, err)
	}
	head, _, err := tree.Head()
	if err != nil {
		return w, fmt.Errorf("%w: %w", ErrGit, err)
	}
	temp, err := newTempRepo()
	if err != nil {
		return w, err
	}
	defer temp.remove()
	if err := temp.resemble(tree, head); err != nil {
		return w, fmt.Errorf("make temporary repository: %w", err)
	}
	call := git.Call{
		Folder: tree.Root, Dir: temp.dir, Tree: tree.Root, Settings: true, Silence: within, Longest: within,
		Options: tree.FileSettings(), Index: filepath.Join(tree.GitDir, "index"), Objects: filepath.Join(tree.CommonDir, "objects"),
		Args: []string{"status", "--porcelain=v1", "-z", "--no-renames", "--ignore-submodules=all", "--untracked-files=normal"},
	}
	err = git.Stream(ctx, call, func(r *bufio.Reader) error { return w.readStatus(r, most) })
	switch {
	case errors.Is(err, errEnough):
		w.More, err = true, nil
	case err != nil && ctx.Err() == nil:
		err = refusalOf(tree.Root, "status", err)
	}
	return w, err
}

// errEnough ends the reading of a long status.
var errEnough = errors.New("enough files")

// readStatus reads git's status in its format for programs: two letters, a blank, and a path.
func (w *Work) readStatus(r *bufio.Reader, most int) error {
	for {
		entry, err := r.ReadString(0)
		if err != nil {
			if errors.Is(err, io.EOF) && entry == "" {
				return nil
			}
			return err
		}
		if len(entry) < len("XY p\x00") {
			return fmt.Errorf("read status: git answered %q", entry)
		}
		if w.Total() == mostUncommitted {
			return errEnough
		}
		switch state := entry[:2]; {
		case state == "??":
			w.Untracked++
		case strings.ContainsRune(state, 'D'):
			w.Deleted++
		case strings.ContainsRune(state, 'A'):
			w.Added++
		default:
			w.Changed++
		}
		if len(w.Paths) < most {
			w.Paths = append(w.Paths, entry[3:len(entry)-1])
		}
	}
}

// resemble gives the repository the commit, the hash and the ignore patterns of another one, and
// attributes without filters.
func (t *tempRepo) resemble(tree git.Tree, head string) error {
	exclude, err := safeio.ReadFile(filepath.Join(tree.CommonDir, "info", "exclude"), mostExcludes)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	files := map[string]string{"info/exclude": string(exclude), "info/attributes": git.NoFilters}
	if head != "" {
		files["HEAD"] = head + "\n"
	}
	if format := tree.ObjectFormat(); format != "sha1" {
		files["config"] = "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectFormat = " + format + "\n"
	}
	shared, _ := filepath.Glob(filepath.Join(tree.GitDir, "sharedindex.*")) // parts of a split index
	err = os.Mkdir(filepath.Join(t.dir, "info"), 0o700)
	for _, file := range shared {
		if err == nil {
			err = os.Symlink(file, filepath.Join(t.dir, filepath.Base(file)))
		}
	}
	for name, text := range files {
		if err == nil {
			err = os.WriteFile(filepath.Join(t.dir, filepath.FromSlash(name)), []byte(text), 0o600)
		}
	}
	return err
}
