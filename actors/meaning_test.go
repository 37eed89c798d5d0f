package actors

import (
	"testing"

	"patina/actors/api"
	"patina/oracles"
	"patina/store/doc"
)

// What a file owes to its many chunks does not lower its cosine: relevance goes by it.
func TestMeaningKeepsChance(t *testing.T) {
	wide := doc.Ranked{DocID: "wide.go", Path: "wide.go", Raw: 0.5, Chance: 0.125}
	m := &api.Lists{Lists: []oracles.List{{Channel: "semantic", Kind: doc.Code, Hits: []doc.Ranked{wide}}}}
	if got := meaningOf([]*api.Lists{m}).cosines["wide.go"]; got != 0.5 {
		t.Errorf("relevance goes by %v", got)
	}
}
