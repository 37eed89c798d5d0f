package fusion

// WeakScore is the score below which a first result makes the answer weak. Of the answers with a
// lower first score, fewer than one in five has the right document first.
const WeakScore = 0.2

const (
	// irrelevantMost is the highest score of an answer without a relevant result.
	irrelevantMost = 0.04
	// pooled is the number of first results whose chances are pooled. Later scores are at most the
	// score before them, so that a longer answer does not change the scores above.
	pooled = 50
)

// Descend sets the scores of rs, which must be in their final order. Scores never rise from one
// result to the next: they are the closest descending numbers to the chances, by least squares
// (isotonic regression: pool adjacent violators). Neighbours whose chances rise share their mean.
//
// If relevance is Irrelevant, all scores are multiplied by the factor that brings the first one
// down to irrelevantMost.
func Descend(rs []Result, relevance Relevance) {
	type block struct {
		sum float64
		n   int
	}
	var blocks []block
	for i := range rs[:min(len(rs), pooled)] {
		blocks = append(blocks, block{rs[i].Chance, 1})
		for len(blocks) > 1 {
			before, last := blocks[len(blocks)-2], blocks[len(blocks)-1]
			if before.sum*float64(last.n) >= last.sum*float64(before.n) {
				break
			}
			blocks = append(blocks[:len(blocks)-2], block{before.sum + last.sum, before.n + last.n})
		}
	}
	i, part := 0, 1.0
	for _, b := range blocks {
		mean := b.sum / float64(b.n)
		if i == 0 {
			part = partShown(mean, relevance)
		}
		for range b.n {
			rs[i].Score = part * mean
			i++
		}
	}
	for ; i < len(rs); i++ {
		rs[i].Score = min(rs[i-1].Score, part*rs[i].Chance)
	}
}

// partShown returns the factor for the scores of an answer, given its relevance and its first
// score.
func partShown(first float64, relevance Relevance) float64 {
	if relevance == Irrelevant && first > irrelevantMost {
		return irrelevantMost / first
	}
	return 1
}
