package vector

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"
)

const (
	buildBlock  = 256    // rows linked between two checks for cancellation, some 40 ms
	unpublished = ".new" // suffix of an index being built
)

// BuildIndex builds the index for the first rows of f, on all processors, and publishes it at path:
// it writes under another name, syncs, and renames. A cancelled or failed build leaves no file, and
// the remains of a killed one are overwritten by the next. If progress is not nil, it is called
// with the number of rows done, by one goroutine at a time. BuildIndex holds f itself. The caller
// must not run two builds for one path at once.
func BuildIndex(ctx context.Context, f *File, rows int64, path string, progress func(done int64)) error {
	if err := f.Hold(rows); err != nil {
		return err
	}
	defer f.Release()
	if err := buildIndex(ctx, f, rows, path, progress); err != nil {
		return fmt.Errorf("build vector index %q: %w", path, err)
	}
	return nil
}

func buildIndex(ctx context.Context, f *File, rows int64, path string, progress func(done int64)) error {
	workers := runtime.GOMAXPROCS(0)
	g, err := newGraph(f.Slice(0, rows), f.header.Dimension, int(rows), workers)
	if err != nil {
		return err
	}
	defer g.free()
	if err := linkRows(ctx, g, rows, workers, progress); err != nil {
		return err
	}
	made := path + unpublished
	err = saveIndex(g, made, footer{rows: rows, identity: f.identity(rows)})
	if err == nil {
		err = ctx.Err() // do not publish a cancelled build
	}
	if err == nil {
		err = os.Rename(made, path)
	}
	if err != nil {
		return errors.Join(err, removeIfThere(made))
	}
	return syncDir(filepath.Dir(path))
}

// linkRows adds all rows to the graph, block by block. progress may be nil.
func linkRows(ctx context.Context, g graph, rows int64, workers int, progress func(done int64)) error {
	blocks := make(chan int64)
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		defer close(blocks)
		for first := int64(0); first < rows; first += buildBlock {
			select {
			case blocks <- first:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	var mu sync.Mutex
	done := int64(0)
	for range workers {
		group.Go(func() error {
			for first := range blocks {
				end := min(first+buildBlock, rows)
				if err := g.addRows(first, end); err != nil {
					return err
				}
				mu.Lock()
				done += end - first
				if progress != nil {
					progress(done)
				}
				mu.Unlock()
			}
			return nil
		})
	}
	return group.Wait()
}
