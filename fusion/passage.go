package fusion

// Constants for the best passage (docs/ranking.md, "The best passage").
const (
	passageMost = 1.0 // weight for a question of many words
	passageFrom = 8   // words up to which the weight is 0, because they name a topic
	passageFull = 16  // words from which the weight is passageMost

	passageHighest = 2 // the greatest Passage
)

// passageWeight returns the weight of a file's best passage. A short question names a topic, which
// is spread over a file; a long one describes one place.
//
// It returns 0 if channels are selected, because passages are chosen from the chunks of all
// channels.
func passageWeight(in Input) float64 {
	if len(in.Only) > 0 {
		return 0
	}
	return passageMost * min(1, max(0, float64(in.Words-passageFrom)/(passageFull-passageFrom)))
}

// PassagesCount reports whether passages count for a question. It does not depend on the lists.
func PassagesCount(in Input) bool { return passageWeight(in) > 0 }

// Leaders returns the first n files of code as they rank without passages, from the first depth
// hits in each list. It returns nil if passages do not count.
func Leaders(in Input, depth, n int) []Key {
	if passageWeight(in) == 0 {
		return nil
	}
	first := blendScores(limitDepth(in, depth))
	keys := make([]Key, min(n, len(first)))
	for i := range keys {
		keys[i] = first[i].Key
	}
	return keys
}
