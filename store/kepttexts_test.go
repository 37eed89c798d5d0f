package store_test

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"

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
