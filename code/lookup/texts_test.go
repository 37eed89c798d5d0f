package lookup_test

import (
	"context"
	"errors"
	"testing"

	"patina/code/lookup"
	"patina/store"
	"patina/store/storetest"
)

// Texts must give each file's text and each commit's message once, files first, and must return the
// error of its callback.
func TestTexts(t *testing.T) {
	c := storetest.NewCorpus(21)
	c.Fill()
	c.Commit()
	dir := t.TempDir()
	c.Build(t, dir)
	files, commits := map[string]bool{}, 0
	storetest.Check(t, storetest.Opened(dir, func(r *store.Reader) error {
		return lookup.Texts(context.Background(), r, func(x lookup.Text) error {
			switch {
			case x.SHA != "":
				commits++
			case commits > 0 || files[x.Path]:
				t.Errorf("%q comes late, or again", x.Path)
			}
			if x.SHA == "" {
				files[x.Path] = true
			}
			if x.Body == "" || (x.Path == "") == (x.SHA == "") {
				t.Errorf("%+v", x)
			}
			return nil
		})
	}))
	if len(files) != len(c.Files) || commits != 1 {
		t.Errorf("%d files of %d, %d commits", len(files), len(c.Files), commits)
	}
	enough := errors.New("enough")
	calls := 0
	err := storetest.Opened(dir, func(r *store.Reader) error {
		return lookup.Texts(context.Background(), r, func(lookup.Text) error { calls++; return enough })
	})
	if !errors.Is(err, enough) || calls != 1 {
		t.Errorf("after %d calls: %v", calls, err)
	}
	storetest.Change(t, dir, `UPDATE body SET frame = x'00'`)
	err = storetest.Opened(dir, func(r *store.Reader) error {
		return lookup.Texts(context.Background(), r, func(lookup.Text) error { return nil })
	})
	if !errors.Is(err, store.ErrDamaged) {
		t.Errorf("damaged texts: %v", err)
	}
}
