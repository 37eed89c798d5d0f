package brief

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"patina/belief"
	"patina/belief/knowledge"
	"patina/scrape/prose"
	"patina/store"
	"patina/store/doc"
)

// A Layer is what a project keeps about itself in layer/, and in its decision records.
type Layer struct {
	Patterns  []Pattern        // of layer/core
	Beliefs   []knowledge.Held // active ones with a file of their own, the best established first
	Decisions []knowledge.Held // active decision records, the newest first
	Active    int              // beliefs with a file of their own that hold
	Decided   int              // decision records that hold
	Proposed  int              // of both, that wait for somebody to accept them
}

// A Pattern is a core document with its purpose.
type Pattern struct {
	Name    string `json:"name"`
	Purpose Quote  `json:"purpose"`
}

// The most pieces of each list.
const (
	maxPatterns  = 50
	maxBeliefs   = 50
	maxDecisions = 50
)

// layer reads what a project says of itself.
func (g *gatherer) layer(b *Brief, snap *store.Snapshot, files []doc.ListedFile, topic string) error {
	all, err := knowledge.Beliefs(g.ctx, g.r, snap)
	if err != nil {
		return err
	}
	for _, h := range all {
		switch {
		case h.Status == "proposed":
			b.Layer.Proposed++
		case h.Status != belief.Active:
		case h.Source == belief.Decision:
			b.Layer.Decided++
			b.Layer.Decisions = append(b.Layer.Decisions, h)
		default:
			b.Layer.Active++
			b.Layer.Beliefs = append(b.Layer.Beliefs, h)
		}
	}
	used, err := countCitations(g.ctx, g.r, snap)
	if err != nil {
		return err
	}
	slices.SortStableFunc(b.Layer.Beliefs, func(x, y knowledge.Held) int {
		return cmp.Or(cmp.Compare(y.Standing, x.Standing), cmp.Compare(used[y.ID], used[x.ID]))
	})
	slices.SortStableFunc(b.Layer.Decisions, func(x, y knowledge.Held) int {
		return cmp.Or(cmp.Compare(y.Standing, x.Standing), cmp.Compare(y.Extracted, x.Extracted), cmp.Compare(y.Path, x.Path))
	})
	said := func(h knowledge.Held) string { return h.ID + " " + h.Statement }
	byTopic(b.Layer.Beliefs, topic, said)
	byTopic(b.Layer.Decisions, topic, said)
	b.Layer.Beliefs = b.Layer.Beliefs[:min(len(b.Layer.Beliefs), maxBeliefs)]
	b.Layer.Decisions = b.Layer.Decisions[:min(len(b.Layer.Decisions), maxDecisions)]
	if err := g.patterns(b, files); err != nil {
		return err
	}
	byTopic(b.Layer.Patterns, topic, func(p Pattern) string { return p.Name + " " + p.Purpose.Text })
	return nil
}

// countCitations counts the files that name each belief.
func countCitations(ctx context.Context, r *store.Reader, snap *store.Snapshot) (map[string]int, error) {
	used := map[string]int{}
	err := r.EachRow(ctx, `SELECT target, file FROM citation`, nil, func(scan func(...any) error) error {
		var target string
		var file int64
		err := scan(&target, &file)
		if snap.Members.Has(file) {
			used[target]++
		}
		return err
	})
	return used, store.Damaged(err)
}

// patterns reads the purposes of the core documents.
func (g *gatherer) patterns(b *Brief, files []doc.ListedFile) error {
	for _, f := range files {
		if path.Dir(f.Path) != "layer/core" || path.Ext(f.Path) != ".md" || len(b.Layer.Patterns) == maxPatterns {
			continue
		}
		source, err := g.readText(f.Path)
		if err != nil {
			return err
		}
		if q, ok := CorePurpose(f.Path, source); ok {
			b.Layer.Patterns = append(b.Layer.Patterns, Pattern{strings.TrimSuffix(path.Base(f.Path), ".md"), q})
		}
	}
	return nil
}

// CorePurpose returns the line "**Purpose:** …" of a core document.
func CorePurpose(name, source string) (Quote, bool) {
	for _, b := range prose.Read(prose.Markdown, []byte(source)).Blocks {
		if b.Kind == prose.Heading {
			continue
		}
		for i, line := range strings.Split(b.Text, "\n") {
			rest, ok := strings.CutPrefix(strings.TrimLeft(line, "*_ "), "Purpose")
			if rest = prose.Plain(strings.TrimLeft(rest, ":*_ ")); ok && saysSomething(rest) {
				return Quote{rest, name, min(b.First+i, b.Last)}, true
			}
		}
	}
	return Quote{}, false
}
