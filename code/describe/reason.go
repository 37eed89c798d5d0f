package describe

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"path"
	"slices"
	"strings"
	"time"

	"patina/code/history"
	"patina/scrape/prose"
	"patina/store"
	"patina/store/doc"
	"patina/store/excerpt"
	"patina/store/format"
)

// A Reason is a sentence in which somebody says why, as it stands in a comment or in a commit.
type Reason struct {
	Text  string
	DocID string // of the commit; empty for a comment
	Path  string // of the comment
	Line  int
	Time  time.Time // of the commit
}

// maxReasons bounds the commits in which reasons for a file are looked for.
const maxReasons = 500

// Reasons returns the reasons for a symbol of a file, or for the file where symbol is empty: at
// most limit. Comments in the symbol and commits that name it come first, then narrow commits, then
// newer ones.
func Reasons(ctx context.Context, r *store.Reader, name, symbol string, limit int) ([]Reason, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	page, err := wholePage(ctx, r, snap, name)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, store.Damaged(err)
	}
	first, last := 1, page.lines.Len()
	word := strings.TrimSuffix(path.Base(name), path.Ext(name))
	if i := slices.IndexFunc(page.file.Entries, func(e doc.Entry) bool { return e.Name == symbol }); i >= 0 && symbol != "" {
		first, last = page.file.Entries[i].First, page.file.Entries[i].Last
		word = doc.LastName(symbol)
	}
	var out []Reason
	for _, s := range page.comments(first, last) {
		out = append(out, Reason{Text: s.Text, Path: name, Line: s.First})
	}
	fromCommits, err := commitReasons(ctx, r, snap, name, word)
	if symbol == "" { // a file has many comments: those of its commits are about all of it
		out = out[:min(len(out), max(limit/2, limit-len(fromCommits)))]
	}
	out = append(out, fromCommits...)
	return out[:min(len(out), limit)], err
}

// comments finds the explanations between two lines of a file. Documents, tests, and what others
// have written hold none.
func (p *Page) comments(first, last int) []prose.Sentence {
	if !p.explains(first, last) {
		return nil
	}
	return prose.CommentReasons(p.file.File.Language, p.lines, first, last, p.documents)
}

// explains reports whether there may be explanations between two lines of a file.
func (p *Page) explains(first, last int) bool {
	f := p.file.File
	return f.Kind == doc.Code && f.Class&(notOwnCode|doc.Example) == 0 && !doc.IsTest(f.Class) && 1 <= first && first <= min(last, p.lines.Len())
}

// documents reports whether a line belongs to the documentation of a definition.
func (p *Page) documents(line int) bool {
	return slices.ContainsFunc(p.file.Entries, func(e doc.Entry) bool { return e.First <= line && line < e.Line })
}

// near is the number of lines of code that a comment is about even without a word of the question.
const near = 12

// reason returns the comment in the shown part that says why: the one with most of the question's
// words, else one beside the best line.
func (p *Page) reason(d *doc.Description, words *excerpt.Words) (best doc.Line) {
	if words == nil || !p.explains(d.First, d.Last) {
		return best
	}
	most := 0.0
	prose.EachCommentSentence(p.file.File.Language, p.lines, d.First, d.Last, p.documents, func(s prose.Sentence) bool {
		weight := words.Weigh(s.Text)
		if d.Line > 0 && s.First <= d.Line && d.Line <= s.Last+near {
			weight += tie / float64(1+max(0, d.Line-s.Last))
		}
		shown := func(l doc.Line) bool { return s.First <= l.Number && l.Number <= s.Last }
		if weight > most && !slices.ContainsFunc(d.Lines, shown) && prose.IsReason(s) {
			most, best = weight, doc.Line{Number: s.First, Text: s.Text}
		}
		return true
	})
	return best
}

// tie lets a comment beside the best line count, the nearest one most, if none has a word of the
// question.
const tie = 1e-6

// commitReason returns the sentence in which a commit says why it changed code that still exists:
// the one with most of the question's words, and its number among them. It is empty if a longer
// summary says it.
func commitReason(ctx context.Context, r *store.Reader, snap *store.Snapshot, v store.RevisionRow, files int, summary string, words *excerpt.Words) (best doc.Line, err error) {
	most := -1.0
	for i, s := range CommitReasons(v, files) {
		weight := 0.0
		if words != nil {
			weight = words.Weigh(s)
		}
		if weight > most {
			most, best = weight, doc.Line{Number: i + 1, Text: s}
		}
	}
	if best.Text == "" || best.Text != summary && strings.Contains(summary, best.Text) {
		return doc.Line{}, nil
	}
	alive, err := history.Touched(ctx, r, snap, []int64{v.Key})
	if err != nil || len(alive[v.Key]) == 0 {
		return doc.Line{}, err
	}
	return best, nil
}

// CommitReasons returns the sentences of a commit with so many files that say why.
func CommitReasons(v store.RevisionRow, files int) []string {
	return prose.CommitMessage{Subject: v.Subject, Body: v.Body, Author: v.Author, Merge: v.Merge, Files: files}.Reasons()
}

// touchedIn lists the commits of an era that can hold a reason.
const touchedIn = `SELECT v.key, v.sha, v.author, v.time, v.subject, v.body, v.files
	FROM touch t JOIN revision v ON v.key = t.revision
	WHERE t.path = ? AND t.revision > ? AND t.revision <= ? AND NOT v.merge AND v.body <> ''
	ORDER BY v.time DESC, v.key DESC LIMIT ?`

// commitReasons returns the best sentence of each commit of a file that says why: those that hold a
// word first, then those of commits with few files.
func commitReasons(ctx context.Context, r *store.Reader, snap *store.Snapshot, name, word string) ([]Reason, error) {
	eras, err := history.Eras(ctx, r, snap, name)
	if err != nil {
		return nil, store.Damaged(err)
	}
	const few = 5
	type ranked struct {
		Reason
		rank int
	}
	var found []ranked
	seen := map[int64]bool{}
	for _, e := range eras {
		err := r.EachRow(ctx, touchedIn, []any{e.ID, e.After, e.Until, maxReasons}, func(scan func(...any) error) error {
			var v store.RevisionRow
			var at int64
			if err := scan(&v.Key, &v.SHA, &v.Author, &at, &v.Subject, &v.Body, &v.Files); err != nil || seen[v.Key] || !snap.Members.Has(v.Key) {
				return err
			}
			seen[v.Key] = true
			ids, err := format.DecodeIDs(v.Files)
			if err != nil {
				return err
			}
			for i, s := range CommitReasons(v, len(ids)) {
				rank := 2
				if strings.Contains(strings.ToLower(s), strings.ToLower(word)) {
					rank = 0
				} else if len(ids) <= few {
					rank = 1
				}
				if i == 0 || rank == 0 {
					found = append(found, ranked{Reason{Text: s, DocID: doc.CommitID(v.SHA), Time: doc.Unix(at)}, rank})
				}
			}
			return nil
		})
		if err != nil {
			return nil, store.Damaged(err)
		}
	}
	slices.SortStableFunc(found, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), b.Time.Compare(a.Time))
	})
	var out []Reason
	for _, x := range found {
		if !slices.ContainsFunc(out, func(y Reason) bool { return y.DocID == x.DocID }) {
			out = append(out, x.Reason)
		}
	}
	return out, nil
}

// CommentReasons returns the sentences that say why in the comments of a file, and whether the file
// is code. A file that is not there has none.
func CommentReasons(ctx context.Context, r *store.Reader, snap *store.Snapshot, name string) (found []prose.Sentence, isCode bool, err error) {
	f, err := r.KeptFile(ctx, snap, name)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	if err != nil || f.File.Kind != doc.Code {
		return nil, false, err
	}
	page := &Page{file: f}
	if page.lines, err = linesOf(ctx, r, f.File.Key); err != nil {
		return nil, true, err
	}
	return page.comments(1, page.lines.Len()), true, nil
}
