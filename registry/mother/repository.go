package mother

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"patina/registry"
	"patina/store/sqlite"
)

// A Repository is a node of the graph: the user's description of it, and the findings of sync.
type Repository struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	Root      string    `json:"root"`
	Far       string    `json:"far,omitempty"` // name on all machines, if others answer
	URL       string    `json:"url,omitempty"` // from which patina has cloned it, or empty
	Domains   []string  `json:"domains"`
	Packages  []string  `json:"packages"` // names by which others depend on it
	Languages []string  `json:"languages"`
	Added     time.Time `json:"added"`
	Synced    time.Time `json:"synced"` // zero if it was never synced
}

// joinLines joins words, one a line.
func joinLines(words []string) string { return strings.Join(words, "\n") }

func splitWords(lines string) []string { return append([]string{}, strings.Fields(lines)...) }

// Put writes a repository. Empty texts and nil lists leave the old value; an empty list that is not
// nil clears it. The error wraps ErrUnknown if r.ID is not registered.
func Put(ctx context.Context, home string, r Repository) error {
	return registry.Change(ctx, home, func(tx *sql.Tx) error {
		key, err := keyOf(tx, r.ID)
		if err != nil {
			return err
		}
		synced := int64(0)
		if !r.Synced.IsZero() {
			synced = r.Synced.Unix()
		}
		_, err = tx.Exec(`INSERT INTO repository(project, name, url, domains, packages, languages, added, synced)
			VALUES(?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT(project) DO UPDATE SET
			name = CASE WHEN excluded.name <> '' THEN excluded.name ELSE name END,
			url = CASE WHEN excluded.url <> '' THEN excluded.url ELSE url END,
			domains = CASE WHEN ? THEN excluded.domains ELSE domains END,
			packages = CASE WHEN ? THEN excluded.packages ELSE packages END,
			languages = CASE WHEN ? THEN excluded.languages ELSE languages END,
			synced = max(synced, excluded.synced)`,
			key, r.Name, r.URL, joinLines(r.Domains), joinLines(r.Packages), joinLines(r.Languages),
			time.Now().Unix(), synced,
			r.Domains != nil, r.Packages != nil, r.Languages != nil)
		return sqlite.Explain(err)
	})
}

// Remove removes a repository and its edges from the graph, and returns the number of edges. Its
// index and its registration stay.
func Remove(ctx context.Context, home, id string) (edges int, err error) {
	err = registry.Change(ctx, home, func(tx *sql.Tx) error {
		key, err := keyOf(tx, id)
		if err != nil {
			return err
		}
		done, err := tx.Exec(`DELETE FROM edge WHERE source = ? OR target = ?`, key, key)
		if err != nil {
			return sqlite.Explain(err)
		}
		n, _ := done.RowsAffected()
		edges = int(n)
		_, err = tx.Exec(`DELETE FROM repository WHERE project = ?`, key)
		if err == nil { // the row of its project stays, for its id
			_, err = tx.Exec(`DELETE FROM far WHERE project = ?`, key)
		}
		return sqlite.Explain(err)
	})
	return edges, err
}

// Repositories returns the nodes, sorted by name. It writes nothing, and returns nil if there is no
// registry.
func Repositories(ctx context.Context, home string) (all []Repository, err error) {
	err = registry.Read(home, func(db *sql.DB) error {
		all = nil
		rows, err := db.QueryContext(ctx, `SELECT p.id, coalesce(nullif(r.name, ''), p.name) AS name, p.root,
			coalesce(f.name, ''), r.url, r.domains, r.packages, r.languages, r.added, r.synced
			FROM repository r JOIN project p ON p.key = r.project LEFT JOIN far f ON f.project = p.key
			ORDER BY name, p.id`)
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			var r Repository
			var domains, packages, languages string
			var added, synced int64
			err := rows.Scan(
				&r.ID, &r.Name, &r.Root, &r.Far, &r.URL, &domains, &packages, &languages, &added, &synced)
			if err != nil {
				return err
			}
			r.Domains, r.Packages, r.Languages = splitWords(domains), splitWords(packages), splitWords(languages)
			r.Added, r.Synced = readTime(added), readTime(synced)
			all = append(all, r)
		}
		return rows.Err()
	})
	return all, err
}
