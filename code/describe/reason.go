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

// A Reason is a sentence in a comment or a commit that states a reason.
type Reason struct {
	Text  string
	DocID string // of the commit; empty for a comment
	Path  string // of the comment
	Line  int
	Time  time.Time // of the commit
}

// maxReasons bounds the commits that are searched for reasons.
const maxReasons = 500

// Reasons returns at most limit reasons for a symbol of a file, or for the file if symbol is empty.
// Comments in the symbol and commits that name it come first, then commits with few files, then
// newer ones. It returns nil if there is no such file.
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
	hasName := func(e doc.Entry) bool { return e.Name == symbol }
	if i := slices.IndexFunc(page.file.Entries, hasName); i >= 0 && symbol != "" {
		first, last = page.file.Entries[i].First, page.file.Entries[i].Last
		word = doc.LastName(symbol)
	}
	var out []Reason
	for _, s := range page.comments(first, last) {
		out = append(out, Reason{Text: s.Text, Path: name, Line: s.First})
	}
	fromCommits, err := commitReasons(ctx, r, snap, name, word)
	if symbol == "" { // comments must leave room for the commits, which are about the whole file
		out = out[:min(len(out), max(limit/2, limit-len(fromCommits)))]
	}
	out = append(out, fromCommits...)
	return out[:min(len(out), limit)], err
}

// comments returns the explanations between two lines of a file. It returns nil for documents,
// tests, and code that others have written.
func (p *Page) comments(first, last int) []prose.Sentence {
	if !p.explains(first, last) {
		return nil
	}
	return prose.CommentReasons(p.file.File.Language, p.lines, first, last, p.documents)
}

// explains reports whether comments between two lines of a file may be explanations.
func (p *Page) explains(first, last int) bool {
	f := p.file.File
	return f.Kind == doc.Code && f.Class&(notOwnCode|doc.Example) == 0 && !doc.IsTest(f.Class) &&
		1 <= first && first <= min(last, p.lines.Len())
}

// documents reports whether a line is in the documentation of a definition.
func (p *Page) documents(line int) bool {
	return slices.ContainsFunc(p.file.Entries, func(e doc.Entry) bool { return e.First <= line && line < e.Line })
}

// near is the number of lines below a comment that count as explained by it.
const near = 12

// reason returns the comment in the shown part that states a reason: the one with most of the
// question's words, otherwise the nearest to the best line. It is empty if words is nil.
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

// tie is the weight of a comment beside the best line. It decides only if no comment has a word of
// the question.
const tie = 1e-6

// commitReason returns the sentence in which a commit that changed existing code states a reason:
// the one with most of the question's words, with its number among the reasons. It is empty if the
// summary contains it.
func commitReason(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, v store.RevisionRow, files int,
	summary string, words *excerpt.Words,
) (best doc.Line, err error) {
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

// CommitReasons returns the sentences of a commit that state a reason. files is the number of files
// that it touched.
func CommitReasons(v store.RevisionRow, files int) []string {
	m := prose.CommitMessage{Subject: v.Subject, Body: v.Body, Author: v.Author, Merge: v.Merge, Files: files}
	return m.Reasons()
}

// touchedIn selects the commits of an era that may state a reason.
const touchedIn = `SELECT v.key, v.sha, v.author, v.time, v.subject, v.body, v.files
	FROM touch t JOIN revision v ON v.key = t.revision
	WHERE t.path = ? AND t.revision > ? AND t.revision <= ? AND NOT v.merge AND v.body <> ''
	ORDER BY v.time DESC, v.key DESC LIMIT ?`

// commitReasons returns the best reason in each commit of a file. Reasons that contain word come
// first, then those of commits with few files.
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
		err := r.EachRow(ctx, touchedIn, []any{e.ID, e.After, e.Until, maxReasons},
			func(scan func(...any) error) error {
				var v store.RevisionRow
				var at int64
				err := scan(&v.Key, &v.SHA, &v.Author, &at, &v.Subject, &v.Body, &v.Files)
				if err != nil || seen[v.Key] || !snap.Members.Has(v.Key) {
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
						r := Reason{Text: s, DocID: doc.CommitID(v.SHA), Time: doc.Unix(at)}
						found = append(found, ranked{r, rank})
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

// CommentReasons returns the sentences in the comments of a file that state a reason, and whether
// the file is code. It returns nil and false if there is no such file.
func CommentReasons(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, name string,
) (found []prose.Sentence, isCode bool, err error) {
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
