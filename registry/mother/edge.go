package mother

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"strings"
	"time"

	"patina/registry"
	"patina/store/sqlite"
)

// An Edge leads from one repository to another. A question asked in the first may follow it.
type Edge struct {
	From     string    `json:"from"` // an id, as is To
	To       string    `json:"to"`
	Relation string    `json:"relation"`
	Weight   float64   `json:"weight"`
	Evidence string    `json:"evidence,omitempty"`
	Made     time.Time `json:"made"`
	Asked    int       `json:"asked"` // number of questions that followed it
	Shown    int       `json:"shown"` // number of results shown because of it
	Used     int       `json:"used"`  // number of those results that were opened or marked good
}

// StartWeight is the weight of an edge if the user gives no weight.
const StartWeight = 0.9

// MaxEvidence is the maximum length of an edge's evidence, in bytes.
const MaxEvidence = 500

// Link makes an edge, or changes the weight and the evidence of an existing one. A weight of 0
// means StartWeight for a new edge, and no change for an existing one; empty evidence also means no
// change. The error wraps ErrRelation, ErrItself or ErrWeight for a bad edge, and ErrUnknown if a
// repository is not registered.
func Link(ctx context.Context, home string, e Edge) error {
	if err := checkRelation(e.Relation); err != nil {
		return err
	}
	switch {
	case e.From == e.To:
		return ErrItself
	case e.Weight < 0 || e.Weight > 1.5 || math.IsNaN(e.Weight):
		return fmt.Errorf("weight %v: %w", e.Weight, ErrWeight)
	case len(e.Evidence) > MaxEvidence:
		return fmt.Errorf("evidence of %d bytes: at most %d", len(e.Evidence), MaxEvidence)
	}
	return registry.Change(ctx, home, func(tx *sql.Tx) error {
		from, err := keyOf(tx, e.From)
		if err != nil {
			return err
		}
		to, err := keyOf(tx, e.To)
		if err != nil {
			return err
		}
		now := time.Now().Unix()
		first := e.Weight
		if first == 0 {
			first = StartWeight
		}
		var key int64
		var weight float64
		err = tx.QueryRow(`INSERT INTO edge(source, target, relation, weight, evidence, made) VALUES(?, ?, ?, ?, ?, ?)
			ON CONFLICT(source, target, relation) DO UPDATE SET weight = CASE WHEN ? > 0 THEN ? ELSE weight END,
			evidence = CASE WHEN excluded.evidence <> '' THEN excluded.evidence ELSE evidence END
			RETURNING key, weight`,
			from, to, e.Relation, first, strings.TrimSpace(e.Evidence), now, e.Weight, e.Weight).Scan(&key, &weight)
		if err == nil {
			_, err = tx.Exec(`INSERT INTO weight(edge, time, weight, cause) VALUES(?, ?, ?, 'link')`, key, now, weight)
		}
		return sqlite.Explain(err)
	})
}

// Unlink removes the edges between two repositories, from the first to the second: those of one
// relation, or all if relation is empty. It returns their number, and ErrNoEdge if there is no such
// edge.
func Unlink(ctx context.Context, home, from, to, relation string) (n int, err error) {
	if relation != "" {
		if err := checkRelation(relation); err != nil {
			return 0, err
		}
	}
	err = registry.Change(ctx, home, func(tx *sql.Tx) error {
		a, err := keyOf(tx, from)
		if err != nil {
			return err
		}
		b, err := keyOf(tx, to)
		if err != nil {
			return err
		}
		done, err := tx.Exec(`DELETE FROM edge WHERE source = ? AND target = ? AND (? = '' OR relation = ?)`,
			a, b, relation, relation)
		if err != nil {
			return sqlite.Explain(err)
		}
		removed, err := done.RowsAffected()
		if n = int(removed); err == nil && n == 0 {
			err = ErrNoEdge
		}
		return err
	})
	return n, err
}

// A Graph holds all edges, the heaviest first, and the repositories that other machines answer for.
type Graph struct {
	Edges []Edge
	Far   []registry.Project // by name
}

// graphMemo keeps the graph that this process has last read.
var graphMemo registry.Memo[Graph]

// Known returns the graph of a home. A process reads it again only after a change. The caller must
// not change it.
func Known(ctx context.Context, home string) (Graph, error) {
	return graphMemo.Of(home, func() []byte { return registry.State(home) }, func() (g Graph, err error) {
		err = registry.Read(home, func(db *sql.DB) (err error) {
			if g.Edges, err = readEdges(ctx, db, ""); err == nil {
				g.Far, err = readFar(ctx, db)
			}
			return err
		})
		return g, err
	})
}

// Edges returns the edges that lead from a repository, or all edges if from is empty, the heaviest
// first. It writes nothing, and returns nil if there is no registry.
func Edges(ctx context.Context, home, from string) (all []Edge, err error) {
	err = registry.Read(home, func(db *sql.DB) (err error) {
		all, err = readEdges(ctx, db, from)
		return err
	})
	return all, err
}

func readEdges(ctx context.Context, db *sql.DB, from string) (all []Edge, err error) {
	const query = `SELECT a.id, b.id, e.relation, e.weight, e.evidence, e.made, e.asked, e.shown, e.used
		FROM edge e JOIN project a ON a.key = e.source JOIN project b ON b.key = e.target
		WHERE ? = '' OR a.id = ? ORDER BY e.weight DESC, a.name, b.name, e.relation, b.id`
	rows, err := db.QueryContext(ctx, query, from, from)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var e Edge
		var made int64
		err := rows.Scan(&e.From, &e.To, &e.Relation, &e.Weight, &e.Evidence, &made, &e.Asked, &e.Shown, &e.Used)
		if err != nil {
			return nil, err
		}
		e.Made = readTime(made)
		all = append(all, e)
	}
	return all, rows.Err()
}
