package lookup

import (
	"context"
	"strings"

	"patina/store"
	"patina/store/doc"
)

const selectFrequent = `SELECT term, SUM(n) AS df FROM posting WHERE segment IN
	(SELECT id FROM segment WHERE space = ?) GROUP BY term ORDER BY df DESC, term LIMIT ?`

// CodeChunks returns the number of code chunks, and the number that Frequencies counts, which
// includes chunks of other working trees and those replaced by updates.
func CodeChunks(ctx context.Context, r *store.Reader) (alive, counted int, err error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return 0, 0, err
	}
	for _, g := range snap.Segments {
		if g.Space == string(doc.Code) {
			alive, counted = alive+g.Live, counted+int(g.Chunks)
		}
	}
	return alive, counted, nil
}

// Frequencies returns the number of code chunks in which each of the most common terms occurs. It
// reads the head of every posting list.
func Frequencies(ctx context.Context, r *store.Reader, most int) (map[string]int, error) {
	df := make(map[string]int, most)
	err := r.EachRow(ctx, selectFrequent, []any{string(doc.Code), most}, func(scan func(...any) error) error {
		var term string
		var n int
		err := scan(&term, &n)
		df[term] = n
		return err
	})
	return df, err
}

// DefinedIn returns the names that the code of a generation defines, each once, without keys of
// configuration files.
func DefinedIn(ctx context.Context, r *store.Reader) (names []string, err error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	const query = `SELECT DISTINCT s.name COLLATE BINARY FROM symbol s
		JOIN seen v ON v.view = ? AND v.key = s.file`
	err = r.EachRow(ctx, query, []any{snap.View}, func(scan func(...any) error) error {
		var name string
		err := scan(&name)
		if !strings.HasPrefix(name, doc.SettingMark) {
			names = append(names, name)
		}
		return err
	})
	return names, store.Damaged(err)
}
