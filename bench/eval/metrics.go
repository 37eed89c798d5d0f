package eval

import (
	"math"
	"slices"
	"strings"

	"patina/fusion"
	"patina/store/doc"
)

// A Row is one system's result on one question.
type Row struct {
	ID string `json:"id"`
	// Rank is the place of the expected answer under the question's match, from 1. 0 means that it
	// is not in the results.
	Rank int     `json:"rank"`
	NDCG float64 `json:"ndcg"`
	// Right is the number of right files among the first five: five times P@5.
	Right     int              `json:"right"`
	Relevance fusion.Relevance `json:"relevance,omitempty"` // fused system only
	Score     float64          `json:"score,omitempty"`     // of the first result; fused system only
	Rising    int              `json:"rising,omitempty"`    // results that score above the one before
	First     bool             `json:"first,omitempty"`     // whether the first result is expected
	Top       []string         `json:"top"`                 // the first three doc_ids
}

// RR returns the reciprocal rank. It is 0 after the tenth place.
func (r Row) RR() float64 {
	if r.Hit() == 0 {
		return 0
	}
	return 1 / float64(r.Rank)
}

// Hit returns 1 if the expected answer is in the first ten places, otherwise 0.
func (r Row) Hit() float64 {
	if r.Rank < 1 || r.Rank > depth {
		return 0
	}
	return 1
}

// A place is one place in a ranking.
type place struct {
	id    string // doc_id
	shown string // doc_id of the shown part
	path  string // empty for commits
	sha   string // full, for commits
}

// is reports whether a place matches a target: its document, or the file or commit that it belongs
// to.
func (p place) is(target string) bool {
	switch target {
	case p.id, p.shown, p.sha:
		return true
	}
	return p.path != "" && samePath(p.path, target) || isSHA(target) && p.id == doc.CommitID(target)
}

// file returns the unit that counts once: the file or, without a file, the document.
func (p place) file() string {
	if p.path != "" {
		return p.path
	}
	return p.id
}

// samePath reports whether one path ends with the other. A set therefore works for a repository and
// for a folder in it.
func samePath(a, b string) bool {
	return a == b || strings.HasSuffix(a, "/"+b) || strings.HasSuffix(b, "/"+a)
}

// isSHA reports whether a text is the full id of a commit, by SHA-1 or SHA-256.
func isSHA(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

// judge scores a ranking by a question's targets.
func judge(q Question, places []place) Row {
	r := Row{
		ID: q.ID, Rank: rank(q, places), NDCG: ndcg(q.Expect, places), Right: right(q.Expect, places),
		Top: []string{},
	}
	if len(places) > 0 {
		r.First = slices.ContainsFunc(q.Expect, places[0].is)
	}
	for _, p := range places[:min(3, len(places))] {
		r.Top = append(r.Top, p.id)
	}
	return r
}

// rank returns the place of the best target or, if all must be found, of the worst. It returns 0 if
// a target that counts is missing.
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

// first returns the first place of a target, from 1, or 0.
func first(target string, places []place) int {
	for i, p := range places {
		if p.is(target) {
			return i + 1
		}
	}
	return 0
}

// ndcg returns NDCG@10 by file. A file counts once, at its first place. Each target gains 1 at the
// first file that matches it; two targets in one file gain 1 together. In the ideal ranking each
// target gains 1, at most ten of them. All targets count, whatever the question's match.
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

// firstFile returns the number of files up to the first place of a target, or 0. A target within a
// document counts at its own place, not at the document's first one.
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

// right returns the number of expected files among the first five. A file counts once, at its first
// place.
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

// ShareOf returns the share of the wanted items that were found. wanted must not be empty.
func ShareOf[T comparable](found, wanted []T) float64 {
	n := 0
	for _, w := range wanted {
		if slices.Contains(found, w) {
			n++
		}
	}
	return float64(n) / float64(len(wanted))
}
