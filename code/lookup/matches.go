package lookup

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"patina/store"
	"patina/store/doc"
	"patina/store/format"
	"patina/store/text"
)

// These bound a search in the texts of files.
const (
	maxPattern  = 1000 // bytes
	checkedEach = 1000 // lines after which the time is checked
	maxTextLine = 1000 // bytes of a line that are kept
)

// A TextPattern is a literal, or a regular expression for one line. One of them must be empty.
type TextPattern struct {
	Literal string
	Regex   string
}

// A TextMatch is a line with a match.
type TextMatch struct {
	Kind                    doc.Kind
	Path, Language, Package string
	DocID                   string // of the file or section
	Shown                   string // doc_id of the innermost part around it, else DocID
	Symbol                  string
	Line                    int
	Text                    string // the line, or its beginning
}

// TextMatches are the matching lines that are returned, and the number of all.
type TextMatches struct {
	Matches      []TextMatch
	Lines, Files int  // with a match
	Partial      bool // the time was over before all files were read
}

// FindText finds the lines of the stored texts that match a pattern: code first, then tests, then
// other kinds, each by path. It returns at most limit lines. If the deadline of ctx passes, it
// returns the lines found so far, and Partial is true.
func FindText(
	ctx context.Context, r *store.Reader, p TextPattern, f doc.Filter, limit int,
) (found TextMatches, err error) {
	match, words, err := p.compile()
	if err != nil {
		return found, err
	}
	if err := f.Check(); err != nil {
		return found, err
	}
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return found, err
	}
	files, err := listCandidates(ctx, r, snap, f, words)
	if err != nil {
		return found, overOr(ctx, &found, err)
	}
	for _, x := range files {
		body, err := r.Text(ctx, x.Key)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return found, overOr(ctx, &found, err)
		}
		lines, over := match(ctx, body)
		if len(lines) > 0 {
			found.Files++
			found.Lines += len(lines)
			keep := lines[:min(len(lines), limit-len(found.Matches))]
			if err := found.keepLines(ctx, r, snap, x, body, keep); err != nil {
				return found, overOr(ctx, &found, err)
			}
		}
		if over {
			found.Partial = true
			break
		}
	}
	return found, nil
}

// overOr marks a search as partial if its deadline has passed, otherwise it returns the error.
func overOr(ctx context.Context, found *TextMatches, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		found.Partial = true
		return nil
	}
	return store.Damaged(err)
}

// A matcher returns the numbers of matching lines, from 1. over is true if ctx has ended.
type matcher func(ctx context.Context, body string) (lines []int, over bool)

// compile returns a matcher, and words in lower case that each file with a match must contain.
func (p TextPattern) compile() (m matcher, words []string, err error) {
	switch {
	case (p.Literal == "") == (p.Regex == ""):
		return nil, nil, errors.New("read pattern: want a literal or a regular expression")
	case len(p.Literal)+len(p.Regex) > maxPattern:
		return nil, nil, fmt.Errorf("read pattern %.60q: over %d bytes", p.Literal+p.Regex, maxPattern)
	case p.Literal != "":
		return literalLines(p.Literal), innerRuns(p.Literal), nil
	}
	re, err := regexp.Compile(p.Regex)
	if err != nil {
		return nil, nil, fmt.Errorf("read pattern %q: %w", p.Regex, err)
	}
	if tree, err := syntax.Parse(p.Regex, syntax.Perl); err == nil {
		words = neededRuns(tree.Simplify())
	}
	return regexLines(re), words, nil
}

// literalLines finds the lines on which a literal begins.
func literalLines(literal string) matcher {
	return func(ctx context.Context, body string) (lines []int, over bool) {
		line, at := 1, 0
		for {
			n := strings.Index(body[at:], literal)
			if n < 0 {
				return lines, ctx.Err() != nil
			}
			line += strings.Count(body[at:at+n], "\n")
			lines = append(lines, line)
			next := strings.IndexByte(body[at+n:], '\n')
			if next < 0 {
				return lines, ctx.Err() != nil
			}
			at += n + next + 1
			line++
		}
	}
}

// regexLines finds the lines that match.
func regexLines(re *regexp.Regexp) matcher {
	return func(ctx context.Context, body string) (lines []int, over bool) {
		n := 0
		for l := range strings.Lines(body) {
			n++
			if n%checkedEach == 0 && ctx.Err() != nil {
				return lines, true
			}
			if re.MatchString(strings.TrimRight(l, "\r\n")) {
				lines = append(lines, n)
			}
		}
		return lines, ctx.Err() != nil
	}
}

// listCandidates returns the files that pass a filter and contain all words, by rankOf and path.
func listCandidates(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, f doc.Filter, words []string,
) ([]doc.ListedFile, error) {
	files, err := r.Files(ctx, snap)
	if err != nil {
		return nil, err
	}
	holds, err := newHoldsTest(ctx, r, snap, words)
	if err != nil {
		return nil, err
	}
	var out []doc.ListedFile
	var keys []int64
	for _, x := range files {
		if snap.Members.Has(x.Key) && f.Keeps(x) && holds(x) {
			out = append(out, x)
			keys = append(keys, x.Key)
		}
	}
	ranks := make(map[int64]int, len(keys))
	err = r.RowsIn(ctx, `SELECT key, kind, class FROM file WHERE key IN `, keys, func(scan func(...any) error) error {
		var key int64
		var kind doc.Kind
		var class doc.Class
		err := scan(&key, &kind, &class)
		if doc.Wants(f, kind) {
			ranks[key] = rankOf(kind, class)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	out = slices.DeleteFunc(out, func(x doc.ListedFile) bool { return ranks[x.Key] == 0 })
	slices.SortFunc(out, func(a, b doc.ListedFile) int {
		return cmp.Or(ranks[a.Key]-ranks[b.Key], strings.Compare(a.Path, b.Path))
	})
	return out, nil
}

// rankOf returns the order of a file, from 1: code, tests, then other kinds.
func rankOf(kind doc.Kind, class doc.Class) int {
	switch {
	case kind.Traits().Demoted != doc.ByClass:
		return 3
	case class&(doc.TestFolder|doc.TestName) != 0:
		return 2
	}
	return 1
}

// newHoldsTest returns a function that reports whether a file may contain all words. It uses only
// posting lists.
func newHoldsTest(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, words []string,
) (func(doc.ListedFile) bool, error) {
	var terms []string
	for _, w := range words {
		if t := text.Stem(w); !slices.Contains(terms, t) && !text.IsStop(w) {
			terms = append(terms, t)
		}
	}
	if len(terms) == 0 {
		return func(doc.ListedFile) bool { return true }, nil
	}
	var keys doc.Bitmap
	for _, k := range doc.Kinds() {
		found, err := r.Holding(ctx, snap, string(k), terms[:min(len(terms), maxTokens)])
		if err != nil {
			return nil, store.Damaged(err)
		}
		for _, key := range found {
			keys.Set(key)
		}
	}
	// The index has only the first 64 KiB of a chunk, so a large file may contain more words.
	err := r.EachRow(ctx, `SELECT key FROM seen WHERE view = ? AND size > ?`, []any{snap.View, 64 << 10},
		func(scan func(...any) error) error {
			var key int64
			err := scan(&key)
			keys.Set(key)
			return err
		})
	if err != nil {
		return nil, store.Damaged(err)
	}
	return func(x doc.ListedFile) bool {
		for k := x.Key; k <= x.Key+x.Entries; k++ {
			if keys.Has(k) {
				return true
			}
		}
		return false
	}, nil
}

func (t *TextMatches) keepLines(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, x doc.ListedFile, body string, lines []int,
) error {
	if len(lines) == 0 {
		return nil
	}
	f, err := r.FileNamed(ctx, snap, x.Path)
	if err != nil {
		return err
	}
	es, err := format.DecodeEntries(f.Entries)
	if err != nil {
		return err
	}
	all := strings.Split(body, "\n")
	for _, n := range lines {
		m := TextMatch{
			Kind: f.Kind, Path: f.Path, Language: f.Language, Package: f.Pkg,
			DocID: f.Kind.FileID(f.Path), Line: n, Text: strings.TrimRight(all[n-1], "\r"),
		}
		m.Text = m.Text[:min(len(m.Text), maxTextLine)]
		m.Shown = m.DocID
		for _, e := range es { // inner ones come after the ones around them
			if e.First <= n && n <= e.Last {
				m.Symbol, m.Shown = e.Name, f.Kind.PartID(f.Path, e.Name)
			}
		}
		t.Matches = append(t.Matches, m)
	}
	return nil
}
