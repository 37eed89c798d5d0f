package audit

import (
	"context"
	"slices"
	"strings"
	"time"

	"patina/belief"
	"patina/belief/knowledge"
	"patina/store"
	"patina/store/doc"
)

// An Entry is a belief with its evidence, its uses and its links.
type Entry struct {
	knowledge.Held
	Sources  []Evidence // its evidence
	Beliefs  int        // other beliefs that name it
	Sessions int        // sessions that name it
	Dated    time.Time  // last reviewed: its dates, or the newest commit of its file
	Edges    []Target   // of Supports, Attacks and AttackedBy, in that order
	Others   []Target   // links from other beliefs that its own file does not have
}

// Resolved returns the number of pieces of evidence whose target exists.
func (e Entry) Resolved() (n int) {
	for _, v := range e.Sources {
		if v.DocID != "" {
			n++
		}
	}
	return n
}

// Evidence is a link in a belief's evidence, with its target.
type Evidence struct {
	Target
	Weight  float64   // from 0 to 1; negative if not given
	Commits int       // number that changed the file since the belief was dated
	Changed time.Time // time of the newest of them
}

// A Target is the target of a link.
type Target struct {
	Relation string // "evidence", "supports", "attacks", "attacked by" and the like
	Name     string // as written; empty if the line has no link
	DocID    string // empty if the target is not in this generation
	Stands   string // the status of the belief at the other end; empty if it is not a belief
	Line     int    // from 1; for Others, in the file of the other belief
}

// Read returns the beliefs with these ids, in order of id: beliefs with files of their own, and
// decision records. With nil ids it returns all. missing are the ids without a belief.
func Read(ctx context.Context, r *store.Reader, ids []string) (entries []Entry, missing []string, err error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, nil, err
	}
	all, err := knowledge.Beliefs(ctx, r, snap)
	if err != nil {
		return nil, nil, err
	}
	for _, h := range all {
		if len(ids) == 0 || slices.ContainsFunc(ids, func(id string) bool { return strings.EqualFold(id, h.ID) }) {
			entries = append(entries, Entry{Held: h})
		}
	}
	for _, id := range ids {
		if !slices.ContainsFunc(entries, func(e Entry) bool { return strings.EqualFold(id, e.ID) }) {
			missing = append(missing, id)
		}
	}
	g := &gatherer{
		ctx: ctx, r: r, snap: snap, at: make(map[int64]int, len(entries)), resolved: map[string]string{},
		touched: map[string][]time.Time{},
	}
	for i, e := range entries {
		g.at[e.Key] = i
	}
	g.index(all)
	for _, step := range []func([]Entry) error{g.evidence, g.uses, g.links, g.others, g.dates, g.changes} {
		if err := step(entries); err != nil {
			return nil, nil, store.Damaged(err)
		}
	}
	return entries, missing, nil
}

// A gatherer reads all that is linked with some beliefs.
type gatherer struct {
	ctx      context.Context
	r        *store.Reader
	snap     *store.Snapshot
	at       map[int64]int // places of beliefs by key
	all      []knowledge.Held
	named    map[string]int         // places in all plus 1, by id in lower case
	resolved map[string]string      // doc_ids by target; empty for a missing one
	touched  map[string][]time.Time // times of the commits of a path, newest first
}

func (g *gatherer) evidence(entries []Entry) error {
	const query = `SELECT belief, target, weight, line FROM belief_evidence WHERE section = 'evidence'
		ORDER BY belief, ordinal`
	err := g.r.EachRow(g.ctx, query, nil, func(scan func(...any) error) error {
		var key int64
		v := Evidence{Target: Target{Relation: "evidence"}}
		err := scan(&key, &v.Name, &v.Weight, &v.Line)
		if i, ok := g.at[key]; ok {
			entries[i].Sources = append(entries[i].Sources, v)
		}
		return err
	})
	return err
}

// uses counts the files that name each belief.
func (g *gatherer) uses(entries []Entry) error {
	by := make(map[string][]int, len(entries))
	for i, e := range entries {
		by[e.ID] = append(by[e.ID], i)
	}
	const query = `SELECT c.target, c.file, f.kind FROM citation c JOIN file f ON f.key = c.file`
	return g.r.EachRow(g.ctx, query, nil, func(scan func(...any) error) error {
		var target string
		var file int64
		var kind doc.Kind
		err := scan(&target, &file, &kind)
		for _, i := range by[target] {
			switch e := &entries[i]; {
			case file == e.Key || !g.snap.Members.Has(file):
			case kind == doc.Belief:
				e.Beliefs++
			case kind == doc.Session:
				e.Sessions++
			}
		}
		return err
	})
}

// links finds the target of each link.
func (g *gatherer) links(entries []Entry) (err error) {
	for i := range entries {
		e := &entries[i]
		e.Edges = edgesOf(e.Held)
		for j := range e.Edges {
			t := &e.Edges[j]
			if t.DocID, err = g.resolve(t.Name); err != nil {
				return err
			}
			if other := g.belief(t.Name); other != nil {
				t.Stands = other.Status
			}
		}
		for j := range e.Sources {
			v := &e.Sources[j]
			if v.DocID, err = g.resolve(v.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

// edgesOf returns the links in the file of a belief. The attacks of a decision are called
// "supersedes".
func edgesOf(h knowledge.Held) (out []Target) {
	attacks := "attacks"
	if h.Source == belief.Decision {
		attacks = "supersedes"
	}
	for _, group := range []struct {
		relation string
		edges    []belief.Edge
	}{{"supports", h.Supports}, {attacks, h.Attacks}, {converse[attacks], h.AttackedBy}} {
		for _, x := range group.edges {
			out = append(out, Target{Relation: group.relation, Name: x.Target, Line: x.Line})
		}
	}
	return out
}

// converse is the name of a relation as seen from its other end.
var converse = map[string]string{
	"supports": "supported by", "attacks": "attacked by", "supersedes": "superseded by",
	"attacked by": "attacks", "superseded by": "supersedes",
}

func (g *gatherer) index(all []knowledge.Held) {
	g.all, g.named = all, make(map[string]int, len(all))
	for i, h := range all {
		if id := strings.ToLower(h.ID); g.named[id] == 0 {
			g.named[id] = i + 1
		}
	}
}

// belief returns the belief that a link names, or nil.
func (g *gatherer) belief(name string) *knowledge.Held {
	if i := g.named[strings.ToLower(strings.TrimPrefix(name, "belief:"))]; i > 0 {
		return &g.all[i-1]
	}
	return nil
}

// others finds the links from other beliefs to these.
func (g *gatherer) others(entries []Entry) error {
	type link struct{ relation, name string }
	seen := make([]map[link]bool, len(entries))
	for i, e := range entries {
		seen[i] = map[link]bool{}
		for _, t := range e.Edges {
			if other := g.belief(t.Name); other != nil {
				seen[i][link{t.Relation, other.ID}] = true
			}
		}
	}
	for _, h := range g.all {
		for _, t := range edgesOf(h) {
			to := g.belief(t.Name)
			if to == nil || to.Key == h.Key {
				continue
			}
			i, wanted := g.at[to.Key]
			l := link{converse[t.Relation], h.ID}
			if !wanted || seen[i][l] {
				continue
			}
			seen[i][l] = true
			entries[i].Others = append(entries[i].Others,
				Target{l.relation, h.ID, doc.Belief.FileID(h.Path), h.Status, t.Line})
		}
	}
	return nil
}

func (g *gatherer) resolve(target string) (string, error) {
	if id, ok := g.resolved[target]; ok {
		return id, nil
	}
	if err := g.ctx.Err(); err != nil {
		return "", err
	}
	id, err := knowledge.Resolve(g.ctx, g.r, g.snap, target)
	g.resolved[target] = id
	return id, err
}

// dates sets the day on which each belief was last reviewed.
func (g *gatherer) dates(entries []Entry) error {
	for i := range entries {
		e := &entries[i]
		for _, written := range []string{e.Extracted, e.Revised} {
			if day, err := time.Parse(time.DateOnly, written[:min(len(written), len(time.DateOnly))]); err == nil {
				e.Dated = laterOf(e.Dated, day.Add(24*time.Hour-time.Second)) // the whole day
			}
		}
		times, err := g.commits(e.Path)
		if err != nil {
			return err
		}
		if len(times) > 0 {
			e.Dated = laterOf(e.Dated, times[0])
		}
	}
	return nil
}

// changes counts the commits to evidence since the belief was dated. Commits and sessions never
// change, and are skipped.
func (g *gatherer) changes(entries []Entry) error {
	for i := range entries {
		e := &entries[i]
		for j := range e.Sources {
			v := &e.Sources[j]
			kind := doc.KindOf(v.DocID)
			if v.DocID == "" || e.Dated.IsZero() || kind.Traits().Told || kind.Traits().Shape == doc.OfRows {
				continue
			}
			path, _, _ := strings.Cut(strings.TrimPrefix(v.DocID, kind.Traits().Prefix), kind.Traits().Separator)
			times, err := g.commits(path)
			if err != nil {
				return err
			}
			v.Commits, _ = slices.BinarySearchFunc(times, e.Dated, func(t, dated time.Time) int {
				if t.After(dated) {
					return -1
				}
				return 1
			})
			if v.Commits > 0 {
				v.Changed = times[0]
			}
		}
	}
	return nil
}

// commits returns the times of the commits that touched a path, newest first.
func (g *gatherer) commits(path string) ([]time.Time, error) {
	if times, ok := g.touched[path]; ok {
		return times, nil
	}
	var times []time.Time
	const query = `SELECT v.key, v.time FROM path p JOIN touch t ON t.path = p.id JOIN revision v ON v.key = t.revision
		WHERE p.name = ? AND NOT v.merge ORDER BY v.time DESC`
	err := g.r.EachRow(g.ctx, query, []any{path}, func(scan func(...any) error) error {
		var key, at int64
		err := scan(&key, &at)
		if g.snap.Members.Has(key) {
			times = append(times, doc.Unix(at))
		}
		return err
	})
	g.touched[path] = times
	return times, err
}

func laterOf(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
