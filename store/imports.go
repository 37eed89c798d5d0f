// This file lists the files of an index with their imports, from which edges between repositories
// are suggested.

package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"patina/store/doc"
)

// A File is a file in the reader's view.
type ImportingFile struct {
	Path     string
	Language string
	Class    doc.Class
	Imports  []string // as written, each once
	Text     string   // of files that are wanted whole
}

// MaxText bounds the texts that are read, in bytes, because larger manifests are not written by
// hand.
const MaxText = 256 << 10

// Files returns the files in the order of their keys. wanted reports whether the text of a file is
// read. Files without a text, or with one longer than MaxText, have an empty text.
func Files(ctx context.Context, r *Reader, wanted func(path, language string) bool) ([]ImportingFile, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	var all []ImportingFile
	var keys []int64
	at := map[int64]int{}
	const query = `SELECT key, path, language, class FROM file ORDER BY key`
	err = r.EachRow(ctx, query, nil, func(scan func(...any) error) error {
		var key int64
		var f ImportingFile
		err := scan(&key, &f.Path, &f.Language, &f.Class)
		if err == nil && snap.Members.Has(key) {
			at[key], all, keys = len(all), append(all, f), append(keys, key)
		}
		return err
	})
	if err != nil {
		return nil, Damaged(err)
	}
	err = r.EachRow(ctx, `SELECT file, target FROM import ORDER BY file, target`, nil, func(scan func(...any) error) error {
		var key int64
		var target string
		err := scan(&key, &target)
		if i, ok := at[key]; err == nil && ok {
			all[i].Imports = append(all[i].Imports, target)
		}
		return err
	})
	if err != nil {
		return nil, Damaged(err)
	}
	for i, key := range keys {
		if !wanted(all[i].Path, all[i].Language) {
			continue
		}
		text, err := r.Text(ctx, key)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return nil, fmt.Errorf("read %q: %w", all[i].Path, Damaged(err))
		}
		if len(text) <= MaxText {
			all[i].Text = text
		}
	}
	return all, nil
}
