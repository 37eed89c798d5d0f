package transformer

import "slices"

const (
	// batchTokens bounds the tokens of a batch, padding included. Memory grows with it, and beyond
	// some hundred tokens nothing becomes faster: bench/history/models.md.
	batchTokens = 1024
	// batchTexts bounds the texts of a batch.
	batchTexts = 32
)

// A batch is texts of similar length that run at once, as their places in the list of texts.
type batch struct {
	texts   []int
	longest int // tokens of the longest text
}

// cutBatches returns batches of all texts with at least one token, the longest first, so that the
// memory that the first needs is enough for all.
func (m *Model) cutBatches(texts [][]int64) []batch {
	order := make([]int, 0, len(texts))
	for i, ids := range texts {
		if len(ids) > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(texts[b]) - len(texts[a]) })
	var all []batch
	for len(order) > 0 {
		longest := len(texts[order[0]])
		n := min(max(1, batchTokens/longest), batchTexts, len(order))
		switch {
		case m.shape.texts > 0:
			n = min(m.shape.texts, len(order))
		case m.shape.alone:
			n = 1
		}
		all = append(all, batch{order[:n:n], longest})
		order = order[n:]
	}
	return all
}
