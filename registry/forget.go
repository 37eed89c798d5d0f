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

// Forget takes a project out of the registry, with everything that is kept beside its record. Its
// index stays. Only its id is kept, so that a repository that comes back to its folder has it
// again. Forget does nothing for an unknown id.
func Forget(ctx context.Context, home, id string) error {
	if !folder.IsProjectID(id) {
		return fmt.Errorf("forget project: %q is no project", id)
	}
	// The record goes first, because one without rows counts.
	if err := os.RemoveAll(filepath.Join(home, "projects", id)); err != nil {
		return fmt.Errorf("forget project: %w", err)
	}
	return Change(ctx, home, func(tx *sql.Tx) error {
		for _, statement := range []string{
			`DELETE FROM repository WHERE project IN (SELECT key FROM project WHERE id = ?)`,
			`DELETE FROM store WHERE project IN (SELECT key FROM project WHERE id = ?)`,
		} {
			if _, err := tx.Exec(statement, id); err != nil {
				return sqlite.Explain(err)
			}
		}
		return nil
	})
}
