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

// A Layer is the knowledge that a project keeps in layer/ and in its decision records.
type Layer struct {
	Patterns  []Pattern        // of layer/core; with a topic those named or titled by it
	Core      int              // number of patterns without regard to the topic
	Beliefs   []knowledge.Held // active ones with their own file, the best established first
	Decisions []knowledge.Held // active decision records, the newest first
	Active    int              // number of active beliefs with their own file
	Decided   int              // number of active decision records
	Proposed  int              // number of both that are not accepted yet
}

// A Pattern is a document in layer/core and its purpose.
type Pattern struct {
	Name    string `json:"name"`
	Purpose Quote  `json:"purpose"`
}

// These bound the lists.
const (
	maxPatterns  = 50
	maxBeliefs   = 50
	maxDecisions = 50
)

// layer reads the beliefs, decisions and patterns of a project.
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
		return cmp.Or(cmp.Compare(y.Standing, x.Standing), cmp.Compare(y.Extracted, x.Extracted),
			cmp.Compare(y.Path, x.Path))
	})
	said := func(h knowledge.Held) string { return h.ID + " " + h.Statement }
	byTopic(b.Layer.Beliefs, topic, said)
	byTopic(b.Layer.Decisions, topic, said)
	b.Layer.Beliefs = b.Layer.Beliefs[:min(len(b.Layer.Beliefs), maxBeliefs)]
	b.Layer.Decisions = b.Layer.Decisions[:min(len(b.Layer.Decisions), maxDecisions)]
	titles, err := g.patterns(b, files)
	if err != nil {
		return err
	}
	b.Layer.Core = len(b.Layer.Patterns)
	b.Layer.Patterns = onTopic(b.Layer.Patterns, topic, func(p Pattern) string { return p.Name + " " + titles[p.Name] })
	return nil
}

// countCitations counts the files that cite each belief.
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

// patterns reads the purposes of the documents in layer/core. It returns their titles by name.
func (g *gatherer) patterns(b *Brief, files []doc.ListedFile) (titles map[string]string, err error) {
	titles = map[string]string{}
	for _, f := range files {
		if path.Dir(f.Path) != "layer/core" || path.Ext(f.Path) != ".md" || len(b.Layer.Patterns) == maxPatterns {
			continue
		}
		source, err := g.readText(f.Path)
		if err != nil {
			return nil, err
		}
		if q, ok := CorePurpose(f.Path, source); ok {
			name := strings.TrimSuffix(path.Base(f.Path), ".md")
			b.Layer.Patterns = append(b.Layer.Patterns, Pattern{name, q})
			titles[name] = titleOf(source)
		}
	}
	return titles, nil
}

// titleOf returns the first heading of a document, or "".
func titleOf(source string) string {
	for _, b := range prose.Read(prose.Markdown, []byte(source)).Blocks {
		if b.Kind == prose.Heading {
			return prose.Plain(b.Text)
		}
	}
	return ""
}

// CorePurpose returns the line "**Purpose:** …" of a core document. It returns false if the
// document has no such line.
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
