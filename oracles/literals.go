package oracles

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"patina/store"
	"patina/store/literal"
	"patina/store/text"
)

// The bounds of a search for literals, for one question.
const (
	maxPinned   = 3       // documents for one literal
	maxCommon   = 8       // files with one unquoted text; with more, it says nothing
	maxTexts    = 40      // texts read for one literal
	maxGuesses  = 48      // texts read for a message with something filled in
	maxRead     = 4 << 20 // bytes of texts read in all
	maxMessages = 60      // words at which a message may begin
)

// The fewest words that say something.
const (
	contentWhole  = 3   // of a question that stands somewhere word for word
	contentPart   = 4   // of a message inside a question
	contentMost   = 3   // the same, if it covers most of the question
	contentPasted = 2   // the same, of a question that looks like a message
	coversMost    = 0.6 // of the question's words
)

// A literalHit is a file, and where in it a literal of the question stands.
type literalHit struct {
	file  store.FileRow
	tier  int // code, then tests, then documents
	d     float64
	match literal.Match
}

// Literals finds the documents in which a literal of the question stands: a quoted part, or the
// whole question. Code comes before tests and documents. absent are the quoted parts that stand
// nowhere in the index.
func Literals(
	ctx context.Context, r *store.Reader, q text.Question, f store.Filter,
) (found []store.Ranked, absent []string, err error) {
	all := literal.Of(q.Raw)
	if len(all) == 0 {
		return nil, nil, nil
	}
	x, err := findingOf(ctx, r, q)
	if err != nil {
		return nil, nil, err
	}
	allow, err := r.Allowed(ctx, x.scoring.snap, f)
	if err != nil {
		return nil, nil, err
	}
	s := &literals{
		ctx: ctx, reader: r, scoring: x.scoring, question: q, filter: f, allow: allow,
		texts: map[int64]string{},
	}
	hits, absent, err := s.all(all)
	if err != nil {
		return nil, nil, err
	}
	for _, h := range hits {
		d, err := h.ranked()
		if err != nil {
			return nil, nil, err
		}
		if !slices.ContainsFunc(found, func(x store.Ranked) bool { return x.DocID == d.DocID }) {
			found = append(found, d)
		}
	}
	if f.Narrow() || len(f.Kinds) > 0 {
		absent = nil // they may stand in what was not searched
	}
	return found, absent, nil
}

// all looks for the whole question word for word, else for its quoted parts, or for a message in it
// with something filled in, whichever says more.
func (s *literals) all(ls []literal.Literal) (hits []literalHit, absent []string, err error) {
	most := 0 // words of a quoted part that was found
	for _, l := range ls {
		found, nowhere, err := s.standing(l)
		switch {
		case err != nil:
			return nil, nil, err
		case !l.Quoted && len(found) > 0:
			return found, nil, nil
		case l.Quoted && len(found) == 0:
			if found, err = s.printed(l); err != nil {
				return nil, nil, err
			}
			if nowhere && len(found) == 0 {
				absent = append(absent, l.Text)
			}
		}
		for _, h := range found {
			most = max(most, h.match.Fixed)
		}
		hits = append(hits, found...)
	}
	if ls[0].Quoted {
		return hits, absent, nil
	}
	whole, err := s.printed(ls[0])
	if len(whole) > 0 && whole[0].match.Fixed > most {
		return whole, nil, err
	}
	return hits, absent, err
}

// literals is one search.
type literals struct {
	ctx      context.Context
	reader   *store.Reader
	scoring  *scoring
	question text.Question
	filter   store.Filter
	allow    *store.Bitmap
	texts    map[int64]string // read so far, by file
	read     int              // bytes of them
}

// standing returns the best documents that have a literal word for word, and whether it surely stands
// nowhere.
func (s *literals) standing(l literal.Literal) (hits []literalHit, nowhere bool, err error) {
	patterns := []literal.Pattern{literal.Verbatim(l.Text)}
	if p := literal.Compile(l.Text); p.Gaps() && p.Fixed() > 0 {
		patterns = append(patterns, p)
	}
	nowhere = true
	for _, p := range patterns {
		if !l.Quoted && p.Content() < contentWhole && !literal.Pasted(l.Text) {
			continue
		}
		keys, sure, err := s.holding(p.Runs())
		if err != nil {
			return nil, false, err
		}
		nowhere = nowhere && sure
		hits, err := s.verify(keys, maxTexts, p.Find)
		if err != nil {
			return nil, false, err
		}
		if hits = firstOf(hits, l.Quoted, stands); len(hits) > 0 {
			return hits, false, nil
		}
	}
	return nil, nowhere, nil
}

// stands reports whether a match is enough to take a question that quotes nothing for a literal.
func stands(h literalHit) bool {
	if h.file.Kind != store.Code && text.ListsChanges(h.file.Path) {
		return false
	}
	m := h.match
	return m.Content >= contentWhole || m.Whole && (m.Content >= contentPasted || m.Exact)
}

// printed finds a message with something filled in: among the files that print one of its pieces,
// and, if it looks like a message, among the best by words.
func (s *literals) printed(l literal.Literal) ([]literalHit, error) {
	keys, err := s.saying(l.Text)
	if err != nil {
		return nil, err
	}
	pasted := l.Quoted || literal.Pasted(l.Text)
	if pasted {
		more, err := s.likeliest()
		if err != nil {
			return nil, err
		}
		for _, k := range more {
			if !slices.Contains(keys, k) {
				keys = append(keys, k)
			}
		}
	}
	if len(keys) == 0 {
		return nil, nil
	}
	hits, err := s.verify(keys, maxGuesses, func(body string) (literal.Match, bool) { return literal.Printed(body, l.Text) })
	if err != nil {
		return nil, err
	}
	most := 0
	for _, h := range hits {
		most = max(most, h.match.Content)
	}
	return firstOf(hits, false, func(h literalHit) bool {
		m := h.match
		enough := m.Content >= contentPart || m.Covers == 1 && m.Fixed >= contentMost ||
			m.Covers >= coversMost && (m.Content >= contentMost || pasted && m.Content >= contentPasted)
		return enough && m.Content == most
	}), nil
}

// saying returns the files that print a message of three words or more that the text holds.
func (s *literals) saying(t string) (keys []int64, err error) {
	words := literal.Compile(t).Runs()
	words = words[:min(len(words), maxMessages)]
	places := map[int64]int{}
	var heads []int64
	for i := range len(words) - 2 {
		h := text.Head(words[i:])
		if _, ok := places[h]; !ok {
			places[h] = i
			heads = append(heads, h)
		}
	}
	if len(heads) == 0 {
		return nil, nil
	}
	err = s.reader.Messages(s.ctx, s.scoring.snap, heads, func(m text.Message, file int64) {
		at := places[m.Head]
		if !m.Begins(words[at:]) || slices.Contains(keys, file) {
			return
		}
		said := 0
		for _, w := range words[at : at+m.Words()] {
			if !text.IsStop(w) {
				said++
			}
		}
		if said >= contentMost || m.Words() == len(words) {
			keys = append(keys, file)
		}
	})
	return keys, store.Damaged(err)
}

// likeliest returns the files of code with the best chunks by words.
func (s *literals) likeliest() ([]int64, error) {
	type scored struct {
		key   int64
		score float32
	}
	var all []scored
	isCode := func(space string) bool { return space == string(store.Code) && store.Wants(s.filter, store.Code) }
	err := s.scoring.groups(isCode, func(_ *store.Segment, key int64, scores []float32) {
		if s.allow == nil || s.allow.Has(key) {
			all = append(all, scored{key, slices.Max(scores)})
		}
	})
	slices.SortFunc(all, func(a, b scored) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.key, b.key)) })
	var keys []int64
	for _, x := range all[:min(len(all), maxGuesses)] {
		keys = append(keys, x.key)
	}
	return keys, err
}

// holding returns the documents with a chunk that has all runs, as far as the question's terms tell.
// sure says that no other document, and no commit, can have them in a row.
func (s *literals) holding(runs []string) (keys []int64, sure bool, err error) {
	var terms []int
	for _, run := range runs {
		t := slices.Index(s.scoring.terms, text.Stem(run))
		if t < 0 || slices.Contains(terms, t) {
			continue
		}
		if s.scoring.df[t] == 0 {
			return nil, true, nil
		}
		terms = append(terms, t)
	}
	if len(terms) == 0 {
		return nil, false, nil
	}
	sure = true
	for i, g := range s.scoring.segments {
		groups, err := s.intersect(i, terms)
		if err != nil {
			return nil, false, err
		}
		kind := store.Kind(g.Space)
		if len(groups) > 0 && kind.Traits().Shape == store.OfRows {
			sure = false
			continue
		}
		for _, group := range groups {
			key := g.Keys[group]
			if store.Wants(s.filter, kind) && (s.allow == nil || s.allow.Has(key)) && !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	return keys, sure && len(keys) <= maxTexts, nil
}

// intersect returns a segment's visible groups with a chunk that has all terms, the rarest first.
func (s *literals) intersect(segment int, terms []int) (groups []int, err error) {
	g, lists := s.scoring.segments[segment], s.scoring.lists[segment]
	terms = slices.Clone(terms)
	slices.SortFunc(terms, func(a, b int) int { return lists[a].Len - lists[b].Len })
	if lists[terms[0]].Len == 0 {
		return nil, nil
	}
	type place struct {
		chunk uint32
		group int
	}
	var left []place
	for n, t := range terms {
		kept, at := left[:0], 0
		err := g.Walk(lists[t], func(group int, p text.Posting) {
			if n == 0 {
				if g.Hidden == nil || !g.Hidden[group] {
					kept = append(kept, place{p.Chunk, group})
				}
				return
			}
			for at < len(left) && left[at].chunk < p.Chunk {
				at++
			}
			if at < len(left) && left[at].chunk == p.Chunk {
				kept = append(kept, left[at])
				at++
			}
		})
		if err != nil {
			return nil, err
		}
		if left = kept; len(left) == 0 {
			return nil, nil
		}
	}
	for _, p := range left {
		if len(groups) == 0 || groups[len(groups)-1] != p.group {
			groups = append(groups, p.group)
		}
	}
	return groups, nil
}

// verify reads the texts of documents and keeps those with a match.
func (s *literals) verify(
	keys []int64, most int, match func(body string) (literal.Match, bool),
) (hits []literalHit, err error) {
	done := map[int64]bool{}
	for _, k := range keys {
		if len(done) == most || s.read > maxRead || s.ctx.Err() != nil {
			break
		}
		f, err := s.reader.FileAt(s.ctx, k)
		if err != nil {
			return nil, store.Damaged(err)
		}
		if done[f.Key] {
			continue
		}
		done[f.Key] = true
		body, err := s.textOf(f.Key)
		if err != nil {
			return nil, err
		}
		if m, ok := match(body); ok {
			hits = append(hits, s.hit(f, m))
		}
	}
	return hits, nil
}

func (s *literals) textOf(key int64) (string, error) {
	body, ok := s.texts[key]
	if ok {
		return body, nil
	}
	body, err := s.reader.Text(s.ctx, key)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	s.texts[key] = body
	s.read += len(body)
	return body, store.Damaged(err)
}

func (s *literals) hit(f store.FileRow, m literal.Match) literalHit {
	h := literalHit{file: f, match: m, d: 1}
	switch {
	case f.Kind != store.Code:
		h.tier = 2
	case f.Class&(store.TestFolder|store.TestName) != 0:
		h.tier = 1
	default:
		h.d = demote(f.Class, f.Functions, s.scoring.snap.Tests, &s.question)
	}
	return h
}

// firstOf orders hits and returns the first few that are accepted, of the first tier that has any. An
// unquoted text in many files is no literal.
func firstOf(hits []literalHit, isQuoted bool, accept func(literalHit) bool) []literalHit {
	hits = slices.DeleteFunc(hits, func(h literalHit) bool { return !isQuoted && !accept(h) })
	if len(hits) == 0 {
		return nil
	}
	slices.SortStableFunc(hits, func(a, b literalHit) int {
		return cmp.Or(
			a.tier-b.tier, first(a.match.Exact, b.match.Exact), cmp.Compare(b.d, a.d),
			a.match.Compare(b.match),
			strings.Compare(a.file.Path, b.file.Path))
	})
	same := func(h literalHit) bool { return h.tier != hits[0].tier }
	if n := slices.IndexFunc(hits, same); n >= 0 {
		hits = hits[:n]
	}
	if len(hits) > maxCommon && !isQuoted {
		return nil
	}
	return hits[:min(len(hits), maxPinned)]
}

// first compares two: what is true comes first.
func first(a, b bool) int {
	switch {
	case a && !b:
		return -1
	case b && !a:
		return 1
	}
	return 0
}

// ranked names the document: the file, or the section with the line.
func (h literalHit) ranked() (store.Ranked, error) {
	d := store.Ranked{DocID: h.file.Kind.FileID(h.file.Path), Path: h.file.Path, Line: h.match.Line}
	if h.file.Kind.Traits().Shape != store.OfSections {
		return d, nil
	}
	es, err := store.DecodeEntries(h.file.Entries)
	if err != nil {
		return d, err
	}
	for _, e := range es {
		if e.First <= d.Line && d.Line <= e.Last {
			d.DocID = h.file.Kind.PartID(h.file.Path, e.Name)
		}
	}
	return d, nil
}
