package ask

import (
	"slices"
	"testing"

	"patina/actors/api"
	"patina/belief"
	"patina/store/doc"
)

// A belief is on a topic if its statement or id holds half of the topic's words and its share is
// near the best of such beliefs. Words of its evidence do not count.
func TestStatingTopic(t *testing.T) {
	result := func(id, statement string, share float64) api.Result {
		r := api.Result{Description: doc.Description{
			Belief: &belief.Note{Belief: belief.Belief{ID: id, Statement: statement}},
		}}
		r.Share = share
		return r
	}
	found := []api.Result{
		result("wrap-causes", "Each error names its cause and is handled once.", 0.5),
		result("own-format", "The system owns the format.", 0.9), // its evidence tells of error handling
		result("errors-first", "Check before anything else.", 0.4),
		result("no-silence", "An error is never dropped.", 0.29),
		{Result: api.Result{}.Result}, // no belief
	}
	for topic, want := range map[string][]string{
		"error handling":          {"wrap-causes", "errors-first"},
		"the format of a system":  {"own-format"},
		"colours of buttons":      nil,
		"error budgets and quota": nil,
	} {
		var got []string
		for _, r := range statingTopic(topic, found) {
			got = append(got, r.Belief.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", topic, got, want)
		}
	}
	if len(found) != 5 || found[1].Belief.ID != "own-format" {
		t.Error("the results were changed")
	}
}
