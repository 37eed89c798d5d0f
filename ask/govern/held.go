package govern

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"patina/belief"
	"patina/belief/knowledge"
	"patina/internal/safeio"
	"patina/scrape/prose"
	"patina/store"
	"patina/store/doc"
	"patina/store/text"
)

// These weigh how much of a statement an edit shares, beside the way in which the belief names the
// file. They were chosen on labelled edits (bench/history/act.md).
const (
	leastStems    = 5   // that an edit must share with a statement that does not name the file
	leastShare    = .75 // of the weight of such a statement
	wordsScore    = .6  // of an item found so, times its share
	window        = 600 // bytes of an edit in which the words must be: a long text has all words
	fullShare     = .3  // of a statement's weight, from which a citation counts whole
	unsharedPart  = .6  // of a citation without a shared word
	enforcerShare = .1  // that an edit of a test, or of a file in every twentieth commit, must have
	documentShare = .3  // that an edit of a document must have: documents are evidence
	busyPart      = 20  // a file in more than one of so many commits is about everything
	maxCandidates = 50  // beliefs whose words are weighed
)

// findHeld returns the active beliefs and decisions about the edited files: those that cite the
// file, a commit of few files that touched it, or a symbol in the edit, and those with most of
// their words in a part of it.
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
	for _, p := range act.Paths {
		code, least, err := readRole(ctx, r, snap, p)
		if err != nil {
			return nil, err
		}
		cited, err := citing(ctx, r, snap, p, code, act.Texts)
		if err != nil {
			return nil, err
		}
		items, err := weighHeld(ctx, r, snap, byID, cited, act.Texts, edited{p, code, least})
		if err != nil {
			return nil, err
		}
		found = append(found, items...)
	}
	return found, nil
}

// An edited is a file that an act edits.
type edited struct {
	path  string
	code  bool
	least float64 // share of a statement that its edits must have
}

// readRole reports whether a file is code, and returns the share of a statement that its edits must
// have. A new file is judged by its name.
func readRole(ctx context.Context, r *store.Reader, snap *store.Snapshot, p string) (code bool, least float64, err error) {
	f, err := r.FileNamed(ctx, snap, p)
	if errors.Is(err, sql.ErrNoRows) {
		if _, isText := prose.FormatOf(p); isText {
			return false, documentShare, nil
		}
		return true, 0, nil
	}
	switch {
	case err != nil:
		return false, 0, store.Damaged(err)
	case !f.Kind.Traits().Pooled:
		return false, documentShare, nil
	case f.Class&(doc.TestFolder|doc.TestName) != 0:
		return true, enforcerShare, nil
	}
	touched := 0
	const query = `SELECT count(*) FROM touch WHERE path = (SELECT id FROM path WHERE name = ?)`
	if err := r.QueryRow(ctx, query, p).Scan(&touched); err != nil {
		return false, 0, store.Damaged(err)
	}
	if touched > busyPart && touched*busyPart > r.Generation().Commits {
		return true, enforcerShare, nil
	}
	return true, 0, nil
}

// A cause is a way in which a belief names a file.
type cause struct {
	score  float64
	reason string
}

// citing returns the beliefs that name a file or, if it is code, a symbol in its edit.
func citing(ctx context.Context, r *store.Reader, snap *store.Snapshot, p string, code bool, texts []string,
) (map[string]cause, error) {
	causes := map[string]cause{}
	about, err := knowledge.AboutCode(ctx, r, snap, p, "")
	if err != nil {
		return nil, err
	}
	for _, a := range about {
		causes[a.ID] = cause{a.Score, "about this file"}
	}
	if !code {
		return causes, nil
	}
	names := identifiers(texts)
	named, err := knowledge.AboutNames(ctx, r, snap, func(name string) bool { return names[name] })
	for _, a := range named {
		if a.Score > causes[a.ID].score {
			causes[a.ID] = cause{a.Score, "names code of this edit"}
		}
	}
	return causes, err
}

// weighHeld makes items of the beliefs that name a file and of those with the words of its edit.
func weighHeld(ctx context.Context, r *store.Reader, snap *store.Snapshot, byID map[string]knowledge.Held,
	cited map[string]cause, texts []string, f edited,
) (found []Item, err error) {
	parts := windows(texts, f.path)
	stems := map[string][]string{}
	wanted := map[string]bool{}
	for _, id := range slices.Sorted(maps.Keys(byID)) {
		own, _ := stemSet(byID[id].Statement)
		_, named := cited[id]
		if byID[id].Path == f.path || len(stems) == maxCandidates || !named && (!f.code || !mayShare(own, parts)) {
			continue
		}
		stems[id] = own
		for _, s := range own {
			wanted[s] = true
		}
	}
	if len(stems) == 0 {
		return nil, nil
	}
	weight, err := weigher(ctx, r, snap, slices.Sorted(maps.Keys(wanted)))
	if err != nil {
		return nil, err
	}
	for id, own := range stems {
		best, shared := 0.0, 0
		for _, has := range parts {
			if part, n := share(own, has, weight); part > best {
				best, shared = part, n
			}
		}
		c := cited[id]
		c.score *= unsharedPart + (1-unsharedPart)*min(1, best/fullShare)
		if best < f.least {
			c.score = 0
		}
		if s := wordsScore * best; f.code && best >= leastShare && shared >= leastStems && s > c.score {
			c = cause{s, "says what the edit says"}
		}
		found = append(found, itemOf(byID[id], f.path, c.score, c.reason))
	}
	return found, nil
}

// windows returns the stems of each part of an edit, with those of the file's path in all of them.
// Parts overlap by half.
func windows(texts []string, p string) (parts []map[string]bool) {
	for _, t := range texts {
		for start := 0; start < len(t); start += window / 2 {
			_, has := stemSet(t[start:min(len(t), start+window)], p)
			parts = append(parts, has)
		}
	}
	if len(parts) == 0 {
		_, has := stemSet(p)
		parts = append(parts, has)
	}
	return parts
}

// mayShare reports whether a part of an edit has enough of the stems of a statement.
func mayShare(stems []string, parts []map[string]bool) bool {
	return slices.ContainsFunc(parts, func(has map[string]bool) bool {
		n := 0
		for _, s := range stems {
			if has[s] {
				n++
			}
		}
		return n >= leastStems && 2*n >= len(stems)
	})
}

// weigher returns the idf of the given stems in the index.
func weigher(ctx context.Context, r *store.Reader, snap *store.Snapshot, stems []string) (func(string) float64, error) {
	counts, err := r.Frequencies(ctx, snap.Segments, stems)
	chunks := 0
	for _, g := range snap.Segments {
		chunks += int(g.Chunks)
	}
	return func(s string) float64 { return text.IDF(counts[s], chunks) }, store.Damaged(err)
}

// itemOf makes an item of a belief or a decision.
func itemOf(h knowledge.Held, about string, score float64, reason string) Item {
	kind := Belief
	if h.Source == belief.Decision {
		kind = Decision
	}
	return Item{Kind: kind, ID: h.ID, Text: h.Statement, Path: h.Path, Line: h.Line, Score: score, Reason: reason, About: about}
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
