package sqlite_test

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"patina/store/sqlite"
)

// history returns the first steps of a schema that grew in four. Each step records its run.
func history(steps int) fs.FS {
	files := fstest.MapFS{}
	for i, statements := range []string{
		`CREATE TABLE note(id INTEGER PRIMARY KEY, text TEXT NOT NULL); CREATE TABLE ran(step INTEGER)`,
		`ALTER TABLE note ADD COLUMN tag TEXT NOT NULL DEFAULT 'none'`,
		`CREATE TABLE tag(name TEXT PRIMARY KEY) WITHOUT ROWID; INSERT INTO tag SELECT DISTINCT tag FROM note`,
		`CREATE INDEX note_tag ON note(tag)`,
	}[:steps] {
		files[fmt.Sprintf("%04d_step.sql", i+1)] = &fstest.MapFile{Data: []byte(statements +
			fmt.Sprintf("; INSERT INTO ran VALUES(%d)", i+1))}
	}
	return files
}

// endless returns a history whose second step writes until its process is killed.
func endless() fs.FS {
	files := history(1).(fstest.MapFS)
	files["0002_endless.sql"] = &fstest.MapFile{Data: []byte(`DROP TABLE ran;
		INSERT INTO note(text) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT hex(randomblob(2000)) FROM n`)}
	return files
}

func openNotes(t *testing.T, path string, steps int) *sql.DB {
	t.Helper()
	db, err := sqlite.OpenAuthored(t.Context(), path, history(steps))
	check(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func count(t *testing.T, db *sql.DB, query string) (n int) {
	t.Helper()
	check(t, db.QueryRow(query).Scan(&n))
	return n
}

// Each older version must reach the newest, run each step once, and keep people's data.
func TestMigrateFromEachVersion(t *testing.T) {
	for from := range 5 {
		path := filepath.Join(t.TempDir(), "notes.db")
		old := openNotes(t, path, from)
		if from > 0 {
			_, err := old.Exec("INSERT INTO note(text) VALUES('kept')")
			check(t, err)
		}
		check(t, old.Close())
		for range 2 {
			db := openNotes(t, path, 4)
			if v := count(t, db, "PRAGMA user_version"); v != 4 {
				t.Errorf("from %d: version %d", from, v)
			}
			if n := count(t, db, "SELECT count(*) * 10 + count(DISTINCT step) FROM ran"); n != 44 {
				t.Errorf("from %d: steps and different ones: %d", from, n)
			}
			if n := count(t, db, "SELECT count(*) FROM note WHERE text = 'kept' AND tag = 'none'"); n != min(from, 1) {
				t.Errorf("from %d: %d notes", from, n)
			}
			check(t, db.Close())
		}
		info, err := os.Stat(path)
		if check(t, err); info.Mode().Perm() != 0o600 {
			t.Errorf("mode %v", info.Mode())
		}
	}
}

// A step with an error leaves the version before it, complete.
func TestMigrationThatFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes.db")
	check(t, openNotes(t, path, 2).Close())
	files := history(4).(fstest.MapFS)
	files["0004_step.sql"].Data = []byte("CREATE TABLE half(a); SELECT no_such_function()")
	if _, err := sqlite.OpenAuthored(t.Context(), path, files); err == nil ||
		!strings.Contains(err.Error(), "0004_step.sql") {
		t.Errorf("%v", err)
	}
	db := one(t, path, sqlite.Read(path, nil))
	if v, half := count(t, db, "PRAGMA user_version"),
		count(t, db, "SELECT count(*) FROM sqlite_schema WHERE name = 'half'"); v != 3 || half != 0 {
		t.Errorf("version %d, half %d", v, half)
	}
}

func TestMigrationsAreNumberedWithoutGaps(t *testing.T) {
	files := history(4).(fstest.MapFS)
	delete(files, "0002_step.sql")
	if _, err := sqlite.OpenAuthored(t.Context(), filepath.Join(t.TempDir(), "notes.db"), files); err == nil ||
		!strings.Contains(err.Error(), "0003_step.sql") {
		t.Errorf("%v", err)
	}
}

// A database that this program must not change stays byte for byte, and the error says why.
func TestWhatIsNotMigrated(t *testing.T) {
	for name, c := range map[string]struct {
		make func(path string)
		want error
	}{
		"newer":   {func(path string) { check(t, openNotes(t, path, 4).Close()) }, sqlite.ErrNewer},
		"foreign": {func(path string) { check(t, os.Rename(database(t), path)) }, sqlite.ErrDamaged},
		"damaged": {func(path string) {
			check(t, openNotes(t, path, 2).Close())
			b, err := os.ReadFile(path)
			check(t, err)
			for i := 100; i < len(b); i++ {
				b[i] ^= 0x5a
			}
			check(t, os.WriteFile(path, b, 0o600))
		}, sqlite.ErrDamaged},
		"no database": {func(path string) {
			check(t, os.WriteFile(path, []byte(strings.Repeat("words ", 1000)), 0o600))
		}, sqlite.ErrDamaged},
	} {
		path := filepath.Join(t.TempDir(), "notes.db")
		c.make(path)
		before, err := os.ReadFile(path)
		check(t, err)
		if db, err := sqlite.OpenAuthored(t.Context(), path, history(3)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, %v", name, db, err)
		}
		after, err := os.ReadFile(path)
		if check(t, err); name == "newer" && string(before) != string(after) {
			t.Errorf("%s: the file has changed", name)
		}
	}
}

// childOf is the environment variable with a child's role and file.
const childOf = "PATINA_TEST_SQLITE"

// TestMain runs a child's role if a test started this binary as one.
func TestMain(m *testing.M) {
	role, path, ok := strings.Cut(os.Getenv(childOf), " ")
	if !ok {
		os.Exit(m.Run())
	}
	if err := child(role, path); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// each is the number of notes that one child writes.
const each = 40

func child(role, path string) error {
	if role == "endless" {
		_, err := sqlite.OpenAuthored(context.Background(), path, endless())
		return err
	}
	fmt.Println("ready")
	_, _ = io.Copy(io.Discard, os.Stdin) // all begin when their parent closes it
	db, err := sqlite.OpenAuthored(context.Background(), path, history(4))
	if err != nil {
		return err
	}
	for i := range each {
		if _, err := db.Exec("INSERT INTO note(text) VALUES(?)", fmt.Sprint(os.Getpid(), " ", i)); err != nil {
			return err
		}
	}
	return db.Close()
}

// start runs this test binary as a child with a role.
func start(t *testing.T, role, path string) (c *exec.Cmd, in io.Closer, errs *strings.Builder) {
	t.Helper()
	c = exec.CommandContext(t.Context(), os.Args[0])
	c.Env = append(os.Environ(), childOf+"="+role+" "+path)
	errs = &strings.Builder{}
	c.Stderr = errs
	in, err := c.StdinPipe()
	check(t, err)
	out, err := c.StdoutPipe()
	check(t, err)
	check(t, c.Start())
	if role != "endless" {
		if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
			t.Fatalf("a child says %q: %v: %s", line, err, errs)
		}
	}
	return c, in, errs
}

// Processes that create and migrate one file at once all succeed, from an empty folder or from an
// older version. Each step runs once, and no row is lost.
func TestProcessesMigrateAtOnce(t *testing.T) {
	const processes = 6
	for _, from := range []int{0, 0, 2} {
		path := filepath.Join(t.TempDir(), "notes.db")
		if from > 0 {
			check(t, openNotes(t, path, from).Close())
		}
		var children []func() error
		var begin []io.Closer
		for range processes {
			c, in, errs := start(t, "write", path)
			begin = append(begin, in)
			children = append(children, func() error {
				if err := c.Wait(); err != nil {
					return fmt.Errorf("%w: %s", err, errs)
				}
				return nil
			})
		}
		for _, b := range begin {
			check(t, b.Close())
		}
		for _, wait := range children {
			if err := wait(); err != nil {
				t.Error(err)
			}
		}
		db := openNotes(t, path, 4)
		if n := count(t, db, "SELECT count(*) * 10 + count(DISTINCT step) FROM ran"); n != 44 {
			t.Errorf("from %d: steps and different ones: %d", from, n)
		}
		if n := count(t, db, "SELECT count(DISTINCT text) FROM note"); n != processes*each {
			t.Errorf("from %d: %d notes, want %d", from, n, processes*each)
		}
		check(t, db.Close())
	}
}

// A process that is killed within a step, with megabytes on the disk, leaves the version before it
// complete.
func TestKilledWhileMigrating(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes.db")
	db := openNotes(t, path, 1)
	_, err := db.Exec("INSERT INTO note(text) VALUES('kept')")
	check(t, errors.Join(err, db.Close()))
	c, _, errs := start(t, "endless", path)
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for written := int64(0); written < 8<<20; runtime.Gosched() {
		if info, err := os.Stat(path + "-wal"); err == nil {
			written = info.Size()
		}
		select {
		case err := <-ended:
			t.Fatalf("the child has ended: %v: %s", err, errs)
		default:
		}
	}
	check(t, c.Process.Kill())
	<-ended
	db = openNotes(t, path, 4)
	if n := count(t, db, "SELECT count(*) * 10 + count(DISTINCT step) FROM ran"); n != 44 {
		t.Errorf("steps and different ones: %d", n)
	}
	if n := count(t, db, "SELECT count(*) * 10 + (min(text) = 'kept') FROM note"); n != 11 {
		t.Errorf("notes and kept ones: %d", n)
	}
}
