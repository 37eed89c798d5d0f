package sqlite

import (
	"database/sql"
	"errors"
	"os"
)

// Glance opens a database for one look. While nobody changes the file it is read without locks and
// without files beside it, at less than half the cost; where somebody did meanwhile, the look is
// repeated. So read must be harmless to repeat, and what it has found counts when Glance returns.
func Glance(path string, read func(*sql.DB) error) error {
	before, err := os.Stat(path)
	if err == nil && !Logged(path) {
		err = with(path, Frozen(nil), read)
		after, gone := os.Stat(path)
		if gone == nil && !Logged(path) && os.SameFile(before, after) && before.ModTime().Equal(after.ModTime()) {
			return err
		}
	}
	return AsReader(path, nil, func(o Options) error { return with(path, o, read) })
}

func with(path string, o Options, read func(*sql.DB) error) error {
	db := Open(path, o)
	db.SetMaxOpenConns(1)
	return errors.Join(Explain(read(db)), db.Close())
}
