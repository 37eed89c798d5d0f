package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"patina/store"
	"patina/store/doc"
	"patina/store/folder"
	"patina/store/format"
	"patina/store/sqlite"
)

// ErrUnfinished is returned if an index is not complete: a draft, or one of words only.
var ErrUnfinished = errors.New("the index is not complete")

// ErrSeveralViews is returned if an index holds several working trees.
var ErrSeveralViews = errors.New("the index holds several working trees")

// An Extract is a copy of a published index for another machine. It has no secret, no path and no
// times of this one, so that equal indexes give equal bytes.
type Extract struct {
	Database, Vectors *os.File // at their beginning; the caller must close the extract
	VectorBytes       int64    // of Vectors; rows behind are not published
	Extractor, Model  string   // versions of the parsers and of the embedder
	Generation        doc.Generation
}

// Close closes the files.
func (x *Extract) Close() error {
	var err error
	for _, f := range []*os.File{x.Database, x.Vectors} {
		if f != nil {
			err = errors.Join(err, f.Close())
		}
	}
	return err
}

// Take copies the published index in a folder, which is locked meanwhile. The error wraps
// ErrUnfinished, ErrSeveralViews, or an error of Update.
func Take(ctx context.Context, dir string, seal store.Seal) (x *Extract, err error) {
	in, err := folder.Make(dir, seal.Anyone)
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }()
	lock, _, err := in.Lock(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = lock.Close() }()
	path, err := in.Database()
	if err != nil {
		return nil, err
	}
	x = &Extract{}
	for _, step := range []func() error{
		func() error { return x.readSource(ctx, path, seal) },
		func() error { return x.takeDatabase(ctx, in, path) },
		func() error { return x.takeVectors(ctx, path) },
	} {
		if err := step(); err != nil {
			return nil, errors.Join(fmt.Errorf("copy %s: %w", path, store.Damaged(err)), x.Close())
		}
	}
	return x, nil
}

// readSource reads the versions and the view of a database, which must be sound and have the seal.
func (x *Extract) readSource(ctx context.Context, path string, seal store.Seal) error {
	db := sqlite.Open(path, sqlite.Read(path, &format.Schema))
	defer func() { _ = db.Close() }()
	if err := store.CheckFormat(db); err != nil {
		return err
	}
	if err := seal.Check(db); err != nil {
		return err
	}
	if err := format.VerifyDatabase(path, db); err != nil {
		return err
	}
	var views int
	const query = `SELECT (SELECT COUNT(*) FROM view),
		(SELECT value FROM meta WHERE key = 'extractor'), (SELECT value FROM meta WHERE key = 'embedder')`
	if err := db.QueryRowContext(ctx, query).Scan(&views, &x.Extractor, &x.Model); err != nil {
		return err
	}
	switch {
	case views != 1:
		return fmt.Errorf("%w: %d", ErrSeveralViews, views)
	case x.Model == "", strings.HasSuffix(x.Model, format.WordsOnlyMark), strings.HasSuffix(x.Model, format.DraftMark):
		return ErrUnfinished
	}
	g := &x.Generation
	const selectView = `SELECT head, files, chunks, commits, shallow FROM view`
	return db.QueryRowContext(ctx, selectView).Scan(&g.Head, &g.Files, &g.Chunks, &g.Commits, &g.Shallow)
}

// shared has the rows of the tables that hold something of this machine: secrets, paths, times.
// The one view becomes that of a main working tree.
var shared = map[string]string{
	"meta": `SELECT CASE WHEN key LIKE '` + format.CalibrationKey + `%' THEN '` + format.CalibrationKey + `1' ELSE key END,
		CASE WHEN key IN ('seal', 'project') THEN '' WHEN key = 'publication' THEN '1' ELSE value END
		FROM source.meta WHERE key != 'own' AND key NOT LIKE '` + format.ListedKey + `%'
		AND (key NOT LIKE '` + format.CalibrationKey + `%'
			OR key = '` + format.CalibrationKey + `' || (SELECT id FROM source.view))`,
	"generation": `SELECT one, 1, next_key FROM source.generation`,
	"seen":       `SELECT 1, key, size, 0, 0, 0 FROM source.seen ORDER BY key`,
	"view": `SELECT 1, '', '', members, head, '', 0, files, chunks, commits, beliefs, history, shallow, last_read,
		mostly_tests, copies FROM source.view`,
}

// takeDatabase copies a database. The copy loses its name at once. The file of a killed process is
// swept by the next scrape.
func (x *Extract) takeDatabase(ctx context.Context, in *folder.Folder, from string) error {
	name, err := in.NextDatabase()
	if err != nil {
		return err
	}
	if err := in.Create(name); err != nil {
		return err
	}
	defer func() { _ = in.Remove(name) }()
	into := filepath.Join(in.Path(), name)
	if err := sqlite.Copy(ctx, from, into, &format.Schema, shared); err != nil {
		return err
	}
	x.Database, err = os.Open(into)
	return err
}

// takeVectors opens the vectors of a database, and counts the bytes that are published.
func (x *Extract) takeVectors(ctx context.Context, database string) error {
	db := sqlite.Open(database, sqlite.Read(database, &format.Schema))
	defer func() { _ = db.Close() }()
	snap, err := store.SnapshotOf(ctx, db, doc.Bitmap{})
	if err != nil {
		return err
	}
	f, err := store.OpenVectors(database, nil)
	if err != nil {
		return err
	}
	x.VectorBytes, err = f.BytesOf(snap.VectorRows)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	x.Vectors, err = os.Open(folder.VectorsOf(database))
	return err
}
