package build

import (
	"context"
	"database/sql"
	"errors"
	"strconv"

	"patina/store/format"
)

// noteOwn keeps whether the history has a commit of the user's (Generation.Own). Revisions that
// were looked at before are not looked at again.
func (w *transaction) noteOwn() (own bool, err error) {
	if w.o.Identity == nil {
		return false, w.exec(`DELETE FROM meta WHERE key = 'own'`)
	}
	var known string
	err = w.conn.QueryRowContext(context.Background(), `SELECT value FROM meta WHERE key = 'own'`).Scan(&known)
	if err != nil && !errors.Is(err, sql.ErrNoRows) || known == format.OwnWork {
		return known == format.OwnWork, err
	}
	seen, _ := strconv.ParseInt(known, 10, 64)
	var last int64
	const query = `SELECT IFNULL(MAX(key), 0) FROM revision`
	if err := w.conn.QueryRowContext(context.Background(), query).Scan(&last); err != nil {
		return false, err
	}
	if last == seen && seen > 0 {
		return false, nil
	}
	if last < seen { // the history was rewritten
		seen = 0
	}
	if email := w.o.Identity(); email != "" {
		const query = `SELECT EXISTS(SELECT 1 FROM revision WHERE key > ? AND email = ? COLLATE NOCASE)`
		if err := w.conn.QueryRowContext(context.Background(), query, seen, email).Scan(&own); err != nil {
			return false, err
		}
	}
	value := strconv.FormatInt(last, 10)
	if own {
		value = format.OwnWork
	}
	return own, w.exec(`INSERT OR REPLACE INTO meta(key, value) VALUES('own', ?)`, value)
}
