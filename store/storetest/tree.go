package storetest

import (
	"context"
	"fmt"
	"testing"

	"patina/store"
	"patina/store/build"
	"patina/store/doc"
)

// A Tree is files by path, each written as "imports; symbols; calls", words separated by blanks.
type Tree map[string]string

// Build writes an index of the files and the commits, which get SHAs by their order, and pins it.
func (files Tree) Build(t testing.TB, commits ...doc.Revision) *store.Reader {
	t.Helper()
	dir := t.TempDir()
	w, err := build.New(context.Background(), dir, build.Options{Root: "/src", Extractor: 1})
	Check(t, err)
	k := w.Worker()
	for path, content := range files {
		Check(t, k.Put(FileOf(path, content)))
	}
	for i, v := range commits {
		v.SHA = fmt.Sprintf("%040x", i+1)
		Check(t, w.AddRevision(v))
	}
	_, err = w.Publish(Generation)
	Check(t, err)
	return Pin(t, dir)
}
