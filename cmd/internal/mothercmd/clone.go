package mothercmd

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
	"patina/internal/safeio"
	"patina/registry"
	"patina/registry/mother"
	"patina/scrape"
)

// cloneFolder returns the folder in patina's home for the clone of an address.
func (m *repos) cloneFolder(url string) string {
	sum := sha256.Sum256([]byte(url))
	base := strings.TrimSuffix(path.Base(strings.TrimRight(strings.ReplaceAll(url, ":", "/"), "/")), ".git")
	base = strings.Map(func(r rune) rune {
		if r < 128 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("-_.", r)) {
			return r
		}
		return -1
	}, base)
	return filepath.Join(registry.ClonesFolder(m.home), hex.EncodeToString(sum[:4]),
		cmp.Or(strings.Trim(base, "."), "repository"))
}

// clone clones an address into a folder of patina's, unless it is there, and returns the folder.
func (m *repos) clone(ctx context.Context, url string) (string, error) {
	m.clearLeft()
	dir := m.cloneFolder(url)
	if isCloned(dir) {
		return dir, nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return "", err
	}
	temp, release, err := makeCloneFolder(filepath.Dir(dir))
	if err != nil {
		return "", err
	}
	defer release()
	if cli.Terminal(m.Errs) {
		fmt.Fprintf(m.Errs, "cloning %s\n", layout.Plain(url))
	}
	if err := scrape.Clone(ctx, url, filepath.Join(temp, cloneName)); err != nil {
		return "", cli.Hint(fmt.Errorf("clone: %w", err), "try it yourself: git clone")
	}
	err = os.Rename(filepath.Join(temp, cloneName), dir)
	if err != nil && isCloned(dir) { // by another process at the same time
		err = nil
	}
	return dir, err
}

func isCloned(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, ".git"))
	return err == nil
}

// A clone in progress is the folder cloneName in one of cloneFolders. Its process must hold a lock
// on that folder. The lock ends with the process.
const (
	cloneName    = "clone"
	cloneFolders = "clone-*"
)

// makeCloneFolder makes and locks a folder for a clone in progress. The caller must call release,
// which removes the folder.
func makeCloneFolder(in string) (dir string, release func(), err error) {
	for {
		if dir, err = os.MkdirTemp(in, cloneFolders); err != nil {
			return "", nil, err
		}
		release, err := hold(dir)
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

// hold locks the folder of a clone in progress. release removes the folder.
func hold(dir string) (release func(), err error) {
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

// clearLeft removes clones in progress whose process is dead.
func (m *repos) clearLeft() {
	left, _ := filepath.Glob(filepath.Join(registry.ClonesFolder(m.home), "*", cloneFolders))
	for _, dir := range left {
		held, err := os.ReadDir(dir)
		if err != nil || len(held) > 1 || len(held) == 1 && held[0].Name() != cloneName {
			continue // not made by patina
		}
		if release, err := hold(dir); err == nil {
			release()
		}
	}
}

// owns reports whether a repository is patina's own clone of its address.
func (m *repos) owns(r mother.Repository) bool {
	if r.URL == "" {
		return false
	}
	made, err := filepath.EvalSymlinks(m.cloneFolder(r.URL))
	if err != nil {
		return false
	}
	root, err := filepath.EvalSymlinks(r.Root)
	return err == nil && root == made
}
