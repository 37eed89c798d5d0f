package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"patina/store"
	"patina/store/folder"
	"patina/store/vector"
)

// Graph builds the graph for the published vectors, if there are at least many and the present
// graph covers less than half. Questions and updates go on meanwhile, and questions scan all rows.
//
// Cancelling or failing leaves nothing behind. Graph returns nil if another process is building, or
// if a full scrape replaced the database meanwhile. report gets the number of finished rows.
func Graph(ctx context.Context, dir string, seal store.Seal, many int64, report func(done, total int64)) (err error) {
	in, err := folder.Open(dir, seal.Anyone)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	path, err := in.Database()
	if err != nil {
		return err
	}
	rows, err := publishedRows(ctx, dir, seal)
	if err != nil || rows < many {
		return err
	}
	building := folder.GraphOf(filepath.Base(path)) + ".lock"
	l, _, err := in.LockFile(ctx, building, 0)
	if errors.Is(err, store.ErrLocked) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("build the graph of vectors: %w", err)
	}
	defer func() { _ = errors.Join(in.Remove(building), l.Close()) }()
	f, err := store.OpenVectors(path, nil)
	if err != nil {
		return unlessReplaced(in, path, fmt.Errorf("build the graph of vectors: %w", err))
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if x, err := vector.OpenIndex(folder.GraphOf(path), f); err == nil {
		covered := x.Rows()
		_ = x.Close()
		if 2*covered > rows {
			return nil
		}
	}
	err = vector.BuildIndex(ctx, f, rows, folder.GraphOf(path), func(done int64) { report(done, rows) })
	in.Settle()
	return unlessReplaced(in, path, err)
}

// unlessReplaced returns err, the result of building path's graph. If path is no longer published,
// it removes the useless graph instead.
func unlessReplaced(in *folder.Folder, path string, err error) error {
	if now, e := in.Database(); e != nil || now == path {
		return err
	}
	if e := os.Remove(folder.GraphOf(path)); !errors.Is(e, os.ErrNotExist) {
		return e
	}
	return nil
}

// publishedRows counts the vectors named by the published generation.
func publishedRows(ctx context.Context, dir string, seal store.Seal) (int64, error) {
	s, err := store.OpenSealed(dir, store.MainView, seal)
	if err != nil {
		return 0, err
	}
	defer func() { _ = s.Close() }()
	p, err := s.Pin(ctx, 1)
	if err != nil {
		return 0, err
	}
	defer p.Close()
	snap, err := p.Readers[0].Snapshot(ctx)
	if err != nil {
		return 0, err
	}
	return snap.VectorRows, nil
}
