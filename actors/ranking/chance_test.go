package ranking

import (
	"testing"

	"patina/actors/api"
	"patina/fusion"
	"patina/oracles"
	"patina/store/doc"
)

// The expected score of a file with many chunks must not rank it, except for a long text.
func TestChanceDoesNotRank(t *testing.T) {
	wide := doc.Ranked{DocID: "wide.go", Path: "wide.go", Raw: 0.5, Chance: 0.125}
	m := &api.Lists{Lists: []oracles.List{{Channel: "semantic", Kind: doc.Code, Hits: []doc.Ranked{wide}}}}
	in := fusion.Input{Evidence: map[fusion.Key]fusion.Evidence{}}
	addLists(&in, m, func(doc.Kind) bool { return true })
	if got := in.Lists[0].Hits[0].Raw; got != 0.375 {
		t.Errorf("ranked by %v", got)
	}
	in = fusion.Input{Long: true, Evidence: map[fusion.Key]fusion.Evidence{}}
	addLists(&in, m, func(doc.Kind) bool { return true })
	if got := in.Lists[0].Hits[0].Raw; got != 0.5 {
		t.Errorf("for a long text ranked by %v", got)
	}
}
