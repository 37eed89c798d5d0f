package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	sqlite3 "github.com/mattn/go-sqlite3"
)

// The constant is that of the embedded schema.
func TestSchemaSum(t *testing.T) {
	fresh, err := freshSchema()
	noError(t, err)
	defer func() { _ = fresh.Close() }()
	var rows string
	noError(t, oneRow(fresh, selectSchema, &rows))
	if sum := sha256.Sum256([]byte(rows)); hex.EncodeToString(sum[:]) != schemaSum {
		t.Errorf("schemaSum must be %q", hex.EncodeToString(sum[:]))
	}
}

// What a stranger may have made of a schema is said at once, whatever it would do.
func TestForeignSchema(t *testing.T) {
	const endless = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 'format' AS key, i AS value FROM n WHERE i < 0`
	many := make([]string, 3_000)
	for i := range many {
		many[i] = fmt.Sprintf("CREATE TABLE t%d(a)", i)
	}
	for _, x := range []struct {
		name, statements string
		want             error
		says             string
	}{
		{"meta is an endless view", `DROP TABLE meta; CREATE VIEW meta AS ` + endless, ErrDamaged, `"meta"`},
		{"generation is an endless view", `DROP TABLE generation; CREATE VIEW generation AS ` + endless, ErrDamaged, `"`},
		{"segment is a view", `ALTER TABLE segment RENAME TO s; CREATE VIEW segment AS SELECT * FROM s, s AS more`, ErrDamaged, `"`},
		{"a trigger", `CREATE TRIGGER more AFTER INSERT ON view BEGIN DELETE FROM file; END`, ErrDamaged, `"more"`},
		{"another index", `CREATE INDEX more ON file(hash)`, ErrDamaged, `"more"`},
		{"a generated column", `ALTER TABLE file ADD COLUMN more AS (hex(zeroblob(1000000)))`, ErrDamaged, `"file"`},
		{"a missing table", `DROP TABLE tag`, ErrDamaged, `"`},
		{"a virtual table", `CREATE VIRTUAL TABLE more USING rtree(id, a, b)`, ErrDamaged, `"more"`},
		{"meta without a format", `DELETE FROM meta`, ErrDamaged, ``},
		{"meta without a format and another index", `DELETE FROM meta; CREATE INDEX more ON file(hash)`, ErrDamaged, `"more"`},
		{"no tables", `DROP TABLE meta; DROP TABLE file`, ErrDamaged, `"meta"`},
		{"older, with another schema", `UPDATE meta SET value = '1' WHERE key = 'format'; DROP TABLE file`, ErrOlder, ``},
		{"newer, with another schema", `UPDATE meta SET value = '99' WHERE key = 'format'; DROP TABLE file`, ErrNewer, ``},
		{"very many tables", `BEGIN; ` + strings.Join(many, ";\n") + `; COMMIT`, ErrDamaged, `too large`},
	} {
		t.Run(x.name, func(t *testing.T) {
			dir := t.TempDir()
			scrapeFiles(t, dir, 3)
			alter(t, dir, x.statements)
			s, err := Open(dir)
			if err == nil {
				noError(t, s.Close())
			}
			if !errors.Is(err, x.want) || !strings.Contains(fmt.Sprint(err), x.says) {
				t.Errorf("open: %v, want %v that says %q", err, x.want, x.says)
			}
			if _, err := Update(t.Context(), dir, BuildOptions{Root: "/p", Extractor: 1}); !errors.Is(err, x.want) {
				t.Errorf("update: %v", err)
			}
			if x := Examine(t.Context(), dir, MainView, Seal{}); x.Err == nil {
				t.Error("an examination finds nothing")
			}
		})
	}
}

// alter runs statements on the published database of a store, behind its back.
func alter(t *testing.T, dir, statements string) {
	t.Helper()
	path := publishedIn(t, dir)
	db, err := sql.Open("sqlite3", path)
	noError(t, err)
	defer func() { noError(t, db.Close()) }()
	db.SetMaxOpenConns(1)
	_, err = db.Exec(`SELECT patina_released()`)
	noError(t, err)
	for _, s := range strings.SplitAfter(statements, ");\n") {
		_, err = db.Exec(s)
		noError(t, err)
	}
	if err := os.Remove(path + sumSuffix); !errors.Is(err, os.ErrNotExist) {
		noError(t, err)
	}
}

// Every connection is guarded: what a reader or a writer were made to say could not rewrite the
// schema, attach a file or load code.
func TestConnectionsAreGuarded(t *testing.T) {
	dir := t.TempDir()
	scrapeFiles(t, dir, 3)
	path := publishedIn(t, dir)
	for name, o := range map[string]map[string][]string{"reader": readOptions(path), "immutable": immutable(), "writer": {"mode": {"rw"}}} {
		db, err := connect(path, o)
		noError(t, err)
		defer func() { noError(t, db.Close()) }()
		db.SetMaxOpenConns(1)
		for _, statement := range []string{
			`PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'x'`,
			`ATTACH ':memory:' AS other`,
			`SELECT length(zeroblob(1000000000))`,
			`SELECT length(randomblob(40000000))`,
			`SELECT "no such column"`,
			`SELECT load_extension('x')`,
		} {
			if _, err := db.Exec(statement); err == nil {
				t.Errorf("%s: %s: no error", name, statement)
			}
		}
		for pragma, want := range map[string]int{"trusted_schema": 0, "cell_size_check": 1} {
			var have int
			if noError(t, db.QueryRow("PRAGMA "+pragma).Scan(&have)); have != want {
				t.Errorf("%s: %s is %d", name, pragma, have)
			}
		}
	}
}

// Only a database that nobody else may write is mapped.
func TestMappedWhereNobodyElseWrites(t *testing.T) {
	for mode, want := range map[os.FileMode]bool{0o600: true, 0o644: true, 0o660: false, 0o666: false} {
		dir := t.TempDir()
		scrapeFiles(t, dir, 3)
		path := publishedIn(t, dir)
		noError(t, errors.Join(os.Chmod(dir, 0o700), os.Chmod(path, mode)))
		db, err := connect(path, readOptions(path))
		noError(t, err)
		var size int64
		noError(t, db.QueryRow("PRAGMA mmap_size").Scan(&size))
		if noError(t, db.Close()); size > 0 != want {
			t.Errorf("mode %v: %d bytes are mapped", mode, size)
		}
	}
}

// A value that no index has costs its reader an error, not memory.
func TestLongValueIsDamage(t *testing.T) {
	dir := t.TempDir()
	scrapeFiles(t, dir, 3)
	path := publishedIn(t, dir)
	db, err := sql.Open("sqlite3", path)
	noError(t, err)
	c, err := db.Conn(t.Context())
	noError(t, err)
	noError(t, c.Raw(func(conn any) error {
		conn.(*sqlite3.SQLiteConn).SetLimit(sqlite3.SQLITE_LIMIT_LENGTH, 1<<30)
		return nil
	}))
	_, err = c.ExecContext(t.Context(), `UPDATE view SET members = zeroblob(100000000); UPDATE file SET facts = zeroblob(100000000)`)
	noError(t, errors.Join(err, c.Close(), db.Close(), os.Remove(path+sumSuffix)))
	s, err := Open(dir)
	noError(t, err)
	defer func() { noError(t, s.Close()) }()
	p, err := s.Pin(t.Context(), 1)
	noError(t, err)
	defer p.Close()
	if _, err := p.Readers[0].States(context.Background()); !errors.Is(err, ErrDamaged) {
		t.Errorf("%v, want ErrDamaged", err)
	}
}

func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A connection that is opened later is looked at again where the schema has changed.
func TestLaterConnectionsAreGuarded(t *testing.T) {
	dir := t.TempDir()
	scrapeFiles(t, dir, 3)
	path := publishedIn(t, dir)
	db, err := connect(path, readOptions(path))
	noError(t, err)
	defer func() { noError(t, db.Close()) }()
	for range 2 {
		c, err := db.Conn(t.Context())
		noError(t, err)
		defer func() { noError(t, c.Close()) }()
	}
	alter(t, dir, "CREATE INDEX planted ON file(lines);\n")
	if _, err := db.Conn(t.Context()); !errors.Is(err, ErrDamaged) {
		t.Errorf("another connection: %v", err)
	}
}
