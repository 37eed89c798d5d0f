package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"patina/internal/safeio"
)

const (
	maxLinks = 5               // symbolic refs followed in a row, as in git
	headWait = 5 * time.Second // for git, if Head needs it
)

// errReftable is returned for refs in a format that only git reads.
var errReftable = errors.New("refs are in reftable format")

// Head returns the working tree's current commit, and its branch without refs/heads/. The branch is
// "" on a detached HEAD. A branch without commits has the id "" and no error.
//
// It reads files. If it cannot understand them (the reftable format, damage), it asks git, for five
// seconds at most. If git does not know either, it returns the error of the files.
func (t Tree) Head() (sha, branch string, err error) {
	name := "HEAD"
	for range maxLinks + 1 {
		id, target, err := t.ref(name)
		if err != nil {
			return t.askHead(err)
		}
		if target == "" {
			return id, branchName(name), nil
		}
		name = target
	}
	return t.askHead(fmt.Errorf("read %s: more than %d symbolic refs", name, maxLinks))
}

func branchName(ref string) string {
	if ref == "HEAD" {
		return ""
	}
	return strings.TrimPrefix(ref, "refs/heads/")
}

// ref reads one ref. It returns its commit, or the ref it points to. Both are "" if the ref does
// not exist.
func (t Tree) ref(name string) (id, target string, err error) {
	if name == "refs/heads/.invalid" {
		return "", "", errReftable
	}
	if name != "HEAD" && (!strings.HasPrefix(name, "refs/") || strings.Contains(name, "..")) {
		return "", "", fmt.Errorf("read ref %q: not a name", name)
	}
	file := filepath.Join(t.refDir(name), filepath.FromSlash(name))
	if link, err := os.Readlink(file); err == nil && strings.HasPrefix(link, "refs/") {
		return "", link, nil // git wrote HEAD so until 2005, and does with core.preferSymlinkRefs
	}
	data, err := readSmall(file, maxPointer)
	switch {
	case err == nil:
	case name != "HEAD" && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || isDir(file)):
		id, err = t.packed(name)
		return id, "", err
	default:
		return "", "", fmt.Errorf("read ref %q: %w", name, err)
	}
	text := strings.TrimSpace(string(data))
	if target, ok := strings.CutPrefix(text, "ref:"); ok {
		return "", strings.TrimSpace(target), nil
	}
	if text, _, _ = strings.Cut(text, "\t"); !isID(text) { // FETCH_HEAD adds a note
		return "", "", fmt.Errorf("read ref %q: it holds no commit", name)
	}
	return text, "", nil
}

// refDir returns the git directory that has a ref. Some refs belong to one working tree (git help
// worktree, "Refs").
func (t Tree) refDir(name string) string {
	for _, own := range []string{"HEAD", "refs/bisect/", "refs/worktree/", "refs/rewritten/"} {
		if strings.HasPrefix(name, own) {
			return t.GitDir
		}
	}
	return t.CommonDir
}

// packed looks a ref up in packed-refs, where a line is an id, a blank and a name. It returns "" if
// the ref is not there.
func (t Tree) packed(name string) (string, error) {
	data, err := readSmall(filepath.Join(t.CommonDir, "packed-refs"), maxPacked)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read ref %q: %w", name, err)
	}
	end := bytes.Index(append(data, '\n'), []byte(" "+name+"\n")) // no name has a blank
	if end < 0 {
		return "", nil
	}
	id := string(data[bytes.LastIndexByte(data[:end], '\n')+1 : end])
	if !isID(id) {
		return "", fmt.Errorf("read ref %q: packed-refs is damaged", name)
	}
	return id, nil
}

// askHead asks git because the files could not be understood. cause is the error of reading them.
func (t Tree) askHead(cause error) (sha, branch string, err error) {
	// Git would block on the file.
	if errors.Is(cause, safeio.ErrIrregular) || errors.Is(cause, safeio.ErrTooLarge) {
		return "", "", fmt.Errorf("read HEAD: %w", cause)
	}
	ctx, cancel := context.WithTimeout(context.Background(), headWait)
	defer cancel()
	ref, err := t.output(ctx, "symbolic-ref", "-q", "HEAD")
	if err != nil && exitCode(err) != 1 { // 1: detached
		return "", "", fmt.Errorf("read HEAD: %w", err)
	}
	branch = strings.TrimPrefix(ref, "refs/heads/")
	sha, err = t.output(ctx, "rev-parse", "--verify", "-q", "HEAD")
	switch {
	case err == nil && isID(sha):
		return sha, branch, nil
	case exitCode(err) == 1 && branch != "" && errors.Is(cause, errReftable): // no commits yet
		return "", branch, nil
	}
	return "", "", fmt.Errorf("read HEAD: %w", cause)
}

// isID reports whether a text is a whole object id: 40 lower-case hex digits, or 64 with sha256.
func isID(s string) bool {
	if len(s) != 40 && len(s) != 64 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
