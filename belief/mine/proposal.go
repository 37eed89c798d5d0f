package mine

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"patina/code/describe"
	"patina/code/history"
	"patina/code/lookup"
	"patina/scrape/prose"
	"patina/store"
	"patina/store/doc"
	"patina/store/format"
	"patina/store/text"
)

// A Proposal is a sentence that gives a reason, offered as a belief.
type Proposal struct {
	Text   string
	Source string    // "commit:<sha12>", with "#2" for its second sentence, or "path:line"
	Time   time.Time // of the commit, or of the first commit of the comment's file
	Files  int       // number of the commit's files that still exist; 1 for a comment
	Score  float64   // survival × reach, from 0 to 1
}

// Key returns a key made of the sentence's words. Case, punctuation and white space do not count.
func (p Proposal) Key() string { return SentenceKey(p.Text) }

// SentenceKey returns a key made of a sentence's words. Case, punctuation and white space do not
// count.
func SentenceKey(sentence string) string {
	var words []string
	text.Runs(strings.ToLower(sentence), func(run string) { words = append(words, run) })
	sum := sha256.Sum256([]byte(strings.Join(words, " ")))
	return hex.EncodeToString(sum[:8])
}

// The bounds of a search for proposals. It reads the newest commits with a body, and the code that
// changed most often.
const (
	proposedCommits = 5000
	proposedFiles   = 300
)

// Proposals returns at most limit sentences that may be beliefs, alternately from commits and
// comments. Those that survived longest and reach furthest come first. keep must report whether a
// proposal is still wanted.
func Proposals(ctx context.Context, r *store.Reader, limit int, keep func(Proposal) bool) ([]Proposal, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	fromCommits, newest, err := proposedByCommits(ctx, r, snap)
	if err != nil {
		return nil, store.Damaged(err)
	}
	fromComments, err := proposedByComments(ctx, r, snap, newest, func([]Proposal) bool { return false })
	if err != nil {
		return nil, store.Damaged(err)
	}
	var out []Proposal
	var seen sentences
	lists := [][]Proposal{fromCommits, fromComments}
	for _, l := range lists {
		slices.SortStableFunc(l, func(a, b Proposal) int {
			return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Source, b.Source))
		})
	}
	for len(out) < limit && len(lists[0])+len(lists[1]) > 0 {
		for i := range lists {
			for len(lists[i]) > 0 && len(out) < limit {
				p := lists[i][0]
				lists[i] = lists[i][1:]
				if keep(p) && seen.addSentence(p.Text) {
					out = append(out, p)
					break
				}
			}
		}
	}
	return out, nil
}

// CountProposals returns the number of sentences that Proposals would return. It stops as soon as
// it can.
func CountProposals(ctx context.Context, r *store.Reader, limit int, keep func(Proposal) bool) (int, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return 0, err
	}
	var seen sentences
	enough := func(found []Proposal) bool {
		for _, p := range found {
			if len(seen) < limit && keep(p) {
				seen.addSentence(p.Text)
			}
		}
		return len(seen) >= limit
	}
	if _, err = proposedByComments(ctx, r, snap, time.Time{}, enough); err != nil {
		return 0, store.Damaged(err)
	}
	if len(seen) < limit {
		found, _, err := proposedByCommits(ctx, r, snap)
		if err != nil {
			return 0, store.Damaged(err)
		}
		enough(found)
	}
	return min(len(seen), limit), nil
}

// proposedByCommits returns the sentences of commits. A commit scores higher the more of its files
// still exist, and the older it is. newest is the time of the newest commit.
func proposedByCommits(ctx context.Context, r *store.Reader, snap *store.Snapshot) (out []Proposal, newest time.Time,
	err error,
) {
	type candidate struct {
		v         store.RevisionRow
		sentences []string
		files     int
	}
	var found []candidate
	var keys []int64
	err = r.EachRevision(ctx, snap, `WHERE NOT merge AND body <> '' ORDER BY time DESC, key DESC LIMIT ?`,
		[]any{proposedCommits}, func(v store.RevisionRow) error {
			if v.Time.After(newest) {
				newest = v.Time
			}
			ids, err := format.DecodeIDs(v.Files)
			if err != nil {
				return err
			}
			if s := describe.CommitReasons(v, len(ids)); len(s) > 0 {
				found, keys = append(found, candidate{v, s, len(ids)}), append(keys, v.Key)
			}
			return nil
		})
	if err != nil || len(keys) == 0 {
		return nil, newest, err
	}
	alive, err := history.Touched(ctx, r, snap, keys)
	if err != nil {
		return nil, newest, err
	}
	for _, c := range found {
		n := len(alive[c.v.Key])
		if n == 0 {
			continue
		}
		years := newest.Sub(c.v.Time).Hours() / 24 / 365
		survival := float64(n) / float64(max(n, c.files)) * (0.5 + years) / (1.5 + years)
		score := survival * (0.5 + 0.5*math.Log2(float64(1+n))/math.Log2(1+prose.MaxCommitFiles))
		for i, s := range c.sentences {
			if IsOfferable(s) {
				out = append(out, Proposal{s, commitSource(c.v.SHA, i), c.v.Time, n, score})
			}
		}
	}
	return out, newest, nil
}

func commitSource(sha string, i int) string {
	if i == 0 {
		return doc.CommitID(sha)
	}
	return fmt.Sprintf("%s#%d", doc.CommitID(sha), i+1)
}

// proposedByComments returns the sentences of comments in the files that changed most often. A
// comment scores higher the more its file changes. enough is called with the proposals of each
// file, and the search ends when it returns true.
func proposedByComments(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, newest time.Time, enough func([]Proposal) bool,
) (out []Proposal, err error) {
	type touched struct {
		path string
		n    int
	}
	var files []touched
	const query = `SELECT p.name, count(*) AS n FROM touch t JOIN path p ON p.id = t.path GROUP BY t.path
		ORDER BY n DESC, p.name LIMIT ?`
	err = r.EachRow(ctx, query, []any{4 * proposedFiles}, func(scan func(...any) error) error {
		var f touched
		err := scan(&f.path, &f.n)
		files = append(files, f)
		return err
	})
	if err != nil || len(files) == 0 {
		return nil, err
	}
	most, read := files[0].n, 0
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if read == proposedFiles {
			break
		}
		sentences, isCode, err := describe.CommentReasons(ctx, r, snap, f.path)
		if err != nil {
			return nil, err
		}
		if isCode {
			read++
		}
		var first sql.NullInt64
		if len(sentences) > 0 {
			const since = `SELECT min(v.time) FROM path p JOIN touch t ON t.path = p.id
				JOIN revision v ON v.key = t.revision WHERE p.name = ?`
			if err := r.QueryRow(ctx, since, f.path).Scan(&first); err != nil {
				return nil, err
			}
		}
		years := max(0, newest.Sub(doc.Unix(first.Int64)).Hours()/24/365)
		had := len(out)
		for _, s := range sentences {
			if IsOfferable(s.Text) {
				score := (0.5 + years) / (1.5 + years) * (0.5 +
					0.5*math.Log2(float64(1+f.n))/math.Log2(float64(2+most)))
				out = append(out,
					Proposal{s.Text, fmt.Sprintf("%s:%d", f.path, s.First), doc.Unix(first.Int64), 1, score})
			}
		}
		if enough(out[had:]) {
			break
		}
	}
	return out, nil
}

// ProposalAt returns the sentence at a source: "commit:<sha>", "commit:<sha>#2" or "path:line". It
// returns lookup.ErrNoDocument if there is no such sentence.
func ProposalAt(ctx context.Context, r *store.Reader, source string) (Proposal, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return Proposal{}, err
	}
	none := fmt.Errorf("%q: %w", source, lookup.ErrNoDocument)
	if doc.KindOf(source).Traits().Shape == doc.OfRows {
		id, number, _ := strings.Cut(source, "#")
		n, err := strconv.Atoi(cmp.Or(number, "1"))
		if err != nil || len(strings.TrimPrefix(id, doc.Commit.Traits().Prefix)) < lookup.ShortestSHA {
			return Proposal{}, none
		}
		v, err := r.Revision(ctx, snap, id)
		if errors.Is(err, sql.ErrNoRows) {
			return Proposal{}, none
		}
		if err != nil {
			return Proposal{}, store.Damaged(err)
		}
		ids, err := format.DecodeIDs(v.Files)
		if err != nil {
			return Proposal{}, err
		}
		s := describe.CommitReasons(v, len(ids))
		if n < 1 || n > len(s) {
			return Proposal{}, none
		}
		return Proposal{Text: s[n-1], Source: commitSource(v.SHA, n-1), Time: v.Time, Files: len(ids)}, nil
	}
	i := strings.LastIndexByte(source, ':')
	line, err := strconv.Atoi(source[i+1:])
	if i < 0 || err != nil {
		return Proposal{}, none
	}
	found, _, err := describe.CommentReasons(ctx, r, snap, source[:i])
	if err != nil {
		return Proposal{}, store.Damaged(err)
	}
	for _, s := range found {
		if s.First <= line && line <= s.Last {
			return Proposal{Text: s.Text, Source: fmt.Sprintf("%s:%d", source[:i], s.First), Files: 1}, nil
		}
	}
	return Proposal{}, none
}
