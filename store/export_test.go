package store

import (
	"context"
	"os"
	"sync"
	"testing"

	"patina/store/folder"
	"patina/store/text"
)

// AveragesOf returns a space's average lengths.
func AveragesOf(space string) text.Averages { return averagesOf(space) }

// BuildGraphFrom is BuildGraph for an index of fewer vectors.
func BuildGraphFrom(ctx context.Context, dir string, many int64) error {
	return BuildGraphWhile(ctx, dir, many, func() {})
}

// BuildGraphWhile is BuildGraphFrom that calls f once while it builds.
func BuildGraphWhile(ctx context.Context, dir string, many int64, f func()) error {
	var once sync.Once
	return buildGraph(ctx, dir, Seal{}, many, func(int64, int64) { once.Do(f) })
}

// publishedIn returns the published database's path.
func publishedIn(t *testing.T, dir string) string {
	t.Helper()
	f, err := folder.Open(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	path, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// OpenGraph makes readers of r's database use its graph for kinds with many rows, and waits for it.
func (r *Reader) OpenGraph(many int64) error {
	r.LookForGraph(many)
	g, err := openGraph(r.on.name)
	if err != nil {
		return err
	}
	v := &r.on.vectors
	v.mu.Lock()
	defer v.mu.Unlock()
	v.graph = g
	v.tried, err = os.Stat(folder.GraphOf(r.on.name))
	return err
}

// LookForGraph makes readers of r's database use its graph for kinds with many rows, once it
// exists.
func (r *Reader) LookForGraph(many int64) {
	v := &r.on.vectors
	v.mu.Lock()
	defer v.mu.Unlock()
	v.many = many
}

// CountSigns makes readers of r's database count signs in segments with many rows.
func (r *Reader) CountSigns(many int64) { r.on.vectors.signed = many }

// Internals that external tests need.
var (
	ScrapeFiles = scrapeFiles
	PutFiles    = putFiles
	PublishedIn = publishedIn
)

// SelectKept is the query of a kept file, whose plan is tested.
const SelectKept = selectKept
