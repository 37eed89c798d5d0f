package store_test

import (
	"context"
	"database/sql"
	"errors"
	"reflect"
	"strings"
	"testing"

	"patina/store"
	"patina/store/storetest"
)

// A text is the same whether it is read, kept, or read again.
func TestKeptTextsAreThoseOfTheIndex(t *testing.T) {
	c := storetest.NewCorpus(3)
	want := map[string]string{}
	for _, path := range []string{"a.go", "b.go", "c.go", "d.go", "e.go", "f.go", "g.go", "h.go"} {
		c.Write(path)
		want[path] = strings.Repeat(path+" is a line\n", 40_000) // all together have no room
		c.Files[path].Body = []byte(want[path])
	}
	r := c.PinAll(t)
	snap, err := r.Snapshot(context.Background())
	storetest.Check(t, err)
	for range 2 {
		for path, body := range want {
			f, err := r.FileNamed(context.Background(), snap, path)
			storetest.Check(t, err)
			for range 2 {
				kept, err := r.Kept(context.Background(), snap, f.Key)
				storetest.Check(t, err)
				if kept.Body != body || kept.Lines().Len() != 40_000 || kept.Lines().At(40_000) != path+" is a line" {
					t.Fatalf("%s: %d bytes, %d lines", path, len(kept.Body), kept.Lines().Len())
				}
			}
		}
	}
	if _, err := r.Kept(context.Background(), snap, 1<<40); !errors.Is(err, sql.ErrNoRows) {
		t.Errorf("a text that is not there: %v", err)
	}
}

// A file is the same whether it is read, kept, or read again.
func TestKeptFilesAreThoseOfTheIndex(t *testing.T) {
	c := storetest.NewCorpus(3)
	paths := []string{"a.go", "b.go", "c/d.go"}
	for _, path := range paths {
		c.Write(path)
	}
	r := c.PinAll(t)
	snap, err := r.Snapshot(context.Background())
	storetest.Check(t, err)
	for range 2 {
		for _, path := range paths {
			f, err := r.FileNamed(context.Background(), snap, path)
			storetest.Check(t, err)
			want, err := store.OpenParts(f)
			storetest.Check(t, err)
			stats, err := r.Stats(context.Background(), []string{path})
			storetest.Check(t, err)
			kept, err := r.KeptFile(context.Background(), snap, path)
			storetest.Check(t, err)
			if !reflect.DeepEqual(kept.Parts, want) || kept.Stat != stats[path] {
				t.Errorf("%s is kept as %+v, want %+v with %+v", path, kept, want, stats[path])
			}
		}
	}
	if _, err := r.KeptFile(context.Background(), snap, "gone.go"); !errors.Is(err, sql.ErrNoRows) {
		t.Errorf("a file that is not there: %v", err)
	}
}

// A file is looked up by its path. Without the cross join, SQLite reads the stats of all files.
func TestKeptFileIsFoundByItsPath(t *testing.T) {
	c := storetest.NewCorpus(3)
	c.Write("a.go")
	r := c.PinAll(t)
	var plan []string
	err := r.EachRow(context.Background(), "EXPLAIN QUERY PLAN "+store.SelectKept, []any{1, "a.go"}, func(scan func(...any) error) error {
		var id, parent, unused int
		var step string
		err := scan(&id, &parent, &unused, &step)
		plan = append(plan, step)
		return err
	})
	storetest.Check(t, err)
	if len(plan) != 2 || !strings.Contains(plan[0], "file_path") || !strings.Contains(plan[1], "view=? AND key=?") {
		t.Errorf("the plan is %q", plan)
	}
}
