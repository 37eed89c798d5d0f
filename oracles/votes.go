package oracles

import (
	"cmp"
	"container/heap"
	"context"
	"database/sql"
	"errors"
	"iter"
	"math"
	"slices"
	"strings"
	"sync"

	"patina/code/history"
	"patina/store"
	"patina/store/doc"
	"patina/store/text"
)

// Constants of the vote (docs/ranking.md, "History"): the 50 best of the newest 6,000 commits that
// have 1 to 20 files in the index.
const (
	voters = 50
	// visitVoters is voters in a project other than home, because reading their files is a seventh
	// of the cost there. Without votes such questions lose 0.022 MRR, with ten 0.006.
	visitVoters = 10
	newest      = 6000
	// halfLife is the time in which a commit's vote halves, in seconds: four years. Two to eight
	// years were alike.
	halfLife = 4 * 365.25 * 24 * 60 * 60
)

// Votes ranks files by similar commits. Each of the best commits, by BM25 over subjects, votes for
// the files that it touched with score²/√files, because one close subject says more than many
// distant ones. The vote halves with every four years before HEAD. Merges have no files and do not
// vote.
func Votes(
	ctx context.Context, r *store.Reader, q text.Question, f doc.Filter, limit int,
) ([]doc.Ranked, error) {
	return bestVotes(ctx, r, q, f, limit, voters)
}

// bestVotes is Votes with the number of commits that vote.
func bestVotes(
	ctx context.Context, r *store.Reader, q text.Question, f doc.Filter, limit, most int,
) ([]doc.Ranked, error) {
	s, err := prepareScoring(ctx, r, subjectOf(q), true)
	if err != nil {
		return nil, err
	}
	oldest, last := s.votingKeys()
	var found []voter
	err = s.groups(allSpaces, func(_ *store.Segment, key int64, scores []float32) {
		if key >= oldest {
			found = append(found, voter{key: key, score: float64(scores[0])})
		}
	})
	if err != nil {
		return nil, err
	}
	counted, err := countVotes(ctx, r, s.snap, found, last, most)
	if err != nil {
		return nil, store.Damaged(err)
	}
	allow, err := r.Allowed(ctx, s.snap, f)
	if err != nil {
		return nil, err
	}
	out := make([]doc.Ranked, 0, len(counted))
	for file, v := range counted {
		if allow == nil || allow.Has(file.Key) {
			out = append(out, doc.Ranked{DocID: file.Path, Path: file.Path, Raw: v})
		}
	}
	slices.SortFunc(out, func(a, b doc.Ranked) int {
		return cmp.Or(cmp.Compare(b.Raw, a.Raw), strings.Compare(a.Path, b.Path))
	})
	return out[:min(len(out), limit)], nil
}

// subjectOf returns the question to compare with the subjects of commits. For a long text it is the
// title, because subjects are titles, too. If the title is also long, or has no words, it is the
// whole text.
func subjectOf(q text.Question) text.Question {
	if !q.Long {
		return q
	}
	if title := text.ParseQuestion(q.Title); !title.Long && len(title.Terms) > 0 {
		return title
	}
	return q
}

// A voter is a commit and its score. It is small because thousands are compared.
type voter struct {
	key   int64
	score float64
}

// A voting caches which commits of a generation may vote.
type voting struct {
	once         sync.Once
	oldest, last int64
}

// votingKeys returns the keys of the oldest commit with a vote and of the newest one. Keys rise
// with time within one reading of the history.
func (s *scoring) votingKeys() (oldest, last int64) {
	v := store.MemoOf[voting](&s.snap.Memo)
	v.once.Do(func() { v.oldest, v.last = s.findVoting() })
	return v.oldest, v.last
}

func (s *scoring) findVoting() (oldest, last int64) {
	var keys []int64
	for _, g := range s.segments {
		for i, k := range g.Keys {
			if g.Hidden == nil || !g.Hidden[i] {
				keys = append(keys, k)
			}
		}
	}
	if len(keys) == 0 {
		return 0, 0
	}
	if len(keys) <= newest {
		return 0, slices.Max(keys)
	}
	slices.Sort(keys)
	return keys[len(keys)-newest], keys[len(keys)-1]
}

// newestTime returns the time of HEAD's commit, in unix seconds. If the index does not have it, it
// returns the time of the commit with the key last. That is only a fallback, because an update
// gives the commits of a merged branch the highest keys.
func newestTime(ctx context.Context, r *store.Reader, snap *store.Snapshot, last int64) (int64, error) {
	if head := r.Generation().Head; head != "" {
		v, err := r.Revision(ctx, snap, head)
		if !errors.Is(err, sql.ErrNoRows) {
			return v.Time.Unix(), err
		}
	}
	times, err := history.CommitTimes(ctx, r, []int64{last})
	return times[last], err
}

// A ballot is the vote of one commit for each of its files.
type ballot struct {
	vote  float64
	files []history.HeldFile
}

// sumBallots adds the votes for each file, the greatest first, so that the sums do not depend on
// the order of ballots. It sorts ballots.
func sumBallots(ballots []ballot) map[history.HeldFile]float64 {
	slices.SortFunc(ballots, func(a, b ballot) int { return cmp.Compare(b.vote, a.vote) })
	votes := make(map[history.HeldFile]float64)
	for _, b := range ballots {
		for _, f := range b.files {
			votes[f] += b.vote
		}
	}
	return votes
}

// countVotes counts the votes of the best most commits with 1 to store.MaxVoteFiles files in the
// index. last must be the highest key of a commit. It reorders found.
func countVotes(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, found []voter, last int64, most int,
) (map[history.HeldFile]float64, error) {
	if len(found) == 0 {
		return nil, nil
	}
	now, err := newestTime(ctx, r, snap, last)
	if err != nil {
		return nil, err
	}
	var ballots []ballot
	left := most
	for batch := range bestFirst(found, most) {
		keys := make([]int64, len(batch))
		for i, c := range batch {
			keys[i] = c.key
		}
		touched, err := history.Touched(ctx, r, snap, keys)
		if err != nil {
			return nil, err
		}
		times, err := history.CommitTimes(ctx, r, keys)
		if err != nil {
			return nil, err
		}
		for _, c := range batch {
			files := touched[c.key]
			if left == 0 || len(files) == 0 || len(files) > store.MaxVoteFiles {
				continue
			}
			left--
			ballots = append(ballots, ballot{
				vote:  c.score * c.score * recencyFactor(times[c.key], now) / math.Sqrt(float64(len(files))),
				files: files,
			})
		}
		if left == 0 {
			break
		}
	}
	return sumBallots(ballots), nil
}

// recencyFactor returns the factor for the age of a commit's vote, at most 1, because a wrong clock
// must not raise it. Times are in unix seconds.
func recencyFactor(at, newest int64) float64 {
	return math.Exp2(-float64(max(0, newest-at)) / halfLife)
}

// bestFirst yields voters in batches, the highest scores first, with ties by the higher key. It
// does not sort all, because most questions need only one batch of thousands. It reorders found.
func bestFirst(found []voter, batch int) iter.Seq[[]voter] {
	return func(yield func([]voter) bool) {
		left := byScore(found)
		heap.Init(&left)
		for len(left) > 0 {
			out := make([]voter, 0, batch)
			for len(out) < batch && len(left) > 0 {
				out = append(out, left[0])
				left[0] = left[len(left)-1]
				left = left[:len(left)-1]
				if len(left) > 0 {
					heap.Fix(&left, 0)
				}
			}
			if !yield(out) {
				return
			}
		}
	}
}

// byScore is a heap of voters with the best on top.
type byScore []voter

func (b byScore) Len() int      { return len(b) }
func (b byScore) Swap(i, j int) { b[i], b[j] = b[j], b[i] }
func (b byScore) Less(i, j int) bool {
	return b[i].score > b[j].score || b[i].score == b[j].score && b[i].key > b[j].key
}

// Push and Pop complete heap.Interface. They are never called.
func (*byScore) Push(any) {}

// Pop implements heap.Interface.
func (*byScore) Pop() any { return nil }
