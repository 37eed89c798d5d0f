package self

// chance returns the expected row of a uniform draw, without replacement, of ten among n documents.
// The case's expected documents are among them. The row is exact, not simulated.
func chance(c Case, n int) Row {
	wanted := min(len(c.Expect), n)
	r := Row{ID: c.ID, Top: []string{}}
	if wanted == 0 {
		return r
	}
	share, drawn := float64(wanted)/float64(n), min(places, n)
	r.P5 = share * float64(min(5, n)) / 5
	r.P10 = share * float64(drawn) / places
	r.Recall = float64(drawn) / float64(n) * float64(wanted) / float64(len(c.Expect))
	none, gain, ideal := 1.0, 0.0, 0.0 // none: chance of no right document before this place
	for i := range drawn {
		here := min(1, float64(wanted)/float64(n-i))
		r.RR += none * here / float64(i+1)
		none *= 1 - here
		gain += share * discount(i)
	}
	for i := range min(places, len(c.Expect)) {
		ideal += discount(i)
	}
	r.NDCG, r.List = gain/ideal, r.RR
	return r
}
