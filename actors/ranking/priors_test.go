package ranking

import (
	"slices"
	"testing"

	"patina/actors/api"
	"patina/fusion"
	"patina/oracles"
	"patina/store/doc"
)

// The table of kinds names intents and forms as strings, because package store does not know
// fusion. Each must exist.
func TestTableOfKindsNamesIntents(t *testing.T) {
	intents := []fusion.Intent{
		fusion.Temporal, fusion.HowTo, fusion.Rationale, fusion.Mechanism, fusion.Task, fusion.Definition, fusion.General, fusion.Companions,
	}
	forms := []fusion.Form{fusion.Past, fusion.Norm, fusion.Reason}
	asked := map[fusion.Intent]bool{}
	for _, k := range doc.Kinds() {
		for intent := range k.Traits().Priors {
			asked[fusion.Intent(intent)] = true
			if !slices.Contains(intents, fusion.Intent(intent)) && !slices.Contains(forms, fusion.Form(intent)) {
				t.Errorf("kind %s has a prior for %q, which is no intent and no form", k, intent)
			}
		}
	}
	for _, i := range intents {
		in := fusionInput(Question{Reading: Reading{intent: i}}, nil)
		if !asked[i] || len(in.Priors) != len(doc.Kinds()) {
			t.Errorf("intent %s: asked for %v, %d priors", i, asked[i], len(in.Priors))
		}
	}
}

// If a question asks for a commit, code counts half and is not first because it is named. Without
// commits it is.
func TestCommitsAskedForByName(t *testing.T) {
	q := func(text string) Question {
		return Question{Request: api.Request{Text: text}, Reading: readText(words{text: text})}
	}
	named := &api.Lists{
		From: "p", Exact: []doc.Ranked{{DocID: "a.go::Join", Path: "a.go"}},
		Lists: []oracles.List{
			{Channel: "lexical", Kind: doc.Code, Hits: []doc.Ranked{{DocID: "a.go", Path: "a.go", Raw: 2}}},
			{Channel: "lexical", Kind: doc.Commit, Hits: []doc.Ranked{{DocID: "commit:1", Raw: 1}}},
		},
	}
	bare := &api.Lists{From: "p", Exact: named.Exact, Lists: named.Lists[:1]}
	for _, test := range []struct {
		text    string
		lists   *api.Lists
		commits bool
	}{
		{"which commit made `Join` lazy", named, true},
		{"how does `Join` work", named, false},
		{"which commit made `Join` lazy", bare, false},
	} {
		in := fusionInput(q(test.text), []*api.Lists{test.lists})
		if sessions := in.Priors[string(doc.Session)]; test.commits && sessions >= in.Priors[string(doc.Commit)] {
			t.Errorf("%q: sessions have prior %v, as much as commits", test.text, sessions)
		}
		if test.commits != (len(in.Exact) == 0) || test.commits != (in.Priors[string(doc.Code)] < in.Priors[string(doc.Commit)]*0.6) {
			t.Errorf("%q: %d exact, priors %v", test.text, len(in.Exact), in.Priors)
		}
	}
}
