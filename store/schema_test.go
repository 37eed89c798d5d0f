package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"patina/store"
	"patina/store/build"
	"patina/store/folder"
	"patina/store/format"
	"patina/store/sqlite"
)

// The constant equals the embedded schema's sum.
func TestSchemaSum(t *testing.T) {
	sum, err := sqlite.SumOf(format.Schema.Statements)
	if noError(t, err); sum != format.Schema.Sum {
		t.Errorf("the sum must be %q", sum)
	}
}

// A schema changed by a stranger is reported at once, whatever it would do.
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
		{"meta is an endless view", `DROP TABLE meta; CREATE VIEW meta AS ` + endless, store.ErrDamaged, `"meta"`},
		{"generation is an endless view", `DROP TABLE generation; CREATE VIEW generation AS ` + endless, store.ErrDamaged, `"`},
		{"segment is a view", `ALTER TABLE segment RENAME TO s; CREATE VIEW segment AS SELECT * FROM s, s AS more`, store.ErrDamaged, `"`},
		{"a trigger", `CREATE TRIGGER more AFTER INSERT ON view BEGIN DELETE FROM file; END`, store.ErrDamaged, `"more"`},
		{"another index", `CREATE INDEX more ON file(hash)`, store.ErrDamaged, `"more"`},
		{"a generated column", `ALTER TABLE file ADD COLUMN more AS (hex(zeroblob(1000000)))`, store.ErrDamaged, `"file"`},
		{"a missing table", `DROP TABLE tag`, store.ErrDamaged, `"`},
		{"a virtual table", `CREATE VIRTUAL TABLE more USING rtree(id, a, b)`, store.ErrDamaged, `"more"`},
		{"meta without a format", `DELETE FROM meta`, store.ErrDamaged, ``},
		{"meta without a format and another index", `DELETE FROM meta; CREATE INDEX more ON file(hash)`, store.ErrDamaged, `"more"`},
		{"no tables", `DROP TABLE meta; DROP TABLE file`, store.ErrDamaged, `"meta"`},
		{"older, with another schema", `UPDATE meta SET value = '1' WHERE key = 'format'; DROP TABLE file`, store.ErrOlder, ``},
		{"newer, with another schema", `UPDATE meta SET value = '99' WHERE key = 'format'; DROP TABLE file`, store.ErrNewer, ``},
		{"very many tables", `BEGIN; ` + strings.Join(many, ";\n") + `; COMMIT`, store.ErrDamaged, `too large`},
	} {
		t.Run(x.name, func(t *testing.T) {
			dir := t.TempDir()
			scrapeFiles(t, dir, 3)
			alter(t, dir, x.statements)
			s, err := store.Open(dir)
			if err == nil {
				noError(t, s.Close())
			}
			if !errors.Is(err, x.want) || !strings.Contains(fmt.Sprint(err), x.says) {
				t.Errorf("open: %v, want %v that says %q", err, x.want, x.says)
			}
			if _, err := build.Update(t.Context(), dir, build.Options{Root: "/p", Extractor: 1}); !errors.Is(err, x.want) {
				t.Errorf("update: %v", err)
			}
			if x := store.Examine(t.Context(), dir, store.MainView, store.Seal{}); x.Err == nil {
				t.Error("an examination finds nothing")
			}
		})
	}
}

// alter runs statements on a store's published database behind its back.
func alter(t *testing.T, dir, statements string) {
	t.Helper()
	path := publishedIn(t, dir)
	db, err := sql.Open("sqlite3", path)
	noError(t, err)
	defer func() { noError(t, db.Close()) }()
	db.SetMaxOpenConns(1)
	_, err = db.Exec(sqlite.Released)
	noError(t, err)
	for _, s := range strings.SplitAfter(statements, ");\n") {
		_, err = db.Exec(s)
		noError(t, err)
	}
	if err := os.Remove(folder.SumsOf(path)); !errors.Is(err, os.ErrNotExist) {
		noError(t, err)
	}
}

// A value too large for any index costs its reader an error, not memory.
func TestLongValueIsDamage(t *testing.T) {
	dir := t.TempDir()
	scrapeFiles(t, dir, 3)
	path := publishedIn(t, dir)
	db, err := sql.Open("sqlite3", path)
	noError(t, err)
	c, err := db.Conn(t.Context())
	noError(t, err)
	noError(t, c.Raw(func(conn any) error {
		conn.(interface{ SetLimit(id, to int) int }).SetLimit(0, 1<<30) // SQLITE_LIMIT_LENGTH
		return nil
	}))
	_, err = c.ExecContext(t.Context(), `UPDATE view SET members = zeroblob(100000000); UPDATE file SET facts = zeroblob(100000000)`)
	noError(t, errors.Join(err, c.Close(), db.Close(), os.Remove(folder.SumsOf(path))))
	s, err := store.Open(dir)
	noError(t, err)
	defer func() { noError(t, s.Close()) }()
	p, err := s.Pin(t.Context(), 1)
	noError(t, err)
	defer p.Close()
	if _, err := p.Readers[0].States(context.Background()); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("%v, want ErrDamaged", err)
	}
}

func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A later connection is checked again if the schema has changed.
func TestLaterConnectionsAreGuarded(t *testing.T) {
	dir := t.TempDir()
	scrapeFiles(t, dir, 3)
	path := publishedIn(t, dir)
	db := sqlite.Open(path, sqlite.Read(path, &format.Schema))
	defer func() { noError(t, db.Close()) }()
	for range 2 {
		c, err := db.Conn(t.Context())
		noError(t, err)
		defer func() { noError(t, c.Close()) }()
	}
	alter(t, dir, "CREATE INDEX planted ON file(lines);\n")
	if _, err := db.Conn(t.Context()); !errors.Is(err, sqlite.ErrDamaged) {
		t.Errorf("another connection: %v", err)
	}
}
