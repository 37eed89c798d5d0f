package store

import (
	"context"
)

// MainView names the main working tree's view, also for a folder without worktrees.
const MainView = ""

// Views returns the names of the views in a store. It returns nil if the store is unreadable or has
// another seal.
func Views(ctx context.Context, dir string, seal Seal) []string {
	s := &Store{dir: dir, seal: seal}
	defer func() { _ = s.Close() }()
	if s.refresh() != nil {
		return nil
	}
	rows, err := s.open.db.QueryContext(ctx, `SELECT name FROM view ORDER BY id`)
	if err != nil {
		return nil
	}
	defer func() { _ = rows.Close() }()
	var names []string
	for rows.Next() {
		var name string
		if rows.Scan(&name) != nil {
			return nil
		}
		names = append(names, name)
	}
	return names
}
