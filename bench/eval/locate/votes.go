package locate

import (
	"cmp"
	"math"
	"slices"
)

// The constants of the vote, as the store has them (design §5).
const (
	voters = 50
	newest = 6000
)

// A past is the subjects of the commits that may vote.
type past struct {
	files    int
	subjects *lexicon
	commits  [][]int // the files of each that are in the tree
}

func newPast(t *Tree, history []Commit) *past {
	p := &past{files: len(t.Paths)}
	var subjects []string
	for _, c := range history {
		files := t.targets(c.Files)
		if len(files) == 0 || len(files) > mostFiles {
			continue
		}
		subjects, p.commits = append(subjects, c.Subject), append(p.commits, files)
		if len(subjects) == newest {
			break
		}
	}
	p.subjects = newLexicon(subjects)
	return p
}

// rank lets the commits whose subjects are closest to the question vote for their files with score/√files.
func (p *past) rank(query string) ranking {
	scores := p.subjects.bm25(query)
	var closest []int
	for i, s := range scores {
		if s > 0 {
			closest = append(closest, i)
		}
	}
	slices.SortFunc(closest, func(a, b int) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) })
	votes := make([]float64, p.files)
	for _, c := range closest[:min(voters, len(closest))] {
		for _, f := range p.commits[c] {
			votes[f] += scores[c] / math.Sqrt(float64(len(p.commits[c])))
		}
	}
	return ordered(votes)
}
