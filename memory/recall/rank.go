package recall

import (
	"cmp"
	"slices"

	"patina/store/doc"
)

// A Ranked is an item that answers a question.
type Ranked struct {
	Item      int // its index in the items
	Score     float64
	Relevance float64

	share, cosine float64
	length        float64 // of the question, beside a usual one
}

// Rank returns the items that share words or meaning with a question, best first. cosines must have
// one value for each item, or be nil. Beside turns of sessions, items without a session are ranked
// by words only.
func (x *Index) Rank(question string, cosines []float64, scoring Scoring) []Ranked {
	list := x.Candidates(question)
	for i, c := range cosines {
		list[i].Cosine = c
	}
	x.addNear(list)
	return rankCandidates(list, scoring)
}

// addNear sets how near each turn of a session is by meaning: its cosine and those of its
// neighbours, by the weights of their words. Only what exceeds the cosine of unrelated texts
// counts.
func (x *Index) addNear(list []Candidate) {
	for i := range list {
		above := list[i].Cosine - UnrelatedCosine
		if above <= 0 || x.items[i].Session == "" {
			continue
		}
		list[i].Near += weights[Own] * above
		for distance := 1; distance <= 3; distance++ {
			for _, j := range [...]int{i - distance, i + distance} {
				if j >= 0 && j < len(list) && x.items[j].Session == x.items[i].Session {
					list[j].Near += weights[Near1+Field(distance-1)] * above
				}
			}
		}
	}
}

func rankCandidates(list []Candidate, scoring Scoring) (out []Ranked) {
	score := ScaleOf(list).Score
	if scoring.Published() {
		rankBoth(list)
		score = scoring.SpecifiedScore(list)
	}
	for i, c := range list {
		if s := score(c); s > 0 {
			out = append(out, Ranked{i, s, Relevance(c.Share, c.Cosine), c.Share, c.Cosine, c.length})
		}
	}
	slices.SortStableFunc(out, func(a, b Ranked) int { return cmp.Compare(b.Score, a.Score) })
	return out
}

// rankBoth gives candidates their ranks by words and by meaning.
func rankBoth(list []Candidate) {
	numberRanks(list, func(c *Candidate) (float64, *int) { return c.BM25, &c.WordRank })
	numberRanks(list, func(c *Candidate) (float64, *int) { return c.Cosine, &c.VectorRank })
}

// numberRanks gives candidates with a positive value their rank by that value.
func numberRanks(list []Candidate, of func(*Candidate) (value float64, rank *int)) {
	var order []int
	for i := range list {
		if v, _ := of(&list[i]); v > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, _ := of(&list[a])
		y, _ := of(&list[b])
		return cmp.Compare(y, x)
	})
	for n, i := range order {
		_, rank := of(&list[i])
		*rank = n + 1
	}
}

// Vectors returns a vector for the text of each item.
func Vectors(model doc.Embedder, items []Item) [][]int8 {
	out := make([][]int8, len(items))
	for i, it := range items {
		out[i] = make([]int8, model.Dimension())
		model.Embed(out[i], model.Encode(nil, doc.Passage{Body: it.Text}))
	}
	return out
}

// Cosines returns the cosine of each vector with a question.
func Cosines(model doc.Embedder, question string, vectors [][]int8) []float64 {
	asked, out := model.Question([]doc.QuestionPart{{Text: question, Weight: 1}}), make([]float64, len(vectors))
	for i, v := range vectors {
		for j, x := range v {
			out[i] += float64(asked[j]) * float64(x) / doc.VectorScale
		}
	}
	return out
}
