package actors

import (
	"testing"

	"patina/actors/api"
	"patina/oracles"
	"patina/store/doc"
)

// The expected score of a file with many chunks must not lower its cosine, because relevance
// depends on it.
func TestMeaningKeepsChance(t *testing.T) {
	wide := doc.Ranked{DocID: "wide.go", Path: "wide.go", Raw: 0.5, Chance: 0.125}
	m := &api.Lists{Lists: []oracles.List{{Channel: "semantic", Kind: doc.Code, Hits: []doc.Ranked{wide}}}}
	if got := meaningOf([]*api.Lists{m}).cosines["wide.go"]; got != 0.5 {
		t.Errorf("relevance goes by %v", got)
	}
}
