package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A FileChange is a file that differs between two states.
type FileChange struct {
	Path   string
	Status ChangeStatus
}

// A ChangeStatus says how a file differs.
type ChangeStatus byte

// The statuses. A renamed file is Deleted at its old path and Added at its new one.
const (
	Added    ChangeStatus = 'A'
	Deleted  ChangeStatus = 'D'
	Modified ChangeStatus = 'M'
)

// ErrRevision is wrapped by the error about a name that means no commit.
var ErrRevision = errors.New("no such revision")

// Commit returns the id of the commit that a revision means, as in git rev-parse.
func (t Tree) Commit(ctx context.Context, revision string) (string, error) {
	if strings.ContainsAny(revision, "\x00\n") {
		return "", fmt.Errorf("%w: %q", ErrRevision, revision)
	}
	id, err := t.output(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	switch {
	case exitCode(err) > 0 || err == nil && !isID(id):
		return "", fmt.Errorf("%w: %q", ErrRevision, revision)
	case err != nil:
		return "", wrapError("read a revision", err)
	}
	return id, nil
}

// MergeBase returns the best common ancestor of two commits. The error wraps ErrRevision if there
// is none, as in a shallow clone.
func (t Tree) MergeBase(ctx context.Context, a, b string) (string, error) {
	if !isID(a) || !isID(b) {
		return "", fmt.Errorf("find a merge base: %q or %q is not a commit id", a, b)
	}
	id, err := t.output(ctx, "merge-base", a, b)
	if exitCode(err) > 0 {
		return "", fmt.Errorf("%w: %.12s and %.12s have no common ancestor here", ErrRevision, a, b)
	}
	return id, wrapError("find a merge base", err)
}

// DefaultBranch returns the revision of the branch that others work from: the one that the remote
// origin names, else main or master there, else here. The error wraps ErrRevision if there is none
// of them.
func (t Tree) DefaultBranch(ctx context.Context) (string, error) {
	names := []string{"refs/remotes/origin/main", "refs/remotes/origin/master", "refs/heads/main", "refs/heads/master"}
	if head, err := t.output(ctx, "symbolic-ref", "--quiet", "refs/remotes/origin/HEAD"); err == nil {
		names = slices.Insert(names, 0, head)
	}
	for _, name := range names {
		_, err := t.Commit(ctx, name)
		if err == nil || !errors.Is(err, ErrRevision) {
			return name, err
		}
	}
	return "", fmt.Errorf("%w: the default branch is not known", ErrRevision)
}

// Between returns the files that differ between two commits, by path.
func (t Tree) Between(ctx context.Context, from, to string) ([]FileChange, error) {
	if !isID(from) || !isID(to) {
		return nil, fmt.Errorf("compare commits: %q or %q is not a commit id", from, to)
	}
	var all []FileChange
	err := t.stream(ctx, nil, func(r *bufio.Reader) (err error) {
		all, err = readRaw(r)
		return err
	}, "diff-tree", "-r", "-z", "--raw", "--no-renames", "--ignore-submodules=all", from, to, "--")
	return all, wrapError("compare commits", err)
}

// Uncommitted returns the files of the working tree that may differ from a commit, by path, with
// untracked ones that git does not ignore. A file that was only touched may be among them.
//
// To compare, git would run the filters that the repository's settings name for a file. So it is
// asked with a git directory that has a copy of the index, the objects of the repository, and no
// settings.
func (t Tree) Uncommitted(ctx context.Context, commit string) (all []FileChange, err error) {
	if t.Root == "" || !isID(commit) {
		return nil, fmt.Errorf("compare the working tree of %q with %q: it has none", t.GitDir, commit)
	}
	if err := t.Sound(); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "patina-git-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := t.writeBareCopy(dir); err != nil {
		return nil, fmt.Errorf("compare the working tree of %q: %w", t.Root, err)
	}
	c := Call{
		Folder: t.Root, Dir: dir, Tree: t.Root,
		Args: []string{"diff-index", "-z", "--raw", "--no-renames", "--ignore-submodules=all", commit, "--"},
	}
	err = Stream(ctx, c, func(r *bufio.Reader) (err error) {
		all, err = readRaw(r)
		return err
	})
	if err != nil {
		return nil, wrapError("compare the working tree", err)
	}
	out, err := Output(ctx, Call{
		Folder: t.Root, Dir: t.GitDir, Tree: t.Root, Settings: true,
		Args: []string{"ls-files", "-z", "--others", "--exclude-standard"},
	})
	for path := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if path != "" {
			all = append(all, FileChange{path, Added})
		}
	}
	slices.SortFunc(all, func(a, b FileChange) int { return strings.Compare(a.Path, b.Path) })
	return all, wrapError("list untracked files", err)
}

// writeBareCopy makes a git directory with the objects and the index of the repository.
func (t Tree) writeBareCopy(dir string) error {
	objects := filepath.Join(t.CommonDir, "objects")
	if strings.ContainsAny(objects, "\n\"") {
		return fmt.Errorf("%q: git cannot be told this name", objects)
	}
	settings := "[core]\n\trepositoryformatversion = 1\n\tbare = false\n"
	if strings.EqualFold(t.config()["extensions.objectformat"], "sha256") {
		settings += "[extensions]\n\tobjectformat = sha256\n"
	}
	for name, text := range map[string]string{
		"HEAD": "ref: refs/heads/none\n", "config": settings, "objects/info/alternates": objects + "\n", "refs/none": "",
	} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return err
		}
		if text == "" {
			continue
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			return err
		}
	}
	shared, err := filepath.Glob(filepath.Join(escapeGlob(t.GitDir), "sharedindex.*"))
	if err != nil {
		return err
	}
	for _, name := range append(shared, filepath.Join(t.GitDir, "index")) {
		if err := copyRegular(name, filepath.Join(dir, filepath.Base(name))); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// escapeGlob returns a pattern that matches only the name.
func escapeGlob(name string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(name)
}

// copyRegular copies a regular file. It keeps the time, because git compares the index with it.
func copyRegular(from, to string) error {
	if err := checkRegular(from); err != nil {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		return errors.Join(err, out.Close())
	}
	return errors.Join(out.Close(), os.Chtimes(to, info.ModTime(), info.ModTime()))
}

// readRaw reads the output of git's --raw -z: for each file modes, ids and a status, then its path.
func readRaw(r *bufio.Reader) (all []FileChange, err error) {
	for {
		meta, err := r.ReadString(0)
		if errors.Is(err, io.EOF) && meta == "" {
			return all, nil
		}
		path, pathErr := r.ReadString(0)
		if err != nil || pathErr != nil {
			return all, errCut
		}
		fields := strings.Fields(meta)
		if len(fields) != 5 || !strings.HasPrefix(meta, ":") {
			return all, fmt.Errorf("%w: %.80q where a changed file stands", errSyntax, meta)
		}
		status := ChangeStatus(fields[4][0])
		if status != Added && status != Deleted {
			status = Modified // another type or mode, or unmerged
		}
		all = append(all, FileChange{strings.TrimSuffix(path, "\x00"), status})
	}
}
