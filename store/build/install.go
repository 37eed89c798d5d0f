package build

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"patina/store"
	"patina/store/doc"
	"patina/store/folder"
	"patina/store/format"
	"patina/store/sqlite"
)

// ErrOther is returned if the files that another machine has sent are not an index of the commit.
var ErrOther = errors.New("this is not the index that it is said to be")

// Install publishes an index that another machine has made of a commit (Take). unpack writes its
// two files, and must return an error unless it knows every byte of them to be right. Readers see
// the previous index before, and keep it if anything fails or the process ends.
//
// The error wraps ErrOther if the files are no index of the commit, and otherwise ErrRebuild or
// ErrOlder if this program would not go on with it.
func Install(
	ctx context.Context, dir, commit string, o Options, unpack func(database, vectors io.Writer) error,
) (g doc.Generation, err error) {
	w, err := newWriter(ctx, dir, o)
	if err != nil {
		return g, err
	}
	defer w.Abort() // does nothing once the index is published
	w.fresh = true
	if w.name, err = w.in.NextDatabase(); err != nil {
		return g, err
	}
	last := int64(0)
	if !o.Discard { // else the index is a stranger's, and not read
		last = store.LastNumber(ctx, w.in)
	}
	if err := w.receive(unpack); err != nil {
		return g, err
	}
	err = w.connect(sqlite.Given(&format.Schema))
	if err == nil {
		err = w.own(last)
	}
	if err = store.Damaged(err); errors.Is(err, store.ErrDamaged) {
		err = fmt.Errorf("%w: %w", ErrOther, err)
	}
	if err != nil {
		return g, err
	}
	if w.last.Head != commit {
		return g, fmt.Errorf("%w: it is of commit %.12s, not of %.12s", ErrOther, w.last.Head, commit)
	}
	g = w.last
	name := w.name
	if err := w.publishFresh(); err != nil {
		return g, err
	}
	w.fresh = false // its files are published
	w.in.Sweep(name)
	w.in.Settle()
	return g, nil
}

// receive writes the two files of an index.
func (w *Writer) receive(unpack func(database, vectors io.Writer) error) (err error) {
	var files [2]*os.File
	for i, name := range []string{w.name, folder.VectorsOf(w.name)} {
		if err := w.in.Create(name); err != nil {
			return err
		}
		if files[i], err = os.OpenFile(filepath.Join(w.dir, name), os.O_WRONLY, 0); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, files[i].Close()) }()
	}
	if err := unpack(files[0], files[1]); err != nil {
		return err
	}
	return files[1].Sync() // publishFresh writes the database to disk
}

// own checks the versions of a received database and makes it this user's. last is the number of
// the generation before.
func (w *Writer) own(last int64) error {
	if err := store.CheckFormat(w.conn); err != nil {
		return err
	}
	if _, err := w.conn.ExecContext(w.ctx, "BEGIN"); err != nil {
		return err
	}
	if err := w.load(); err != nil {
		return err
	}
	w.last.Number = last + 1
	for _, x := range []struct {
		statement string
		value     any
	}{
		{`UPDATE meta SET value = ? WHERE key = 'seal'`, w.o.Seal.Secret},
		{`UPDATE meta SET value = ? WHERE key = 'project'`, w.o.ProjectID},
		{`UPDATE meta SET value = ? WHERE key = 'publication'`, strconv.FormatInt(w.publication+1, 10)},
		{`UPDATE view SET root = ?`, w.o.Root},
		{`UPDATE generation SET number = ?`, w.last.Number},
	} {
		if err := w.exec(x.statement, x.value); err != nil {
			return err
		}
	}
	return nil
}
