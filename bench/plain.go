package main

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"strings"

	"patina/memory/recall"
	"patina/store/sqlite"
)

// A plain is a table with SQLite's full-text search and nothing else. It is as durable as the
// notes.
type plain struct{ db *sql.DB }

func openPlain(ctx context.Context, path string) (plain, error) {
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		return plain{}, err
	}
	db := sqlite.Open(path, sqlite.Authored())
	if _, err := db.ExecContext(ctx, "CREATE VIRTUAL TABLE note USING fts5(text, tokenize = 'porter')"); err != nil {
		return plain{}, errors.Join(err, db.Close())
	}
	return plain{db}, nil
}

// add inserts texts in one transaction.
func (p plain) add(ctx context.Context, texts ...string) error {
	tx, err := p.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after a commit
	for _, t := range texts {
		if _, err := tx.ExecContext(ctx, "INSERT INTO note VALUES(?)", t); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// ask reads the best rows for any of a question's words, by BM25.
func (p plain) ask(ctx context.Context, text string, limit int) error {
	words := recall.Question(text) // without stop words, which would cost the most
	if len(words) == 0 {
		return nil
	}
	rows, err := p.db.QueryContext(ctx, "SELECT text FROM note WHERE note MATCH ? ORDER BY rank LIMIT ?",
		`"`+strings.Join(words, `" OR "`)+`"`, limit)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var found string
		if err := rows.Scan(&found); err != nil {
			return err
		}
	}
	return rows.Err()
}
