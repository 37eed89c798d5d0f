package eval

import (
	"math"
	"slices"
	"strings"

	"patina/fusion"
	"patina/store"
)

// A Row is how one system did on one question.
type Row struct {
	ID        string           `json:"id"`
	Rank      int              `json:"rank"` // place of the expected by the question's match, from 1; 0: not in the results
	NDCG      float64          `json:"ndcg"`
	Right     int              `json:"right"`               // of the first five files: P@5 times five
	Relevance fusion.Relevance `json:"relevance,omitempty"` // of the fused system
	Top       []string         `json:"top"`                 // the first three doc_ids
}

// RR is the reciprocal rank, 0 below the tenth place.
func (r Row) RR() float64 {
	if r.Hit() == 0 {
		return 0
	}
	return 1 / float64(r.Rank)
}

// Hit is 1 where the expected stands in the first ten places, else 0.
func (r Row) Hit() float64 {
	if r.Rank < 1 || r.Rank > depth {
		return 0
	}
	return 1
}

// A place is what stands at one rank of an answer.
type place struct {
	id    string // doc_id
	shown string // doc_id of the part that is shown
	path  string // empty for commits
	sha   string // whole, of commits
}

// is reports whether a place is what was expected: its document, or the file or commit that it belongs to.
func (p place) is(target string) bool {
	switch target {
	case p.id, p.shown, p.sha:
		return true
	}
	return p.path != "" && samePath(p.path, target) || isSHA(target) && p.id == store.CommitID(target)
}

// file is what counts once: the file, or the document where there is none.
func (p place) file() string {
	if p.path != "" {
		return p.path
	}
	return p.id
}

// samePath reports whether one path ends with the other, so that a set is good for a repository and for a folder of it.
func samePath(a, b string) bool {
	return a == b || strings.HasSuffix(a, "/"+b) || strings.HasSuffix(b, "/"+a)
}

// isSHA reports whether a text is the full name of a commit, by SHA-1 or SHA-256.
func isSHA(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

// judge places what a question expects in a ranking.
func judge(q Question, places []place) Row {
	r := Row{ID: q.ID, Rank: rank(q, places), NDCG: ndcg(q.Expect, places), Right: right(q.Expect, places), Top: []string{}}
	for _, p := range places[:min(3, len(places))] {
		r.Top = append(r.Top, p.id)
	}
	return r
}

// rank returns the place of the best placed target, or of the worst placed one if all are wanted; 0 if it is not there.
func rank(q Question, places []place) int {
	best, worst := 0, 0
	for _, t := range q.Expect {
		at := first(t, places)
		if at == 0 {
			if q.Match == All {
				return 0
			}
			continue
		}
		worst = max(worst, at)
		if best == 0 || at < best {
			best = at
		}
	}
	if q.Match == All {
		return worst
	}
	return best
}

// first returns the first place, from 1, that is the target; 0 if none.
func first(target string, places []place) int {
	for i, p := range places {
		if p.is(target) {
			return i + 1
		}
	}
	return 0
}

// ndcg is NDCG@10 by file, as score_questions.py has it: a file counts once, at its first place; each target gains 1 at the
// first file that matches it, two targets at one file gain 1 together; ideal is one gain each, at most ten. All targets
// are wanted, whatever the match.
func ndcg(expect []string, places []place) float64 {
	var gain [depth]bool
	for _, t := range expect {
		if at := firstFile(t, places); at > 0 && at <= depth {
			gain[at-1] = true
		}
	}
	var sum, ideal float64
	for i := range gain {
		if gain[i] {
			sum += discount(i + 1)
		}
		if i < len(expect) {
			ideal += discount(i + 1)
		}
	}
	if ideal == 0 {
		return 0
	}
	return sum / ideal
}

// firstFile returns how many files there are up to the first place that is the target; 0 if none is. A target that is one
// section of a document counts where it stands, not where the document first did.
func firstFile(target string, places []place) int {
	seen := map[string]bool{}
	for _, p := range places {
		seen[p.file()] = true
		if p.is(target) {
			return len(seen)
		}
	}
	return 0
}

// right counts the files among the first five that are expected. A file counts once, at its first place.
func right(expect []string, places []place) int {
	seen, n := map[string]bool{}, 0
	for _, p := range places {
		if seen[p.file()] {
			continue
		}
		if len(seen) == 5 {
			break
		}
		seen[p.file()] = true
		if slices.ContainsFunc(expect, p.is) {
			n++
		}
	}
	return n
}

func discount(rank int) float64 { return 1 / math.Log2(float64(rank)+1) }
