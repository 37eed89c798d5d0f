package store_test

import (
	"reflect"
	"testing"

	"patina/store"
	"patina/store/storetest"
)

// Kept lists must equal the stored ones, in the order of the requested terms.
func TestKeptListsAreAsRead(t *testing.T) {
	ctx := t.Context()
	c := storetest.NewCorpus(7)
	c.Write("a.go")
	f := c.Files["a.go"]
	one := f.Chunks[0]
	one.Body = "everywhere"
	for range 700 {
		f.Chunks = append(f.Chunks, one)
	}
	c.Write("b.go")
	r := c.PinAll(t)
	snap, err := r.Snapshot(ctx)
	storetest.Check(t, err)
	for _, terms := range [][]string{{"everywher", "http"}, {"http", "everywher", "nowher"}, {"everywher"}} {
		want, err := r.Lists(ctx, snap.Segments, terms)
		storetest.Check(t, err)
		for range 2 {
			got, err := r.KeptLists(ctx, snap, snap.Segments, terms)
			storetest.Check(t, err)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%q: %v, want %v", terms, got, want)
			}
		}
	}
}

// A row that is kept is the one that was read.
func TestBareFilesAreAsRead(t *testing.T) {
	ctx := t.Context()
	c := storetest.NewCorpus(8)
	c.Write("a.go")
	c.Write("b.md")
	r := c.PinAll(t)
	snap, err := r.Snapshot(ctx)
	storetest.Check(t, err)
	files, err := r.Files(ctx, snap)
	storetest.Check(t, err)
	var first []store.FileRow
	for round := range 2 {
		for i, f := range files {
			got, err := r.BareFileAt(ctx, snap, f.Key)
			storetest.Check(t, err)
			if round == 0 {
				first = append(first, got)
			}
			if got.Path != f.Path || !reflect.DeepEqual(got, first[i]) {
				t.Errorf("%v for %v, before %v", got, f, first[i])
			}
		}
	}
}
