package folder

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

	"patina/internal/lazyregexp"
	"patina/internal/safeio"
	"patina/store/doc"
)

// DefaultName is the default name for a store's folder.
const DefaultName = ".patina"

// A store's files. Each full scrape takes a new name, so the old database's log cannot reach the
// new one.
const (
	ignoreFile  = ".gitignore" // makes git ignore the folder
	currentFile = "current"    // the published database's name, replaced by rename
	lockFile    = "lock"       // held (flock) by the one scraping process; names it

	// ProjectFile holds the id of the store's project. Package registry writes it.
	ProjectFile = "project"

	// LinesFile holds the commits of symbols that were asked for (scrape/follow).
	LinesFile = "lines.json"

	// indexFiles matches the files from the N-th full scrape. index-N.db is the database, with its
	// log and checksums. index-N.vec holds the vectors and the model's table; index-N.hnsw their
	// graph.
	indexFiles = `index-[0-9]+\.(db(-wal|-shm|-journal|\.sum(\.new)?)?|vec(\.sum(\.new)?)?|hnsw(\.lock)?)`
)

const ignoreContent = "*\n"

// own matches these names, with files left by earlier versions or by crashes.
var own = lazyregexp.New(
	`^(\` + ignoreFile + `|` + lockFile + `|` + modelFiles + `|` + ShownFile + `|(` + currentFile + `|` + ProjectFile + `|lines\.json)(\.new)?|` +
		ProjectFile + `\.[0-9]+\.tmp|` + indexFiles + `)$`,
)

// Owns reports whether a file name belongs to the store.
func Owns(name string) bool { return own().MatchString(name) }

// lockWait is how long a second scrape waits before it gives up and names the first.
const lockWait = 5 * time.Second

// Database returns the published database's path. It returns ErrNoIndex if there is no published
// database. The error wraps doc.ErrDamaged if its name cannot be read.
func (f *Folder) Database() (string, error) {
	b, err := f.Read(currentFile)
	if errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("open %s: %w", f.path, ErrNoIndex)
	}
	if err != nil {
		return "", fmt.Errorf("open %s: %w", f.path, doc.DamagedBy(err))
	}
	name := trimmed(b)
	if !isDatabase(name) {
		return "", fmt.Errorf("open %s: %q is no database of a store: %w", f.path, name, doc.ErrDamaged)
	}
	return filepath.Join(f.path, name), nil
}

// Published reports whether a folder has an index, in any state.
func Published(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, currentFile))
	return !errors.Is(err, os.ErrNotExist)
}

func trimmed(b []byte) string { return strings.TrimSpace(string(b)) }

func isDatabase(name string) bool {
	n, ok := strings.CutPrefix(name, "index-")
	n, ok2 := strings.CutSuffix(n, ".db")
	_, err := strconv.ParseUint(n, 10, 63)
	return ok && ok2 && err == nil
}

// VectorsOf returns the path of a database's vector file.
func VectorsOf(database string) string { return strings.TrimSuffix(database, ".db") + ".vec" }

// GraphOf returns the path of the graph over a database's vectors.
func GraphOf(database string) string { return strings.TrimSuffix(database, ".db") + ".hnsw" }

// SumsOf returns the path of a database's checksums.
func SumsOf(database string) string { return database + ".sum" }

// NextDatabase returns a database name that no file in the folder has used.
func (f *Folder) NextDatabase() (string, error) {
	names, err := f.Names()
	if err != nil {
		return "", err
	}
	last := uint64(0)
	for _, n := range names {
		n, _, _ = strings.Cut(n, ".")
		if n, ok := strings.CutPrefix(n, "index-"); ok {
			if v, err := strconv.ParseUint(n, 10, 62); err == nil {
				last = max(last, v)
			}
		}
	}
	return fmt.Sprintf("index-%06d.db", last+1), nil
}

// Publish makes name the database for readers. The database must be on disk already.
func (f *Folder) Publish(name string) error { return f.Replace(currentFile, []byte(name+"\n")) }

// Discard removes the published index and the vectors of models beside it, unread.
func (f *Folder) Discard() {
	_ = f.root.Remove(currentFile)
	f.Sweep("")
	models, _ := f.ModelNames()
	for _, name := range models {
		_ = f.RemoveModel(name, false, 0)
	}
}

// Sweep removes every database except keep, with its side files: crashed and replaced ones. A
// reader with an open one keeps it until it closes.
func (f *Folder) Sweep(keep string) {
	names, _ := f.Names()
	for _, name := range names {
		base, _, _ := strings.Cut(name, ".")
		if Owns(name) && isDatabase(base+".db") && base+".db" != keep {
			_ = f.root.Remove(name)
		}
	}
}

// SyncDir writes a folder's entries to disk.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// SyncFile writes a file to disk.
func SyncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Lock takes the folder for writing. Closing l, or the end of the process, gives it back. before is
// the time another process last did so, or zero. The error wraps ErrLocked if another process holds
// the folder for longer than a few seconds.
func (f *Folder) Lock(ctx context.Context) (l *os.File, before time.Time, err error) {
	l, before, err = f.LockFile(ctx, lockFile, lockWait)
	if err != nil && !errors.Is(err, ErrLocked) && ctx.Err() == nil {
		err = fmt.Errorf("lock store %s: %w", f.path, err)
	}
	return l, before, err
}

// withoutLocks explains the error from a file system without locks, usually a network's without a
// lock manager.
func withoutLocks(err error) error {
	if errors.Is(err, syscall.ENOLCK) || errors.Is(err, syscall.EOPNOTSUPP) || errors.Is(err, syscall.ENOSYS) {
		return fmt.Errorf("this file system has no locks, name a folder of another one with --store: %w", err)
	}
	return err
}

// LockFile takes the lock on a file in the folder, as Lock does on the folder's own. The kernel
// releases it when the process ends, however it ends.
func (f *Folder) LockFile(
	ctx context.Context, name string, wait time.Duration,
) (l *os.File, before time.Time, err error) {
	if l, err = f.openLock(name, os.O_CREATE); err != nil {
		return nil, before, err
	}
	if err = safeio.Lock(ctx, l, wait); err != nil {
		if errors.Is(err, safeio.ErrHeld) {
			who, _ := f.Read(name)
			err = errors.Join(fmt.Errorf("%w: %s", ErrLocked, trimmed(who)), ctx.Err())
		}
		return nil, before, errors.Join(withoutLocks(err), l.Close())
	}
	if info, err := l.Stat(); err == nil && info.Size() > 0 {
		before = info.ModTime()
	}
	_ = l.Truncate(0)
	_, _ = fmt.Fprintf(l, "process %d, since %s\n", os.Getpid(), time.Now().UTC().Format(time.RFC3339))
	return l, before, nil
}

// openLock opens a lock file for writing. With os.O_CREATE in flags, it makes a missing one.
func (f *Folder) openLock(name string, flags int) (*os.File, error) {
	if info, err := f.root.Lstat(name); err == nil {
		if err := f.accept(name, info); err != nil {
			return nil, err
		}
	}
	l, err := f.root.OpenFile(name, flags|os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, fileMode)
	if err != nil {
		return nil, err
	}
	info, err := l.Stat()
	if err == nil {
		err = f.accept(name, info)
	}
	if err == nil && info.Mode().Perm() != fileMode {
		_ = l.Chmod(fileMode) // made by an earlier version
	}
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// Holder returns the name of the process that holds the folder's lock, or "". It takes a shared
// lock for a moment, so a scrape that starts just then must try again.
func (f *Folder) Holder() string {
	l, err := safeio.OpenIn(f.root, lockFile)
	if err != nil {
		return ""
	}
	defer func() { _ = l.Close() }()
	if err := syscall.Flock(int(l.Fd()), syscall.LOCK_SH|syscall.LOCK_NB); !errors.Is(err, syscall.EWOULDBLOCK) {
		return ""
	}
	who, err := f.Read(lockFile)
	if text := trimmed(who); err == nil && text != "" {
		return text
	}
	return "a process that has not said who it is"
}
