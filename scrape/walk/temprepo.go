package walk

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"patina/scrape/openat"
)

// A tempRepo is an index and a git directory outside a folder, so that the folder is not changed.
// Its lock ends with the process. So the next process recognizes the leftover of a killed one, and
// removes it. The caller must call remove.
type tempRepo struct {
	dir  string
	lock *os.File
}

const (
	tempRepoPrefix = "patina-git-"
	tempRepoLock   = "held"
	// unheld is the age from which a leftover without a lock is removed. Its process died before it
	// wrote the lock file.
	unheld = time.Hour
	// attempts is how often a new folder may be mistaken for a leftover before it is locked.
	attempts = 8
)

// newTempRepo makes a temporary repository, and removes leftovers of other processes.
func newTempRepo() (*tempRepo, error) {
	sweepTemporary(os.TempDir())
	var err error
	for range attempts {
		var t *tempRepo
		if t, err = makeTempRepo(); err == nil {
			return t, nil
		}
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, os.ErrNotExist) {
			break
		}
	}
	return nil, fmt.Errorf("make empty repository: %w", err)
}

func makeTempRepo() (*tempRepo, error) {
	dir, err := os.MkdirTemp("", tempRepoPrefix)
	if err != nil {
		return nil, err
	}
	t := &tempRepo{dir: dir}
	if t.lock, err = os.OpenFile(filepath.Join(dir, tempRepoLock), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600); err == nil {
		err = unix.Flock(int(t.lock.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	}
	// Git needs these in a repository (gitrepository-layout(5)). They are made by hand because
	// starting "git init" would take longer than the listing.
	for _, name := range []string{"objects", "refs", "tree"} {
		if err == nil {
			err = os.Mkdir(filepath.Join(dir, name), 0o700)
		}
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "HEAD"), []byte("ref: refs/heads/main\n"), 0o600)
	}
	if err != nil {
		t.remove()
		return nil, err
	}
	return t, nil
}

// tree returns an empty folder that can be used as a working tree.
func (t *tempRepo) tree() string { return filepath.Join(t.dir, "tree") }

// remove deletes the repository. It must release the lock last, so that no other process removes
// the folder meanwhile.
func (t *tempRepo) remove() {
	_ = os.RemoveAll(t.dir)
	if t.lock != nil {
		_ = t.lock.Close()
	}
}

// sweepTemporary removes this user's temporary repositories that no process has locked.
func sweepTemporary(temp string) {
	in, err := os.Open(temp)
	if err != nil {
		return
	}
	names, _ := in.Readdirnames(-1)
	_ = in.Close()
	for _, name := range names {
		if strings.HasPrefix(name, tempRepoPrefix) {
			sweepOne(filepath.Join(temp, name))
		}
	}
}

// sweepOne removes one folder if it is this user's and no process has locked it. Its files are
// opened from the folder itself, because its parent may be writable for all.
func sweepOne(dir string) {
	f, err := openat.Open(dir)
	if err != nil {
		return
	}
	defer f.Close()
	info, err := f.Lstat(".")
	if err != nil || int(info.Uid) != os.Geteuid() || info.Mode&0o077 != 0 {
		return // not ours, or open to others, which ours never is
	}
	lock, err := f.Open(tempRepoLock)
	if errors.Is(err, os.ErrNotExist) && time.Since(time.Unix(info.Mtim.Unix())) > unheld {
		_ = os.RemoveAll(dir)
		return
	}
	if err != nil {
		return
	}
	defer lock.Close()
	if unix.Flock(lock.Fd(), unix.LOCK_EX|unix.LOCK_NB) == nil {
		_ = os.RemoveAll(dir)
	}
}
