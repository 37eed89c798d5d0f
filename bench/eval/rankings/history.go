package rankings

import (
	"math"

	"patina/bench/eval"
)

// Constants of the vote, as in the store.
const (
	voters = 50
	newest = 6000
)

// A history is the subjects of the voting commits.
type history struct {
	files    int
	subjects *eval.Lexicon
	commits  [][]int // each commit's files in the tree
}

func newHistory(t *Tree, commits []eval.Commit) *history {
	h := &history{files: len(t.Paths), subjects: eval.NewLexicon(nil)}
	for _, c := range commits {
		if files := t.targets(c.Files); len(files) > 0 && len(files) <= mostFiles && len(h.commits) < newest {
			h.subjects.Add(c.Subject)
			h.commits = append(h.commits, files)
		}
	}
	return h
}

// rank lets the commits whose subjects are closest to the question vote for their files. A vote is
// score/√files.
func (h *history) rank(query string) eval.Ranking {
	scores := h.subjects.BM25(query)
	closest := eval.RankByScore(scores)
	votes := make([]float64, h.files)
	for _, c := range closest[:min(voters, len(closest))] {
		for _, f := range h.commits[c] {
			votes[f] += scores[c] / math.Sqrt(float64(len(h.commits[c])))
		}
	}
	return eval.RankByScore(votes)
}
