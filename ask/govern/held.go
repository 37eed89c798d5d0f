package govern

import (
	"context"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"patina/belief"
	"patina/belief/knowledge"
	"patina/internal/safeio"
	"patina/store"
	"patina/store/text"
)

// findHeld returns the active beliefs and decisions about the edited files: those that cite the
// file, a commit of few files that touched it, or a symbol in the edit, and those with most of
// their words in it.
func findHeld(ctx context.Context, r *store.Reader, snap *store.Snapshot, act Act) (found []Item, err error) {
	if r.Generation().Beliefs == 0 || len(act.Paths) == 0 {
		return nil, nil
	}
	active, err := knowledge.Active(ctx, r, snap)
	if err != nil || len(active) == 0 {
		return nil, err
	}
	byID := make(map[string]knowledge.Held, len(active))
	for _, h := range active {
		byID[h.ID] = h
	}
	names := identifiers(act.Texts)
	cited, err := knowledge.AboutNames(ctx, r, snap, func(name string) bool { return names[name] })
	if err != nil {
		return nil, err
	}
	for _, p := range act.Paths {
		about, err := knowledge.AboutCode(ctx, r, snap, p, "")
		if err != nil {
			return nil, err
		}
		best := map[string]Item{}
		note := func(id string, score float64, reason string) {
			if h := byID[id]; h.Path != p && score > best[id].Score {
				best[id] = itemOf(h, p, score, reason)
			}
		}
		for _, a := range about {
			note(a.ID, a.Score, "about "+path.Base(p))
		}
		for _, a := range cited {
			note(a.ID, a.Score, "cites a name in the edit")
		}
		if err := addWorded(ctx, r, snap, act, p, active, note); err != nil {
			return nil, err
		}
		found = slices.AppendSeq(found, maps.Values(best))
	}
	return found, nil
}

// itemOf makes an item of a belief or a decision.
func itemOf(h knowledge.Held, about string, score float64, reason string) Item {
	kind := Belief
	if h.Source == belief.Decision {
		kind = Decision
	}
	return Item{Kind: kind, ID: h.ID, Text: h.Statement, Path: h.Path, Line: h.Line, Score: score, Reason: reason, About: about}
}

// These decide when an edit says the same as a statement. Both were chosen on labelled edits
// (bench/history/act.md): with a lower share, common words of the project suffice.
const (
	leastStems = 4   // that the edit and the statement share
	leastShare = .75 // of a statement's weight
	wordsScore = .6  // of an item that is found by words, times its share
)

// addWorded notes the statements with most of their words in the edit and in the file's path.
func addWorded(ctx context.Context, r *store.Reader, snap *store.Snapshot, act Act, p string,
	active map[int64]knowledge.Held, note func(id string, score float64, reason string),
) error {
	edit, has := stemsOf(append(slices.Clone(act.Texts), p)...)
	type candidate struct {
		id    string
		stems []string
	}
	var candidates []candidate
	wanted := map[string]bool{}
	for _, h := range active {
		stems, _ := stemsOf(h.Statement)
		n := 0
		for _, s := range stems {
			if has[s] {
				n++
			}
		}
		if n < leastStems || 2*n < len(stems) { // too few to reach the share
			continue
		}
		candidates = append(candidates, candidate{h.ID, stems})
		for _, s := range stems {
			wanted[s] = true
		}
	}
	if len(candidates) == 0 || len(edit) == 0 {
		return nil
	}
	counts, err := r.Frequencies(ctx, snap.Segments, slices.Sorted(maps.Keys(wanted)))
	if err != nil {
		return store.Damaged(err)
	}
	chunks := 0
	for _, g := range snap.Segments {
		chunks += int(g.Chunks)
	}
	for _, c := range candidates {
		part, n := share(c.stems, has, func(s string) float64 { return text.IDF(counts[s], chunks) })
		if part >= leastShare && n >= leastStems {
			note(c.id, wordsScore*part, "says what the edit says")
		}
	}
	return nil
}

// holds reports whether an item's file still says so. A file that was changed since the scrape is
// read again, because an index may lag behind the tree.
func (x Item) holds(root string) bool {
	if x.Path == "" {
		return true
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return false
	}
	defer func() { _ = dir.Close() }()
	source, err := safeio.ReadIn(dir, filepath.FromSlash(x.Path), maxFile)
	if err != nil {
		return false
	}
	if x.Kind == Belief {
		b := belief.Parse(x.Path, string(source))
		return b.Status == belief.Active && b.Statement == x.Text
	}
	return strings.Contains(strings.Join(strings.Fields(string(source)), " "), firstWords(x.Text))
}

// maxFile is the most bytes of an item's file that are read again.
const maxFile = 1 << 20

// firstWords returns the first words of a sentence, which its file must hold. A rule may be made of
// two sentences, and marks of Markdown are not in it.
func firstWords(s string) string {
	words := strings.Fields(s)
	return strings.Join(words[:min(len(words), 3)], " ")
}
