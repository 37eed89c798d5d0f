package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// The folder of a store holds, besides its own .gitignore:
//
//	current           the name of the published database, replaced by rename
//	index-N.db        the database that the N-th full scrape wrote, with SQLite's -wal and -shm beside it
//	index-N.vec       its vectors, and the table of the model that made them
//	lock              held (flock) by the one process that scrapes; says who it is
//
// A new name for each full scrape keeps SQLite's write-ahead log of the old database away from the new one.
const (
	currentFile = "current"
	lockFile    = "lock"
)

// lockWait is how long a second scrape waits for the first before it gives up and says who holds the lock.
const lockWait = 5 * time.Second

// published returns the path of the published database.
func published(dir string) (string, error) {
	b, err := os.ReadFile(filepath.Join(dir, currentFile))
	if errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("open %s: %w", dir, ErrNoIndex)
	}
	if err != nil {
		return "", fmt.Errorf("open %s: %w", dir, err)
	}
	name := strings.TrimSpace(string(b))
	if !isDatabase(name) {
		return "", fmt.Errorf("open %s: %q is no database of a store: %w", dir, name, ErrDamaged)
	}
	return filepath.Join(dir, name), nil
}

func isDatabase(name string) bool {
	n, ok := strings.CutPrefix(name, "index-")
	n, ok2 := strings.CutSuffix(n, ".db")
	_, err := strconv.ParseUint(n, 10, 63)
	return ok && ok2 && err == nil
}

// vectorsOf names the vector file of a database.
func vectorsOf(database string) string { return strings.TrimSuffix(database, ".db") + ".vec" }

// nextDatabase returns a name that no database of the store has.
func nextDatabase(dir string) (string, error) {
	es, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	last := uint64(0)
	for _, e := range es {
		name, _, _ := strings.Cut(e.Name(), ".")
		if n, ok := strings.CutPrefix(name, "index-"); ok {
			if v, err := strconv.ParseUint(n, 10, 63); err == nil {
				last = max(last, v)
			}
		}
	}
	return fmt.Sprintf("index-%06d.db", last+1), nil
}

// publish makes name the database that readers open. The database itself must be on disk already.
func publish(dir, name string) error {
	tmp := filepath.Join(dir, currentFile+".new")
	f, err := os.OpenFile(tmp, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(name + "\n")
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(tmp, filepath.Join(dir, currentFile))
	}
	if err != nil {
		_ = os.Remove(tmp)
		return err
	}
	return syncDir(dir)
}

// sweep removes databases, each with what lies beside it, that are not the published one: those that a crash left and those that have been replaced.
// A reader that still has one open keeps it until it closes.
func sweep(dir, keep string) {
	es, _ := os.ReadDir(dir)
	for _, e := range es {
		base, _, _ := strings.Cut(e.Name(), ".")
		if isDatabase(base+".db") && base+".db" != keep {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// prepare makes the folder of a store.
func prepare(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make store %s: %w", dir, err)
	}
	ignore := filepath.Join(dir, ".gitignore")
	if _, err := os.Stat(ignore); errors.Is(err, os.ErrNotExist) {
		if err := os.WriteFile(ignore, []byte("*\n"), 0o644); err != nil {
			return fmt.Errorf("make store %s: %w", dir, err)
		}
	}
	return nil
}

// lock takes the store for writing.
func lock(ctx context.Context, dir string) (*os.File, error) {
	f, err := lockNamed(ctx, filepath.Join(dir, lockFile), lockWait)
	if err != nil && !errors.Is(err, ErrLocked) && ctx.Err() == nil {
		return nil, fmt.Errorf("lock store %s: %w", dir, err)
	}
	return f, err
}

// withoutLocks says what it means that a file system cannot lock: a network's without a lock manager, most of all.
func withoutLocks(err error) error {
	if errors.Is(err, syscall.ENOLCK) || errors.Is(err, syscall.EOPNOTSUPP) || errors.Is(err, syscall.ENOSYS) {
		return fmt.Errorf("this file system has no locks, name a folder of another one with --store: %w", err)
	}
	return err
}

// lockNamed takes the lock that a file stands for. The kernel lets go of it when the process ends, however it ends.
func lockNamed(ctx context.Context, name string, wait time.Duration) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	for end := time.Now().Add(wait); ; {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			break
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			_ = f.Close()
			return nil, withoutLocks(err)
		}
		if time.Now().After(end) {
			who, _ := os.ReadFile(name)
			_ = f.Close()
			return nil, fmt.Errorf("%w: %s", ErrLocked, strings.TrimSpace(string(who)))
		}
		select {
		case <-ctx.Done():
			_ = f.Close()
			return nil, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
	_ = f.Truncate(0)
	_, _ = fmt.Fprintf(f, "process %d, since %s\n", os.Getpid(), time.Now().UTC().Format(time.RFC3339))
	return f, nil
}
