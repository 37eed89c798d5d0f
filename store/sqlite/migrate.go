package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"
)

// startWait is how long to wait while other processes create a new database. It is needed because
// SQLite does not always wait itself if several processes switch one file to a log at once.
const startWait = 5 * time.Second

// OpenAuthored opens a database with authored data and applies its migrations. It creates a missing
// file, with access for this user only; the file gets its name once it is whole. Any number of
// processes may call OpenAuthored for one path at once. The error wraps ErrDamaged if the file is
// empty, because no version of this program leaves an empty file: its content must have been lost.
// Other errors are those of Migrate. The caller must close the database.
func OpenAuthored(ctx context.Context, path string, migrations fs.FS) (*sql.DB, error) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		if err := createDatabase(ctx, path, migrations); err != nil {
			return nil, err
		}
	}
	f, err := os.OpenFile(path, os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o600)
	if err == nil {
		err = f.Close()
	}
	if err == nil {
		err = CheckSize(path)
	}
	if err != nil {
		return nil, err
	}
	return openAuthored(ctx, path, migrations)
}

// CheckSize returns an error that wraps ErrDamaged if a database of authored data has no bytes and
// no log.
func CheckSize(path string) error {
	info, err := os.Stat(path)
	if err == nil && info.Mode().IsRegular() && info.Size() == 0 && !Logged(path) {
		err = damage{errors.New("the file is empty: what it held is lost")}
	}
	return err
}

// createDatabase creates a database under a temporary name, then gives it its own unless another
// process has created one meanwhile.
func createDatabase(ctx context.Context, path string, migrations fs.FS) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.new") // mode 0600
	if err != nil {
		return err
	}
	made := f.Name()
	defer func() {
		for _, end := range []string{"", "-wal", "-shm", "-journal"} {
			_ = os.Remove(made + end)
		}
	}()
	if err := f.Close(); err != nil {
		return err
	}
	db, err := openAuthored(ctx, made, migrations)
	if err == nil {
		err = Explain(db.Close()) // the log is written into the file
	}
	if err == nil && Logged(made) {
		err = fmt.Errorf("make %s: its log stays behind", path)
	}
	if err != nil {
		return err
	}
	if err = os.Link(made, path); err == nil || errors.Is(err, fs.ErrExist) {
		return nil
	}
	// The file system has no hard links, so the database is created in place.
	f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL|syscall.O_NOFOLLOW, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return err
	}
	if db, err = openAuthored(ctx, path, migrations); err != nil {
		return err
	}
	return Explain(db.Close())
}

// openAuthored opens an existing database and applies its migrations.
func openAuthored(ctx context.Context, path string, migrations fs.FS) (*sql.DB, error) {
	db := Open(path, Authored())
	err := Migrate(ctx, db, migrations)
	for end := time.Now().Add(startWait); errors.Is(err, ErrBusy) && time.Now().Before(end); {
		time.Sleep(5 * time.Millisecond)
		err = Migrate(ctx, db, migrations)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", path, err), db.Close())
	}
	return db, nil
}

// Migrate applies the migrations that are missing from a database. They must be files named
// 0001_name.sql and so on, without gaps. Each runs in one transaction. user_version is the number
// of the last one. The error wraps ErrNewer if a newer program has migrated the database, which
// then stays unchanged. It wraps ErrDamaged if the database has tables but no migrations.
func Migrate(ctx context.Context, db *sql.DB, migrations fs.FS) error {
	files, err := listMigrations(migrations)
	if err != nil {
		return err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return Explain(err)
	}
	defer func() { _ = conn.Close() }()
	for {
		more, err := migrateOnce(ctx, conn, migrations, files)
		if err != nil || !more {
			return Explain(err)
		}
	}
}

// listMigrations lists the migrations in order. It returns an error unless their numbers are 1, 2,
// 3 and so on.
func listMigrations(migrations fs.FS) ([]string, error) {
	files, err := fs.Glob(migrations, "[0-9][0-9][0-9][0-9]_*.sql")
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	for i, name := range files {
		if n, err := strconv.Atoi(name[:4]); err != nil || n != i+1 {
			return nil, fmt.Errorf("migration %q is not number %d", name, i+1)
		}
	}
	return files, nil
}

// migrateOnce applies the next migration and reports whether there may be more. It takes the lock
// only if there is work, then checks again, because another process may have done the work.
func migrateOnce(ctx context.Context, conn *sql.Conn, migrations fs.FS, files []string) (more bool, err error) {
	version, err := VersionOf(ctx, conn, len(files))
	if err != nil || version == len(files) {
		return false, err
	}
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return false, err
	}
	defer func() { // does nothing after a commit
		_, _ = conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
	}()
	if version, err = VersionOf(ctx, conn, len(files)); err != nil || version == len(files) {
		return false, err
	}
	name := files[version]
	statements, err := fs.ReadFile(migrations, name)
	if err != nil {
		return false, err
	}
	if version == 0 {
		err = checkEmpty(ctx, conn)
	}
	for _, s := range []string{string(statements), fmt.Sprintf("PRAGMA user_version = %d", version+1), "COMMIT"} {
		if err == nil {
			_, err = conn.ExecContext(ctx, s)
		}
	}
	if err != nil {
		return false, fmt.Errorf("migrate by %s: %w", name, err)
	}
	return true, nil
}

// VersionOf returns the number of a database's last migration, 0 if there is no migration. The
// error wraps ErrNewer if the number is above known.
func VersionOf(ctx context.Context, db Querier, known int) (version int, err error) {
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return 0, Explain(err)
	}
	if version > known {
		return version, fmt.Errorf("%w (schema %d, this one knows %d)", ErrNewer, version, known)
	}
	return max(version, 0), nil
}

// checkEmpty returns an error that wraps ErrDamaged if a database has tables.
func checkEmpty(ctx context.Context, db Querier) error {
	var tables int
	err := db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables)
	if err == nil && tables > 0 {
		err = damage{errors.New("it holds tables of something else")}
	}
	return err
}
