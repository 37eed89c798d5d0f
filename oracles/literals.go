package oracles

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"patina/code/lookup"
	"patina/store"
	"patina/store/doc"
	"patina/store/format"
	"patina/store/literal"
	"patina/store/text"
)

// Bounds of the search for the literals of one question.
const (
	maxPinned  = 3  // documents for one literal
	maxCommon  = 8  // files with one unquoted text; with more, the text says nothing
	maxTexts   = 40 // texts read for one literal
	maxPlain   = 4  // candidates of a question in plain words; with more, no text is read
	maxGuesses = 48 // texts read for a message with values filled in
	// visitGuesses replaces maxGuesses in a project other than home.
	visitGuesses = 6

	maxRead     = 2 << 20 // bytes of all texts read
	maxLabelled = 6       // words of a question that is a name with a value
	maxMessages = 60      // words at which a message may begin
)

// The lowest numbers of words that count.
const (
	contentWhole  = 3   // of a question that occurs somewhere word for word
	contentPart   = 4   // of a message inside a question
	contentMost   = 3   // the same, if it covers most of the question
	contentPasted = 2   // the same, if the question looks like a message
	coversMost    = 0.6 // of the question's words
)

// CitedElsewhere is Literals for a project other than home. It searches only if the question quotes
// something or looks like a pasted message, and reads few files that might print the message. This
// saves a tenth of the cost there, and not one of 331 questions is answered worse.
func CitedElsewhere(
	ctx context.Context, r *store.Reader, q text.Question, f doc.Filter,
) (Cited, error) {
	all := literal.Of(q.Raw)
	if !slices.ContainsFunc(all, func(l literal.Literal) bool { return l.Quoted || literal.Pasted(l.Text) }) {
		return Cited{}, nil
	}
	return findLiterals(ctx, r, q, f, all, visitGuesses)
}

// Literals finds the documents that hold a literal of the question: a quoted part, the whole
// question, or an environment variable that it names. Code comes before tests, and tests before
// documents. f limits the documents.
func Literals(ctx context.Context, r *store.Reader, q text.Question, f doc.Filter) (Cited, error) {
	return findLiterals(ctx, r, q, f, literal.Of(q.Raw), maxGuesses)
}

func findLiterals(
	ctx context.Context, r *store.Reader, q text.Question, f doc.Filter, all []literal.Literal, guesses int,
) (c Cited, err error) {
	if _, _, named := variableNamed(q); len(all) == 0 && !named {
		return c, nil
	}
	x, err := findingOf(ctx, r, q)
	if err != nil {
		return c, err
	}
	allow, err := r.Allowed(ctx, x.scoring.snap, f)
	if err != nil {
		return c, err
	}
	s := &literals{
		ctx: ctx, reader: r, finding: x, scoring: x.scoring, question: q, filter: f, allow: allow,
		texts: map[int64]string{}, guesses: guesses,
	}
	hits, more, err := s.variable()
	if err != nil {
		return c, err
	}
	if len(hits) == 0 && len(all) > 0 {
		hits, c.Absent, err = s.findAll(all)
		more = s.more
	}
	if err != nil {
		return c, err
	}
	for _, h := range hits {
		d, err := h.ranked()
		if err != nil {
			return c, err
		}
		if !slices.ContainsFunc(c.Found, func(x doc.Ranked) bool { return x.DocID == d.DocID }) {
			c.Found = append(c.Found, d)
		}
	}
	c.More = more
	if f.Narrow() || len(f.Kinds) > 0 {
		c.Absent, c.More = nil, nil // they may be in documents that were not searched
	}
	return c, nil
}

// findAll searches for the whole question word for word. Else it searches for its quoted parts, and
// for a message with values filled in, and returns the result with more matched words. ls must not
// be empty.
func (s *literals) findAll(ls []literal.Literal) (hits []literalHit, absent []string, err error) {
	most := 0 // words of the longest quoted part that was found
	for _, l := range ls {
		found, nowhere, err := s.standing(l)
		switch {
		case err != nil:
			return nil, nil, err
		case !l.Quoted && len(found) > 0:
			found, err = s.sourceFirst(l, found)
			return found, nil, err
		case l.Quoted && len(found) == 0:
			if found, err = s.printed(l, aDocument); err != nil {
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
	whole, err := s.printed(ls[0], aDocument)
	if len(whole) > 0 && whole[0].match.Fixed > most {
		return whole, nil, err
	}
	return hits, absent, err
}

// sourceFirst puts the source that prints a message before the tests and documents in found, which
// hold it word for word. found must not be empty.
func (s *literals) sourceFirst(l literal.Literal, found []literalHit) ([]literalHit, error) {
	if found[0].tier == aSource {
		return found, nil
	}
	said, err := s.printed(l, aSource)
	return append(said, found...), err
}

// literals is the state of one search.
type literals struct {
	ctx      context.Context
	reader   *store.Reader
	finding  *finding
	scoring  *scoring
	question text.Question
	lowered  *demoter // nil until it is needed
	filter   doc.Filter
	allow    *doc.Bitmap
	texts    map[int64]string // texts read so far, by file
	read     int              // bytes of texts
	guesses  int              // texts that may be read for a message with values filled in
	more     []Places
}

// standing returns the best documents that hold a literal word for word. nowhere reports whether
// surely no document holds it.
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
		holders, sure, err := s.holding(p.Runs())
		if err != nil {
			return nil, false, err
		}
		nowhere = nowhere && sure
		if len(holders) > maxPlain && !l.Quoted && !literal.Pasted(l.Text) {
			continue // a topic; a message with these words is found by the table of messages
		}
		isName := !strings.ContainsAny(l.Text, " \t\n")
		testsCount := s.testsCount(l)
		accept := func(h literalHit) bool { return isEvidence(h, isName) && (h.tier != aTest || testsCount) }
		common := func(hits []literalHit) bool { return !l.Quoted && isCommon(hits, accept) }
		hits, err := s.verify(holders, maxTexts, p.Find, common)
		if err != nil {
			return nil, false, err
		}
		if s.question.Long {
			hits = slices.DeleteFunc(hits, func(h literalHit) bool { return h.tier != aSource || !isPart(h.match) })
		}
		if kept := firstOf(hits, l.Quoted, accept); len(kept) > 0 {
			s.countHolders(l, hits, kept)
			return kept, false, nil
		}
	}
	return nil, nowhere, nil
}

// testsCount reports whether a literal may be one that only tests hold. A plain question may
// only if it asks for tests, because tests ask questions, too.
func (s *literals) testsCount(l literal.Literal) bool {
	return l.Quoted || !literal.Asks(l.Text) || literal.Pasted(l.Text) || AsksForTests(&s.question)
}

// countHolders records how many other files hold a literal letter for letter, besides the ones
// kept.
func (s *literals) countHolders(l literal.Literal, hits, kept []literalHit) {
	n := 0
	for _, h := range hits {
		other := !slices.ContainsFunc(kept, func(k literalHit) bool { return k.file.Key == h.file.Key })
		if other && strings.Contains(s.texts[h.file.Key], l.Text) {
			n++
		}
	}
	if n > 0 {
		s.more = append(s.more, Places{Text: l.Text, Files: n})
	}
}

// printed finds a message with values filled in. It reads the files that print one of its pieces
// and, if the text looks like a message, the best files by words. worst is the last tier that
// counts.
func (s *literals) printed(l literal.Literal, worst tier) ([]literalHit, error) {
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
	holders := make([]holder, len(keys))
	for i, k := range keys {
		holders[i].key = k
	}
	hits, err := s.verify(holders, s.guesses, literal.MessageOf(l.Text).In, nil)
	if err != nil {
		return nil, err
	}
	testsCount := s.testsCount(l)
	hits = slices.DeleteFunc(hits, func(h literalHit) bool {
		return h.tier > worst || h.tier == aTest && !testsCount || text.ListsChanges(h.file.Path) ||
			s.question.Long && (h.tier != aSource || !isPart(h.match))
	})
	words := literal.Verbatim(l.Text).Fixed()
	_, isPath := lookup.WrittenPath(l.Text) // "{name}.py" would match a path
	enough := func(m literal.Match) bool {
		return m.Content >= contentPart || m.Covers == 1 && m.Fixed >= contentMost ||
			m.Covers >= coversMost && (m.Content >= contentMost || pasted && m.Content >= contentPasted) ||
			// a name with a value: "Queues (42)"
			m.Shaped && pasted && !isPath && m.Covers == 1 && words <= maxLabelled
	}
	most := 0
	for _, h := range hits {
		if enough(h.match) {
			most = max(most, h.match.Content)
		}
	}
	return firstOf(hits, false, func(h literalHit) bool { return enough(h.match) && h.match.Content == most }), nil
}

// isPart reports whether a match is enough for a quoted part of a long text to stand first. Reports
// quote names, headers and labels, too, and are seldom about the files that hold them.
func isPart(m literal.Match) bool { return m.Content >= contentPart }

// saying returns the files that print a message of three words or more that is a part of the text.
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

// likeliest returns the files of code with the best chunks by words, with ties by doc_id.
func (s *literals) likeliest() ([]int64, error) {
	type scored struct {
		key   int64
		score float32
	}
	if s.guesses == 0 {
		return nil, nil
	}
	all := make([]scored, 0, 2*s.guesses)
	floor, room := float32(0), 2*s.guesses
	better := func(a, b scored) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.key, b.key)) }
	board := s.finding.board()
	for i, g := range s.scoring.segments {
		k := doc.Kind(g.Space)
		if k.Traits().Demoted != doc.ByClass || !doc.Wants(s.filter, k) {
			continue
		}
		if err := s.scoring.fill(board, i); err != nil {
			return nil, err
		}
		for gi, best := range board.parts[i].best {
			if best <= 0 || best < floor || s.allow != nil && !s.allow.Has(g.Keys[gi]) {
				continue
			}
			if all = append(all, scored{g.Keys[gi], best}); len(all) >= room {
				slices.SortFunc(all, better)
				all = all[:withTies(len(all), s.guesses, func(i int) float64 { return float64(all[i].score) })]
				floor, room = all[len(all)-1].score, 2*len(all)
			}
		}
	}
	s.finding.keepBoard(board)
	slices.SortFunc(all, better)
	all = all[:withTies(len(all), s.guesses, func(i int) float64 { return float64(all[i].score) })]
	keys := make([]int64, len(all))
	for i, x := range all {
		keys[i] = x.key
	}
	if len(all) <= s.guesses {
		return keys, nil
	}
	ids, err := s.reader.DocIDs(s.ctx, s.scoring.snap, doc.Code, keys)
	if err != nil {
		return nil, err
	}
	names := map[int64]string{}
	for i, id := range ids {
		if id != nil {
			names[keys[i]] = id.Doc
		}
	}
	slices.SortFunc(all, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(names[a.key], names[b.key]))
	})
	for i, x := range all {
		keys[i] = x.key
	}
	return keys[:s.guesses], nil
}

// verify reads the texts of documents and returns those with a match. It reads no more than most
// texts, and stops once enough returns true; a nil enough never does.
func (s *literals) verify(
	holders []holder, most int, match func(body string) (literal.Match, bool), enough func([]literalHit) bool,
) (hits []literalHit, err error) {
	done := map[int64]bool{}
	for _, h := range holders {
		if len(done) == most || s.read > maxRead || s.ctx.Err() != nil {
			break
		}
		f, err := s.reader.BareFileAt(s.ctx, s.scoring.snap, h.key)
		if err != nil {
			return nil, store.Damaged(err)
		}
		if done[f.Key] || !doc.Wants(s.filter, f.Kind) || s.allow != nil && !s.allow.Has(h.key) {
			continue
		}
		done[f.Key] = true
		body, err := s.readText(f.Key)
		if err != nil {
			return nil, err
		}
		m, ok, err := bestMatch(f, h, body, match)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		if hits = append(hits, s.hit(f, m)); enough != nil && enough(hits) {
			break
		}
	}
	return hits, nil
}

// bestMatch returns the best match in the section, or in the chunks with all words. It searches the
// whole text if these are not known.
func bestMatch(
	f store.FileRow, h holder, body string, match func(body string) (literal.Match, bool),
) (best literal.Match, ok bool, err error) {
	places, err := h.places(f)
	if err != nil {
		return best, false, err
	}
	if places == nil {
		best, ok = match(body)
		return best, ok, nil
	}
	lines := cursor{body: body, line: 1}
	for _, at := range places {
		first := max(1, at.First)
		m, found := match(lines.cutLines(first, at.Last))
		if found && (!ok || m.Compare(best) < 0) {
			m.Line += first - 1
			best, ok = m, true
		}
	}
	return best, ok, nil
}

// places returns the lines to search. nil means the whole text.
func (h holder) places(f store.FileRow) (places []doc.Span, err error) {
	if h.chunks == nil {
		return nil, nil
	}
	if h.key != f.Key {
		es, err := format.DecodeEntries(f.Entries)
		if i := int(h.key-f.Key) - 1; i < len(es) {
			return []doc.Span{{First: es[i].First, Last: es[i].Last}}, err
		}
		return nil, err
	}
	all, err := f.Chunks()
	if err != nil {
		return nil, err
	}
	for _, c := range h.chunks {
		if c >= len(all) {
			return nil, nil
		}
		places = append(places, all[c])
	}
	return places, nil
}

// A cursor cuts lines out of a text. It does not read the text before the last lines again.
type cursor struct {
	body     string
	line, at int // the number of a line, and its first byte
}

// cutLines returns the lines from first to last, like doc.Lines.
func (c *cursor) cutLines(first, last int) string {
	if first < c.line {
		c.line, c.at = 1, 0
	}
	for ; c.line < first; c.line++ {
		n := strings.IndexByte(c.body[c.at:], '\n')
		if n < 0 {
			return ""
		}
		c.at += n + 1
	}
	return doc.Lines(c.body[c.at:], 1, last-first+1)
}

func (s *literals) readText(key int64) (string, error) {
	body, ok := s.texts[key]
	if ok {
		return body, nil
	}
	t, err := s.reader.Kept(s.ctx, s.scoring.snap, key)
	switch {
	case err == nil:
		body = t.Body
	case errors.Is(err, sql.ErrNoRows):
		err = nil
	}
	s.texts[key] = body
	s.read += len(body)
	return body, store.Damaged(err)
}
