package registry

import (
	"context"
	"database/sql"
	"io/fs"
	"testing"
	"testing/fstest"

	"patina/store/sqlite"
)

// A database of the last version, which had no sums, is read at once, and has sums from then on.
func TestSumsOfTheLastVersion(t *testing.T) {
	last := fstest.MapFS{}
	names, err := fs.Glob(migrations, "000[12]_*.sql")
	check(t, err)
	for _, name := range names {
		text, err := fs.ReadFile(migrations, name)
		check(t, err)
		last[name] = &fstest.MapFile{Data: text}
	}
	home := t.TempDir()
	db, err := sqlite.OpenAuthored(t.Context(), motherFile(home), last)
	check(t, err)
	_, err = db.Exec(`INSERT INTO project
		VALUES(1, '0011223344556677', 'app', '/app', ''), (2, '8899aabbccddeeff', 'lib', '/lib', '');
		INSERT INTO store VALUES(1, '/app/.patina', 7, 'x', 0), (2, '/lib/.patina', 8, 'y', 0);
		INSERT INTO repository VALUES(1, 'mine', '', 'web', '', 'go', 5, 0);
		INSERT INTO edge(source, target, relation, weight, evidence, made) VALUES(1, 2, 'USES', .9, 'go.mod', 5);
		INSERT INTO weight VALUES(1, 5, .9, 'link')`)
	check(t, err)
	check(t, db.Close())
	all, err := Listed(home)
	if check(t, err); len(all) != 2 || all[0].Name != "mine" || all[1].Root != "/lib" {
		t.Errorf("%+v", all)
	}
	check(t, Read(home, func(db *sql.DB) error {
		var evidence string
		err := db.QueryRow(`SELECT evidence FROM edge JOIN weight ON weight.edge = edge.key`).Scan(&evidence)
		if err != nil || evidence != "go.mod" {
			t.Errorf("%q, %v", evidence, err)
		}
		kept, err := keptSums(db)
		if err != nil || len(kept) != len(summed) {
			t.Errorf("sums: %v, %v", kept, err)
		}
		return nil
	}))
}

// Every column of every table except that of the sums must be in a sum.
func TestSumsCoverEveryColumn(t *testing.T) {
	home := t.TempDir()
	made(t, home, Register)
	check(t, Read(home, func(db *sql.DB) error {
		want := map[string]string{}
		rows, err := db.Query(`SELECT t.name, group_concat(c.name, ' ' ORDER BY c.cid)
			FROM pragma_table_list t JOIN pragma_table_info(t.name) c
			WHERE t.schema = 'main' AND t.name NOT LIKE 'sqlite%' AND t.name <> 'sums' GROUP BY t.name`)
		check(t, err)
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			var name, columns string
			check(t, rows.Scan(&name, &columns))
			want[name] = columns
		}
		if len(want) != len(summed) {
			t.Errorf("the tables are %v", want)
		}
		for _, s := range summed {
			if want[s.name] != s.columns {
				t.Errorf("%s has the columns %q, %q are summed", s.name, want[s.name], s.columns)
			}
		}
		return rows.Err()
	}))
}

// A failed change must leave rows and sums as they were.
func TestFailedChangeKeepsItsSums(t *testing.T) {
	home := t.TempDir()
	made(t, home, Register)
	failed := Change(context.Background(), home, func(tx *sql.Tx) error {
		if _, err := tx.Exec(`UPDATE project SET name = 'x'`); err != nil {
			return err
		}
		return fs.ErrInvalid
	})
	if failed != fs.ErrInvalid {
		t.Errorf("it is said as %v", failed)
	}
	check(t, Check(home))
}
