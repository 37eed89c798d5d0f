package visit

import (
	"math"

	"patina/oracles/embed"
	"patina/store/text"
)

// Constants of the background: the share of code in general that holds a word, by the word's rank
// in the built-in vocabulary (Zipf's law). The line was fitted to the sketches of 57 repositories
// and 644 words; the logarithms correlate by -0.62. With it, three registered repositories cost
// 0.005 of the MRR of questions about home, without it 0.018 (bench/history/repositories.md,
// "Questions across repositories").
const (
	backgroundChunks = 150_000 // about as many as fifty repositories have
	zipfScale        = 80.0    // share of chunks with the word of rank r: zipfScale · r^-zipfSlope
	zipfSlope        = 1.157
	mostShare        = 0.2   // of the most frequent words
	rareShare        = 0.001 // of a word outside the vocabulary
)

// overBackground adds code in general to the counts of registered projects, because in a few
// projects a common word may be rare by chance. It changes c.Terms.
func overBackground(c text.Frequencies, q text.Question) text.Frequencies {
	rank := map[string]int{}
	for _, word := range q.Words {
		if n, stem := embed.Base().Rank(word), text.Stem(word); n > 0 && (rank[stem] == 0 || n < rank[stem]) {
			rank[stem] = n
		}
	}
	for _, term := range q.Terms {
		share := rareShare
		if n := rank[term]; n > 0 {
			share = min(mostShare, zipfScale*math.Pow(float64(n), -zipfSlope))
		}
		c.Terms[term] += int(share * backgroundChunks)
	}
	c.Chunks += backgroundChunks
	return c
}
