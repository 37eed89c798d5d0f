package mother

import (
	"context"
	"database/sql"
	"time"

	"patina/registry"
	"patina/store/sqlite"
)

// Constants of learning: w ← (1 − rate) · w + rate · (0.5 + used / shown), once least results were
// shown. An edge that never helps falls to 0.5, and one whose every result is used rises to 1.5.
// The weight orders the edges that a question may follow. In the ranking of results it counts at
// most 1 (docs/repositories.md, "Learning").
const (
	rate  = 0.1
	least = 5
	low   = 0.5
	high  = 1.5
)

// A Use is the use that answers made of an edge.
type Use struct {
	From, To, Relation string // an empty relation means the heaviest edge
	Asked, Shown, Used int
}

// Count adds uses to the counts of their edges. The number of used results never exceeds that of
// shown ones. Uses of edges that no longer exist are ignored.
func Count(ctx context.Context, home string, uses []Use) error {
	if len(uses) == 0 {
		return nil
	}
	return registry.Change(ctx, home, func(tx *sql.Tx) error {
		for _, u := range uses {
			_, err := tx.Exec(`UPDATE edge
				SET asked = asked + ?, shown = shown + ?, used = min(used + ?, shown + ?) WHERE key = (
				SELECT e.key FROM edge e JOIN project a ON a.key = e.source JOIN project b ON b.key = e.target
				WHERE a.id = ? AND b.id = ? AND (? = '' OR e.relation = ?) ORDER BY e.weight DESC, e.key LIMIT 1)`,
				max(0, u.Asked), max(0, u.Shown), max(0, u.Used), max(0, u.Shown), u.From, u.To, u.Relation, u.Relation)
			if err != nil {
				return sqlite.Explain(err)
			}
		}
		return nil
	})
}

// A Step is a change of an edge's weight by Learn.
type Step struct {
	Edge
	Before float64 `json:"before"`
}

// Learn changes the weights of edges with enough results shown since their last change. It returns
// the edges whose weight it set.
func Learn(ctx context.Context, home string) (steps []Step, err error) {
	err = registry.Change(ctx, home, func(tx *sql.Tx) error {
		steps = nil
		type row struct {
			key int64
			s   Step
		}
		rows, err := tx.Query(`SELECT e.key, a.id, b.id, e.relation, e.weight, e.shown, e.used FROM edge e
			JOIN project a ON a.key = e.source JOIN project b ON b.key = e.target
			WHERE e.shown - e.learned >= ? ORDER BY e.key`, least)
		if err != nil {
			return sqlite.Explain(err)
		}
		var all []row
		for rows.Next() {
			var r row
			err := rows.Scan(&r.key, &r.s.From, &r.s.To, &r.s.Relation, &r.s.Before, &r.s.Shown, &r.s.Used)
			if err != nil {
				return sqlite.Explain(err)
			}
			all = append(all, r)
		}
		if err := rows.Err(); err != nil {
			return sqlite.Explain(err)
		}
		now := time.Now().Unix()
		for _, r := range all {
			r.s.Weight = learnWeight(r.s.Before, r.s.Shown, r.s.Used)
			_, err = tx.Exec(`UPDATE edge SET weight = ?, learned = shown WHERE key = ?`, r.s.Weight, r.key)
			if err == nil {
				_, err = tx.Exec(`INSERT INTO weight(edge, time, weight, cause) VALUES(?, ?, ?, 'learn')`,
					r.key, now, r.s.Weight)
			}
			if err != nil {
				return sqlite.Explain(err)
			}
			steps = append(steps, r.s)
		}
		return nil
	})
	return steps, err
}

// learnWeight returns the weight after one step.
func learnWeight(weight float64, shown, used int) float64 {
	share := min(1, float64(used)/float64(max(1, shown)))
	return min(high, max(low, (1-rate)*weight+rate*(low+share)))
}

// Forget undoes all learning: each weight is again the one last given by the user, and all counts
// are 0.
func Forget(ctx context.Context, home string) error {
	return registry.Change(ctx, home, func(tx *sql.Tx) error {
		for _, statement := range []string{
			`UPDATE edge SET asked = 0, shown = 0, used = 0, learned = 0,
				weight = coalesce((SELECT w.weight FROM weight w WHERE w.edge = edge.key AND w.cause = 'link'
					ORDER BY w.rowid DESC LIMIT 1), weight)`,
			`DELETE FROM weight WHERE cause = 'learn'`,
		} {
			if _, err := tx.Exec(statement); err != nil {
				return sqlite.Explain(err)
			}
		}
		return nil
	})
}

// A Weight is an entry in the history of an edge.
type Weight struct {
	Time   time.Time `json:"time"`
	Weight float64   `json:"weight"`
	Cause  string    `json:"cause"` // link, learn
}

// A Way identifies an edge.
type Way struct{ From, To, Relation string }

// Way returns the identity of an edge.
func (e Edge) Way() Way { return Way{e.From, e.To, e.Relation} }

// Histories returns the weights that each edge has had, the oldest first. The map is nil if there
// is no registry.
func Histories(ctx context.Context, home string) (all map[Way][]Weight, err error) {
	err = registry.Read(home, func(db *sql.DB) error {
		all = map[Way][]Weight{}
		rows, err := db.QueryContext(ctx, `SELECT a.id, b.id, e.relation, w.time, w.weight, w.cause
			FROM weight w JOIN edge e ON e.key = w.edge
			JOIN project a ON a.key = e.source JOIN project b ON b.key = e.target ORDER BY w.rowid`)
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			var e Way
			var w Weight
			var at int64
			if err := rows.Scan(&e.From, &e.To, &e.Relation, &at, &w.Weight, &w.Cause); err != nil {
				return err
			}
			w.Time = readTime(at)
			all[e] = append(all[e], w)
		}
		return rows.Err()
	})
	return all, err
}
