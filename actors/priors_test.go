package actors

import (
	"slices"
	"testing"

	"patina/fusion"
	"patina/store"
)

// The table of kinds names intents and forms as text, since package store knows no fusion: each
// must be one.
func TestTableOfKindsNamesIntents(t *testing.T) {
	intents := []fusion.Intent{
		fusion.Temporal, fusion.HowTo, fusion.Rationale, fusion.Mechanism, fusion.Task, fusion.Definition, fusion.General, fusion.Companions,
	}
	forms := []fusion.Form{fusion.Past, fusion.Norm}
	asked := map[fusion.Intent]bool{}
	for _, k := range store.Kinds() {
		for intent := range k.Traits().Priors {
			asked[fusion.Intent(intent)] = true
			if !slices.Contains(intents, fusion.Intent(intent)) && !slices.Contains(forms, fusion.Form(intent)) {
				t.Errorf("kind %s has a prior for %q, which is no intent and no form", k, intent)
			}
		}
	}
	for _, i := range intents {
		in := input(question{understood: understood{intent: i}}, nil)
		if !asked[i] || len(in.Priors) != len(store.Kinds()) {
			t.Errorf("intent %s: asked for %v, %d priors", i, asked[i], len(in.Priors))
		}
	}
}
