package knowledge

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"patina/internal/lazyregexp"
	"patina/store"
	"patina/store/doc"
)

const (
	maxHashes   = 30 // words of a session that are looked up as commits
	maxCaptured = 20 // beliefs of a session
)

// hash matches a short or whole sha of a commit. Commits also requires a digit, which almost all
// have, so that words such as "defaced" are not looked up.
var hash = lazyregexp.New(`\b[0-9a-f]{7,40}\b`)

// Commits returns links to the commits that a text names, in its order, each once.
func Commits(ctx context.Context, r *store.Reader, snap *store.Snapshot, lines []string) (links []doc.Link, err error) {
	tried := map[string]bool{}
	for _, l := range lines {
		for _, sha := range hash().FindAllString(l, -1) {
			if tried[sha] || !strings.ContainsAny(sha, "0123456789") {
				continue
			}
			if len(tried) == maxHashes {
				return links, nil
			}
			tried[sha] = true
			v, err := r.Revision(ctx, snap, sha)
			if errors.Is(err, sql.ErrNoRows) {
				continue
			}
			if err != nil {
				return nil, store.Damaged(err)
			}
			link := doc.Link{Relation: "commit", Target: doc.CommitID(v.SHA), Note: v.Subject}
			if !slices.Contains(links, link) {
				links = append(links, link)
			}
		}
	}
	return links, nil
}

// Captured returns links to the beliefs that name a session as evidence.
func Captured(ctx context.Context, r *store.Reader, snap *store.Snapshot, key int64) (links []doc.Link, err error) {
	h, err := heldOf(ctx, r, snap)
	if err != nil || len(h.all) == 0 {
		return nil, err
	}
	var id string
	err = r.QueryRow(ctx, `SELECT id FROM session WHERE key = ?`, key).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) || err == nil && id == "" {
		return nil, nil
	}
	if err != nil {
		return nil, store.Damaged(err)
	}
	const query = `SELECT DISTINCT belief FROM belief_evidence WHERE section = 'evidence' AND target IN (?1, ?2)
		AND belief IN (SELECT file FROM citation WHERE target IN (?1, ?2)) ORDER BY belief`
	err = r.EachRow(ctx, query, []any{id, "session-" + id}, func(scan func(...any) error) error {
		var by int64
		err := scan(&by)
		if i, ok := h.at[by]; ok && len(links) < maxCaptured {
			l := doc.Link{Relation: "captured", Target: doc.Belief.FileID(h.all[i].ID)}
			if s := h.all[i].Status; s != "active" {
				l.Note = s
			}
			links = append(links, l)
		}
		return err
	})
	return links, store.Damaged(err)
}
