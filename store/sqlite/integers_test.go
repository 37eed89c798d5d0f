package sqlite_test

import (
	"bytes"
	"encoding/binary"
	"path/filepath"
	"testing"
	"testing/fstest"

	"patina/store/sqlite"
)

func TestIntegersArePutTogether(t *testing.T) {
	db, err := sqlite.OpenAuthored(t.Context(), filepath.Join(t.TempDir(), "a.db"),
		fstest.MapFS{"0001_made.sql": {Data: []byte(`CREATE TABLE t(a, b); CREATE TABLE other(a);`)}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	var want []byte
	for i := range int64(2000) {
		v := []int64{i - 1000, i << 53}
		if _, err := db.Exec(`INSERT INTO t VALUES(?, ?)`, v[0], v[1]); err != nil {
			t.Fatal(err)
		}
		want = binary.LittleEndian.AppendUint64(want, uint64(v[0]))
		want = binary.LittleEndian.AppendUint64(want, uint64(v[1]))
	}
	var got, none []byte
	err = db.QueryRow(`SELECT patina_integers(a, b) FROM (SELECT a, b FROM t ORDER BY a)`).Scan(&got)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes, want %d: %v", len(got), len(want), err)
	}
	if err := db.QueryRow(`SELECT patina_integers(a) FROM other`).Scan(&none); err != nil || len(none) > 0 {
		t.Errorf("of no rows: %x, %v", none, err)
	}
	for _, planted := range []any{"7", 7.5, nil, []byte{7}} {
		if _, err := db.Exec(`INSERT INTO other VALUES(1), (?)`, planted); err != nil {
			t.Fatal(err)
		}
		if err := db.QueryRow(`SELECT patina_integers(a) FROM other`).Scan(&got); err == nil {
			t.Errorf("%v is taken for an integer", planted)
		}
		if _, err := db.Exec(`DELETE FROM other`); err != nil {
			t.Fatal(err)
		}
	}
	tooMany := `WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 3000000) SELECT patina_integers(i) FROM r`
	if err := db.QueryRow(tooMany).Scan(&got); err == nil {
		t.Errorf("a value of %d bytes is allowed", len(got))
	}
}
