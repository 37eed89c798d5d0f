package knowledge

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"

	"patina/belief"
	"patina/scrape/prose"
	"patina/store"
)

// readHeld reads the beliefs of a generation with their edges, at most belief.Most.
func readHeld(ctx context.Context, r *store.Reader, snap *store.Snapshot) ([]Held, error) {
	var all []Held
	const beliefs = `SELECT b.key, b.id, b.number, b.statement, b.status, b.entrenchment, b.endorsed, b.facets, b.extracted, b.revised,
		b.revisions, b.source, b.line, b.last, f.path FROM belief b JOIN file f ON f.key = b.key ORDER BY f.path`
	others := !r.Generation().Own
	err := r.EachRow(ctx, beliefs, nil, func(scan func(...any) error) error {
		x := Held{Belief: belief.Belief{ByOthers: others}}
		var endorsed sql.NullBool
		var facets string
		err := scan(&x.Key, &x.ID, &x.Number, &x.Statement, &x.Status, &x.Entrenchment, &endorsed, &facets,
			&x.Extracted, &x.Revised,
			&x.Revisions, &x.Source, &x.Line, &x.End, &x.Path)
		if err != nil || !snap.Members.Has(x.Key) || len(all) == belief.Most {
			return err
		}
		if endorsed.Valid {
			x.Endorsed = &endorsed.Bool
		}
		if facets != "" {
			x.Facets = strings.Fields(facets)
		}
		all = append(all, x)
		return nil
	})
	if err != nil || len(all) == 0 {
		return nil, err
	}
	if err := addEdges(ctx, r, all); err != nil {
		return nil, err
	}
	nameDecisions(all)
	slices.SortFunc(all, func(a, b Held) int { return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Path, b.Path)) })
	return all, nil
}

func addEdges(ctx context.Context, r *store.Reader, all []Held) error {
	at := make(map[int64]int, len(all))
	for i, x := range all {
		at[x.Key] = i
	}
	const edges = `SELECT belief, relation, target, status, reason, scope, confidence, line FROM belief_edge
		ORDER BY belief, ordinal`
	return r.EachRow(ctx, edges, nil, func(scan func(...any) error) error {
		var key int64
		var relation string
		var e belief.Edge
		err := scan(&key, &relation, &e.Target, &e.Status, &e.Reason, &e.Scope, &e.Confidence, &e.Line)
		i, ok := at[key]
		if !ok {
			return err
		}
		switch b := &all[i].Belief; relation {
		case "supports":
			b.Supports = append(b.Supports, e)
		case "attacks":
			b.Attacks = append(b.Attacks, e)
		default:
			b.AttackedBy = append(b.AttackedBy, e)
		}
		return err
	})
}

// nameDecisions gives each decision record a unique id, and resolves its edges to records.
func nameDecisions(all []Held) {
	var records []*prose.Decision
	at := map[string]*belief.Belief{}
	for i := range all {
		if b := &all[i].Belief; b.Source == belief.Decision {
			at[b.Path] = b
			records = append(records, &prose.Decision{
				Path: b.Path, ID: b.ID, Number: b.Number, Supersedes: referencesOf(b.Attacks),
				SupersededBy: referencesOf(b.AttackedBy),
			})
			b.Attacks, b.AttackedBy = nil, nil
		}
	}
	if len(records) == 0 {
		return
	}
	names := prose.DecisionNames(records)
	for _, e := range prose.Supersessions(records) {
		edge := belief.Edge{Reason: e.Named, Confidence: -1, Line: e.Line}
		if b := at[e.Old]; b != nil {
			edge.Target = cmp.Or(names[e.New], e.Named)
			b.AttackedBy = append(b.AttackedBy, edge)
		}
		if b := at[e.New]; b != nil {
			edge.Target = cmp.Or(names[e.Old], e.Named)
			b.Attacks = append(b.Attacks, edge)
		}
	}
	for path, b := range at {
		b.ID = names[path]
	}
}

// referencesOf returns a record's edges as it wrote them. A target is an id, a number, or other
// words.
func referencesOf(edges []belief.Edge) (refs []prose.Reference) {
	for _, e := range edges {
		ref := prose.Reference{ID: e.Target, Text: e.Reason, Line: e.Line}
		if strings.Trim(e.Target, "0123456789") == "" {
			ref.ID, ref.Number = "", e.Target
		}
		refs = append(refs, ref)
	}
	return refs
}
