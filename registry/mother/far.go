package mother

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"path"
	"strings"

	"patina/registry"
	"patina/store/sqlite"
)

// A far repository is one that other machines answer for. It is a project without root and index,
// and known by its name on all machines: host/org/name, or one that was given to it there.

// maxFarName bounds the name of a far repository, in bytes.
const maxFarName = 400

// FarID returns the id of the far repository with a name on all machines. It is the same in every
// registry, so that edges and counts survive a registry that is made anew.
func FarID(name string) string {
	sum := sha256.Sum256([]byte("far repository " + name))
	return fmt.Sprintf("%x", sum[:8])
}

// ShortName returns the last part of a name on all machines, by which users call the repository
// unless they give it a name.
func ShortName(name string) string { return cmp.Or(path.Base(strings.TrimSuffix(name, "/")), name) }

// AddFar registers the far repository with a name on all machines, or finds it, and returns its id.
func AddFar(ctx context.Context, home, name string) (id string, err error) {
	if name == "" || len(name) > maxFarName || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' }) {
		return "", fmt.Errorf("%.80q is no name of a repository on other machines", name)
	}
	id = FarID(name)
	return id, registry.Change(ctx, home, func(tx *sql.Tx) error {
		key, err := keyOf(tx, id)
		if errors.Is(err, ErrUnknown) {
			err = tx.QueryRow(`INSERT INTO project(id, name, root, copied) VALUES(?, ?, '', '') RETURNING key`,
				id, ShortName(name)).Scan(&key)
		}
		if err == nil {
			_, err = tx.Exec(`INSERT INTO far(project, name) VALUES(?, ?) ON CONFLICT DO NOTHING`, key, name)
		}
		return sqlite.Explain(err)
	})
}

// readFar returns the far repositories, by name.
func readFar(ctx context.Context, db *sql.DB) (all []registry.Project, err error) {
	rows, err := db.QueryContext(ctx, `SELECT p.id, coalesce(nullif(r.name, ''), p.name) AS called, f.name
		FROM far f JOIN project p ON p.key = f.project LEFT JOIN repository r ON r.project = p.key
		ORDER BY called, p.id`)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var p registry.Project
		if err := rows.Scan(&p.ID, &p.Name, &p.Far); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, rows.Err()
}
