// Package clones keeps the repositories that patina has cloned, in a folder of the user's home.
//
// Nothing of a repository runs: no hook and no filter (scrape.Clone). A clone appears under its
// name when it is complete. One in progress is removed by the next process if its own has died.
package clones

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"patina/internal/safeio"
	"patina/registry"
	"patina/registry/mother"
	"patina/scrape"
)

// Folder returns the folder in a home for the clone of an address.
func Folder(home, url string) string {
	sum := sha256.Sum256([]byte(url))
	base := strings.TrimSuffix(path.Base(strings.TrimRight(strings.ReplaceAll(url, ":", "/"), "/")), ".git")
	base = strings.Map(func(r rune) rune {
		if r < 128 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("-_.", r)) {
			return r
		}
		return -1
	}, base)
	return filepath.Join(registry.ClonesFolder(home), hex.EncodeToString(sum[:4]),
		cmp.Or(strings.Trim(base, "."), "repository"))
}

// Make clones an address into its folder, unless it is there, and returns the folder. begin is
// called before anything is fetched; it may be nil.
func Make(ctx context.Context, home, url string, begin func()) (dir string, err error) {
	RemoveLeft(home)
	dir = Folder(home, url)
	if Has(home, url) {
		return dir, nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return "", err
	}
	temp, release, err := makeFolder(filepath.Dir(dir))
	if err != nil {
		return "", err
	}
	defer release()
	if begin != nil {
		begin()
	}
	if err := scrape.Clone(ctx, url, filepath.Join(temp, unfinished)); err != nil {
		return "", err
	}
	err = os.Rename(filepath.Join(temp, unfinished), dir)
	if err != nil && Has(home, url) { // by another process at the same time
		err = nil
	}
	return dir, err
}

// Has reports whether an address has been cloned.
func Has(home, url string) bool {
	_, err := os.Stat(filepath.Join(Folder(home, url), ".git"))
	return err == nil
}

// Remove removes the clone of an address with its index. It does nothing if there is none.
func Remove(home, url string) error {
	dir := Folder(home, url)
	err := os.RemoveAll(dir)
	_ = os.Remove(filepath.Dir(dir)) // fails if the folder is not empty
	return err
}

// A clone in progress is the folder unfinished in one of folders. Its process must hold a lock on
// that folder. The lock ends with the process.
const (
	unfinished = "clone"
	folders    = "clone-*"
)

// makeFolder makes and locks a folder for a clone in progress. The caller must call release, which
// removes the folder.
func makeFolder(in string) (dir string, release func(), err error) {
	for {
		if dir, err = os.MkdirTemp(in, folders); err != nil {
			return "", nil, err
		}
		release, err := lock(dir)
		if err == nil {
			if _, err = os.Lstat(dir); err == nil {
				return dir, release, nil
			}
			release()
		}
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, safeio.ErrHeld) {
			return "", nil, err
		}
		// Another process removed the folder as a leftover before it was locked.
	}
}

// lock locks the folder of a clone in progress. release removes the folder.
func lock(dir string) (release func(), err error) {
	f, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	if err := safeio.Lock(context.Background(), f, 0); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() {
		_ = os.RemoveAll(dir)
		_ = f.Close()
	}, nil
}

// RemoveLeft removes clones in progress whose process is dead.
func RemoveLeft(home string) {
	left, _ := filepath.Glob(filepath.Join(registry.ClonesFolder(home), "*", folders))
	for _, dir := range left {
		content, err := os.ReadDir(dir)
		if err != nil || len(content) > 1 || len(content) == 1 && content[0].Name() != unfinished {
			continue // not made by patina
		}
		if release, err := lock(dir); err == nil {
			release()
		}
	}
}

// Owns reports whether a repository is patina's own clone of its address.
func Owns(home string, r mother.Repository) bool {
	if r.URL == "" {
		return false
	}
	made, err := filepath.EvalSymlinks(Folder(home, r.URL))
	if err != nil {
		return false
	}
	root, err := filepath.EvalSymlinks(r.Root)
	return err == nil && root == made
}
