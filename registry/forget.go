package registry

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"

	"patina/store/folder"
	"patina/store/sqlite"
)

// Forget removes a project from the registry with everything that is kept beside its record. Its
// edges must be gone (mother.Remove). Its index stays. It does nothing for an unknown id.
func Forget(ctx context.Context, home, id string) error {
	if !folder.IsProjectID(id) {
		return fmt.Errorf("forget project: %q is no project", id)
	}
	// The record goes first, because a row without a record counts, and a record without a row too.
	if err := os.RemoveAll(filepath.Join(home, "projects", id)); err != nil {
		return fmt.Errorf("forget project: %w", err)
	}
	return Change(ctx, home, func(tx *sql.Tx) error {
		for _, statement := range []string{
			`DELETE FROM repository WHERE project IN (SELECT key FROM project WHERE id = ?)`,
			`DELETE FROM store WHERE project IN (SELECT key FROM project WHERE id = ?)`,
			`DELETE FROM project WHERE id = ?`,
		} {
			if _, err := tx.Exec(statement, id); err != nil {
				return sqlite.Explain(err)
			}
		}
		return nil
	})
}
