package store_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"patina/store"
	"patina/store/storetest"
)

// Every file of the view must be listed once with its imports, and with its text if wanted.
func TestFiles(t *testing.T) {
	c := storetest.NewCorpus(7)
	c.Fill()
	first := slices.Min(slices.Collect(maps.Keys(c.Files)))
	c.Files[first].Imports = []string{"a/b", "c"}
	dir := t.TempDir()
	c.Build(t, dir)
	var got []store.ImportingFile
	read := func() error {
		return storetest.Opened(dir, func(r *store.Reader) (err error) {
			got, err = store.Files(context.Background(), r, func(path, _ string) bool { return path == first })
			return err
		})
	}
	storetest.Check(t, read())
	var paths []string
	for _, f := range got {
		paths = append(paths, f.Path)
		switch {
		case f.Path == first:
			if !slices.Equal(f.Imports, []string{"a/b", "c"}) || f.Text == "" {
				t.Errorf("%+v", f)
			}
		case f.Text != "":
			t.Errorf("the text of %s was not wanted", f.Path)
		}
	}
	slices.Sort(paths)
	if want := slices.Sorted(maps.Keys(c.Files)); !slices.Equal(paths, want) {
		t.Errorf("%q, want %q", paths, want)
	}
	storetest.Change(t, dir, `UPDATE body SET frame = x'00'`)
	if err := read(); !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), first) {
		t.Errorf("a damaged text: %v", err)
	}
}
