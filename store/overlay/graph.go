package overlay

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"patina/store"
	"patina/store/folder"
	"patina/store/vector"
)

// manyVectors is the number of rows from which a graph is built and used. Tests lower it.
var manyVectors int64 = store.ManyVectors

// buildGraph builds the graph (HNSW) of a model's rows, if there are many and the present one
// covers less than half. Searches scan meanwhile, and updates go on. It returns nil if another
// process is building it.
func buildGraph(ctx context.Context, x Index, model string) (err error) {
	in, err := folder.Open(x.Dir, x.Seal.Anyone)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	s, err := readState(in, folder.ModelName(model))
	if err != nil || s == nil || s.rowsNeeded() < manyVectors {
		return err
	}
	base := in.RowsOf(folder.ModelName(model), s.File)
	lock, _, err := in.LockFile(ctx, filepath.Base(folder.GraphOf(base))+".lock", 0)
	if errors.Is(err, store.ErrLocked) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("build the graph of vectors: %w", err)
	}
	defer func() {
		err = errors.Join(err, in.Remove(filepath.Base(folder.GraphOf(base))+".lock"), lock.Close())
	}()
	f, err := vector.Open(folder.VectorsOf(base))
	if err != nil {
		return fmt.Errorf("build the graph of vectors: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if old, err := vector.OpenIndex(folder.GraphOf(base), f); err == nil {
		covers := old.Rows()
		_ = old.Close()
		if 2*covers > s.rowsNeeded() {
			return nil
		}
	}
	err = vector.BuildIndex(ctx, f, s.rowsNeeded(), folder.GraphOf(base), nil)
	in.Settle()
	return err
}
